// Finds test files and bundles them, for run.mjs and one.mjs.
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeBundle } from '../src/tools/nodeBundle.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Files below a folder of the project whose names end so, sorted; what is kept or put out is none of them. */
export function findFiles(folder, ending) {
  const result = [];
  const walk = (at) => {
    if (!existsSync(at)) return;
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const file = path.join(at, entry.name);
      if (entry.isDirectory() && entry.name !== '.cache' && entry.name !== '.out' && entry.name !== 'node_modules')
        walk(file);
      else if (entry.name.endsWith(ending)) result.push(file);
    }
  };
  walk(path.join(root, folder));
  return result.sort();
}

/** Bundles test files, without leaving out `vscode`: core must build without it. Returns the bundles. */
export async function bundleTests(files, folder) {
  const { default: esbuild } = await import('esbuild');
  const outdir = path.join(root, 'test/.cache/bundles', folder);
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  if (files.length === 0) return [];
  await esbuild.build({
    entryPoints: files,
    outdir,
    outbase: root,
    ...nodeBundle,
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    packages: 'external',
    sourcemap: 'inline',
    absWorkingDir: root,
  });
  return files.map((file) => path.join(outdir, path.relative(root, file).replace(/\.ts$/, '.mjs')));
}
