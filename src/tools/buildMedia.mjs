// Builds the webviews into dist/media: one script and one style sheet each.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, context } from 'esbuild';

/** `import { drawing } from 'codicon:warning'`: only the icons that are used are in the script, and no font is. */
function codicons(root) {
  return {
    name: 'codicons',
    setup(plugins) {
      plugins.onResolve({ filter: /^codicon:/ }, ({ path }) => ({ path: path.slice(8), namespace: 'codicon' }));
      plugins.onLoad({ filter: /.*/, namespace: 'codicon' }, async ({ path: name }) => {
        const file = join(root, 'node_modules/@vscode/codicons/src/icons', `${name}.svg`);
        const svg = await readFile(file, 'utf8');
        const side = /viewBox="0 0 (\d+) \1"/.exec(svg)?.[1];
        const paths = [...svg.matchAll(/<path[^>]* d="([^"]+)"/g)].map((match) => match[1]);
        if (!side || paths.length === 0 || /<(?:circle|rect|g|mask)[ >]/.test(svg)) {
          return { errors: [{ text: `${file} is not made of plain paths in a square` }] };
        }
        // Drawn 16 pixels wide: a twentieth of a pixel is the most that a point moves.
        const path = paths
          .join('')
          .replace(/\d*\.\d+/g, (number) =>
            String(Number(Number(number).toFixed(1))).replace(/^0(?=\.)/, number.startsWith('.') ? '' : '0'),
          );
        const rule = svg.includes('fill-rule="evenodd"') ? 'evenodd' : 'nonzero';
        return {
          contents: `export const drawing = ${JSON.stringify({ side: Number(side), path, rule })};`,
          watchFiles: [file],
        };
      });
    },
  };
}

/** Writes what was built. The indentation of templates is not shipped: in minified code only they contain it. */
const writing = {
  name: 'writing',
  setup(plugins) {
    plugins.onEnd(async ({ outputFiles = [] }) => {
      for (const { path, text } of outputFiles) {
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, text.replaceAll(/\n {2,}/g, ' '));
      }
    });
  },
};

/**
 * Writes dist/media/predict.js and predict.css below `root`.
 *
 * With `watch` it builds again on every change and resolves to a function that stops it.
 */
export async function buildMedia({ root, watch = false, outdir = join(root, 'dist/media') }) {
  const options = {
    absWorkingDir: root,
    entryPoints: { predict: 'media/predict/main.ts' },
    outdir,
    bundle: true,
    platform: 'browser',
    format: 'iife',
    // The Chromium of the oldest VS Code that package.json allows.
    target: 'chrome132',
    conditions: ['production'],
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    write: false,
    plugins: [codicons(root), writing],
  };
  if (!watch) {
    await build(options);
    return async () => {};
  }
  const building = await context(options);
  await building.watch();
  return () => building.dispose();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await buildMedia({ root: process.cwd(), watch: process.argv.includes('--watch') });
}
