/**
 * `node test/bench.mjs consent`: how long a rehearsal takes that the user consented to, beside plain bash in the same run.
 *
 * Options: `--rounds N` (default 5), `--only TEXT` (rows whose command has it), `--cli FILE`, `--out FOLDER`.
 * Columns: plain bash to its first output and its end; the same with a second plain bash that does the same beside it, in a
 * fixture of its own: what two runs at once cost on these processors whoever makes them; the prediction by a warm engine to its first output, to the exit code of the run that
 * is shown (the other one, which finds what varies, goes on beside it), and until all is certain; `cpu` is
 * processor time, which a busy machine hardly changes: of plain bash, of Node, and of the launchers with all that they ran (two runs, as a
 * rule). Medians in milliseconds. The aims: first output within plain + 30 ms, the end within 1.5 × plain + 50 ms.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createForetell } from '../../src/core/foretell.ts';
import { launcherPath } from '../../src/core/launcherPath.ts';
import { consentedFixture } from '../consented/fixture.ts';
import { ensureTools, findTool } from '../consented/tools.ts';
import { cpuMs, cpuMsOf } from '../cpuMs.ts';
import type { Identity } from '../truth/fixture.ts';
import { identityFor } from '../truth/identity.ts';
import { type Place, readStep, restorePlace, withPlace } from '../truth/place.ts';
import { statesOf } from '../truth/realRun.ts';
import { interleave } from './interleave.ts';
import { summarise } from './summary.ts';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
    out: { type: 'string', default: 'test/.out' },
  },
});

/** Folder of the fixture, command, and the program that it needs. */
const rows: readonly [folder: string, script: string, needs: string][] = [
  ['web', 'node -e 1', 'node'],
  ['web', 'npm run build', 'npm'],
  ['web', 'npm test', 'npm'],
  ['web', 'node --test test/', 'node'],
  ['web', 'vitest run vitest', 'node'],
  ['web', 'jest', 'node'],
  ['web', 'tsc -p .', 'node'],
  ['web', 'eslint src', 'node'],
  ['web', 'prettier --write src', 'node'],
  ['python', 'python3 -c 1', 'python3'],
  ['python', 'python3 -m unittest', 'python3'],
  ['python', 'python3 manage.py migrate', 'python3'],
  ['c', 'make -j2', 'cc'],
  ['pytest', 'python3 -m pytest', 'pytest-3'],
  ['django', 'python3 manage.py migrate -v 2', 'django-admin'],
  ['go', 'go build -o count .', 'go'],
  ['go', 'go test -count=1 ./...', 'go'],
  ['cargo', 'cargo build --offline', 'cargo'],
  ['hooks', "git commit -qam 'fix: x'", 'git'],
];

interface Times {
  first: number;
  /** How it ends is shown; of a prediction the run that is shown, while the other one may still look for what varies. */
  ended: number;
  end: number;
  /** Processor time of what was run; of two predictions that follow each other the second's views are often made beside the first. */
  cpu: number;
  /** Of Node itself. */
  node: number;
}

process.exitCode = await main();

async function main(): Promise<number> {
  const identity = identityFor(process.getuid?.() === 0 ? 'root' : 'user');
  if (!identity) return 2;
  ensureTools();
  console.log(
    `${cpus().length} × ${cpus()[0]?.model ?? 'processor'}, load ${loadavg()[0]?.toFixed(1)} at the beginning\n`,
  );
  console.log(
    '| command | plain: first output | end | two at once: first output | end | rehearsed: first output | exit code shown | certain | plain: cpu | rehearsed: cpu of Node | of all runs |\n| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |',
  );
  const report = await withPlace(
    'consent',
    identity,
    (place) => withPlace('consent', identity, (other) => measureAll([place, other], identity), consentedFixture),
    consentedFixture,
  );
  mkdirSync(flags.out, { recursive: true });
  writeFileSync(join(flags.out, 'consent.json'), `${JSON.stringify(report, null, 1)}\n`);
  const named = (some: typeof report) => some.map(({ script }) => `\`${script}\``).join(', ');
  const lateFirst = named(report.filter(({ plain, rehearsed }) => rehearsed.first > plain.first + 30));
  const late = (of: 'ended' | 'end') =>
    named(report.filter(({ plain, rehearsed }) => rehearsed[of] > 1.5 * plain.end + 50));
  const missed = [
    ...(lateFirst ? [`first output of ${lateFirst}`] : []),
    ...(late('ended') ? [`exit code shown of ${late('ended')}`] : []),
    ...(late('end') ? [`certain end of ${late('end')}`] : []),
  ];
  console.log(missed.length === 0 ? '\nAll aims are met.' : `\nBehind the aims: ${missed.join('; ')}`);
  return 0;
}

