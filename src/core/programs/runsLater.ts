import type { LaterRunner } from '../facts/effect.ts';

interface LaterRow {
  by: LaterRunner;
  /** Of the last part of a path, with its slash. */
  names: RegExp;
  /** Files below such folders, with a slash at both ends; each begins with a dot. */
  below?: RegExp;
  /** What of the text decides; files that agree in it run the same. Default: the whole text. */
  part?: (text: string) => string;
}

// githooks(5)
const hookNames =
  /\/((applypatch|commit|prepare-commit)-msg|proc-receive|push-to-checkout|sendemail-validate|fsmonitor-watchman|reference-transaction|(pre|post)-(applypatch|commit|merge-commit|merge|rebase|checkout|push|receive|update|auto-gc|rewrite|index-change)|p4-[a-z-]+)$/;

/** Files that tools run on their own account, by their names: these names are the tools' own rules. */
const rows: readonly LaterRow[] = [
  { by: 'git', names: /\/\.gitattributes$/, part: attributePrograms },
  { by: 'git', names: hookNames },
  { by: 'git', names: /\/\.(gitmodules|lfsconfig)$/ },
  {
    by: 'gitHooks',
    below: /\/(\.husky|\.lefthook(-local)?)\//,
    names:
      /\/(\.huskyrc(\.\w+)?|\.pre-commit-(config|hooks)\.ya?ml|\.?lefthook(-local)?\.(ya?ml|toml|json)|\.(lintstagedrc|simple-git-hooks)(\.\w+)?|\.overcommit\.yml)$/,
  },
  { by: 'packages', names: /\/package\.json5?$/, part: packageCode },
  { by: 'packages', names: /\/composer\.json$/, part: composerCode },
  {
    by: 'packages',
    below: /\/(\.yarn\/(releases|plugins|sdks)|\.cargo|\.bundle|\.mvn)\//,
    names:
      /\/(\.npmrc|\.yarnrc(\.yml)?|\.pnpmfile\.c?js|\.pnp\.(c?js|loader\.mjs)|pnpm-workspace\.yaml|bunfig\.toml|deno\.jsonc?|binding\.gyp|pip\.conf|build\.rs|Gemfile|gems\.rb|[^/]+\.gemspec|Podfile|[^/]+\.podspec|Package\.swift|mix\.exs|rebar\.config|nuget\.config|Cartfile)$/i,
  },
  { by: 'packages', names: /\/pyproject\.toml$/, part: pyprojectCode },
  { by: 'packages', names: /\/setup\.(py|cfg)$/ },
  {
    by: 'build',
    names:
      /\/((GNU|BSD)?makefile(\.(am|in|inc|include|local))?|[^/]+\.(mk|mak|cmake|gradle|gradle\.kts|csproj|fsproj|vbproj|vcxproj|targets|props)|CMakeLists\.txt|CMake(User)?Presets\.json|\.?justfile|[^/]+\.just|Taskfile(\.dist)?\.ya?ml|Rakefile|[^/]+\.rake|gradlew(\.bat)?|gradle\.properties|gradle-wrapper\.(properties|jar)|mvnw(\.cmd)?|pom\.xml|build\.xml|build\.sbt|build\.sc|build\.zig|build\.ninja|SConstruct|SConscript|wscript|meson\.build|configure(\.(ac|in))?|BUILD(\.bazel)?|WORKSPACE(\.bazel)?|MODULE\.bazel|[^/]+\.bzl|\.?bazelrc|Dockerfile(\.(?!(ts|js|mjs|cjs|py|go|rs|rb|java|md|txt|html|json|snap)$)[^/]+)?|[^/]+\.dockerfile|Containerfile|(docker-)?compose([.-][^/]+)?\.ya?ml|Vagrantfile|Tiltfile|Earthfile|Procfile(\.[\w-]+)?|dodo\.py|fabfile\.py|tasks\.py|noxfile\.py|nx\.json|turbo\.json|magefile\.go|skaffold\.ya?ml|devbox\.json|flake\.nix|shell\.nix|default\.nix)$/i,
  },
  {
    by: 'tools',
    names:
      /\/(conftest\.py|(site|user)customize\.py|[^/]+\.pth|pytest\.ini|tox\.ini|[^/]+\.config\.[cm]?[jt]s|\.[\w-]+rc\.[cm]?[jt]s|(gulpfile|gruntfile|karma\.conf|protractor\.conf|wdio\.conf)(\.babel)?\.[cm]?[jt]s|\.mocharc(\.\w+)?|\.babelrc(\.\w+)?|\.eslintrc(\.\w+)?|\.stylelintrc(\.\w+)?|\.prettierrc(\.\w+)?|\.rubocop\.yml|\.rspec|\.pryrc|\.irbrc|\.Rprofile|\.pylintrc|pylintrc|mypy\.ini|\.flake8|\.psqlrc|\.sqliterc|\.perltidyrc|\.ackrc|\.ghci|\.ocamlinit|phpunit\.xml(\.dist)?|\.user\.ini|\.htaccess|\.nodemonrc|nodemon\.json)$/,
  },
  { by: 'editor', names: /\/[tj]sconfig(\.[^/]+)?\.json$/, part: (text) => (text.includes('"plugins"') ? text : '') },
  {
    by: 'editor',
    below: /\/\.(idea|run|zed|fleet|helix|nova)\//,
    names:
      /\/([^/]+\.(sublime-(project|build)|code-workspace)|\.dir-locals(-2)?\.el|\.n?vim(rc|\.lua)|_vimrc|\.exrc|\.lvimrc|\.projectile)$/,
  },
  {
    by: 'shell',
    names:
      /\/(\.envrc|\.direnvrc|\.autoenv(\.zsh)?|\.?mise(\.[\w.-]+)?\.toml|\.rtx\.toml|\.gdbinit|\.lldbinit|\.screenrc|\.tmux\.conf|\.tmuxinator\.ya?ml|\.curlrc|\.wgetrc)$/,
  },
  {
    by: 'otherMachines',
    below: /\/(\.builds|\.semaphore|\.devin|\.idx)\//,
    names:
      /\/(action\.ya?ml|cloudbuild\.ya?ml|buildspec\.ya?ml|netlify\.toml|vercel\.json|\.gitpod\.ya?ml|\.gitpod\.Dockerfile|\.cirrus\.(yml|star)|\.build\.yml|fly\.toml|render\.yaml|wercker\.yml)$/,
  },
];

