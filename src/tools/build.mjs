// Builds everything that is shipped into dist/: extension, command line, webviews, launchers.
//   node src/tools/build.mjs [--quick]     --quick: no launcher for other machines than this one
import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import esbuild from 'esbuild';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** Bundles the extension and the command line for Node. */
async function buildNode() {
  const shared = {
    bundle: true,
    platform: 'node',
    target: 'node20',
    minify: true,
    keepNames: false,
    sourcemap: false,
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    absWorkingDir: root,
  };
  const later = new Set();
  await Promise.all([
    esbuild.build({
      ...shared,
      entryPoints: { extension: 'src/extension.ts' },
      outdir: 'dist',
      format: 'cjs',
      external: ['vscode'],
      plugins: [engineApart(later), parsersApart, templatesApart],
    }),
    esbuild.build({
      ...shared,
      entryPoints: { templates: 'src/host/templates/templateLab.ts' },
      outdir: 'dist',
      format: 'cjs',
      external: ['vscode'],
      plugins: [engineApart(later), parsersApart],
    }),
    esbuild.build({
      ...shared,
      entryPoints: { cli: 'src/cli.ts' },
      outdir: 'dist',
      format: 'cjs',
      banner: { js: '#!/usr/bin/env node' },
      plugins: [parsersApart],
    }),
    esbuild.build({
      ...shared,
      entryPoints: {
        typescriptWorker: 'src/host/consequences/typescriptWorker.ts',
        convertWorker: 'src/host/trajectories/convertWorker.ts',
      },
      outdir: 'dist',
      format: 'cjs',
    }),
  ]);
  await chmod(path.join(root, 'dist/cli.js'), 0o755);
  await esbuild.build({
    ...shared,
    stdin: {
      contents: [...later]
        .sort()
        .map((file) => `export * from ${JSON.stringify(file)};`)
        .join('\n'),
      resolveDir: root,
    },
    outfile: 'dist/engine.js',
    format: 'cjs',
    plugins: [parsersApart],
  });
  await esbuild.build({
    ...shared,
    entryPoints: {
      parsers: 'src/core/consequences/parsers.ts',
      codeParsers: 'src/core/programs/code/codeParsers.ts',
    },
    outdir: 'dist',
    format: 'cjs',
    // What jsonc-parser gives to Node first cannot be bundled.
    mainFields: ['module', 'main'],
  });
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
 * What the extension imports of the core when it is first needed goes into a file of its own, `engine.js`, so that starting
 * the editor does not read it.
 */
function engineApart(later) {
  return {
    name: 'engine-apart',
    setup(build) {
      build.onResolve({ filter: /\/(core|cli)\// }, ({ kind, path: written, resolveDir }) => {
        if (kind !== 'dynamic-import') return undefined;
        later.add(path.resolve(resolveDir, written));
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
