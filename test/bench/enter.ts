import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { servicePlace } from '../engine/servicePlace.ts';
import { commitAll } from '../gitSettings.ts';
import { summarise } from './summary.ts';

/**
 * How long a typed line waits at Enter, in milliseconds: from the start of `foretell-enter` to its end, and what bash adds to that
 * (its subshell, what the line names). The aim is that of safe lines.
 *   node test/bench.mjs enter [ROUNDS]
 */
const rounds = Number(process.argv[2] ?? 40);
const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-enter-')));
const place = servicePlace(folder);
const program = path.join(path.dirname(place.hook), 'foretell-enter');
const cwd = path.join(folder, 'repository');

const cases = [
  ...[
    'cd src',
    'ls -la',
    'cat kept.txt | sort',
    'git status',
    'git log --oneline',
    'echo x > new.txt',
    'mkdir -p a/b && touch a/b/c',
  ],
  ...['for i in 1 2 3; do echo $i; done', 'npm test', 'sleep 5'],
  ...['rm notes.txt', 'git clean -fdx', 'sleep 5; rm notes.txt', 'rm -rf ~'],
];

function makeRepository(): void {
  fs.mkdirSync(path.join(cwd, 'src'), { recursive: true });
  fs.writeFileSync(path.join(cwd, 'kept.txt'), 'kept\n');
  commitAll(cwd);
  fs.writeFileSync(path.join(cwd, 'notes.txt'), 'one\ntwo\n');
}

/** Statuses by how often they came. */
function ask(line: string, shell: string, count: number): { times: number[]; held: number } {
  let held = 0;
  const times = Array.from({ length: count }, () => {
    const beganAt = performance.now();
    const { status } = spawnSync(program, [shell, '80', '300'], {
      cwd,
      env: { ...place.env, FORETELL_ENTER_LINE: line },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (status === 1) held += 1;
    return performance.now() - beganAt;
  });
  return { times, held };
}

/** The gate of bash without its question: the program is one that does nothing. */
function gateTimes(line: string): number[] {
  const script = [
    '__foretell_client=/bin/true; __foretell_block= __foretell_held= __foretell_released=',
    `source <(sed '/^if \\[\\[ \\$- == /,$d' dist/enter/enter.bash)`,
    `READLINE_LINE=$1; for i in {1..50}; do ( __foretell_was=$-; __foretell_gate ); done`,
  ].join('\n');
  const beganAt = performance.now();
  spawnSync('bash', ['-c', script, 'bash', line], { stdio: 'inherit' });
  return [(performance.now() - beganAt) / 50];
}

const shown = (times: readonly number[]) => {
  const { p50, p95 } = summarise(times);
  return `${p50.toFixed(1)} / ${p95.toFixed(1)}`;
};

try {
  makeRepository();
  await place.start();
  console.log(
    `${os.cpus().length} × ${os.cpus()[0]?.model ?? ''}, load ${os.loadavg()[0]?.toFixed(1)} at the beginning\n`,
  );
  console.log('Median / 95th percentile, in milliseconds.\n');
  console.log('| line | bash | zsh | fish | held | around it, in bash |\n| --- | --: | --: | --: | --: | --: |');
  for (const line of cases) {
    for (const shell of ['bash', 'zsh', 'fish']) ask(line, shell, 2);
    const asked = ['bash', 'zsh', 'fish'].map((shell) => ask(line, shell, rounds));
    const held = asked.reduce((sum, one) => sum + one.held, 0);
    const times = asked.map((one) => shown(one.times));
    console.log(
      `| \`${line.replaceAll('|', '\\|')}\` | ${times.join(' | ')} | ${held} of ${3 * rounds} | ${gateTimes(line)[0]?.toFixed(1)} |`,
    );
  }
} finally {
  await place.end();
  fs.rmSync(folder, { recursive: true, force: true });
}
