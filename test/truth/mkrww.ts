/**
 * `node test/bench.mjs mkrww`: the sequences of MKRWW, each step predicted from the real state before it, then really run.
 *
 * Options: `--identity user|root` (default: who runs it), `--cli FILE`, `--out FOLDER`, `--sequences FOLDER`.
 * Two engines stand beside each other: the gate as it is by default, without a model, and the gate opened (a full
 * rehearsal), which also runs Python.
 */
import { chownSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startBatch } from './batch.ts';
import { startCarrying } from './carrying.ts';
import { type Comparison, compare, type RealRun } from './compare.ts';
import type { Identity } from './fixture.ts';
import { startGuard } from './guard.ts';
import { identityFor } from './identity.ts';
import { gradeRecall } from './mkrwwGrader.ts';
import { makeBase } from './place.ts';
import type { PredictionJson } from './prediction.ts';
import { makePipes, readChanges, runShell, statesOf } from './realRun.ts';
import { readPristine, readTree, touchedPaths } from './tree.ts';

const { values: flags } = parseArgs({
  options: {
    identity: { type: 'string', default: process.getuid?.() === 0 ? 'root' : 'user' },
    cli: { type: 'string', default: 'dist/cli.js' },
    out: { type: 'string', default: 'test/.out' },
    sequences: { type: 'string', default: 'test/fixtures/mkrww/seqs' },
  },
});

interface Step {
  sequence: string;
  command: string;
  /** With the gate as it is, and opened. */
  closed: Graded;
  open: Graded;
}

interface Graded {
  recall: number;
  outcome: Comparison['outcome'];
  differences: string[];
}

/** The three groups of the published table. */
function categoryOf(sequence: string): string {
  return sequence.startsWith('preexisting') ? 'existed before the session' : 'elsewhere';
}

process.exitCode = await main();

async function main(): Promise<number> {
  const identity = identityFor(flags.identity);
  if (!identity) return 2;
  const steps: Step[] = [];
  for (const file of readdirSync(flags.sequences).sort()) {
    const commands = JSON.parse(readFileSync(join(flags.sequences, file), 'utf8')) as string[];
    steps.push(...(await replay(basename(file, '.json'), commands, identity)));
  }
  mkdirSync(flags.out, { recursive: true });
  writeFileSync(join(flags.out, 'mkrww.json'), `${JSON.stringify(steps, null, 1)}\n`);
  console.log(table(steps));
  for (const step of steps) {
    for (const [gate, graded] of [
      ['closed', step.closed],
      ['open', step.open],
    ] as const) {
      if (graded.outcome === 'wrong')
        console.log(`\n${step.sequence} (gate ${gate}): ${step.command}\n  ${graded.differences.join('\n  ')}`);
    }
  }
  return steps.some((step) => step.closed.outcome === 'wrong' || step.open.outcome === 'wrong') ? 1 : 0;
}

async function replay(sequence: string, commands: readonly string[], identity: Identity): Promise<Step[]> {
  const base = makeBase('mkrww', identity);
  try {
    const root = join(base, 'run');
    for (const folder of [root, join(root, 'home'), join(root, 'work')]) mkdirSync(folder);
    writeFileSync(join(root, 'home/.gitconfig'), '[user]\n\tname = Tester\n\temail = tester@example.com\n');
    if (process.getuid?.() === 0) {
      for (const path of [root, join(root, 'home'), join(root, 'work'), join(root, 'home/.gitconfig')]) {
        chownSync(path, identity.uid, identity.gid);
      }
    }
    const start = {
      PATH: process.env['PATH'] ?? '/usr/bin:/bin',
      HOME: join(root, 'home'),
      USER: identity.login,
      LOGNAME: identity.login,
      SHELL: '/bin/bash',
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
    };
    const batch = startBatch({ cli: resolve(flags.cli), env: start, cwd: join(root, 'work'), identity });
    const carry = startCarrying(base);
    const pipes = makePipes(base, identity);
    const steps: Step[] = [];
    const guard = identity.uid === 0 ? { guard: await startGuard(base) } : {};
    for (const command of commands) {
      const cwd = carry.cwd() ?? join(root, 'work');
      const env = carry.env() ?? start;
      const pristine = readPristine(root);
      const ask = (openGate: boolean) => batch.predict({ id: command, script: command, cwd, env, openGate });
      const [closed, open] = [await ask(false), await ask(true)];
      if (touchedPaths(pristine.tree, readTree(root)).length > 0)
        throw new Error(`Predicting touched the files: ${command}`);
      const result = await runShell(command, {
        cwd,
        env: { ...env, BASH_ENV: carry.startFile },
        identity,
        pipes,
        ...guard,
      });
      const run: RealRun = { ...result, changes: readChanges(pristine).changes };
      const truth = { root, before: statesOf(pristine), runs: [run, run] as const, once: true };
      const grade = (prediction: PredictionJson): Graded => {
        const comparison = compare(prediction, truth);
        return {
          recall: gradeRecall(screenOf(prediction), {
            stdout: result.stdout.toString(),
            stderr: result.stderr.toString(),
          }),
          outcome: comparison.outcome,
          differences: comparison.differences.map((difference) => `${difference.part}: ${difference.text}`),
        };
      };
      steps.push({ sequence, command, closed: grade(closed), open: grade(open) });
    }
    await batch.close();
    guard.guard?.close();
    return steps;
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

/** What a terminal would show of it. */
function screenOf(prediction: PredictionJson): string {
  return prediction.output.map((piece) => piece.text ?? Buffer.from(piece.base64 ?? '', 'base64').toString()).join('');
}

function table(steps: readonly Step[]): string {
  const rows: [string, readonly Step[]][] = [...new Set(steps.map((step) => step.sequence))].map((name) => [
    name,
    steps.filter((step) => step.sequence === name),
  ]);
  for (const category of ['existed before the session', 'elsewhere']) {
    rows.push([`**${category}**`, steps.filter((step) => categoryOf(step.sequence) === category)]);
  }
  rows.push(['**all**', steps]);
  const mean = (list: readonly Step[], gate: 'closed' | 'open') =>
    (list.reduce((sum, step) => sum + step[gate].recall, 0) / list.length).toFixed(1);
  const strict = (list: readonly Step[], gate: 'closed' | 'open') => {
    const of = (outcome: string) => list.filter((step) => step[gate].outcome === outcome).length;
    return `${of('exact')} / ${of('volatile')} / ${of('abstained')} / ${of('wrong')}`;
  };
  const published: Record<string, string> = {
    '**existed before the session**': '36.2',
    '**elsewhere**': '96.5',
    '**all**': '79.4',
  };
  return [
    '| sequence | steps | recall, no model | exact / volatile / abstained / wrong | recall, gate open | exact / volatile / abstained / wrong | published, Qwen-AgentWorld-35B-A3B |',
    '| --- | --: | --: | --- | --: | --- | --: |',
    ...rows.map(
      ([name, list]) =>
        `| ${name} | ${list.length} | ${mean(list, 'closed')} | ${strict(list, 'closed')} | ${mean(list, 'open')} | ${strict(list, 'open')} | ${published[name] ?? ''} |`,
    ),
  ].join('\n');
}
