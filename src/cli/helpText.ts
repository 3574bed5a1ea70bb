interface Named {
  short?: string;
  /** May be given again. */
  multiple?: boolean;
  /** What it means, in the help; without one there is no option. */
  help: string;
}

/** An option: how it is read, and what the help says of it. `value`: what stands behind it, in capitals. */
export type Flag = ({ type: 'boolean' } & Named) | ({ type: 'string'; value: string } & Named);

/** Options of one word of the command line, by their long names. */
export type Flags = Readonly<Record<string, Flag>>;

/** The option that every word has. */
export const helpFlag = { help: { type: 'boolean', short: 'h', help: 'this text' } } as const satisfies Flags;

/** Columns of a line; a label that is longer than `labelColumns` stands on a line of its own. */
const [lineColumns, labelColumns] = [120, 22];

/** The help on options, below the titles of their groups; in the order in which they are declared. */
export function optionsText(groups: Readonly<Record<string, Flags>>): string {
  const labels = Object.values(groups).flatMap((flags) => Object.entries(flags).map(labelOf));
  const width = Math.max(...labels.map((label) => label.length).filter((length) => length <= labelColumns));
  return Object.entries(groups)
    .map(
      ([title, flags]) =>
        `${title}\n${Object.entries(flags)
          .map((flag) => optionText(flag, width))
          .join('')}`,
    )
    .join('\n');
}

function labelOf([name, flag]: [string, Flag]): string {
  return `${flag.short === undefined ? '' : `-${flag.short}, `}--${name}${flag.type === 'string' ? ` ${flag.value}` : ''}`;
}

function optionText(flag: [string, Flag], width: number): string {
  const label = labelOf(flag);
  const indent = ' '.repeat(width + 4);
  const lines = wrapped(flag[1].help, lineColumns - indent.length).map((line) => `${indent}${line}\n`);
  if (label.length > width) return `  ${label}\n${lines.join('')}`;
  return `  ${label.padEnd(width)}  ${lines.join('').slice(indent.length)}`;
}

/** A text in lines of at most so many columns, broken between words. */
function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= columns) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
