/**
 * `npm run bench:truth`: how often a prediction is what really happens.
 *
 * Options: `--identity user|root|both` (default: FORETELL_IDENTITY, or both), `--kinds git,find`, `--match TEXT` (in the command), `--sample N --seed S`,
 * `--cases FOLDER`, `--cli FILE`, `--out FOLDER`, `--jobs N` (default 2), `--real-only` (no predictions: finds cases that are not steady),
 * `--quiet` (no list of what is wrong), `--ci` (last line `N passed, N failed`).
 * The exit code is 0 when the demands of `report.ts` are met, 1 when not, 2 when it could not be run.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readCases, type TruthCase } from './cases.ts';
import { seededRandom } from './fixtureText.ts';
import { identities } from './identity.ts';
import { judge, tally, tallyTable } from './report.ts';
import { type CaseResult, runTruth } from './runTruth.ts';

const { values: flags } = parseArgs({
  options: {
    identity: { type: 'string', default: process.env['FORETELL_IDENTITY'] ?? 'both' },
    kinds: { type: 'string' },
    match: { type: 'string' },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    cases: { type: 'string', default: 'test/truth/cases' },
    cli: { type: 'string', default: 'dist/cli.js' },
    jobs: { type: 'string', default: '2' },
    out: { type: 'string', default: 'test/.out' },
    'real-only': { type: 'boolean', default: false },
    ci: { type: 'boolean', default: false },
    quiet: { type: 'boolean', default: false },
  },
});

process.umask(0o022);
process.exitCode = await main();

async function main(): Promise<number> {
  const cli = resolve(flags.cli);
  if (!flags['real-only'] && !existsSync(cli)) {
    console.error(`${flags.cli} is not there: run \`npm run build\` first.`);
    return 2;
  }
  if (!['user', 'root', 'both'].includes(flags.identity)) {
    console.error('--identity is user, root or both.');
    return 2;
  }
  const who = identities(flags.identity as 'user' | 'root' | 'both');
  if (who.length === 0) {
    console.error('This machine has no such identity: root can only be measured by root.');
    return 2;
  }
  const cases = choose(readCases(flags.cases));
  let failed = false;
  const total = { passed: 0, failed: 0 };
  for (const identity of who) {
    const mine = cases.filter((one) => one.only === undefined || one.only === identity.name);
    const started = performance.now();
    const results = await runTruth({
      cases: mine,
      identity,
      jobs: Math.max(1, Number(flags.jobs)),
      ...(flags['real-only'] ? {} : { cli }),
      onResult: (_, done) => {
        if (process.stderr.isTTY) process.stderr.write(`\r${identity.name}: ${done} of ${mine.length}`);
      },
    });
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    console.log(`\n## As ${identity.name === 'root' ? 'root' : 'an ordinary user'} (${seconds} s)\n`);
    total.failed += results.filter((result) => result.comparison.outcome === 'wrong').length;
    total.passed += results.filter((result) => result.comparison.outcome !== 'wrong').length;
    failed = (flags['real-only'] ? showUnsteady(results) : show(identity.name, results)) || failed;
  }
  if (flags.ci) console.log(`\n${total.passed} passed, ${total.failed} failed`);
  return failed ? 1 : 0;
}

function choose(cases: readonly TruthCase[]): TruthCase[] {
  const kinds = flags.kinds?.split(',');
  let chosen = cases.filter((one) => kinds === undefined || kinds.includes(one.kind));
  const { match } = flags;
  if (match !== undefined) chosen = chosen.filter((one) => one.steps.some((step) => step.includes(match)));
  const size = flags.sample;
  if (size === undefined) return chosen;
  const random = seededRandom(Number(flags.seed));
  const drawn = chosen.map((one) => ({ one, at: random() })).sort((a, b) => a.at - b.at);
  const sample = new Set(drawn.slice(0, Number(size)).map(({ one }) => one));
  return chosen.filter((one) => sample.has(one));
}

/** Prints the table and what is wrong, writes the report; true when the demands are not met. */
function show(identity: string, results: readonly CaseResult[]): boolean {
  const rows = tally(results);
  console.log(tallyTable(rows));
  if (!flags.quiet) for (const result of results) showWrong(result);
  for (const result of results) if (result.invalid) console.log(`\n${result.case.id}: not judged, ${result.invalid}`);
  mkdirSync(flags.out, { recursive: true });
  const file = join(flags.out, `truth-${identity}.json`);
  writeFileSync(file, `${JSON.stringify({ identity, rows, results: results.map(reportOf) }, null, 1)}\n`);
  const all = rows.at(-1);
  const short = all ? judge(all) : [];
  console.log(
    short.length === 0
      ? `\nAll demands are met. Details: ${file}`
      : `\nFalls short: ${short.join('; ')}. Details: ${file}`,
  );
  return short.length > 0;
}

function reportOf(result: CaseResult) {
  const { case: one, comparison, unsteady, invalid, predictMs, realMs } = result;
  return { ...one, ...comparison, unsteady, invalid, predictMs: Math.round(predictMs), realMs: Math.round(realMs) };
}

function showWrong(result: CaseResult): void {
  if (result.comparison.outcome !== 'wrong') return;
  console.log(`\n${result.case.id}: ${result.case.steps.join('\n===\n')}`);
  for (const difference of result.comparison.differences.slice(0, 5))
    console.log(`  ${difference.part}: ${difference.text}`);
}

/** Lists what is not the same in two real runs; true when a case cannot be judged. */
function showUnsteady(results: readonly CaseResult[]): boolean {
  let invalid = false;
  for (const result of results) {
    const what =
      result.invalid || (result.unsteady.length > 0 ? `varies: ${result.unsteady.slice(0, 6).join(', ')}` : '');
    if (result.invalid) invalid = true;
    if (what) console.log(`${result.case.id}: ${what}\n    ${result.case.steps.join('\n    ===\n    ')}`);
  }
  console.log(`\n${results.length} commands, ${results.filter((result) => result.unsteady.length > 0).length} vary.`);
  return invalid;
}
