import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { staticFacts } from '../../src/core/verdict/staticFacts.ts';
import { worstLevel } from '../../src/core/verdict/verdict.ts';
import { judgedInWords } from './judgedInWords.ts';

// Each line of a golden file: level, command, first reason. `\n` in a command is a line break.
// With UPDATE_GOLDEN=1 the reasons are written anew; look at the difference before it is kept.
const folder = join(process.cwd(), 'test/golden/verdict');
const home = '/home/me';
const cwd = '/home/me/project';

function judgeText(script: string): string {
  const action = { kind: 'command' as const, script: script.replaceAll('\\n', '\n'), shell: 'bash' as const, cwd };
  const env = { PATH: '/usr/bin:/bin', HOME: home, USER: 'me', SHELL: '/bin/bash' };
  const risks = judgedInWords(staticFacts({ action, workspaceFolders: [cwd], home, userId: 1000, env }));
  return `${worstLevel(risks).padEnd(7)} | ${script} | ${risks[0]?.reason ?? ''}`;
}

for (const file of readdirSync(folder).sort()) {
  test(`verdict from the text alone: ${file}`, () => {
    const path = join(folder, file);
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    const actual = lines.map((line) => judgeText(line.split(' | ').slice(1, -1).join(' | ')));
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path, `${actual.join('\n')}\n`);
    else assert.deepEqual(actual, lines);
  });
}
