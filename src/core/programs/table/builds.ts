import type { Doing, LeavesFiles, Program, Race } from '../program.ts';
import { defaultFiles } from './defaultFiles.ts';
import { outputOption, outputOrFile, writesOption } from './outputOptions.ts';
import { ofTools } from './packages.ts';
import { compiling, servingAlways, servingByWord, testing, testingTarget } from './projectWork.ts';

const buildTools: Doing = {
  effect: 'code-execution',
  care: 'c',
  says: 'runs code of the project{: rest}',
  helps: true,
};

/** It prints what files hold. */
const never = /(?!)/;

const severalJobs: Race = { when: /^(?:-[a-zA-Z]*j|--jobs=?|--parallel)/, unless: /^(?:-j ?1|--jobs[= ]1)$/ };

const releasing: Doing = {
  ...buildTools,
  rules: [
    ['s', '--dry-run|-d', 'only shows what it would do'],
    ['d', 'publish', 'publishes packages', 'network'],
    ['d', '#0', 'publishes packages', 'network'],
  ],
};

const targets: Doing = {
  effect: 'code-execution',
  care: 'c',
  says: 'runs code of the project{: rest}',
  valued: '-C -f -j --directory --file --makefile -I -o -W',
  helps: true,
  rules: [
    [
      'cv',
      '@1=^(clean|distclean|mrproper|clobber|reset|purge|wipe|uninstall|destroy|nuke|eject)$',
      'runs a target that deletes{: rest}',
    ],
    ['c', '@1=^(deploy|release|publish|install|prod)$', 'runs a target that publishes or installs{: rest}'],
  ],
};

/** Not where it only preprocesses, checks or lists. */
const compiles = /^(?!.*(?:^| )(?:-E|-fsyntax-only|-M|-MM)(?: |$))./;
/** Not where it only looks, or prints what it is given. */
const formats = /^(?!.*(?:^| )(?:--check|--diff|-)(?: |$))./;

/** Not where it writes what it would change, or a report. */
const checks: LeavesFiles = {
  unless:
    /(?:^| )(?:-i|-w|-a|-A|-o|--write|--fix\S*|--unsafe-fixes|--in-place|--inplace|--autocorrect\S*|--auto-correct\S*|--output\S*|--add-noqa|--init|--export-fixes\S*|--install-types)(?: |=|$)/,
};
const compilesNothing: LeavesFiles = {
  when: /(?:^| )(?:--noEmit|--version|-v|--showConfig|--listFilesOnly)(?: |$)/i,
  unless: /(?:^| )(?:-b|--build|--noEmit[ =]false|--generateTrace|--init)(?: |$)/i,
  own: ['*.tsbuildinfo'],
};
const onlyChecks: LeavesFiles = { when: /(?:^| )(?:--check|--check-only|--diff|--dry-run)(?: |$)/, ...checks };
/** Not where it updates what is expected, or writes a report. */
const tests: LeavesFiles = {
  unless:
    /(?:^| )(?:-u|--update\S*|--ci=false|--cov\S*|--coverage\S*|--junit\S*|--html\S*|--output\S*|-o|--report\S*|--record\S*|--inline-snapshot\S*|--snapshot-update|--init|--basetemp\S*)(?: |=|$)/,
  runsProject: true,
};

/** Whatever it is asked. */
const always = /^/;

