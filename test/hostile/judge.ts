import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { knownForm } from '../../src/core/programs/known.ts';
import { isSystemProgram } from '../../src/core/worlds/confined/gate/inert.ts';
import type { Answer } from '../../src/core/worlds/confined/wire/requestFrames.ts';
import { type Attempt, foreignToken } from './attempt.ts';
import { type Canaries, differences, makeCanaries, type State } from './canaries.ts';
import { type Identity, spawnAs } from './identity.ts';
import { type Launched, launch } from './launch.ts';
import { compilePrograms } from './programs.ts';

/** Whether the programs that an attempt needs are there, and whether it is meant for this identity and processor. */
export function whyNot(attempt: Attempt, identity: Identity): string | undefined {
  if (attempt.identity && attempt.identity !== identity.name) return `only as ${attempt.identity}`;
  if (attempt.processor && attempt.processor !== process.arch) return `only on ${attempt.processor}`;
  const missing = attempt.needs?.find((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0);
  return missing ? `${missing} is not installed` : undefined;
}

/** What is wrong after an attempt was made confined; empty when it got nowhere. */
export async function attemptConfined(
  attempt: Attempt,
  canaries: Canaries,
  mode: 'copy' | 'look',
): Promise<{ complaints: string[]; result: Launched }> {
  const before = await canaries.state();
  const result = await launch(canaries, {
    mode,
    openGate: attempt.gate === 'open' && mode === 'copy',
    // On the real machine the gate cannot be opened; for the sake of the test the attack is called inert.
    ...(attempt.gate === 'open' && mode === 'look' ? { moreInert: [canaries.programs.attack] } : {}),
    argv: ['/bin/bash', '-c', attempt.script],
    ...(attempt.gate === 'known' ? { answer: (gated) => answerKnown(gated, canaries.identity.uid === 0) } : {}),
    ...(attempt.environment ? { environment: attempt.environment } : {}),
    setup: {
      ...(attempt.memoryBytes ? { memoryBytes: attempt.memoryBytes } : {}),
      ...(attempt.gate === 'known' ? { letsIn: true, letsKnownIn: true } : {}),
    },
    ...(attempt.columns ? { columns: attempt.columns } : {}),
  });
  const changed = await canaries.compare(before);
  restoreSettings(changed, before);
  const complaints = [...changed, ...judge(attempt, result, mode)];
  return { complaints, result };
}

/** As the engine answers in a workspace that is trusted. */
function answerKnown({ argv, env, stdin, reason, realPath }: Launched['gated'][number], isRoot: boolean): Answer {
  const form = reason === 'notInert' ? knownForm({ argv, env, isFed: stdin === 'pipe', isRoot }) : undefined;
  return form && isSystemProgram(realPath) ? { kind: 'known', code: form.code } : { kind: 'exit', code: 0 };
}

/** What an attempt of root did to the machine's settings is undone at once. */
function restoreSettings(changed: readonly string[], before: State): void {
  for (const [name, value] of before) {
    if (!name.startsWith('/proc/sys/') || !changed.some((line) => line.startsWith(`${name}:`))) continue;
    fs.writeFileSync(name, value);
  }
}

function judge(attempt: Attempt, result: Launched, mode: 'copy' | 'look'): string[] {
  const complaints: string[] = [];
  const output = result.stdout + result.stderr;
  if (result.refused) complaints.push(`refused: ${result.refused.sentence}`);
  if (result.complaint) complaints.push(`launcher: ${result.complaint}`);
  if (result.finished.length !== 1) complaints.push(`${result.finished.length} times FINISHED`);
  if (result.finished.some((event) => event.exitCode === 123)) complaints.push('a forged FINISHED was believed');
  if (attempt.gate === 'closed') {
    if (output.includes(foreignToken)) complaints.push('foreign code ran: it printed');
    if (result.changes.some((event) => event.change.path.endsWith('/outside/touched')))
      complaints.push('foreign code ran: it wrote a file');
    // In look mode most attempts end at the first thing that they prepare.
    if (!attempt.quiet && mode === 'copy' && result.gated.length === 0) complaints.push('the gate saw nothing');
  }
  if (
    attempt.gate === 'known' &&
    !result.execs.some(({ argv }) => attempt.needs?.includes(path.basename(argv[0] ?? '')))
  )
    complaints.push('it was not let in');
  if (attempt.denied?.test(output))
    complaints.push(`allowed: ${attempt.denied.exec(output)?.[0]} in ${output.slice(0, 2000)}`);
  return [...complaints, ...(attempt.also?.(result, mode) ?? [])];
}

/** Why this machine cannot show that the attempt works without confinement, or `undefined` where it can. */
export function whyUnproven({ through }: Attempt): string | undefined {
  if (!through) return undefined;
  const { stdout } = spawnSync(compilePrograms().attack, [through], { encoding: 'utf8' });
  return /^HIT/m.test(stdout) ? undefined : `this kernel lacks what ${through} asks for`;
}

/**
 * Makes the attempt without any confinement, against canaries of its own, and returns why it proves nothing, or
 * `undefined` when it hits.
 */
export async function proveUnconfined(attempt: Attempt, identity: Identity): Promise<string | undefined> {
  if (typeof attempt.proof === 'object') return undefined;
  const canaries = await makeCanaries(identity);
  try {
    const before = await canaries.state();
    const output = await runPlainly(attempt, canaries);
    const after = differences(before, await canaries.state());
    const proven = {
      canaries: after.some((line) => !/workspace/.test(line)),
      foreign: output.includes(foreignToken) || after.some((line) => line.includes('/outside/touched is new')),
      hit: /^HIT/m.test(output),
    }[attempt.proof];
    return proven
      ? undefined
      : `not proven (${attempt.proof}): ${JSON.stringify({ output: output.slice(0, 1500), after: after.slice(0, 8) })}`;
  } finally {
    await canaries.remove();
  }
}

function runPlainly(attempt: Attempt, canaries: Canaries): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/bash', ['-c', attempt.script], {
      cwd: canaries.workspace,
      env: { ...canaries.environment, ...attempt.environment, HARMLESS: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      ...spawnAs(canaries.identity),
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        if (output.length < 1 << 20) output += chunk.toString('latin1');
      });
    }
    const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), 10_000);
    child.on('error', reject);
    child.on('close', () => {
      clearTimeout(timer);
      resolve(output);
    });
  });
}
