// npm run watch: builds everything into dist/, and again whatever a change concerns, until Ctrl+C. Readable and with source
// maps, for a debugger. What it prints is read by the problem matcher of .vscode/tasks.json: `building …`, one line for each
// problem, `ready in …`.
import { watch as watchFolder } from 'node:fs';
import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { ensurePackages, root } from './ensure.mjs';

ensurePackages();
const { context } = await import('esbuild');
const { copyShellScripts, engineBundle, nodeBundles } = await import('./build.mjs');
const { mediaBundles } = await import('./buildMedia.mjs');
const { buildNative } = await import('./buildNative.mjs');

/** How many builds go on, since when, and which of them ended badly. */
let running = 0;
let startedAt = 0;
const broken = new Map();

function begin() {
  if (running++ > 0) return;
  startedAt = performance.now();
  console.log('[watch] building …');
}

/** `problems`: lines of the form `file:line:column: error: message`; none where all is well. */
function end(name, problems) {
  if (problems.length > 0) broken.set(name, problems);
  else broken.delete(name);
  if (--running > 0) return;
  for (const line of new Set([...broken.values()].flat())) console.log(line);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const what = broken.size > 0 ? 'what has errors stays as it was built last' : 'reload the window to use it';
  console.log(`[watch] ready in ${seconds} s; ${what}`);
}

function lineOf({ text, location }, severity) {
  const at = location ? `${location.file}:${location.line}:${location.column + 1}` : 'package.json:1:1';
  return `${at}: ${severity}: ${text}`;
}

/** Tells of each build, and does `after` behind it. */
function telling(after) {
  return {
    name: 'telling',
    setup(build) {
      const name = Object.keys(build.initialOptions.entryPoints).join(', ');
      // All first builds are counted before one of them ends: ready is when everything is.
      begin();
      let isFirst = true;
      build.onStart(() => {
        if (!isFirst) begin();
        isFirst = false;
      });
      build.onEnd(async ({ errors, warnings }) => {
        await after();
        end(name, [
          ...errors.map((error) => lineOf(error, 'error')),
          ...warnings.map((warning) => lineOf(warning, 'warning')),
        ]);
      });
    },
  };
}

async function makeContext(options, after = async () => {}) {
  return context({ ...options, logLevel: 'silent', plugins: [...(options.plugins ?? []), telling(after)] });
}

/** The launcher, with this machine's compiler if FORETELL_CC names it. */
async function buildLauncher() {
  begin();
  const problem = await buildNative({ root, quick: true }).then(
    () => undefined,
    (error) => error.message,
  );
  const places = problem?.match(/^\S+:\d+:\d+: (?:fatal )?error: .*$/gm);
  end(
    'launcher',
    problem === undefined ? [] : (places ?? [`src/native/confine.c:1:1: error: ${problem.split('\n')[0]}`]),
  );
}

const apart = new Set();
let engineHas;

/** `engine.js` is built when the extension is, and again when that loads something else of the core later. */
async function engineFollows() {
  const wanted = [...apart].sort().join('\n');
  if (engineHas === wanted) return;
  // Not awaited by the build that found it, which would then last as long as both.
  if (engineHas === undefined) engine.watch();
  else engine.rebuild().catch(() => {});
  engineHas = wanted;
}

const makeExecutable = () => chmod(path.join(root, 'dist/cli.js'), 0o755).catch(() => {});
const afterwards = { extension: engineFollows, templates: engineFollows, cli: makeExecutable };
const engine = await makeContext(engineBundle({ apart, debug: true }));
const contexts = await Promise.all([
  ...nodeBundles({ apart, debug: true }).map((options) =>
    makeContext(options, afterwards[Object.keys(options.entryPoints)[0]]),
  ),
  ...mediaBundles({ root, debug: true }).map((options) => makeContext(options)),
]);
for (const one of contexts) one.watch();
await Promise.all([buildLauncher(), copyShellScripts()]);

let settling;
watchFolder(path.join(root, 'src/native'), () => {
  clearTimeout(settling);
  settling = setTimeout(buildLauncher, 200);
});
watchFolder(path.join(root, 'src/cli/enter'), () => copyShellScripts().catch(() => {}));