/** Compilers, build tools, linters and test runners. */
export const builds: readonly Program[] = [
  {
    names: 'gcc g++ cc c++ clang clang++',
    ...compiling,
    writes: { options: outputOption },
    makes: compiles,
    usualTool: true,
    links: true,
    follows: true,
    does: buildTools,
  },
  {
    names: 'rustc',
    ...compiling,
    writes: { options: outputOption },
    makes: compiles,
    links: true,
    reads: [defaultFiles.cargo],
    does: buildTools,
  },
  { names: 'kotlinc scalac ghc', makes: compiles, does: buildTools },
  {
    names: 'javac',
    ...compiling,
    known: [
      {
        by: /^-?-(?:version|full-version|help)$|^-\?$/,
        rest: 'nothing',
        unless: /^(?:JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA(?:C)?_OPTIONS)$/,
        code: ['.jar', '.class', '.jmod'],
      },
    ],
    makes: compiles,
    does: buildTools,
  },
  { names: 'nasm yasm', writes: { options: outputOption }, does: buildTools },
  {
    names: 'as protoc',
    writes: { options: outputOption },
    makes: compiles,
    does: buildTools,
  },
  {
    names: 'ld',
    writes: { options: outputOption },
    makes: compiles,
    usualTool: true,
    links: true,
    does: buildTools,
  },
  {
    names: 'tsc',
    ...compiling,
    writes: { options: outputOrFile },
    makes: /^(?!.*--noEmit)/,
    reads: [defaultFiles.typeScript, defaultFiles.typeScriptSources],
    leaves: compilesNothing,
    does: buildTools,
  },
  {
    names: 'esbuild',
    ...compiling,
    writes: { options: outputOption },
    makes: true,
    reads: [defaultFiles.bundler],
    does: buildTools,
  },
  { names: 'swc babel parcel tsup', makes: true, does: buildTools },
  { names: 'webpack', ...compiling, makes: true, reads: [defaultFiles.bundler], does: buildTools },
  {
    names: 'vite next nuxt astro',
    ...{ builds: /^build\b/, ...servingByWord },
    makes: /^build\b/,
    reads: [defaultFiles.bundler, defaultFiles.pages],
    does: buildTools,
  },
  {
    names: 'rollup',
    ...compiling,
    writes: { options: outputOrFile },
    makes: true,
    reads: [defaultFiles.bundler],
    does: buildTools,
  },
  {
    names:
      'gulp grunt pre-commit husky lint-staged storybook gatsby svelte-kit vue expo react-native eas hugo jekyll mkdocs sphinx-build streamlit jupyter wait-on serve live-server autoconf automake libtool swig',
    does: buildTools,
  },
  { names: 'configure', carried: true, does: buildTools },
  {
    names: 'lerna',
    inPackages: 'always',
    reads: [defaultFiles.workspace],
    starts: { subcommands: ['exec'], behind: '--', awayBehind: /./ },
    does: releasing,
  },
  { names: 'changeset', inPackages: 'always', reads: [defaultFiles.workspace], does: releasing },
  { names: 'semantic-release np release-it', does: releasing },
  { names: 'turbo nx', inPackages: 'always', reads: [defaultFiles.workspace], does: buildTools },
  { names: 'rush', reads: [defaultFiles.workspace], does: buildTools },
  { names: 'flask', ...servingByWord, does: buildTools },
  { names: 'http-server', ...servingAlways, does: buildTools },
  { names: 'uvicorn gunicorn hypercorn', ...servingAlways, importsModules: true, codeEnding: '.py', does: buildTools },
  { names: 'celery', importsModules: true, codeEnding: '.py', does: buildTools },
  { names: 'tap unittest minitest', ...testing, leaves: tests, does: buildTools },
  {
    names: 'pyright clang-tidy cppcheck hadolint yamllint markdownlint markdownlint-cli2 commitlint',
    leaves: checks,
    does: buildTools,
  },
  {
    names: 'jest vitest mocha ava',
    ...testing,
    runsFolder: always,
    reads: [defaultFiles.test, defaultFiles.testSources],
    follows: true,
    leaves: tests,
    does: buildTools,
  },
  { names: 'playwright cypress', reads: [defaultFiles.test], does: buildTools },
  {
    names: 'pytest',
    ...testing,
    runsFolder: always,
    reads: [defaultFiles.pytest, defaultFiles.pytestSources],
    follows: true,
    leaves: { ...tests, own: ['.pytest_cache', '__pycache__'] },
    does: buildTools,
  },
  { names: 'nox', runsFolder: always, reads: [defaultFiles.pytest], does: buildTools },
  {
    names: 'tox',
    ...testing,
    runsFolder: always,
    reads: [defaultFiles.pytest],
    starts: { subcommands: ['exec', 'e'], behind: '--' },
    does: buildTools,
  },
  {
    names: 'rspec',
    carried: true,
    ...testing,
    runsFolder: always,
    reads: [defaultFiles.ruby, defaultFiles.rubyTest],
    leaves: tests,
    does: buildTools,
  },
  {
    names: 'prove',
    ...testing,
    runsFolder: always,
    jobs: severalJobs,
    leaves: { ...tests, own: ['.prove'] },
    does: buildTools,
  },
  {
    names: 'phpunit',
    carried: true,
    ...testing,
    reads: [defaultFiles.php, defaultFiles.phpTest],
    leaves: { ...tests, own: ['.phpunit.result.cache', '.phpunit.cache'] },
    does: buildTools,
  },
  {
    names: 'eslint stylelint',
    makes: writesOption,
    reads: [defaultFiles.lint, defaultFiles.lintSources],
    leaves: { ...checks, own: ['.eslintcache', '.stylelintcache'], runsProject: true },
    does: buildTools,
  },
  {
    names: 'prettier',
    makes: writesOption,
    reads: [defaultFiles.lint, defaultFiles.formatSources],
    leaves: { ...checks, runsProject: true },
    does: buildTools,
  },
  {
    names: 'biome',
    makes: writesOption,
    reads: [defaultFiles.lint, defaultFiles.lintSources],
    leaves: { when: /^(?:check|lint|format|ci|explain|rage)\b/, ...checks },
    does: buildTools,
  },
  {
    names: 'black isort',
    makes: formats,
    reads: [defaultFiles.pythonLint, defaultFiles.pythonSources],
    leaves: onlyChecks,
    does: buildTools,
  },
  {
    names: 'ruff',
    makes: /(?:^format\b(?!.*--(?:check|diff))|--fix\b)/,
    reads: [defaultFiles.pythonLint, defaultFiles.pythonSources],
    leaves: {
      when: /^(?:check\b|format\b.* --(?:check|diff)\b|rule\b|--version)/,
      ...checks,
      own: ['.ruff_cache'],
    },
    does: buildTools,
  },
  {
    names: 'flake8 pylint',
    reads: [defaultFiles.pythonLint, defaultFiles.pythonSources],
    leaves: checks,
    does: buildTools,
  },
  {
    names: 'mypy',
    reads: [defaultFiles.pythonLint, defaultFiles.pythonSources],
    leaves: { ...checks, own: ['.mypy_cache'] },
    does: buildTools,
  },
  { names: 'rubocop clang-format', makes: writesOption, leaves: checks, does: buildTools },
  {
    names: 'gofmt',
    known: [{ code: [] }],
    clock: never,
    makes: writesOption,
    reads: [defaultFiles.go, defaultFiles.goFiles],
    leaves: checks,
    does: buildTools,
  },
  {
    names: 'golangci-lint',
    reads: [defaultFiles.go, defaultFiles.goFiles],
    leaves: { when: /^(?:run|linters|config|version)\b/, ...checks },
    does: buildTools,
  },
  {
    names: 'rustfmt',
    makes: formats,
    leaves: onlyChecks,
    reads: [defaultFiles.cargo],
    does: buildTools,
  },
  { names: 'remix ng', makes: /^build\b/, does: buildTools },
  { names: 'buf', writes: { options: outputOrFile }, does: buildTools },
  {
    names: 'make gmake',
    ...{ ...testingTarget, ...compiling },
    inert: true,
    jobs: severalJobs,
    startsNamed: 'make',
    runsFolder: always,
    worksIn: { options: '-C --directory' },
    reads: [defaultFiles.make, defaultFiles.makeParts],
    follows: true,
    does: targets,
  },
  { names: 'bmake invoke doit', runsFolder: always, does: targets },
  {
    names: 'just',
    runsFolder: always,
    reads: [defaultFiles.just],
    starts: { behind: '-c --command' },
    does: targets,
  },
  { names: 'task', runsFolder: always, reads: [defaultFiles.task], does: targets },
  { names: 'm4 bison flex objdump', inert: true, writes: { options: outputOption } },
  { names: 'yacc lex shellcheck shfmt nm size readelf ranlib addr2line c++filt', inert: true },
  { names: 'bazel bazelisk', makes: true, reads: [defaultFiles.bazel], ...ofTools },
  { names: 'swift', reads: [defaultFiles.swift], ...ofTools },
  { names: 'dart flutter', reads: [defaultFiles.dart], ...ofTools },
  { names: 'swiftc', writes: { options: outputOption }, makes: compiles },
  { names: 'tcc', makes: compiles, links: true },
  { names: 'nvcc dmd ocamlc ocamlopt', makes: compiles },
  { names: 'emcc emar wasm-opt', writes: { options: outputOption } },
  { names: 'swag', writes: { options: outputOrFile } },
  { names: 'xcodebuild sass lessc postcss tailwindcss uglifyjs terser', makes: true },
  { names: 'autopep8 yapf', makes: formats, leaves: onlyChecks },
  { names: 'goimports standard', makes: writesOption, leaves: checks },
  {
    names: 'ctest',
    ...testing,
    jobs: severalJobs,
    reads: [defaultFiles.cmake],
    leaves: { ...tests, own: ['Testing'] },
  },
  {
    names: 'py.test',
    reads: [defaultFiles.pytest, defaultFiles.pytestSources],
    follows: true,
    leaves: { ...tests, own: ['.pytest_cache', '__pycache__'] },
  },
  { names: 'msbuild', reads: [defaultFiles.dotnet] },
  { names: 'vue-tsc', reads: [defaultFiles.typeScript, defaultFiles.typeScriptSources], leaves: compilesNothing },
  { names: 'ccache', usualTool: true },
];
