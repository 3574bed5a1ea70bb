import { programName } from './programName.ts';

/** Programs that write a file that an option names, by the names of these options. */
const outputOptions: readonly (readonly [programs: RegExp, options: RegExp])[] = [
  [
    /^(sort|shuf|curl|gcc|g\+\+|cc|c\+\+|clang(\+\+)?|ld|as|rustc|nasm|yasm|swiftc|pandoc|dot|neato|iconv|recode|gpg2?|age|strace|ltrace|perf|time|gtime|flex|bison|m4|objdump|aria2c|minisign|yt-dlp|youtube-dl|xmllint|xsltproc|sponge|cjpeg|djpeg|lame|sox|protoc|wasm-opt|emcc|emar|esbuild|zstd|lz4|brotli|patch)$/,
    /^(-o|--output|--output-file|--outfile|-out)$/,
  ],
  [
    /^(go|zig|dotnet|cargo|helm|kustomize|terraform|tofu|docker|podman|buf|swag|tsc|rollup)$/,
    /^(-o|--output|-out|--outfile|--outFile|--file)$/,
  ],
  [/^openssl$/, /^(-out|-keyout|-writerand|-sess_out|-CRLfile)$/],
  [/^wget$/, /^(-O|--output-document|-o|--output-file)$/],
  [/^curl$/, /^(-D|--dump-header|-c|--cookie-jar|--trace|--trace-ascii|--stderr)$/],
  [/^(pg_dump|pg_dumpall|pg_restore)$/, /^(-f|--file)$/],
  [/^(mysqldump|mariadb-dump)$/, /^(-r|--result-file)$/],
  [/^(mongodump|mongoexport)$/, /^(-o|--out|--archive)$/],
  [/^(tcpdump|tshark|dumpcap)$/, /^-w$/],
];

/** Programs that take letters in one word: `curl -sSo f`. */
const bundles = /^(curl|wget|sort|shuf|gpg2?|zstd|lz4|tcpdump)$/;

/** Programs whose last word is the file that they write. */
const lastWord =
  /^(ffmpeg|convert|magick|wkhtmltopdf|wkhtmltoimage|pdftk|qpdf|pdftotext|ps2pdf|rsvg-convert|optipng|objcopy|install)$/;
/** Programs whose first word is it. */
const firstWord = /^(zip|ar|7z|7za|rar|jar)$/;

/**
 * Files that a program writes, or links that it puts in their place, as far as its arguments tell. What stands there before
 * is lost then, whoever writes it.
 */
export function outputsOf(argv: readonly string[]): string[] {
  const name = programName(argv[0] ?? '');
  const args = argv.slice(1);
  const found: string[] = [];
  for (const [programs, options] of outputOptions) {
    if (programs.test(name)) found.push(...valuesOf(args, options, bundles.test(name)));
  }
  if (name === 'git') found.push(...valuesOf(args, args.includes('archive') ? /^(-o|--output)$/ : /^--output$/, false));
  // The others of its options read the file of a key.
  if (name === 'ssh-keygen' && !args.some((word) => /^-[a-zA-Z]*[lyFRHeiBYLQ]/.test(word)))
    found.push(...valuesOf(args, /^-f$/, false));
  const words = args.filter((word) => !word.startsWith('-'));
  if (/^(tar|bsdtar|gtar)$/.test(name)) found.push(...tarOutput(args));
  if (name === 'ln' && args.some((word) => /^(--force|-[a-zA-Z]*f[a-zA-Z]*)$/.test(word)) && words.length === 2)
    found.push(words[1] ?? '');
  if (/^(tee|sponge)$/.test(name) && !args.some((word) => /^(-a|--append)$/.test(word))) found.push(...words);
  if (name === 'dd') found.push(...args.filter((word) => word.startsWith('of=')).map((word) => word.slice(3)));
  if (name === 'uniq' && words.length === 2) found.push(words[1] ?? '');
  if (firstWord.test(name)) found.push((/^(7z|7za|rar|ar|jar)$/.test(name) ? words[1] : words[0]) ?? '');
  if (lastWord.test(name) && words.length > 1) found.push(words.at(-1) ?? '');
  return [...new Set(found)].filter((path) => path !== '' && path !== '-');
}

/** `-o f`, `-of`, `--output=f`, and the last letter of a bundle: `-sSo f`. */
function valuesOf(args: readonly string[], options: RegExp, inBundles: boolean): string[] {
  return args.flatMap((word, index) => {
    const [, long, value] = /^(--?[\w-]+)=(.*)$/s.exec(word) ?? [];
    if (long !== undefined && value !== undefined && options.test(long)) return [value];
    if (options.test(word)) return args[index + 1] === undefined ? [] : [args[index + 1] ?? ''];
    if (inBundles && /^-[a-zA-Z]{2,6}$/.test(word) && options.test(`-${word.at(-1)}`))
      return args[index + 1] === undefined ? [] : [args[index + 1] ?? ''];
    return /^-[oO]./.test(word) && !word.startsWith('--') && options.test(word.slice(0, 2)) ? [word.slice(2)] : [];
  });
}

/** The archive of `tar cf a.tar b`, with or without a dash; reading one writes nothing of that name. */
function tarOutput(args: readonly string[]): string[] {
  const first = args[0] ?? '';
  const letters = /^-?[a-zA-Z]+$/.test(first) ? first.replace('-', '') : '';
  const creates =
    /[cru]/.test(letters) || args.some((word) => /^(--create|--append|--update|-[a-zA-Z]*[cru][a-zA-Z]*)$/.test(word));
  if (!creates) return [];
  const attached = args.flatMap((word) => (word.startsWith('--file=') ? [word.slice(7)] : []));
  const at = args.findIndex(
    (word, index) => /^(--file|-[a-zA-Z]*f)$/.test(word) || (index === 0 && letters.includes('f') && word === first),
  );
  return [...attached, ...(at >= 0 && args[at + 1] !== undefined ? [args[at + 1] ?? ''] : [])];
}
