import type { DefaultFiles } from '../program.ts';

const djangoFiles = [
  'manage.py',
  '**/settings.py',
  '**/settings/*.py',
  '**/{models,apps,urls,admin,views,signals,forms}.py',
  '**/{models,migrations,management/commands}/*.py',
];

/** What programs read without being told: their manifests, settings and default inputs, as their manuals say. */
export const defaultFiles = {
  package: { files: ['package.json', '.npmrc', '.nvmrc'] },
  lock: {
    with: /^(?:i|install|ci|add|remove|update|up|audit|outdated|ls|list|dedupe)$/,
    files: ['package-lock.json', 'yarn.lock', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', 'bun.lock'],
  },
  workspace: { files: ['package.json', 'pnpm-workspace.yaml', 'turbo.json', 'nx.json', 'lerna.json', 'rush.json'] },
  bunTest: {
    with: /^test$/,
    files: ['bunfig.toml', '**/*{.test,.spec,_test,_spec}.{js,jsx,ts,tsx}'],
    follow: true,
    whole: true,
  },
  typeScript: { files: ['tsconfig.json', 'tsconfig.*.json'], follow: true },
  typeScriptSources: { files: ['**/*.{ts,tsx,mts,cts,vue}'], follow: true },
  lint: { files: ['.eslintrc*', 'eslint.config.*', '.prettierrc*', 'biome.json*', '.stylelintrc*'] },
  lintSources: { files: ['**/*.{js,jsx,mjs,cjs,ts,tsx,mts,cts,vue,svelte}'] },
  formatSources: { files: ['**/*.{js,jsx,mjs,cjs,ts,tsx,mts,cts,vue,svelte,css,scss,html,json,md,yml,yaml}'] },
  test: {
    files: ['jest.config.*', 'vitest.config.*', 'vite.config.*', '.mocharc*', 'playwright.config.*'],
  },
  testSources: { files: ['**/*.{test,spec}.{js,jsx,mjs,cjs,ts,tsx,mts,cts}'], follow: true },
  bundler: {
    files: [
      'vite.config.*',
      'next.config.*',
      'webpack.config.*',
      'rollup.config.*',
      'astro.config.*',
      'nuxt.config.*',
      'index.html',
    ],
    follow: true,
  },
  pytest: { files: ['pyproject.toml', 'pytest.ini', 'setup.cfg', 'tox.ini', 'conftest.py'], follow: true },
  pytestSources: { files: ['**/{test_*,*_test,conftest}.py'], follow: true },
  pythonTest: {
    with: /^(?:pytest|unittest)$/,
    files: ['pyproject.toml', 'pytest.ini', 'setup.cfg', 'conftest.py', '**/{test*,*_test,conftest}.py'],
    follow: true,
  },
  django: { with: /(?:^|\/)manage\.py$/, files: djangoFiles, follow: true },
  djangoProject: { files: djangoFiles, follow: true },
  djangoTest: { with: /^test$/, files: ['**/{tests,test_*}.py', '**/tests/*.py'], follow: true },
  python: {
    with: /^(?:install|sync|lock|add|build|run|pip|freeze|list)$/,
    files: ['pyproject.toml', 'requirements*.txt', 'setup.py', 'setup.cfg', 'Pipfile', '.python-version'],
  },
  pythonLock: { with: /^(?:install|sync|lock|add|remove|update|tree|show|export)$/, files: ['uv.lock', 'poetry.lock'] },
  pythonLint: { files: ['pyproject.toml', 'setup.cfg', 'ruff.toml', '.ruff.toml', 'mypy.ini', '.flake8', '.pylintrc'] },
  pythonSources: { files: ['**/*.{py,pyi}'] },
  make: { files: ['GNUmakefile', 'makefile', 'Makefile'], follow: true },
  makeParts: { files: ['*.mk'] },
  cmake: {
    files: ['CMakeLists.txt', 'CMakePresets.json', 'build.ninja', 'meson.build', '**/CMakeLists.txt'],
    follow: true,
  },
  container: {
    files: [
      'Dockerfile',
      'Containerfile',
      '.dockerignore',
      'docker-compose.yml',
      'docker-compose.yaml',
      'compose.yml',
      'compose.yaml',
    ],
    follow: true,
  },
  cargo: { files: ['Cargo.toml', 'Cargo.lock', 'rust-toolchain*'] },
  cargoSources: {
    with: /^(?:b|build|c|check|t|test|r|run|bench|doc|fix|fmt|clippy)$/,
    files: ['build.rs', '**/*.rs'],
    follow: true,
  },
  go: { files: ['go.mod', 'go.sum', 'go.work'] },
  goSources: { with: /^(?:build|run|test|vet|install|generate|fmt|fix)$/, files: ['**/*.go'], follow: true },
  goFiles: { files: ['**/*.go'] },
  maven: { files: ['pom.xml', '**/pom.xml', '**/*.{java,kt}'] },
  gradle: {
    files: [
      ...['build.gradle*', 'settings.gradle*', 'gradle.properties', 'gradle/libs.versions.toml'],
      ...['**/*.gradle', '**/*.gradle.kts', '**/*.{java,kt,groovy}'],
    ],
  },
  rubyTest: { files: ['**/*_spec.rb'], follow: true },
  phpTest: { files: ['**/*Test.php'], follow: true },
  rails: { files: ['**/{app,config,db,lib}/**/*.{rb,rake,yml}'] },
  pages: { files: ['**/{pages,app,src}/**/*.{js,jsx,ts,tsx,vue,astro,svelte}'], follow: true },
  nodeTest: {
    with: /^--test/,
    files: ['**/*.{test,spec}.{js,mjs,cjs,ts,mts}', '**/test/**/*.{js,mjs,cjs,ts}'],
    follow: true,
  },
  denoTest: { with: /^(?:test|lint|fmt|check)$/, files: ['**/*.{js,jsx,ts,tsx}'] },
  migrations: {
    files: [
      'prisma/schema.prisma',
      'alembic.ini',
      'knexfile.*',
      'drizzle.config.*',
      '**/{migrations,versions}/**/*.{sql,py,js,ts,rb}',
    ],
  },
  ruby: { files: ['Gemfile', 'Gemfile.lock', 'Rakefile', '.rspec', '.ruby-version'] },
  php: { files: ['composer.json', 'phpunit.xml*'] },
  terraform: { files: ['*.tf', '*.tfvars', '.terraform.lock.hcl', '**/*.tf'], follow: true },
  chart: { files: ['Chart.yaml', 'values.yaml', 'kustomization.yaml', 'skaffold.yaml'] },
  chartParts: { files: ['**/{Chart,values,kustomization}.yaml', '**/templates/*'] },
  ansible: {
    files: [
      ...['ansible.cfg', 'inventory*', 'hosts', '**/{group_vars,host_vars}/*'],
      '**/roles/*/{tasks,handlers,defaults,vars,meta,templates,files}/*',
    ],
  },
  deno: { files: ['deno.json*', 'deno.lock'] },
  dotnet: {
    files: [
      ...[
        '*.*proj',
        '*.sln',
        '*.slnx',
        'global.json',
        'nuget.config',
        'Directory.Build.props',
        'Directory.Build.targets',
      ],
      ...['Directory.Packages.props', '**/*.{csproj,fsproj,vbproj,props,targets,cs,fs,vb}'],
    ],
  },
  mix: { files: ['mix.exs', 'mix.lock', '**/*.{ex,exs}'], whole: true },
  swift: { files: ['Package.swift', 'Package.resolved', '**/*.swift'], whole: true },
  zig: { files: ['build.zig', 'build.zig.zon', '**/*.zig'], whole: true },
  dart: { files: ['pubspec.yaml', 'analysis_options.yaml', '**/*.dart'], whole: true },
  bazel: {
    files: ['MODULE.bazel', 'WORKSPACE', 'WORKSPACE.bazel', '.bazelrc', '**/{BUILD,BUILD.bazel}', '**/*.bzl'],
    follow: true,
    whole: true,
  },
  otherBuilds: {
    files: ['build.sbt', 'project/build.properties', 'build.xml', 'SConstruct', 'SConscript'],
    follow: true,
  },
  just: { files: ['justfile', 'Justfile', '.justfile'], follow: true },
  task: { files: ['Taskfile.yml', 'Taskfile.yaml', 'Taskfile.dist.yml'], follow: true },
} satisfies Record<string, DefaultFiles>;
