/**
 * `node test/bench.mjs consented`: how often a rehearsal that the user consented to is what really happens, for commands of
 * many ecosystems: their output, exit code and files. Each is predicted after `foretell consent give`, and then really run
 * twice, in the same fixture. What differs between the two real runs has to be marked as volatile, and all around it is
 * compared.
 *
 * Options: `--identity user|root|both` (default: FORETELL_IDENTITY, or user), `--kinds npm,c`, `--match TEXT` (in the command),
 * `--cases FOLDER` (other commands, in files of these kinds),
 * `--share N` (every Nth command), `--runs N` (real runs of each, default 2; of more, what is marked volatile and never varies
 * is listed, and what varies unmarked), `--limit SECONDS` (of one run, default 180), `--jobs N` (default 2), `--cli FILE`, `--out FOLDER`, `--ci` (last line
 * `N passed, N failed`).
 * Commands whose programs are not on this machine are skipped and counted. The exit code is 0 when at least 95 % are right,
 * or all but three, and none is wrong in a file, 1 when not; what it abstains from is then no failure.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readCases, type TruthCase } from '../truth/cases.ts';
import type { Identity } from '../truth/fixture.ts';
import { identities } from '../truth/identity.ts';
import { percent } from '../truth/report.ts';
import { type CaseResult, runTruth } from '../truth/runTruth.ts';
import { consentedFixture } from './fixture.ts';
import { ensureTools, findTool } from './tools.ts';

const { values: flags } = parseArgs({
  options: {
    identity: { type: 'string', default: process.env['FORETELL_IDENTITY'] ?? 'user' },
    kinds: { type: 'string' },
    match: { type: 'string', default: '' },
    cases: { type: 'string', default: 'test/consented/cases' },
    share: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '2' },
    runs: { type: 'string', default: '2' },
    limit: { type: 'string', default: '180' },
    cli: { type: 'string', default: 'dist/cli.js' },
    out: { type: 'string', default: 'test/.out' },
    ci: { type: 'boolean', default: false },
  },
});

/** Of each kind of commands: the folder that they run in, and the programs that they need. */
const kinds: Readonly<Record<string, { folder: string; needs: readonly string[]; tools?: true }>> = {
  node: { folder: 'web', needs: [] },
  npm: { folder: 'web', needs: ['npm'] },
  mono: { folder: 'mono', needs: ['npm', 'curl'] },
  service: { folder: 'service', needs: ['python3', 'curl'] },
  suite: { folder: 'suite', needs: ['python3', 'pytest-3'] },
  perl: { folder: 'perl', needs: ['perl', 'prove'] },
  rake: { folder: 'rake', needs: ['ruby', 'rake'] },
  goapp: { folder: 'goapp', needs: ['go', 'curl'] },
  typescript: { folder: 'web', needs: [] },
  linters: { folder: 'web', needs: ['npm'], tools: true },
  testing: { folder: 'web', needs: [], tools: true },
  python: { folder: 'python', needs: ['python3'] },
  unittest: { folder: 'python', needs: ['python3'] },
  edits: { folder: 'python', needs: ['python3', 'perl'] },
  pytest: { folder: 'pytest', needs: ['python3', 'pytest-3'] },
  django: { folder: 'django', needs: ['python3', 'django-admin'] },
  migrations: { folder: 'python', needs: ['python3'] },
  c: { folder: 'c', needs: ['make', 'cc', 'gcc', 'ar', 'nm'] },
  hooks: { folder: 'hooks', needs: ['git', 'python3'] },
  shell: { folder: 'shell', needs: ['perl', 'python3'] },
  ruby: { folder: 'ruby', needs: ['ruby'] },
  php: { folder: 'php', needs: ['php'] },
  lua: { folder: 'lua', needs: ['lua'] },
  go: { folder: 'go', needs: ['go', 'gofmt'] },
  tcl: { folder: 'tcl', needs: ['tclsh'] },
  java: { folder: 'java', needs: ['java', 'javac'] },
  cmake: { folder: 'cmake', needs: ['cmake', 'make', 'cc'] },
  cargo: { folder: 'cargo', needs: ['cargo', 'rustc', 'cc'] },
};

/** Where fewer are right, the suite fails. Of a small share three may be what an engine abstains from. */
const demandOf = (count: number) => Math.min(0.95 * count, count - 3);

process.umask(0o022);
process.exitCode = await main();

