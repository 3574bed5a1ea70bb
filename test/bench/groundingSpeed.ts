/**
 * `node test/bench.mjs groundingSpeed`: how long a capture takes in a repository of 100,000 files (made in a temporary
 * folder), cold and warm. Option: `--rounds N` (default 15).
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { captureContext } from '../../src/core/context/captureContext.ts';
import { createContextMemory } from '../../src/core/context/gather/contextMemory.ts';
import { warmRedaction } from '../../src/core/context/secrets/redactForPrompt.ts';
import { homeFolder } from '../../src/core/context/user.ts';
import { createForetell } from '../../src/core/foretell.ts';
import { launcherPath } from '../../src/core/launcherPath.ts';

const { values: flags } = parseArgs({ options: { rounds: { type: 'string', default: '15' } } });
const scripts = [
  'npm run build',
  'git status',
  'node packages/p01/module-02/file03.js',
  'cat packages/p05/module-05/*.js | wc -l',
  'grep -rn value7 packages/p09/module-01',
];

process.exitCode = await main();

async function main(): Promise<number> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'foretell-capture-')));
  const foretell = createForetell({ launcher: launcherPath(resolve('dist')) });
  try {
    makeRepository(folder);
    await warmRedaction();
    const memory = createContextMemory();
    const times = new Map<string, number[]>();
    let cold = 0;
    let withStatus = 0;
    for (let round = 0; round <= Number(flags.rounds); round++) {
      for (const script of scripts) {
        const context = await captureContext({
          action: { kind: 'command', script, shell: 'bash', cwd: folder },
          looker: foretell.looker,
          workspaceFolders: [folder],
          cwd: folder,
          home: homeFolder(process.env),
          budgetTokens: 16_000,
          memory,
          signal: new AbortController().signal,
        });
        if (round === 0) {
          cold ||= context.durationMs;
          continue;
        }
        times.set(script, [...(times.get(script) ?? []), context.durationMs]);
        if (context.observations.some(({ look }) => look.kind === 'run' && look.command.startsWith('git status')))
          withStatus++;
      }
    }
    const at = (values: number[], share: number) =>
      (values.sort((a, b) => a - b)[Math.floor(values.length * share)] ?? 0).toFixed(0);
    console.log('| capture in a repository of 100,000 files | p50 ms | p95 ms |\n| --- | --: | --: |');
    for (const [script, values] of times) console.log(`| ${script} | ${at(values, 0.5)} | ${at(values, 0.95)} |`);
    const all = [...times.values()].flat();
    console.log(`| all | ${at(all, 0.5)} | ${at(all, 0.95)} |`);
    console.log(`\nThe first took ${cold.toFixed(0)} ms. ${withStatus} of ${all.length} had a git status.`);
    return Number(at(all, 0.5)) <= 150 ? 0 : 1;
  } finally {
    await foretell.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}

function makeRepository(folder: string): void {
  for (let index = 0; index < 100_000; index++) {
    const [a, b, c] = [Math.floor(index / 2_500), Math.floor(index / 50) % 50, index % 50].map((one) =>
      String(one).padStart(2, '0'),
    );
    const place = join(folder, `packages/p${a}/module-${b}`);
    if (c === '00') mkdirSync(place, { recursive: true });
    writeFileSync(join(place, `file${c}.js`), `export const value${index % 50} = ${index};\n`);
  }
  writeFileSync(
    join(folder, 'package.json'),
    '{\n  "name": "large",\n  "scripts": { "build": "node packages/p00/module-00/file00.js" }\n}\n',
  );
  writeFileSync(join(folder, '.gitignore'), 'node_modules/\n');
  const git = (...words: string[]) =>
    execFileSync(
      'git',
      [
        '-c',
        'gc.auto=0',
        '-c',
        'maintenance.auto=false',
        '-c',
        'user.name=a',
        '-c',
        'user.email=a@example.org',
        ...words,
      ],
      {
        cwd: folder,
        stdio: 'ignore',
      },
    );
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'begin');
}
