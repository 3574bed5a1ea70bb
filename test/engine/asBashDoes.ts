import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';

/** Predicts a command by the command line that was built, with these options, runs it for real in the same folder, and wants the same outcome of both. */
export function asBashDoes(
  command: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
  options: readonly string[] = [],
): void {
  const cli = path.resolve('dist/cli.js');
  const found = spawnSync(process.execPath, [cli, '--json', ...options, command], { cwd, env, encoding: 'utf8' });
  const real = spawnSync('bash', ['-c', command], { cwd, env, encoding: 'utf8' });
  const prediction = JSON.parse(found.stdout) as {
    ending: string;
    exitCode: number;
    output: { stream: string; text: string }[];
  };
  const said = (stream: string) =>
    prediction.output.map((piece) => (piece.stream === stream ? piece.text : '')).join('');
  assert.deepEqual(
    [prediction.ending, prediction.exitCode, said('stdout'), said('stderr')],
    ['done', real.status, real.stdout, real.stderr],
  );
}