async function main(): Promise<number> {
  const who = identities(flags.identity as 'user' | 'root' | 'both');
  if (who.length === 0) {
    console.error('This machine has no such identity.');
    return 2;
  }
  const total = { passed: 0, failed: 0 };
  let fails = false;
  for (const identity of who) {
    const { cases, skipped } = choose(identity);
    for (const [why, count] of skipped) console.log(`${count} commands are skipped: ${why}.`);
    const results = await runTruth({
      cases,
      identity,
      cli: resolve(flags.cli),
      jobs: Math.max(1, Number(flags.jobs)),
      runs: Math.max(2, Number(flags.runs)),
      fixture: consentedFixture,
      folderOf: ({ kind }) => kinds[kind]?.folder ?? kind,
      consents: true,
      comparesAround: true,
      limitMs: Number(flags.limit) * 1000,
    });
    const right = results.filter(isRight).length;
    const abstained = results.filter(
      ({ comparison, invalid }) => comparison.outcome === 'abstained' && !invalid,
    ).length;
    // What it abstains from is no failure, as long as that is little.
    const isMuch = right < demandOf(results.length);
    total.passed += right;
    total.failed += results.length - right - (isMuch ? 0 : abstained);
    fails = show(identity, results) || fails;
  }
  if (flags.ci) console.log(`\n${total.passed} passed, ${total.failed} failed`);
  return fails ? 1 : 0;
}

function choose(identity: Identity): { cases: TruthCase[]; skipped: Map<string, number> } {
  const wanted = flags.kinds?.split(',');
  const share = Number(flags.share);
  const matching = readCases(flags.cases).filter(
    ({ kind, steps }) => (wanted?.includes(kind) ?? true) && steps.some((step) => step.includes(flags.match)),
  );
  const shared = matching.filter((_, index) => index % share === 0);
  const hasTools = !shared.some(({ kind }) => kinds[kind]?.tools) || ensureTools();
  const skipped = new Map<string, number>();
  const cases = shared.filter(({ kind }) => {
    const { needs = [], tools } = kinds[kind] ?? {};
    const missing = needs.find((name) => findTool(name, identity) === undefined);
    const why = missing
      ? `${identity.name === 'root' ? 'root' : 'an ordinary user'} cannot start ${missing} here`
      : tools && !hasTools
        ? 'the packages of test/fixtures/consented/tools.json could not be installed'
        : undefined;
    if (why) skipped.set(why, (skipped.get(why) ?? 0) + 1);
    return why === undefined;
  });
  return { cases, skipped };
}

function isRight({ comparison: { outcome } }: CaseResult): boolean {
  return outcome === 'exact' || outcome === 'volatile';
}

/** Prints the table and what is not right, and writes the details; true when the demand is not met. */
function show(identity: Identity, results: readonly CaseResult[]): boolean {
  console.log(`\n## As ${identity.name === 'root' ? 'root' : 'an ordinary user'}\n`);
  console.log('| kind | commands | exact | exact but for what is volatile | abstained | wrong |');
  console.log('| --- | --: | --: | --: | --: | --: |');
  const row = (name: string, of: readonly CaseResult[]) => {
    const count = (outcome: string) => of.filter(({ comparison }) => comparison.outcome === outcome).length;
    const numbers = ['exact', 'volatile', 'abstained', 'wrong'].map(count);
    console.log(`| ${[name, of.length, ...numbers].join(' | ')} |`);
  };
  for (const kind of new Set(results.map((result) => result.case.kind)))
    row(
      kind,
      results.filter((result) => result.case.kind === kind),
    );
  row('**all**', results);
  for (const result of results) {
    const { comparison, invalid } = result;
    if (isRight(result) && !invalid) continue;
    console.log(`\n${result.case.id}: ${result.case.steps.join('\n===\n')}`);
    if (invalid || comparison.reason) console.log(`  ${invalid || comparison.reason}`);
    for (const { part, text } of comparison.differences.slice(0, 6)) console.log(`  ${part}: ${text}`);
  }
  for (const { case: one, marks } of results.filter((result) => result.marks.length > 0))
    console.log(`\n${one.id}: ${one.steps.join('\n===\n')}\n  marks:\n  ${marks.join('\n  ')}`);
  mkdirSync(flags.out, { recursive: true });
  writeFileSync(join(flags.out, `consented-${identity.name}.json`), `${JSON.stringify(results, null, 1)}\n`);
  const right = results.filter(isRight).length;
  const wrongFiles = results.filter(({ comparison }) => comparison.differences.some(({ part }) => part === 'file'));
  console.log(`\n${right} of ${results.length} are right (${percent(right, results.length)}).`);
  return results.length === 0 || right < demandOf(results.length) || wrongFiles.length > 0;
}
