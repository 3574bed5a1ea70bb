import type { NamedProgram } from './scriptPrograms.ts';

interface ProgramFiles {
  programs: RegExp;
  /** Only with one of these words. */
  words?: RegExp;
  /** Names or globs below the nearest folder upwards that has one of them. */
  files: readonly string[];
}

// What programs read without being told: their manifests, settings and default inputs, as their manuals say.
const table: readonly ProgramFiles[] = [
  { programs: /^(?:npm|npx|yarn|pnpm|bun|node)$/, files: ['package.json', '.npmrc', '.nvmrc'] },
  {
    programs: /^(?:npm|yarn|pnpm|bun)$/,
    words: /^(?:i|install|ci|add|remove|update|up|audit|outdated|ls|list|dedupe)$/,
    files: ['package-lock.json', 'yarn.lock', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', 'bun.lock'],
  },
  { programs: /^(?:tsc|tsx|ts-node|vue-tsc)$/, files: ['tsconfig.json', 'tsconfig.*.json'] },
  {
    programs: /^(?:eslint|prettier|biome|stylelint)$/,
    files: ['.eslintrc*', 'eslint.config.*', '.prettierrc*', 'biome.json*', '.stylelintrc*'],
  },
  {
    programs: /^(?:jest|vitest|mocha|ava|playwright|cypress)$/,
    files: [
      'jest.config.*',
      'vitest.config.*',
      'vite.config.*',
      '.mocharc*',
      'playwright.config.*',
      'test/*.test.*',
      'tests/*.test.*',
      'src/*.test.*',
    ],
  },
  {
    programs: /^(?:vite|next|webpack|rollup|esbuild|astro|nuxt)$/,
    files: [
      'vite.config.*',
      'next.config.*',
      'webpack.config.*',
      'rollup.config.*',
      'astro.config.*',
      'nuxt.config.*',
      'index.html',
    ],
  },
  {
    programs: /^(?:pytest|py\.test|tox|nox)$/,
    files: [
      'pyproject.toml',
      'pytest.ini',
      'setup.cfg',
      'tox.ini',
      'conftest.py',
      'tests/conftest.py',
      'tests/test_*.py',
      'test_*.py',
      'test/test_*.py',
    ],
  },
  {
    programs: /^python[\d.]*$/,
    words: /^(?:pytest|unittest)$/,
    files: [
      'pyproject.toml',
      'pytest.ini',
      'setup.cfg',
      'conftest.py',
      'tests/test_*.py',
      'test_*.py',
      'test/test_*.py',
    ],
  },
  {
    programs: /^(?:pip[\d.]*|poetry|uv|pdm|hatch|python[\d.]*)$/,
    words: /^(?:install|sync|lock|add|build|run|pip|freeze|list)$/,
    files: ['pyproject.toml', 'requirements*.txt', 'setup.py', 'setup.cfg', 'Pipfile', '.python-version'],
  },
  {
    programs: /^(?:ruff|black|mypy|flake8|pylint|isort)$/,
    files: ['pyproject.toml', 'setup.cfg', 'ruff.toml', '.ruff.toml', 'mypy.ini', '.flake8', '.pylintrc'],
  },
  { programs: /^(?:make|gmake)$/, files: ['GNUmakefile', 'makefile', 'Makefile', '*.mk'] },
  {
    programs: /^(?:cmake|ctest|ninja|meson)$/,
    files: ['CMakeLists.txt', 'CMakePresets.json', 'build.ninja', 'meson.build'],
  },
  {
    programs: /^(?:docker|podman|docker-compose|buildah)$/,
    files: [
      'Dockerfile',
      'Containerfile',
      '.dockerignore',
      'docker-compose.yml',
      'docker-compose.yaml',
      'compose.yml',
      'compose.yaml',
    ],
  },
  {
    programs: /^(?:cargo|rustc|rustfmt)$/,
    files: ['Cargo.toml', 'Cargo.lock', 'rust-toolchain*', 'src/main.rs', 'src/lib.rs'],
  },
  { programs: /^(?:go|gofmt|golangci-lint)$/, files: ['go.mod', 'go.sum', 'go.work', 'main.go', '*_test.go', '*.go'] },
  { programs: /^(?:mvn|mvnw)$/, files: ['pom.xml'] },
  { programs: /^(?:gradle|gradlew)$/, files: ['build.gradle*', 'settings.gradle*', 'gradle.properties'] },
  {
    programs: /^(?:bundle|rails|rake|rspec|ruby)$/,
    files: ['Gemfile', 'Gemfile.lock', 'Rakefile', '.rspec', '.ruby-version'],
  },
  { programs: /^(?:composer|php|phpunit)$/, files: ['composer.json', 'phpunit.xml*'] },
  { programs: /^(?:terraform|tofu|terragrunt)$/, files: ['*.tf', 'terraform.tfvars', '.terraform.lock.hcl'] },
  {
    programs: /^(?:kubectl|helm|kustomize|skaffold)$/,
    files: ['Chart.yaml', 'values.yaml', 'kustomization.yaml', 'skaffold.yaml'],
  },
  { programs: /^(?:ansible|ansible-playbook)$/, files: ['ansible.cfg', 'inventory*', 'hosts'] },
  { programs: /^(?:deno)$/, files: ['deno.json*', 'deno.lock'] },
  { programs: /^(?:dotnet|msbuild)$/, files: ['*.csproj', '*.sln', 'global.json'] },
  { programs: /^(?:mix|elixir|iex)$/, files: ['mix.exs', 'mix.lock'] },
  { programs: /^(?:gcc|cc|clang|g\+\+|c\+\+|clang\+\+)$/, files: [] },
  { programs: /^(?:just)$/, files: ['justfile', 'Justfile', '.justfile'] },
  { programs: /^(?:task)$/, files: ['Taskfile.yml', 'Taskfile.yaml'] },
];

/** Names and globs of what a program reads without being told, each list for one folder. */
export function unnamedFilesOf(program: NamedProgram): string[] {
  const words = program.words.slice(1).map((word) => word.text);
  return table
    .filter((row) => row.programs.test(program.name) && (!row.words || words.some((word) => row.words?.test(word))))
    .flatMap((row) => row.files);
}

/** The package script that a call of npm, yarn, pnpm or bun runs; `undefined` when it runs none. */
export function packageScriptOf(program: NamedProgram): string | undefined {
  if (!/^(?:npm|yarn|pnpm|bun)$/.test(program.name)) return undefined;
  const words = program.words.slice(1).map((word) => word.text);
  const own = words.filter(
    (word, index) => !word.startsWith('-') && !/^(?:--prefix|-C|-w|--workspace)$/.test(words[index - 1] ?? ''),
  );
  const [first, second] = own;
  if (first === undefined) return undefined;
  if (/^(?:run|run-script|rum|urn)$/.test(first)) return second;
  if (/^(?:test|t|tst)$/.test(first)) return 'test';
  if (/^(?:start|stop|restart)$/.test(first)) return first;
  return program.name === 'npm' || /^(?:install|add|remove|exec|dlx|x|ci|i)$/.test(first) ? undefined : first;
}

/** Whether a program looks at everything below the folders that it is given. */
export function isRecursive(program: NamedProgram): boolean {
  const words = program.words.slice(1).map((word) => word.text);
  const has = (letters: string) => words.some((word) => new RegExp(`^-[A-Za-z]*[${letters}]`).test(word));
  if (/^(?:find|fd|fdfind|rg|ag|tree|du|tokei|cloc|rsync)$/.test(program.name)) return true;
  if (/^(?:[ef]?grep|chmod|chown|chgrp)$/.test(program.name)) return has('rR') || words.includes('--recursive');
  if (/^(?:cp|rm|scp|ls|diff)$/.test(program.name)) return has('rRa') || words.includes('--recursive');
  return /^(?:tar|zip|7z|mv)$/.test(program.name);
}

/** Whether it works on the current folder when it is given none. */
export function defaultsToFolder(program: NamedProgram): boolean {
  if (/^(?:find|fd|fdfind|rg|ag|tree|du|ls|ll|dir|vdir|eza|exa|lsd|stat)$/.test(program.name)) return true;
  return /^[ef]?grep$/.test(program.name) && isRecursive(program);
}

/** Paths that a source file names: imports, includes and literal files that it opens, with what to try for each. */
export function sourceReads(path: string, text: string): { from: 'file' | 'cwd'; names: string[] }[] {
  const source = text.slice(0, 200_000);
  const found: { from: 'file' | 'cwd'; names: string[] }[] = [];
  const each = (pattern: RegExp, add: (name: string) => void) => {
    for (const match of source.matchAll(pattern)) if (match[1]) add(match[1]);
  };
  if (/\.[cm]?[jt]sx?$|\.vue$|\.svelte$/.test(path)) {
    each(/(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"](\.{1,2}\/[^'"\n]+)['"]/g, (name) => {
      const bare = name.replace(/\.[cm]?jsx?$/, '');
      const ends = ['', '.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '/index.ts', '/index.js'];
      found.push({ from: 'file', names: [name, ...ends.map((end) => `${bare}${end}`)] });
    });
  } else if (/\.py$/.test(path) || /^#!.*python/.test(source)) {
    each(/^[ \t]*(?:from[ \t]+(\.*[\w.]*)[ \t]+import|import[ \t]+([\w.]+))/gm, (name) => {
      const dots = /^\.*/.exec(name)?.[0].length ?? 0;
      const inner = name.slice(dots).replaceAll('.', '/');
      const up = dots > 1 ? '../'.repeat(dots - 1) : './';
      found.push({ from: 'file', names: [`${up}${inner}.py`, `${up}${inner}/__init__.py`] });
    });
    each(/^[ \t]*import[ \t]+([\w.]+)/gm, (name) => {
      found.push({
        from: 'file',
        names: [`./${name.replaceAll('.', '/')}.py`, `./${name.replaceAll('.', '/')}/__init__.py`],
      });
    });
  } else if (/\.(?:c|h|cc|cpp|hpp|cxx)$/.test(path)) {
    each(/^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"/gm, (name) => found.push({ from: 'file', names: [name] }));
  } else if (/(?:^|\/)(?:GNU)?[mM]akefile$|\.mk$/.test(path)) {
    each(/^-?include[ \t]+([\w./-]+)/gm, (name) => found.push({ from: 'file', names: [name] }));
  }
  each(
    /\b(?:open|readFile(?:Sync)?|createReadStream|read_csv|read_json|readFileSync|Path|File|read_text|loadtxt|fopen|ReadFile|read_to_string)\(\s*['"]([^'"\n]{1,200})['"]/g,
    (name) => found.push({ from: 'cwd', names: [name] }),
  );
  return found.slice(0, 60);
}
