import type { FileChange } from '../view/fileChange.ts';
import type { Looker, View } from '../view/view.ts';
import type { Mention } from './diagnostic.ts';

const mostNames = 40;
const mostFiles = 50;
const mostMentions = 60;
const mostOfOne = 8;

// Files that run others by their names: package scripts, Makefiles, workflows, shell scripts, tests' lists.
const runners = [
  'package.json',
  'Makefile',
  'makefile',
  '*.mk',
  'justfile',
  'Taskfile.y*ml',
  'Dockerfile*',
  '*.yml',
  '*.yaml',
  '*.sh',
  'pyproject.toml',
  'tox.ini',
  'CMakeLists.txt',
];
const notEntered = ['.git', 'node_modules', 'dist', 'build', 'out', 'target', 'vendor', '.venv', '__pycache__'];

interface MentionOptions {
  files: readonly FileChange[];
  view: View;
  /** Asks grep on the real files. */
  looker: Looker;
  workspaceFolders: readonly string[];
  signal: AbortSignal;
}

/**
 * Scripts, workflows and tests that name the edited files, and lines that name top-level symbols which the edit removes or
 * renames. Found by grep, as whole words: a mention, not a proven use. At most 60, from the first 50 files. Never throws.
 */
export async function findMentions(options: MentionOptions): Promise<Mention[]> {
  const { files, workspaceFolders, signal } = options;
  const written = files.filter((file) => file.type === 'file' && !/(^|\/)\.git\//.test(file.path)).slice(0, mostFiles);
  const paths = new Set(written.flatMap((file) => [file.path, file.from ?? file.path]));
  const named = written.filter((file) => file.change !== 'created').map((file) => baseName(file.from ?? file.path));
  const fileNames = [...new Set(named)].filter((name) => name.length > 3 && !isEverywhere(name)).slice(0, mostNames);
  const symbols = await removedSymbols(written, options);
  const found: Mention[] = [];
  for (const folder of workspaceFolders) {
    if (signal.aborted || folder === '/') continue;
    const [byFile, bySymbol] = await Promise.all([
      grep(options, { folder, names: fileNames, of: 'file' }),
      grep(options, { folder, names: symbols, of: 'symbol' }),
    ]);
    found.push(...[...byFile, ...bySymbol].filter((mention) => !paths.has(mention.path)));
  }
  return limited(found);
}

function limited(found: readonly Mention[]): Mention[] {
  const counts = new Map<string, number>();
  const kept = found.filter(({ name }) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count <= mostOfOne;
  });
  return kept.slice(0, mostMentions);
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function isEverywhere(name: string): boolean {
  return /^(index|main|mod|__init__|README|package|LICENSE)\b/.test(name);
}

// Declarations at the beginning of a line, where exported things stand in the common languages.
const declaration =
  /^(?:export\s+)?(?:default\s+)?(?:pub(?:\([a-z]+\))?\s+)?(?:declare\s+)?(?:async\s+)?(?:abstract\s+)?(?:function\*?|class|interface|type|enum|const|let|var|def|fn|struct|trait|func)\s+([A-Za-z_$][\w$]{2,})/gm;

async function removedSymbols(files: readonly FileChange[], { view, signal }: MentionOptions): Promise<string[]> {
  const removed = new Set<string>();
  for (const file of files) {
    if (signal.aborted || file.change === 'created' || file.change === 'mode') continue;
    if (!/\.(m?[jt]sx?|c[jt]s|py|rs|go|java|php|rb|swift|kt)$/.test(file.path)) continue;
    if (file.change === 'renamed') continue;
    const before = await symbolsOf(view, file.path, 'before');
    const after = file.change === 'deleted' ? new Set<string>() : await symbolsOf(view, file.path, 'after');
    for (const name of before) if (!after.has(name)) removed.add(name);
  }
  return [...removed].slice(0, mostNames);
}

async function symbolsOf(view: View, path: string, moment: 'before' | 'after'): Promise<Set<string>> {
  const bytes = await view.read(path, moment, 512 * 1024);
  const text = bytes ? Buffer.from(bytes).toString('utf8') : '';
  return new Set([...text.matchAll(declaration)].map((match) => match[1] ?? ''));
}

async function grep(
  { looker, signal }: MentionOptions,
  { folder, names, of }: { folder: string; names: readonly string[]; of: Mention['of'] },
): Promise<Mention[]> {
  if (names.length === 0) return [];
  const argv = [
    'grep',
    '-rnIwFZ',
    '-m',
    '20',
    ...notEntered.map((name) => `--exclude-dir=${name}`),
    ...(of === 'file' ? [...runners, '*.test.*', '*.spec.*', 'test_*'].map((name) => `--include=${name}`) : []),
    ...names.flatMap((name) => ['-e', name]),
    '--',
    '.',
  ];
  const result = await looker.look(argv, { cwd: folder, limitMs: 3_000, signal });
  const lines = Buffer.from(result.stdout).toString('utf8').split('\n').slice(0, 2_000);
  return lines.flatMap((line) => {
    const [, file = '', number = '', text = ''] = /^([^\0]+)\0(\d+):(.*)$/.exec(line) ?? [];
    const name = names.find((one) => text.includes(one));
    if (file === '' || name === undefined) return [];
    return [
      {
        of,
        name,
        path: `${folder}/${file.replace(/^\.\//, '')}`,
        line: Number(number),
        text: text.trim().slice(0, 200),
      },
    ];
  });
}
