import { readdir } from 'node:fs/promises';
import { below, folderOf, folderReader, nameOf, onDisk } from '../bytePath.ts';
import { installedPackages } from './installedPackages.ts';
import type { Reproduction } from './reproduction.ts';

/** A kind of folder or file that a tool makes again from what stands beside it. */
interface Recipe {
  /** Name of the folder, or with `file` of the file. */
  made: RegExp;
  file?: true;
  /** Files beside it that say how to make it again; the first one found is named. */
  from: RegExp;
  /** The command that makes it again, where the kind of project tells. */
  command?: string;
  /** What makes it again, where no command is known. */
  by?: string;
  /** The name is also used for what people write (`build`, `bin`), so it counts only where git was told to ignore it. */
  ifIgnored?: true;
}

// Lock files before manifests: with one the same versions come back, with a manifest alone versions that fit it.
const recipes: readonly Recipe[] = [
  { made: /^node_modules$/, from: /^(package-lock|npm-shrinkwrap)\.json$/, command: 'npm ci' },
  { made: /^(node_modules|\.yarn)$/, from: /^yarn\.lock$/, command: 'yarn install' },
  { made: /^\.pnp\.c?js$/, file: true, from: /^yarn\.lock$/, command: 'yarn install' },
  { made: /^node_modules$/, from: /^pnpm-lock\.yaml$/, command: 'pnpm install' },
  { made: /^node_modules$/, from: /^bun\.lockb?$/, command: 'bun install' },
  { made: /^(node_modules|bower_components|jspm_packages)$/, from: /^(package|bower)\.json$/, command: 'npm install' },
  {
    made: /^(\.next|\.nuxt|\.svelte-kit|\.angular|\.parcel-cache|\.turbo|\.vite|\.astro|\.docusaurus|\.nyc_output)$/,
    from: /^package\.json$/,
    by: 'the build',
  },
  {
    made: /^(dist|build|out|coverage|\.output|\.cache|\.expo)$/,
    from: /^package\.json$/,
    by: 'the build',
    ifIgnored: true,
  },
  { made: /^(.*\.tsbuildinfo|\.eslintcache)$/, file: true, from: /^package\.json$/, by: 'the build', ifIgnored: true },
  {
    made: /^(\.venv|venv)$/,
    from: /^(poetry\.lock|Pipfile\.lock|uv\.lock|pdm\.lock|requirements.*\.txt|pyproject\.toml|setup\.py|Pipfile)$/,
    by: 'the package installer',
  },
  {
    made: /^(env|\.env|virtualenv|\.tox|\.nox)$/,
    from: /^(poetry\.lock|requirements.*\.txt|pyproject\.toml|setup\.py|Pipfile|tox\.ini|noxfile\.py)$/,
    by: 'the package installer',
    ifIgnored: true,
  },
  { made: /^__pycache__$/, from: /\.py$/, by: 'Python' },
  { made: /\.py[co]$/, file: true, from: /\.py$/, by: 'Python' },
  {
    made: /^(\.pytest_cache|\.mypy_cache|\.ruff_cache|\.hypothesis)$/,
    from: /./,
    by: 'the tool that keeps this cache',
  },
  {
    made: /^(\.eggs|.*\.egg-info|build|dist|htmlcov)$/,
    from: /^(setup\.(py|cfg)|pyproject\.toml)$/,
    by: 'the build',
    ifIgnored: true,
  },
  { made: /^target$/, from: /^Cargo\.(lock|toml)$/, command: 'cargo build' },
  { made: /^target$/, from: /^(pom\.xml|build\.sbt)$/, by: 'the build', ifIgnored: true },
  {
    made: /^(build|\.gradle|out|bin)$/,
    from: /^(build|settings)\.gradle(\.kts)?$/,
    command: 'gradle build',
    ifIgnored: true,
  },
  {
    made: /^(vendor|\.bundle)$/,
    from: /^(composer\.lock|go\.sum|go\.mod|Gemfile\.lock|Cargo\.lock)$/,
    by: 'the package installer',
    ifIgnored: true,
  },
  { made: /^(_build|deps|\.elixir_ls)$/, from: /^mix\.(lock|exs)$/, command: 'mix deps.get', ifIgnored: true },
  { made: /^(obj|bin)$/, from: /(\.(cs|fs|vb)proj|\.sln)$/, command: 'dotnet build', ifIgnored: true },
  { made: /^Pods$/, from: /^Podfile\.lock$/, command: 'pod install', ifIgnored: true },
  { made: /^(\.build|\.swiftpm)$/, from: /^Package\.(swift|resolved)$/, command: 'swift build', ifIgnored: true },
  { made: /^(\.dart_tool|build)$/, from: /^pubspec\.(lock|yaml)$/, command: 'pub get', ifIgnored: true },
  { made: /^(\.stack-work|dist-newstyle)$/, from: /^(stack\.yaml|.*\.cabal|cabal\.project)$/, by: 'the build' },
  { made: /^(build|cmake-build-.*|out|CMakeFiles)$/, from: /^CMakeLists\.txt$/, command: 'cmake', ifIgnored: true },
  {
    made: /^(build|out|bin|obj)$/,
    from: /^(Makefile|makefile|GNUmakefile|meson\.build|configure)$/,
    by: 'the build',
    ifIgnored: true,
  },
  {
    made: /\.(o|a|so|lo|la|d)$/,
    file: true,
    from: /^(Makefile|makefile|GNUmakefile|meson\.build|configure)$/,
    by: 'the build',
    ifIgnored: true,
  },
  { made: /^\.terraform$/, from: /(\.tf|^\.terraform\.lock\.hcl)$/, command: 'terraform init' },
  { made: /^(_site|\.jekyll-cache|\.sass-cache)$/, from: /^_config\.ya?ml$/, command: 'jekyll build', ifIgnored: true },
  { made: /^(site|_build)$/, from: /^(mkdocs\.ya?ml|conf\.py)$/, by: 'the documentation build', ifIgnored: true },
];

