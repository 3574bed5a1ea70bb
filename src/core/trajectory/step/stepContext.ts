import { createHash } from 'node:crypto';
import { captureContext } from '../../context/captureContext.ts';
import { createContextMemory } from '../../context/gather/contextMemory.ts';
import { homeFolder } from '../../context/user.ts';
import type { Looker } from '../../view/view.ts';
import type { TrajectoryStep } from './step.ts';

// Sizes and times of the folder itself and of the one around it say nothing about the workspace.
const folderLines = /^(?:total \d+|.* \.\.?)\n/gm;

/**
 * What is true of a workspace now, as a step keeps it: a digest of the looks that a prediction in `cwd` would be grounded
 * in, and the commit. Folders are absolute. Two digests are equal where all these looks show the same. Rejects where
 * nothing can be looked at.
 */
export async function stepContext(of: {
  looker: Looker;
  workspace: string;
  cwd: string;
  /** Name of a file that does not count: the one that the step is written to. Lines that name it are left out. */
  ignores?: string;
  signal: AbortSignal;
}): Promise<NonNullable<TrajectoryStep['context']>> {
  const { looker, workspace, cwd, ignores, signal } = of;
  const context = await captureContext({
    action: { kind: 'command', script: 'ls', shell: 'bash', cwd },
    looker,
    workspaceFolders: [workspace],
    cwd,
    home: homeFolder(process.env),
    budgetTokens: 16_000,
    memory: createContextMemory(),
    ...(ignores === undefined ? {} : { excludes: [`**/${ignores}`] }),
    signal,
  });
  const git = async (limitMs: number, ...words: string[]) => {
    const argv = ['git', '-c', 'core.fsmonitor=false', ...words];
    // A look may write nothing, so git must not want to refresh its index.
    const env = { HOME: homeFolder(process.env), GIT_OPTIONAL_LOCKS: '0' };
    const { exitCode, stdout } = await looker.look(argv, { cwd, signal, limitMs, env });
    return exitCode === 0 ? Buffer.from(stdout).toString('utf8').trim() : '';
  };
  const commit = await git(2_000, 'rev-parse', '--verify', 'HEAD');
  const digest = createHash('sha256');
  const add = (look: unknown, text: string) => {
    const lines = text.split('\n').filter((line) => ignores === undefined || !line.includes(ignores));
    digest.update(JSON.stringify([look, lines]));
  };
  for (const { look, text } of context.observations) {
    // On a busy machine the capture does not wait for this; it is asked again below, with more patience.
    if (look.kind === 'run' && look.command.startsWith('git status')) continue;
    add(look, look.kind === 'run' && look.command === 'ls -la' ? text.replace(folderLines, '') : text);
  }
  if (commit !== '') add('git status', await git(10_000, 'status', '--porcelain=v1', '-b'));
  return {
    digest: digest.digest('hex'),
    folder: workspace,
    ...(/^[0-9a-f]{40,64}$/.test(commit) ? { commit } : {}),
  };
}
