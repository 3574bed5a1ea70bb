import { execFileSync } from 'node:child_process';

/** Environment of git in fixtures: none of the machine's settings, one author. */
export const gitSettings = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.org',
} as const;

/** Makes a folder a repository, with everything in it in the first commit. */
export function commitAll(cwd: string): void {
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    ['commit', '-qm', 'first'],
  ])
    execFileSync('git', args, { cwd, env: { ...process.env, ...gitSettings } });
}
