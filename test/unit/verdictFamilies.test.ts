import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { staticFacts } from '../../src/core/verdict/staticFacts.ts';
import { worstLevel } from '../../src/core/verdict/verdict.ts';
import { judgedInWords } from './judgedInWords.ts';

const home = '/home/me';
const cwd = '/home/me/project';

/**
 * Families of calls that mean the same, each with the level that their text alone deserves: `# level: meaning`, and a call on
 * each line (`\n` is a line break, `\\` a backslash). Most hold a plain call, and calls with loaded words in names, messages,
 * branches, paths, contents and literals, which change nothing.
 */
const file = readFileSync(join(process.cwd(), 'test/fixtures/verdictFamilies.txt'), 'utf8');
const families = file
  .trim()
  .split(/\n\n+/)
  .map((block) => {
    const [title = '', ...lines] = block.split('\n');
    const [, level = '', meaning = ''] = /^# (safe|caution|danger): (.+)$/.exec(title) ?? [];
    return { level, meaning, lines: lines.map(unescaped) };
  });

function unescaped(line: string): string {
  return line.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character));
}

function judged(script: string): { level: string; reasons: string } {
  const env = { PATH: '/usr/bin:/bin', HOME: home, USER: 'me', SHELL: '/bin/bash' };
  const action = { kind: 'command' as const, script, shell: 'bash' as const, cwd };
  const risks = judgedInWords(staticFacts({ action, workspaceFolders: [cwd], home, userId: 1000, env }));
  return { level: worstLevel(risks), reasons: risks.map(({ reason }) => reason).join(' ') };
}

for (const { meaning, level, lines } of families) {
  test(`${level}: ${meaning}`, () => {
    const others = lines.filter((line) => judged(line).level !== level);
    assert.equal(others.map((line) => `${line} → ${judged(line).level}: ${judged(line).reasons}`).join('\n'), '');
  });
}

test('the table is as large as it has to be', () => {
  assert.ok(families.every(({ level, lines }) => level !== '' && lines.length > 1));
  assert.ok(families.flatMap(({ lines }) => lines).length >= 250);
});