/** Who would run what stands in a file of this path; absolute. `undefined`: nobody who does not name it. */
export function runsLater(path: string): LaterRunner | undefined {
  return rowOf(path)?.by;
}

/** Whether two contents of a file of this path make whoever runs it later do the same. */
export function runsSame(path: string, before: string, after: string): boolean {
  const part = rowOf(path)?.part;
  return before === after || (part !== undefined && part(before) === part(after));
}

/** Of 50,000 files hardly one is such a file: they are asked once whether any row fits. */
const anyName = new RegExp(rows.map(({ names }) => `(?:${names.source})`).join('|'), 'i');

function rowOf(path: string): LaterRow | undefined {
  const name = path.slice(path.lastIndexOf('/'));
  const isNamed = anyName.test(name);
  if (!isNamed && !path.includes('/.')) return undefined;
  return rows.find(({ names, below }) => (isNamed && names.test(name)) || below?.test(path));
}

/** Lines of attributes that name a program of the settings, with what they are for; macros can stand for any of these. */
function attributePrograms(text: string): string {
  const lines = text.split('\n').filter((line) => !/^\s*(#|$)/.test(line));
  if (lines.some((line) => /^\s*\[attr\]/.test(line))) return text;
  return lines.filter((line) => /\s(filter|diff|merge)=/.test(line)).join('\n');
}

// Of a manifest only describes the package. What is not known may be what some tool runs.
const describing: ReadonlySet<string> = new Set([
  ...['name', 'version', 'description', 'keywords', 'author', 'authors', 'contributors', 'maintainers', 'license'],
  ...[
    'licenses',
    'homepage',
    'bugs',
    'repository',
    'funding',
    'private',
    'engines',
    'os',
    'cpu',
    'libc',
    'type',
    'types',
  ],
  ...['typings', 'files', 'sideEffects', 'publishConfig', 'browserslist', 'support', 'time', 'readme', 'abandoned'],
]);
const dependencyLists: ReadonlySet<string> = new Set([
  ...['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies', 'peerDependenciesMeta'],
  ...['require', 'require-dev', 'conflict', 'suggest'],
]);
// A range of versions comes from the registry; an address or a path is code of somebody.
const versionRange = /^[\s^~<>=|*x\d.,v-]*([-+@][\w.+-]+)?$|^(latest|next|workspace:[\^~*]|self\.version)$/;

function packageCode(text: string): string {
  return manifestCode(text, new Set());
}

function composerCode(text: string): string {
  return manifestCode(text, new Set(['autoload', 'autoload-dev', 'minimum-stability', 'prefer-stable']));
}

/** What of a JSON manifest says what is run: all that neither describes the package nor is a range of versions. */
function manifestCode(text: string, besides: ReadonlySet<string>): string {
  if (text.trim() === '') return '[]';
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch {
    return text;
  }
  if (typeof manifest !== 'object' || manifest === null) return text;
  const told = Object.entries(manifest).flatMap(([key, value]): [string, unknown][] => {
    if (describing.has(key) || besides.has(key)) return [];
    if (!dependencyLists.has(key) || typeof value !== 'object' || value === null) return [[key, value]];
    const others = Object.entries(value).filter(([, range]) => typeof range === 'string' && !versionRange.test(range));
    return others.length > 0 ? [[key, Object.fromEntries(others)]] : [];
  });
  return JSON.stringify(told.sort(([a], [b]) => (a < b ? -1 : 1)));
}

// Tables of which nothing is run. Other tables may be tasks, plugins or the code that builds.
const describingTables =
  /^(project(\.(urls|readme|license|authors|maintainers|optional-dependencies))?|dependency-groups|tool\.(black|isort|coverage(\..+)?|poetry\.(dependencies|dev-dependencies|group\..+\.dependencies)|ruff(\..+)?|pyright))$/;

/** The lines of `pyproject.toml` that stand in no table which only describes. */
function pyprojectCode(text: string): string {
  let isTold = true;
  const told = text.split('\n').filter((line) => {
    const table = /^\s*\[\[?\s*([^\]]+?)\s*\]/.exec(line)?.[1];
    if (table !== undefined) isTold = !describingTables.test(table);
    // A dependency can be an address as well.
    return isTold || /@\s*(\w+\+)?\w+:|\b(git|url|path)\s*=/.test(line);
  });
  return told.filter((line) => !/^\s*(#|$)/.test(line)).join('\n');
}