const folderRecipes = recipes.filter(({ file }) => !file);
const fileRecipes = recipes.filter(({ file }) => file);

/** Looks for reproducible folders; remembers what it has read. */
export interface ReproductionFinder {
  /**
   * How the file at an absolute path can be made again: it, or a folder above it (not above `top`), is of a kind that a
   * tool makes, **and** the lock file or manifest stands beside it; or it is as a package of a virtual environment says that it was.
   */
  find(path: string, top: string, ignored: boolean): Promise<Reproduction | undefined>;
  /** Whether it is known already that nothing makes it again: of thousands in one folder `find` need not be waited for. */
  isNone(path: string, top: string, ignored: boolean): boolean;
}

/** Makes a finder over the real file tree. */
export function reproductionFinder(): ReproductionFinder {
  const listings = new Map<string, Promise<string[]>>();
  const verdicts = new Map<string, Promise<Reproduction | undefined>>();
  /** The last folder of which nothing is made again. */
  let none: { folder: string; top: string; ignored: boolean } | undefined;
  const folderOfFile = folderReader();
  const installed = installedPackages();

  function names(folder: string): Promise<string[]> {
    let found = listings.get(folder);
    if (!found) {
      found = readdir(onDisk(folder)).then(
        (list) => list.map(String),
        () => [],
      );
      listings.set(folder, found);
    }
    return found;
  }

  async function judge(path: string, isFolder: boolean, ignored: boolean): Promise<Reproduction | undefined> {
    const name = nameOf(path);
    const folder = folderOf(path);
    for (const recipe of isFolder ? folderRecipes : fileRecipes) {
      if ((recipe.ifIgnored && !ignored) || !recipe.made.test(name)) continue;
      const from = (await names(folder)).find((candidate) => candidate !== name && recipe.from.test(candidate));
      if (from === undefined) continue;
      const { command, by = `\`${command}\`` } = recipe;
      return { by, from: below(folder, from), made: path, ...(command === undefined ? {} : { command }) };
    }
    return undefined;
  }

  // The topmost folder decides: node_modules/a/dist is part of node_modules.
  function judgeFolder(folder: string, top: string, ignored: boolean): Promise<Reproduction | undefined> {
    if (folder === top || folder === '/') return Promise.resolve(undefined);
    const key = `${ignored}${folder}`;
    let found = verdicts.get(key);
    if (!found) {
      found = judgeFolder(folderOf(folder), top, ignored).then((above) => above ?? judge(folder, true, ignored));
      verdicts.set(key, found);
    }
    return found;
  }

  async function find(path: string, top: string, ignored: boolean): Promise<Reproduction | undefined> {
    const folder = folderOfFile(path);
    const found = await judgeFolder(folder, top, ignored);
    if (found) return found;
    if (installed.isIn(folder)) return (await installed.find(path)) ?? judge(path, false, ignored);
    none = { folder, top, ignored };
    return judge(path, false, ignored);
  }

  function isNone(path: string, top: string, ignored: boolean): boolean {
    if (none?.folder !== folderOfFile(path) || none.top !== top || none.ignored !== ignored) return false;
    const name = nameOf(path);
    return !fileRecipes.some(({ made }) => made.test(name));
  }

  return { find, isNone };
}
