import { posix } from 'node:path';

/** What a source file names, and where that is looked for. */
export interface NamedSource {
  /** Paths, in the order in which they are tried; a `*` stands for any part of a name. */
  names: readonly string[];
  /** `modules`: at the file, then at each folder above it and where its language keeps sources in these. */
  from: 'file' | 'cwd' | 'modules';
  /** As it is written, for the maps of a project: its paths, its packages, its module. */
  module?: string;
  /** All of the names that there are, not only the first. */
  all?: true;
  /** It is a source itself: what it names counts too. */
  follow: boolean;
}

const longestSource = 200_000;
const mostNamed = 120;

/** Paths that a source file names: modules, includes, inputs of a recipe, and files that it opens. Nothing is looked up. */
export function sourceReads(path: string, text: string): NamedSource[] {
  const source = text.slice(0, longestSource);
  const language = languages.find(({ files, begins }) => files.test(path) || begins?.test(source));
  const found = [...(language?.reads(source, path) ?? []), ...openedFiles(source)];
  return found.slice(0, mostNamed);
}

interface SourceLanguage {
  files: RegExp;
  /** How a text of it begins that has another name. */
  begins?: RegExp;
  reads(source: string, path: string): NamedSource[];
}

const languages: readonly SourceLanguage[] = [
  { files: /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/, begins: /^#!.*\b(?:node|deno|bun)\b/, reads: scriptReads },
  { files: /\.pyi?$/, begins: /^#!.*python/, reads: pythonReads },
  { files: /\.go$/, reads: goReads },
  { files: /\.rs$/, reads: rustReads },
  { files: /\.rb$|(?:^|\/)(?:Rakefile|Gemfile)$/, begins: /^#!.*ruby/, reads: rubyReads },
  { files: /\.php$/, begins: /^#!.*php/, reads: phpReads },
  { files: /\.(?:c|h|cc|cpp|hpp|cxx|hh|m)$/, reads: includeReads },
  { files: /\.(?:java|kt)$/, reads: javaReads },
  { files: /(?:^|\/)(?:GNU)?[mM]akefile$|\.mk$/, reads: makeReads },
  { files: /(?:^|\/)(?:Dockerfile|Containerfile)(?:\.\w+)?$|\.Dockerfile$/, reads: containerReads },
  { files: /(?:^|\/)tsconfig[\w.-]*\.json$/, reads: compilerSettingReads },
  { files: /\.html?$/, reads: pageReads },
  { files: /(?:^|\/)(?:docker-)?compose[\w.-]*\.ya?ml$/, reads: composeReads },
  { files: /(?:^|\/)BUILD(?:\.bazel)?$|\.bzl$/, reads: buildReads },
  { files: /\.tf$/, reads: terraformReads },
  { files: /(?:^|\/)Taskfile(?:\.dist)?\.ya?ml$|(?:^|\/)\.?[jJ]ustfile$/, reads: taskReads },
  { files: /(?:^|\/)bunfig\.toml$|(?:^|\/)phpunit\.xml(?:\.dist)?$/, reads: besideReads },
  { files: /(?:^|\/)CMakeLists\.txt$|\.cmake$/, reads: cmakeReads },
];

function groups(source: string, pattern: RegExp): string[] {
  return [...source.matchAll(pattern)].flatMap((match) => match.slice(1).find((group) => group !== undefined) ?? []);
}

const scriptEnds = ['', '.ts', '.tsx', '.js', '.jsx', '.mts', '.mjs', '.cjs', '.json', '.vue', '.svelte'];
const scriptNames = [...scriptEnds, '/index.ts', '/index.tsx', '/index.js', '/index.mjs'];

/** What may stand for a module of JavaScript: `./a.js` is `./a.ts` too where it is compiled. */
export function scriptFiles(module: string): string[] {
  const bare = module.replace(/\.[cm]?jsx?$/, '');
  return [...new Set([module, ...scriptNames.map((end) => `${bare}${end}`)])];
}

function scriptReads(source: string): NamedSource[] {
  const modules = groups(source, /(?:\bfrom|\bimport|\brequire(?:\.resolve)?)\s*\(?\s*['"]([^'"\n]{1,300})['"]/g);
  const named = modules.map((module): NamedSource => {
    if (module.startsWith('.')) return { names: scriptFiles(module), from: 'file', follow: true };
    return { names: [], from: 'modules', module, follow: true };
  });
  const beside = [
    ...groups(source, /new URL\(\s*['"](\.{1,2}\/[^'"\n]+)['"]\s*,\s*import\.meta\.url/g),
    ...groups(source, /\b(?:join|resolve)\(\s*(?:__dirname|import\.meta\.dirname)\s*,\s*['"]([^'"\n]+)['"]/g),
  ];
  return [...named, ...beside.map((name): NamedSource => ({ names: [name], from: 'file', follow: false }))];
}

function pythonReads(source: string): NamedSource[] {
  const found: NamedSource[] = [];
  const add = (module: string, members: readonly string[] = []) => {
    const dots = /^\.*/.exec(module)?.[0].length ?? 0;
    const inner = module.slice(dots).replaceAll('.', '/');
    const base = dots > 1 ? '../'.repeat(dots - 1) : './';
    const path = inner === '' ? base.replace(/\/$/, '') : `${base}${inner}`;
    const from = dots > 0 ? 'file' : 'modules';
    const packages = inner
      .split('/')
      .slice(0, -1)
      .map((_, index, parts) => `${base}${parts.slice(0, index + 1).join('/')}/__init__.py`);
    const names = [`${path}.py`, `${path}/__init__.py`, ...packages];
    found.push({
      names: [...names, ...members.map((member) => `${path}/${member}.py`)],
      from,
      all: true,
      follow: true,
    });
  };
  const from = /^[ \t]*from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]*(?:\(([^)]*)\)|([^\n#]*))/gm;
  for (const [, module = '', inside, line = ''] of source.matchAll(from))
    add(module, (inside ?? line).match(/(?<![\w.])[A-Za-z_]\w*(?=\s*(?:,|$|\bas\b|\)))/gm) ?? []);
  for (const list of groups(source, /^[ \t]*import[ \t]+([\w., \t]+)/gm))
    for (const module of list.split(',')) add(module.trim().split(/\s/)[0] ?? '');
  // Settings of frameworks name modules as texts.
  for (const module of groups(source, /_(?:SETTINGS_MODULE|URLCONF)['"]?\s*(?:,|=|:)\s*['"]([\w.]+)['"]/g)) add(module);
  for (const module of groups(source, /\binclude\(\s*['"]([\w.]+)['"]/g)) add(module);
  for (const name of groups(source, /__file__\)?(?:\.resolve\(\))?\.parents?(?:\[0\])?\s*\/\s*['"]([^'"\n]+)['"]/g))
    found.push({ names: [name], from: 'file', follow: false });
  for (const name of groups(source, /\bdirname\((?:\w+\()*__file__\)*,\s*['"]([^'"\n]+)['"]/g))
    found.push({ names: [name], from: 'file', follow: false });
  return found;
}

function goReads(source: string): NamedSource[] {
  const blocks = groups(source, /^import\s+(?:\(([^)]*)\)|((?:\w+\s+)?"[^"\n]+"))/gm);
  const modules = blocks.flatMap((block) => groups(block, /"([^"\n]+)"/g));
  const imported = modules.map((module): NamedSource => ({ names: [], from: 'modules', module, follow: true }));
  const embedded = groups(source, /^\/\/go:embed[ \t]+(.+)$/gm).flatMap((line) => line.trim().split(/\s+/));
  return [
    // All files of a folder are one package.
    { names: ['*.go'], from: 'file', all: true, follow: true },
    ...imported,
    ...embedded.map((name): NamedSource => ({ names: [name], from: 'file', all: true, follow: false })),
  ];
}

function rustReads(source: string, path: string): NamedSource[] {
  const stem = posix.basename(path, '.rs');
  const below = /^(?:main|lib|mod)$/.test(stem) ? '' : `${stem}/`;
  const inner = groups(source, /^[ \t]*(?:pub(?:\([^)]*\))?[ \t]+)?mod[ \t]+(\w+)[ \t]*;/gm);
  const used = groups(source, /\bcrate::(\w+(?:::\w+)*)/g).map((module) => module.split('::')[0] ?? '');
  return [
    ...inner.map((name): NamedSource => {
      const names = [`${below}${name}.rs`, `${below}${name}/mod.rs`, `${name}.rs`, `${name}/mod.rs`];
      return { names, from: 'file', follow: true };
    }),
    ...used.map((name): NamedSource => ({ names: [`${name}.rs`, `${name}/mod.rs`], from: 'modules', follow: true })),
    ...groups(source, /\binclude(?:_str|_bytes)?!\(\s*"([^"\n]+)"/g).map(
      (name): NamedSource => ({ names: [name], from: 'file', follow: false }),
    ),
  ];
}

function rubyReads(source: string): NamedSource[] {
  const withEnd = (name: string) => (name.endsWith('.rb') ? [name] : [`${name}.rb`, name]);
  return [
    ...groups(source, /\brequire_relative[ (]*['"]([^'"\n]+)['"]/g).map(
      (name): NamedSource => ({ names: withEnd(name), from: 'file', follow: true }),
    ),
    ...groups(source, /\b(?:require|load)[ (]+['"]([^'"\n]+)['"]/g).map(
      (name): NamedSource => ({ names: withEnd(name), from: 'modules', follow: true }),
    ),
  ];
}

function phpReads(source: string): NamedSource[] {
  const names = groups(source, /\b(?:require|include)(?:_once)?[ (]+(?:__DIR__\s*\.\s*)?['"]([^'"\n]+)['"]/g);
  return names.map((name): NamedSource => ({ names: [name.replace(/^\//, '')], from: 'file', follow: true }));
}

function includeReads(source: string): NamedSource[] {
  return groups(source, /^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"/gm).map(
    (name): NamedSource => ({ names: [name], from: 'modules', follow: true }),
  );
}

function javaReads(source: string): NamedSource[] {
  return groups(source, /^import[ \t]+(?:static[ \t]+)?([\w.]+)/gm).map((name): NamedSource => {
    const path = name.replaceAll('.', '/');
    return { names: [`${path}.java`, `${path}.kt`], from: 'modules', follow: true };
  });
}

/** Included files, and what a rule is made of; `a.o` is made of `a.c`. */
function makeReads(source: string): NamedSource[] {
  const included = groups(source, /^-?s?include[ \t]+(.+)$/gm).flatMap((line) => line.trim().split(/\s+/));
  const inputs = groups(source, /^[^\t#\n=:][^\n=:]*::?(?!=)[ \t]*([^\n;#|=]*)/gm).flatMap((line) =>
    line.trim().split(/\s+/),
  );
  const values = groups(source, /^[A-Z_]+[ \t]*[:+?]?=[ \t]*([^\n#]*)/gm).flatMap((line) => line.trim().split(/\s+/));
  const wild = groups(source, /\$\(wildcard[ \t]+([^)\n]+)\)/g).flatMap((line) => line.trim().split(/\s+/));
  const plain = [...inputs, ...values].filter((name) => /^[\w./-]*[\w-]\.\w+$/.test(name));
  return [
    ...included.map((name): NamedSource => ({ names: [name], from: 'file', follow: true })),
    ...wild.map((name): NamedSource => ({ names: [name], from: 'file', all: true, follow: true })),
    ...plain.map((name): NamedSource => {
      const bare = name.replace(/\.o$/, '');
      const names = bare === name ? [name] : ['.c', '.cc', '.cpp', '.cxx', '.s', '.f90'].map((end) => `${bare}${end}`);
      return { names, from: 'file', follow: true };
    }),
  ];
}

function containerReads(source: string): NamedSource[] {
  const lines = groups(source.replace(/\\\n/g, ' '), /^[ \t]*(?:COPY|ADD)[ \t]+((?:--\w+=?\S*[ \t]+)*[^\n]+)$/gim);
  const copied = lines
    .filter((line) => !/--from=/.test(line))
    .flatMap((line) =>
      line
        .replace(/[[\]",]/g, ' ')
        .trim()
        .split(/\s+/)
        .slice(0, -1),
    )
    .filter((name) => !name.startsWith('--') && !/^https?:/.test(name));
  return copied.map(
    (name): NamedSource => ({ names: [name.replace(/^\//, '')], from: 'file', all: true, follow: false }),
  );
}

function compilerSettingReads(source: string): NamedSource[] {
  const named = groups(source, /"(?:extends|path)"\s*:\s*"(\.[^"\n]*|[^"\n@]*\.json|[\w][\w/-]*)"/g);
  return named.map(
    (name): NamedSource => ({
      names: [posix.join(name, 'tsconfig.json'), name, `${name}.json`],
      from: 'file',
      follow: true,
    }),
  );
}

function pageReads(source: string): NamedSource[] {
  const named = groups(source, /<(?:script|link)\b[^>]*?\b(?:src|href)=["']\.?\/?([^"':]+)["']/gi);
  return named.map((name): NamedSource => ({ names: [name], from: 'file', follow: true }));
}

function composeReads(source: string): NamedSource[] {
  const named = groups(
    source,
    /^[ \t]*(?:build|context|dockerfile|env_file|file|-[ \t]+env_file):[ \t]*['"]?([\w./-]+)/gm,
  );
  // Lists in one line or several: `env_file: [a.vars]`, `- ./nginx.conf:/etc/nginx.conf`.
  const listed = groups(
    source,
    /(?:^[ \t]*-|[[,])[ \t]*['"]?(?:path:[ \t]*)?(\.{0,2}[\w./-]*[\w-]\.[A-Za-z]\w{0,9})\b/gm,
  );
  return [...named, ...listed].map(
    (name): NamedSource => ({
      names: [name, posix.join(name, 'Dockerfile')],
      from: 'file',
      all: true,
      follow: true,
    }),
  );
}

function cmakeReads(source: string): NamedSource[] {
  const named = groups(source, /(?<![\w./-])([\w./-]+\.(?:c|cc|cpp|cxx|h|hpp|in|cmake))\b/g);
  const below = groups(source, /\badd_subdirectory\(\s*([\w./-]+)/gi).map((name) => `${name}/CMakeLists.txt`);
  return [...named, ...below].map((name): NamedSource => ({ names: [name], from: 'file', follow: true }));
}

/** Sources of Bazel's rules, from the folder of their file. */
function buildReads(source: string): NamedSource[] {
  return groups(source, /"([\w./-]+\.\w+)"/g).map(
    (name): NamedSource => ({ names: [name], from: 'file', follow: true }),
  );
}

/** All files of the folder of a local module. */
function terraformReads(source: string): NamedSource[] {
  const modules = groups(source, /^[ \t]*source[ \t]*=[ \t]*"(\.{1,2}\/[^"\n]*)"/gm);
  const read = groups(source, /\b(?:file|templatefile)\(\s*"(?:\$\{path\.module\}\/)?([\w./-]+)"/g);
  return [
    ...modules.map(
      (name): NamedSource => ({ names: [posix.join(name, '*.tf')], from: 'file', all: true, follow: true }),
    ),
    ...read.map((name): NamedSource => ({ names: [name], from: 'file', follow: false })),
  ];
}

/** What the lines of tasks name, and files that are included. */
function taskReads(source: string): NamedSource[] {
  const named = groups(source, /(?<![\w/.-])(\.{0,2}[\w./-]*[\w-]\.[A-Za-z]\w{0,9})(?![\w/-])/g);
  return named.map((name): NamedSource => ({ names: [name], from: 'file', follow: true }));
}

/** Sources that settings name, from the folder of these. */
function besideReads(source: string): NamedSource[] {
  return groups(source, /["'](?:\.\/)?([\w./-]+\.\w+)["']/g).map(
    (name): NamedSource => ({ names: [name], from: 'file', follow: true }),
  );
}

const opens =
  /\b(?:open|readFile(?:Sync)?|createReadStream|read_csv|read_json|Path|File(?:\.(?:read|open|readlines))?|read_text|loadtxt|fopen|ReadFile|Open|read_to_string|file_get_contents)\(\s*[rbu]?['"]([^'"\n]{1,200})['"]/g;

/** Files that any language opens by a literal name are meant from where the program is started. */
function openedFiles(source: string): NamedSource[] {
  const opened = groups(source, opens);
  // A name goes through variables and parameters until something opens it.
  const said = groups(source, /['"`](\.{0,2}[\w./-]*\w\.[A-Za-z]\w{0,9})['"`]/g);
  return [...new Set([...opened, ...said])].map((name): NamedSource => ({ names: [name], from: 'cwd', follow: false }));
}
