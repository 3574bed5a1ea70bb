/** Options by which many programs name the file that they write. */
export const outputOption = /^(?:-o|--output|--output-file|--outfile|-out)$/;

/** The same of tools that build or fetch something. */
export const outputOrFile = /^(?:-o|--output|-out|--outfile|--outFile|--file)$/;

/** Options by which formatters and linters write what they would change. */
export const writesOption = /(?:^| )(?:-i|-w|--write|--fix|--in-place|--inplace|-a|-A|--autocorrect)(?: |=|$)/;
