import type { Doing, Program } from '../program.ts';
import { defaultFiles } from './defaultFiles.ts';
import { outputOption, outputOrFile, writesOption } from './outputOptions.ts';

const buildTools: Doing = {
  effect: 'code-execution',
  care: 'c',
  says: 'runs code of the project{: rest}',
  helps: true,
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

/** Compilers, build tools, linters and test runners. */
export const builds: readonly Program[] = [
  {
    names: 'gcc g++ cc c++ clang clang++',
    writes: { options: outputOption },
    makes: compiles,
    usualTool: true,
    links: true,
    follows: true,
    does: buildTools,
  },
  {
    names: 'rustc',
    writes: { options: outputOption },
    makes: compiles,
    links: true,
    reads: [defaultFiles.cargo],
    does: buildTools,
  },
  { names: 'javac kotlinc scalac ghc', makes: compiles, does: buildTools },
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
    writes: { options: outputOrFile },
    makes: /^(?!.*--noEmit)/,
    reads: [defaultFiles.typeScript],
    does: buildTools,
  },
  { names: 'esbuild', writes: { options: outputOption }, makes: true, reads: [defaultFiles.bundler], does: buildTools },
  { names: 'swc babel parcel tsup', makes: true, does: buildTools },
  { names: 'webpack', makes: true, reads: [defaultFiles.bundler], does: buildTools },
  { names: 'vite next nuxt astro', makes: /^build\b/, reads: [defaultFiles.bundler], does: buildTools },
  { names: 'rollup', writes: { options: outputOrFile }, makes: true, reads: [defaultFiles.bundler], does: buildTools },
  {
    names:
      'turbo nx lerna rush gulp grunt tap unittest minitest pyright clang-tidy cppcheck hadolint yamllint markdownlint pre-commit husky lint-staged commitlint storybook gatsby svelte-kit vue expo react-native eas hugo jekyll mkdocs sphinx-build uvicorn gunicorn flask celery streamlit jupyter nodemon concurrently wait-on serve http-server live-server configure autoconf automake libtool swig',
    does: buildTools,
  },
  { names: 'jest vitest mocha ava', reads: [defaultFiles.test], follows: true, does: buildTools },
  { names: 'playwright cypress', reads: [defaultFiles.test], does: buildTools },
  { names: 'pytest', reads: [defaultFiles.pytest], follows: true, does: buildTools },
  { names: 'tox nox', reads: [defaultFiles.pytest], does: buildTools },
  { names: 'rspec', reads: [defaultFiles.ruby], does: buildTools },
  { names: 'phpunit', reads: [defaultFiles.php], does: buildTools },
  { names: 'eslint prettier biome stylelint', makes: writesOption, reads: [defaultFiles.lint], does: buildTools },
  {
    names: 'black isort',
    makes: formats,
    reads: [defaultFiles.pythonLint],
    does: buildTools,
  },
  {
    names: 'ruff',
    makes: /(?:^format\b(?!.*--(?:check|diff))|--fix\b)/,
    reads: [defaultFiles.pythonLint],
    does: buildTools,
  },
  { names: 'flake8 mypy pylint', reads: [defaultFiles.pythonLint], does: buildTools },
  { names: 'rubocop clang-format', makes: writesOption, does: buildTools },
  { names: 'gofmt', makes: writesOption, reads: [defaultFiles.go], does: buildTools },
  { names: 'golangci-lint', reads: [defaultFiles.go], does: buildTools },
  {
    names: 'rustfmt',
    makes: formats,
    reads: [defaultFiles.cargo],
    does: buildTools,
  },
  { names: 'remix ng', makes: /^build\b/, does: buildTools },
  { names: 'buf', writes: { options: outputOrFile }, does: buildTools },
  {
    names: 'make gmake',
    inert: true,
    startsNamed: 'make',
    worksIn: { options: '-C --directory' },
    reads: [defaultFiles.make],
    follows: true,
    does: targets,
  },
  { names: 'bmake invoke doit', does: targets },
  { names: 'just', reads: [defaultFiles.just], does: targets },
  { names: 'task', reads: [defaultFiles.task], does: targets },
  { names: 'm4 bison flex objdump', inert: true, writes: { options: outputOption } },
  { names: 'yacc lex shellcheck shfmt nm size readelf ranlib addr2line c++filt', inert: true },
  { names: 'swiftc', writes: { options: outputOption }, makes: compiles },
  { names: 'tcc', makes: compiles, links: true },
  { names: 'nvcc dmd ocamlc ocamlopt', makes: compiles },
  { names: 'emcc emar wasm-opt', writes: { options: outputOption } },
  { names: 'swag', writes: { options: outputOrFile } },
  { names: 'xcodebuild sass lessc postcss tailwindcss uglifyjs terser', makes: true },
  { names: 'autopep8 yapf', makes: formats },
  { names: 'goimports standard', makes: writesOption },
  { names: 'ctest', reads: [defaultFiles.cmake] },
  { names: 'py.test', reads: [defaultFiles.pytest] },
  { names: 'msbuild', reads: [defaultFiles.dotnet] },
  { names: 'vue-tsc', reads: [defaultFiles.typeScript] },
  { names: 'ccache', usualTool: true },
];
