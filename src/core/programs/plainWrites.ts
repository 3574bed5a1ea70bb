import { changesFiles, inlineCodeOf, interpreterOf } from './inlineCode.ts';
import { programName } from './programName.ts';

/** The script file that an interpreter is given, as it is written; `undefined` where it is given none. */
export function scriptFileOf(argv: readonly string[]): string | undefined {
  if (interpreterOf(argv[0] ?? '') === undefined || inlineCodeOf(argv, '') !== undefined) return undefined;
  const words = argv.slice(1);
  return words.find((word, index) => !word.startsWith('-') && !/^-[mrIWX]$/.test(words[index - 1] ?? ''));
}

/**
 * Whether a program plainly changes files, so that nobody may assume that it changes none: by its options, by what it is
 * for, or by the calls in its code (`code`: inline code or the script that it is given). False proves nothing.
 */
export function plainlyWrites(argv: readonly string[], code: string | undefined): boolean {
  const name = programName(argv[0] ?? '').replace(/[-\d.]+$/, '');
  const words = argv.slice(1);
  const language = interpreterOf(argv[0] ?? '');
  if ((language === 'perl' || language === 'ruby') && words.some((word) => /^-[a-zA-Z0-9]*i/.test(word))) return true;
  if (code !== undefined && language !== undefined && changesFiles(code, language)) return true;
  const inner = startedBy(name, language, words);
  if (inner) return plainlyWrites(inner, undefined);
  if (words.some((word) => /^(--version|--help|-h|-V|--dry-run|--check|--list-different)$/.test(word))) return false;
  const rule = makers.get(name);
  return rule?.test(words.join(' ')) ?? false;
}

/** `python -m black .` and `npx prettier --write .` are what they start. */
function startedBy(name: string, language: string | undefined, words: readonly string[]): string[] | undefined {
  const module = language === 'python' ? words.indexOf('-m') : -1;
  if (module >= 0) return words.slice(module + 1);
  if (!/^(?:npx|bunx|uvx|pnpx)$/.test(name)) return undefined;
  const first = words.findIndex((word) => !word.startsWith('-'));
  return first < 0 ? undefined : words.slice(first);
}

const always = /^/;
const writesOption = /(?:^| )(?:-i|-w|--write|--fix|--in-place|--inplace|-a|-A|--autocorrect)(?: |=|$)/;

// What programs are for: those that make files of files (unless their words say that they only look).
const makers: ReadonlyMap<string, RegExp> = new Map(
  (
    [
      [
        'cc gcc g++ c++ clang clang++ tcc rustc javac kotlinc scalac ghc nvcc protoc swiftc dmd ocamlc ocamlopt as ld',
        /^(?!.*(?:^| )(?:-E|-fsyntax-only|-M|-MM)(?: |$))./,
      ],
      [
        'cargo',
        /^(?:\+\S+ )?(?:b|build|c|check|t|test|r|run|bench|doc|new|init|add|remove|rm|update|fix|fmt(?!.*--check)|install|vendor|generate-lockfile|clippy)\b/,
      ],
      ['go', /^(?:build|install|generate|get|test|run|fmt|work|mod (?:tidy|init|download|vendor|edit))\b/],
      ['cmake ninja meson gradle gradlew mvn mvnw ant bazel scons sbt dotnet xcodebuild', always],
      ['tsc', /^(?!.*--noEmit)/],
      ['esbuild rollup webpack parcel tsup swc babel sass lessc postcss tailwindcss uglifyjs terser', always],
      ['vite next nuxt astro remix ng', /^build\b/],
      ['black isort autopep8 yapf rustfmt', /^(?!.*(?:^| )(?:--check|--diff|-)(?: |$))./],
      ['prettier eslint stylelint biome gofmt goimports clang-format standard rubocop yamlfmt', writesOption],
      ['ruff', /(?:^format\b(?!.*--(?:check|diff))|--fix\b)/],
      [
        'npm',
        /^(?:i|in|install|ci|add|un|uninstall|rm|remove|update|up|upgrade|dedupe|prune|init|version|pack|link|rebuild|audit fix)\b/,
      ],
      [
        'yarn pnpm bun',
        /^(?:$|i\b|install|add|remove|rm|up|update|upgrade|dedupe|init|create|link|build|import|patch)/,
      ],
      [
        'pip pip3 pipx uv poetry conda mamba pdm',
        /(?:^| )(?:install|uninstall|add|remove|sync|lock|update|upgrade|init|create|venv|download)\b/,
      ],
      ['bundle gem composer', /^(?:$|install|update|add|remove|require|init|dump-autoload)/],
      ['wget', /^(?!.*(?:-O ?-|-qO-|--spider|--output-document=-))./],
      ['curl', /(?:^| )(?:-[a-zA-Z]*[oO]|--output|--remote-name)\b/],
    ] as const
  ).flatMap(([names, rule]) => names.split(' ').map((name) => [name, rule] as const)),
);
