// Builds everything that is shipped into dist/: extension, command line, webviews, launchers. On every change: watch.mjs.
//   node src/tools/build.mjs [--quick]     --quick: no launcher for other machines than this one
import { chmod, cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import esbuild from 'esbuild';
import { builtinsOnce } from './builtinsOnce.mjs';
import { nodeBundle } from './nodeBundle.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * What is bundled for Node, as options of esbuild. `apart` is filled while they are built: with the files of the core that the
 * extension loads later, which `engineBundle` then puts together. `debug`: as it was written, with source maps.
 */
export function nodeBundles({ apart, debug = false }) {
  const shared = sharedOptions(debug);
  return [
    {
      ...shared,
      entryPoints: { extension: 'src/extension.ts' },
      external: ['vscode'],
      plugins: [builtinsOnce, engineApart(apart), parsersApart, templatesApart, partsApart],
    },
    ...Object.entries(parts).map(([name, files]) => ({
      ...shared,
      entryPoints: { [name]: name },
      external: ['vscode'],
      plugins: [builtinsOnce, listed(name, () => files), engineApart(apart), parsersApart, partsApart],
    })),
    {
      ...shared,
      entryPoints: { templates: 'src/host/templates/templateLab.ts' },
      external: ['vscode'],
      plugins: [builtinsOnce, engineApart(apart), parsersApart],
    },
    {
      ...shared,
      entryPoints: { cli: 'src/cli.ts' },
      banner: { js: '#!/usr/bin/env node' },
    },
    {
      ...shared,
      entryPoints: { main: 'src/cli/main.ts' },
      plugins: [builtinsOnce, parsersApart],
    },
    {
      // Agents wait for it at each of their calls: what is needed for those that concern us is loaded for them alone.
      ...shared,
      entryPoints: { hook: 'src/hook.ts' },
      banner: { js: '#!/usr/bin/env node' },
      plugins: [builtinsOnce, engineApart(apart), parsersApart],
    },
    {
      ...shared,
      entryPoints: {
        typescriptWorker: 'src/host/consequences/typescriptWorker.ts',
        convertWorker: 'src/host/trajectories/convertWorker.ts',
      },
    },
    {
      ...shared,
      entryPoints: {
        parsers: 'src/core/consequences/parsers.ts',
        codeParsers: 'src/core/programs/code/codeParsers.ts',
      },
    },
  ];
}

/** The part of the core that the extension loads when it is first needed; `apart` as the other bundles have filled it. */
export function engineBundle({ apart, debug = false }) {
  const plugins = [builtinsOnce, listed('engine', () => [...apart].sort()), parsersApart];
  return { ...sharedOptions(debug), entryPoints: { engine: 'engine' }, plugins };
}

/** An entry of that name that exports all that these files do. */
function listed(name, files) {
  return {
    name: `${name}-listed`,
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${name}$`) }, ({ kind }) =>
        kind === 'entry-point' ? { path: name, namespace: 'listed' } : undefined,
      );
      build.onLoad({ filter: /.*/, namespace: 'listed' }, () => ({
        contents: files()
          .map((file) => `export * from ${JSON.stringify(file.startsWith('src/') ? `./${file}` : file)};`)
          .join('\n'),
        resolveDir: root,
      }));
    },
  };
}

function sharedOptions(debug) {
  return {
    ...nodeBundle,
    format: 'cjs',
    outdir: 'dist',
    minify: !debug,
    keepNames: false,
    sourcemap: debug ? 'linked' : false,
    legalComments: 'none',
    metafile: true,
    // What is loaded by `loadCompiled` is required.
    supported: { 'dynamic-import': false },
    absWorkingDir: root,
  };
}

/** Bundles the extension and the command line for Node. */
async function buildNode() {
  const apart = new Set();
  await Promise.all(nodeBundles({ apart }).map((options) => esbuild.build(options)));
  await Promise.all(['cli', 'hook'].map((name) => chmod(path.join(root, `dist/${name}.js`), 0o755)));
  await esbuild.build(engineBundle({ apart }));
  const written = ['main', 'engine', 'extension', 'templates', ...Object.keys(parts)];
  await Promise.all(written.map((name) => escapeRest(`dist/${name}.js`)));
  await copyShellScripts();
}

/**
 * esbuild leaves letters beyond ASCII in regular expressions alone, where an escape means the same. A script without any is read
 * in an eighth of the time, and V8 keeps it in half the memory.
 */
async function escapeRest(file) {
  const text = await readFile(path.join(root, file), 'utf8');
  const unitOf = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  if (/\bString\.raw`[^`]*[^\0-\x7f]/.test(text))
    throw new Error(`${file} has such letters where an escape means something else`);
  await writeFile(path.join(root, file), text.replace(/[^\0-\x7f]/g, unitOf));
}

/** What a shell evaluates in its start file. */
export async function copyShellScripts() {
  const isScript = (from) => !from.endsWith('.ts');
  await cp(path.join(root, 'src/cli/enter'), path.join(root, 'dist/enter'), { recursive: true, filter: isScript });
}

/**
 * The parsers of the syntax check and of inline code are large and seldom needed: files of their own, for the engine and the
 * command line. A verdict asks for those of inline code in the middle of its work, so they are required and not imported.
 */
const parsersApart = {
  name: 'parsers-apart',
  setup(build) {
    build.onResolve({ filter: /^\.\/parsers\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './parsers.js', external: true } : undefined,
    );
    build.onResolve({ filter: /\/codeParsers\.ts$/ }, ({ kind }) =>
      kind === 'require-call' ? { path: './codeParsers.js', external: true } : undefined,
    );
  },
};

/** What helps with prompt files is loaded when one is opened: a file of its own. */
const templatesApart = {
  name: 'templates-apart',
  setup(build) {
    build.onResolve({ filter: /^\.\/templateLab\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './templates.js', external: true } : undefined,
    );
  },
};

/**
 * What starting the editor does not need, and what is large: files of their own, by what they are for. They and the extension
 * have copies of what they share, so a file that keeps something between two calls is in one of them only.
 */
export const parts = {
  lens: ['src/host/lens/findRunnables.ts'],
  edits: [
    'src/host/edit/predictEdits.ts',
    'src/host/edit/applyEdit.ts',
    'src/host/edit/undoEdit.ts',
    'src/host/consequences/consequences.ts',
  ],
  lab: [
    'src/host/bench/benchTests.ts',
    'src/host/lab/labCore.ts',
    'src/host/lab/labSession.ts',
    'src/host/loop/collectCommand.ts',
    'src/host/loop/failingStepsCommand.ts',
    'src/host/loop/runAgentCommand.ts',
  ],
  // What follows a prediction, and commands that are seldom given.
  later: [
    'src/host/alternatives/comparisonMessage.ts',
    'src/host/alternatives/offerSafer.ts',
    'src/host/atEnter/holdAtEnter.ts',
    'src/host/model/connectModel.ts',
    'src/host/model/editorAccess.ts',
    'src/host/model/editorModel.ts',
    'src/host/model/keyCommands.ts',
    'src/host/model/questionText.ts',
    'src/host/panel/copyMarkdown.ts',
    'src/host/safetyNet/restoreLost.ts',
    'src/host/trajectories/convertTrajectory.ts',
  ],
  // What the panel and other pages send is checked by schemas; they are made with the first message.
  protocol: ['src/protocol/panelProtocol.ts', 'src/protocol/compareProtocol.ts', 'src/protocol/calibrationProtocol.ts'],
  secrets: ['@secretlint/secretlint-rule-preset-recommend'],
};

const partsApart = {
  name: 'parts-apart',
  setup(build) {
    const places = Object.entries(parts).flatMap(([name, files]) =>
      files.map((file) => [path.resolve(root, file), name]),
    );
    const partOf = new Map(places);
    build.onResolve({ filter: /^(?:\.\.?|@secretlint)\// }, ({ kind, path: written, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const name = partOf.get(path.resolve(written.startsWith('.') ? resolveDir : root, written));
      return name === undefined ? undefined : { path: `./${name}.js`, external: true };
    });
  },
};

/**
 * What the extension imports of the core when it is first needed goes into a file of its own, `engine.js`, so that starting
 * the editor does not read it.
 */
function engineApart(apart) {
  return {
    name: 'engine-apart',
    setup(build) {
      build.onResolve({ filter: /\/(core|cli)\// }, ({ kind, path: written, resolveDir }) => {
        if (kind !== 'dynamic-import') return undefined;
        apart.add(path.resolve(resolveDir, written));
        return { path: './engine.js', external: true };
      });
      // What is read on the way to a prediction, where something was consented to: required, and with the engine.
      build.onResolve({ filter: /\/keptConsent\.ts$/ }, ({ kind, path: written, resolveDir }) => {
        if (kind !== 'require-call') return undefined;
        apart.add(path.resolve(resolveDir, written));
        return { path: './engine.js', external: true };
      });
    },
  };
}

/** Runs one step and says how long it took. */
async function step(name, run) {
  const startedAt = performance.now();
  await run();
  console.log(`  ${name} ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}

export async function build({ quick = false } = {}) {
  await step('extension and command line', buildNode);
  const { buildMedia } = await import(pathToFileURL(path.join(root, 'src/tools/buildMedia.mjs')).href);
  await step('webviews', () => buildMedia({ root }));
  const { buildNative } = await import(pathToFileURL(path.join(root, 'src/tools/buildNative.mjs')).href);
  await step('launchers', () => buildNative({ root, quick }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await build({ quick: process.argv.includes('--quick') });
}
