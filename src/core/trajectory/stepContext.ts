import { createHash } from 'node:crypto';
import os from 'node:os';
import { captureContext } from '../context/captureContext.ts';
import { createContextMemory } from '../context/contextMemory.ts';
import type { Looker } from '../view/view.ts';
import type { TrajectoryStep } from './step.ts';

/**
 * What is true of a workspace now, as a step keeps it: a digest of the looks that a prediction in `cwd` would be grounded
 * in, and the commit. Folders are absolute. Two digests are equal where all these looks show the same. Rejects where
 * nothing can be looked at.
 */
export async function stepContext(of: {
  looker: Looker;
  workspace: string;
  cwd: string;
  /** Globs of files that do not count, such as the file that the step is written to. */
  excludes?: readonly string[];
  signal: AbortSignal;
}): Promise<NonNullable<TrajectoryStep['context']>> {
  const { looker, workspace, cwd, excludes = [], signal } = of;
  const context = await captureContext({
    action: { kind: 'command', script: 'ls', shell: 'bash', cwd },
    looker,
    workspaceFolders: [workspace],
    cwd,
    budgetTokens: 16_000,
    memory: createContextMemory(),
    excludes,
    signal,
  });
  const digest = createHash('sha256');
  for (const { look, text } of context.observations) digest.update(JSON.stringify([look, text]));
  const argv = ['git', 'rev-parse', '--verify', 'HEAD'];
  const head = await looker.look(argv, { cwd, signal, limitMs: 2_000, env: { HOME: os.homedir() } });
  const commit = head.exitCode === 0 ? Buffer.from(head.stdout).toString('utf8').trim() : '';
  return {
    digest: digest.digest('hex'),
    folder: workspace,
    ...(/^[0-9a-f]{40,64}$/.test(commit) ? { commit } : {}),
  };
}
