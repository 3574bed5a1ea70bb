import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const root = process.cwd();

function* sources(folder: string): Generator<{ file: string; text: string }> {
  for (const entry of fs.readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const file = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(file);
    else if (file.endsWith('.ts')) yield { file, text: fs.readFileSync(path.join(root, file), 'utf8') };
  }
}

function found(folders: readonly string[], pattern: RegExp): string[] {
  return folders.flatMap((folder) =>
    [...sources(folder)].flatMap(({ file, text }) =>
      [...text.matchAll(pattern)].map((match) => `${file}: ${match[0].trim()}`),
    ),
  );
}

/** Fields that hold a sentence or a clause for people. */
const wordy = '(?:reason|detail|why|assumed|says|sentence|recoverable|endingReason|message)';
const readers = '(?:test|exec|match|matchAll|search|split|startsWith|endsWith|includes|indexOf|slice|replace)';

test('the rooms that make and judge facts use no words', () => {
  const imports = found(
    ['src/core/facts', 'src/core/programs', 'src/core/loss', 'src/core/context', 'src/core/verdict'],
    /from '[^']*\/words\/[^']*'/g,
  );
  assert.deepEqual(imports, []);
});

test('no sentence is searched, taken apart or compared where facts are judged', () => {
  const rooms = ['src/core/facts', 'src/core/verdict', 'src/core/prediction'];
  const method = new RegExp(`\\b${wordy}\\b(?:\\s*\\?\\?\\s*''\\))?\\??\\.${readers}\\(`, 'g');
  const argument = new RegExp(`\\.(?:test|exec)\\((?:[\\w.?]*\\.)?${wordy}\\b`, 'g');
  const comparison = new RegExp(`\\b${wordy} [!=]== (?:'[^']|[a-z]\\w*\\.)`, 'g');
  for (const pattern of [method, argument, comparison]) assert.deepEqual(found(rooms, pattern), []);
});

test('the verdict makes no sentence: it has no text with a full stop, and none that quotes code', () => {
  const sentence = /(['`])(?:(?!\1)[^\n\\]|\\.)*[a-z]{2}\.\1|\\`\$\{/g;
  assert.deepEqual(
    found(['src/core/verdict'], sentence).filter((line) => !line.includes(".ts'")),
    [],
  );
});
