// Builds the webviews into dist/media: their scripts, those that the panel loads when it needs them, and their style sheets.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const numbersOf = { M: 2, L: 2, H: 1, V: 1, C: 6, Z: 0 };

/**
 * A path on a grid of tenths, with steps instead of places: two thirds as long. Drawn 16 pixels wide, no point moves more
 * than a twentieth of a pixel. `undefined`: it has other commands than codicons are made of.
 */
function compactPath(path) {
  let made = '';
  let [x, y] = [0, 0];
  let start = [0, 0];
  for (const [, command, rest] of path.matchAll(/([a-df-zA-DF-Z])([^a-df-zA-DF-Z]*)/g)) {
    const places = (rest.match(/-?(?:\d*\.\d+|\d+)(?:e-?\d+)?/g) ?? []).map((place) => Math.round(Number(place) * 10));
    const count = numbersOf[command];
    if (count === undefined || (count === 0 ? places.length > 0 : places.length % count !== 0)) return undefined;
    const steps = [];
    for (let at = 0; at < places.length; at += count) {
      const part = places.slice(at, at + count);
      steps.push(...part.map((place, index) => place - (command === 'V' || (count > 1 && index % 2 === 1) ? y : x)));
      if (command === 'V') [y] = part;
      else if (command === 'H') [x] = part;
      else [x, y] = part.slice(-2);
    }
    if (command === 'M') start = places.slice(0, 2);
    if (command === 'Z') [x, y] = start;
    // A minus sign separates as well as a blank.
    made += command.toLowerCase() + steps.join(' ').replaceAll(' -', '-');
  }
  return made;
}

/** `import { drawing } from 'codicon:warning'`: only the icons that are used are in the script, and no font is. */
function codicons(root) {
  return {
    name: 'codicons',
    setup(plugins) {
      plugins.onResolve({ filter: /^codicon:/ }, ({ path }) => ({ path: path.slice(8), namespace: 'codicon' }));
      plugins.onLoad({ filter: /.*/, namespace: 'codicon' }, async ({ path: name }) => {
        const file = join(root, 'node_modules/@vscode/codicons/src/icons', `${name}.svg`);
        const svg = await readFile(file, 'utf8');
        const paths = [...svg.matchAll(/<path[^>]* d="([^"]+)"/g)].map((match) => match[1]);
        if (!svg.includes('viewBox="0 0 16 16"') || paths.length === 0 || /<(?:circle|rect|g|mask)[ >]/.test(svg)) {
          return { errors: [{ text: `${file} is not made of plain paths in a square of 16 by 16` }] };
        }
        const path = compactPath(paths.join(''));
        if (path === undefined) return { errors: [{ text: `${file} has curves of another kind` }] };
        const rule = svg.includes('fill-rule="evenodd"') ? ['evenodd'] : [];
        return {
          contents: `export const drawing = ${JSON.stringify([path, ...rule])};`,
          watchFiles: [file],
        };
      });
    },
  };
}

/** Schemas that nobody uses are left out: esbuild does not see through a namespace that zod's functions only make them. */
const schemas = {
  name: 'schemas',
  setup(plugins) {
    plugins.onLoad({ filter: /[\\/]src[\\/](?:protocol|core)[\\/].*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const contents = text.replaceAll(/(?<=[\s(,[])z\.\w+(?:<[\w[\]'| ]+>)?\(/g, '/* @__PURE__ */ $&');
      return { contents, loader: 'ts', watchFiles: [path] };
    });
  },
};

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
 * What is bundled for the webviews, as options of esbuild: dist/media/predict.js, later.js, model.js, template.js, calibration.js, compare.js, lab.js
 * and their style sheets. `debug`: as it was written, with source maps.
 */
export function mediaBundles({ root, debug = false }) {
  const shared = {
    absWorkingDir: root,
    outdir: join(root, 'dist/media'),
    bundle: true,
    platform: 'browser',
    // The Chromium of the oldest VS Code that package.json allows.
    target: 'chrome132',
    conditions: ['production'],
    minify: !debug,
    sourcemap: debug ? 'inline' : false,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    write: debug,
    plugins: [codicons(root), schemas, ...(debug ? [] : [writing])],
  };
  // The panel's first script is no part of what is split, so that the page begins with one file; what the others need of it
  // they have once more, in `shared.js`.
  return [
    { ...shared, entryPoints: { predict: 'media/predict/main.ts' }, format: 'iife' },
    {
      ...shared,
      entryPoints: { later: 'media/later/main.ts', model: 'media/model/main.ts' },
      ...{ format: 'esm', splitting: true, chunkNames: 'shared' },
    },
    { ...shared, entryPoints: { template: 'media/template/main.ts' }, format: 'iife' },
    { ...shared, entryPoints: { calibration: 'media/calibration/main.ts' }, format: 'iife' },
    { ...shared, entryPoints: { compare: 'media/compare/main.ts' }, format: 'iife' },
    { ...shared, entryPoints: { lab: 'media/lab/main.ts' }, format: 'iife' },
  ];
}

/** Builds the webviews into dist/media below `root`. */
export async function buildMedia({ root }) {
  await Promise.all(mediaBundles({ root }).map((options) => build(options)));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await buildMedia({ root: process.cwd() });
}