async function measureAll(places: [Place, Place], identity: Identity) {
  const [place] = places;
  const foretell = createForetell({ launcher: launcherPath(resolve('dist')), spareLaunchers: 2 });
  const report: { script: string; plain: Times; atOnce: Times; rehearsed: Times }[] = [];
  try {
    for (const [folder, script, needs] of rows.filter(([, text]) => text.includes(flags.only))) {
      if (!findTool(needs, identity)) continue;
      const cwd = join(place.root, folder);
      const sums: Record<string, Times[]> = { plain: [], atOnce: [], rehearsed: [] };
      const keep = (name: string, times: Times) => {
        sums[name]?.push(times);
        return times.end;
      };
      const plainIn = async (name: string, some: readonly Place[]) => {
        const before = cpuMsOf('self').children;
        const runs = some.map(({ root, env }) => timePlain(script, join(root, folder), env));
        const [times] = await Promise.all(runs);
        const cpu = cpuMsOf('self').children - before;
        for (const one of some) restorePlace(one, readStep(one, statesOf(one.pristine)).touched);
        return times && keep(name, { ...times, cpu, node: 0 });
      };
      const rehearsed = async () => {
        const action = { kind: 'command', script, shell: 'bash', cwd } as const;
        const consent = { folder: place.root, programs: 'all' } as const;
        const startedAt = performance.now();
        const before = { runs: cpuMsOf('self').children, node: cpuMs() };
        let first: number | undefined;
        let ended: number | undefined;
        const { events, view } = foretell.predict({
          action,
          env: place.env,
          consent,
          signal: new AbortController().signal,
        });
        for await (const event of events) {
          const isOutput = event.type === 'output' || (event.type === 'progress' && event.printed !== undefined);
          if (isOutput) first ??= performance.now() - startedAt;
          if (event.type === 'progress' && event.ended) ended ??= performance.now() - startedAt;
        }
        const end = performance.now() - startedAt;
        await view.close();
        const spent = { cpu: cpuMsOf('self').children - before.runs, node: cpuMs() - before.node };
        return keep('rehearsed', { first: first ?? ended ?? end, ended: ended ?? end, end, ...spent });
      };
      const ways = [
        { name: 'rehearsed', measure: rehearsed },
        { name: 'plain', measure: () => plainIn('plain', [place]) },
        { name: 'atOnce', measure: () => plainIn('atOnce', places) },
      ];
      await interleave(ways, { rounds: Number(flags.rounds), warmUps: 1 });
      const median = (name: string): Times => {
        const of = (key: keyof Times) => summarise((sums[name] ?? []).slice(1).map((one) => one[key])).p50;
        return { first: of('first'), ended: of('ended'), end: of('end'), cpu: of('cpu'), node: of('node') };
      };
      const row = { script, plain: median('plain'), atOnce: median('atOnce'), rehearsed: median('rehearsed') };
      report.push(row);
      const { plain: p, atOnce: a, rehearsed: r } = row;
      const shown = [p.first, p.end, a.first, a.end, r.first, r.ended, r.end].map((ms) => ms.toFixed(0));
      const cpu = [row.plain.cpu, row.rehearsed.node, row.rehearsed.cpu].map((ms) => ms.toFixed(0)).join(' | ');
      console.log(
        `| \`${script}\` | ${shown.join(' | ')} (${(row.rehearsed.end / row.plain.end).toFixed(1)} ×) | ${cpu} |`,
      );
    }
  } finally {
    await foretell.dispose();
  }
  return report;
}

function timePlain(
  script: string,
  cwd: string,
  env: Record<string, string>,
): Promise<Pick<Times, 'first' | 'ended' | 'end'>> {
  return new Promise((done, fail) => {
    const startedAt = performance.now();
    let first: number | undefined;
    const child = spawn('bash', ['-c', script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', () => {
        first ??= performance.now() - startedAt;
      });
    child.on('error', fail);
    child.on('close', () => {
      const end = performance.now() - startedAt;
      done({ first: first ?? end, ended: end, end });
    });
  });
}
