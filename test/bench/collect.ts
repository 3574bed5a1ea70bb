/**
 * `node test/bench.mjs collect`: how many true steps a minute `foretell bench collect` makes on this machine, and with
 * `--verify` whether every one equals a real run (in throw-away fixtures, with the cases of the truth suite).
 *
 * Options: `--identity user|root|both` (default user), `--form terminal|swe|both` (default both), `--jobs N` (default 6),
 * `--kinds git,find`, `--sample N --seed S`, `--verify`, `--cli FILE`.
 */
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { readCases } from '../truth/cases.ts';
import { seededRandom } from '../truth/fixtureText.ts';
import { identities } from '../truth/identity.ts';
import { collectTruth } from './collectTruth.ts';

const { values: flags } = parseArgs({
  options: {
    identity: { type: 'string', default: 'user' },
    form: { type: 'string', default: 'both' },
    jobs: { type: 'string', default: '6' },
    kinds: { type: 'string' },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    verify: { type: 'boolean', default: false },
    cli: { type: 'string', default: 'dist/cli.js' },
  },
});

process.umask(0o022);
const kinds = flags.kinds?.split(',');
const random = seededRandom(Number(flags.seed));
const drawn = readCases('test/truth/cases')
  .filter((one) => kinds === undefined || kinds.includes(one.kind))
  .map((one) => ({ one, at: random() }))
  .sort((a, b) => a.at - b.at)
  .slice(0, flags.sample === undefined ? undefined : Number(flags.sample))
  .map(({ one }) => one);
console.log(
  `${cpus().length} × ${cpus()[0]?.model ?? 'processor'}, load ${loadavg()[0]?.toFixed(1)} at the beginning\n`,
);
let isShort = false;
for (const identity of identities(flags.identity as 'user' | 'root' | 'both')) {
  const { counts, cpuMs, compared, wrong, reordered } = await collectTruth({
    cases: drawn.filter((one) => one.only === undefined || one.only === identity.name),
    identity,
    cli: flags.cli,
    form: flags.form as 'terminal' | 'swe' | 'both',
    jobs: Number(flags.jobs),
    verifies: flags.verify,
  });
  const minutes = counts.durationMs / 60_000;
  console.log(
    `as ${identity.name}: ${counts.trueSteps} true steps of ${counts.done} rehearsed in ${(counts.durationMs / 1000).toFixed(1)} s: ${Math.round(counts.trueSteps / minutes)} true steps a minute (${Math.round(counts.done / minutes)} rehearsed)`,
  );
  const each = cpuMs / counts.trueSteps;
  console.log(
    `${each.toFixed(0)} ms of processor a true step: at most ${Math.round((2 * 60_000) / each)} a minute on two cores that have nothing else to do`,
  );
  console.log(`left out: ${JSON.stringify(counts.inexact)}`);
  if (flags.verify) {
    console.log(
      `${compared} compared with real runs, ${wrong.length} differ, ${reordered} have the same lines in another order`,
    );
    for (const text of wrong) console.log(`- ${text}`);
  }
  isShort ||= wrong.length > 0 || counts.trueSteps / minutes < 2000;
}
console.log(
  isShort ? '\nMissed: the aim is 2,000 true steps a minute, each equal to a real run.' : '\nAll aims are met.',
);
process.exitCode = isShort ? 1 : 0;
