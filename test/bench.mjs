// Measures: `npm run bench` the speed, `npm run bench:truth` how often predictions are right, and others by name.
//   node test/bench.mjs NAME [arguments of the measure]
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { ensurePackages, root } from '../src/tools/ensure.mjs';
import { nodeBundle } from '../src/tools/nodeBundle.mjs';

const measures = {
  speed: 'test/bench/speed.ts',
  consent: 'test/bench/consent.ts',
  scale: 'test/bench/scale.ts',
  hooks: 'test/bench/hooks.ts',
  replay: 'test/bench/replay.ts',
  enter: 'test/bench/enter.ts',
  cold: 'test/bench/cold.ts',
  truth: 'test/truth/main.ts',
  consented: 'test/consented/main.ts',
  mkrww: 'test/truth/mkrww.ts',
  grounding: 'test/bench/grounding.ts',
  groundingSpeed: 'test/bench/groundingSpeed.ts',
  lab: 'test/bench/lab.ts',
  modelOverhead: 'test/bench/modelOverhead.ts',
  votes: 'test/truth/votes.ts',
  safer: 'test/bench/safer.ts',
  policy: 'test/bench/policy.ts',
  remembered: 'test/bench/remembered.ts',
  collect: 'test/bench/collect.ts',
  environment: 'test/bench/environment.ts',
  hybrid: 'test/bench/hybridTruth.ts',
  proxy: 'test/bench/proxy.ts',
  templates: 'test/bench/templates.ts',
  trajectory: 'test/bench/trajectory.ts',
  imports: 'test/bench/imports.ts',
  agents: 'test/bench/agents/main.ts',
  clients: 'test/bench/clients/main.ts',
  conditions: 'test/bench/conditions.ts',
};
const [name = 'speed', ...rest] = process.argv.slice(2);
if (!(name in measures)) {
  console.error(`There is no measure called ${name}; choose from ${Object.keys(measures).join(', ')}.`);
  process.exit(2);
}
ensurePackages();
const { build } = await import('../src/tools/build.mjs');
if (!process.env.FORETELL_BUILT) await build();
const { default: esbuild } = await import('esbuild');
const outfile = path.join(root, `test/.cache/bench/${name}.mjs`);
await esbuild.build({
  entryPoints: [path.join(root, measures[name])],
  outfile,
  ...nodeBundle,
  format: 'esm',
  packages: 'external',
});
process.exit(spawnSync(process.execPath, [outfile, ...rest], { cwd: root, stdio: 'inherit' }).status ?? 1);
