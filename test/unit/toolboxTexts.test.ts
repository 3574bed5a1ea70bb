import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { jsonLines } from '../../src/cli/lines.ts';
import { fitText } from '../../src/core/toolbox/fitText.ts';
import { shortJson } from '../../src/core/toolbox/shortJson.ts';
import { patchText } from '../../src/core/view/patchText.ts';

test('a diff is written as diff -u writes it', () => {
  const before = Array.from({ length: 20 }, (_, at) => `line ${at + 1}\n`).join('');
  const after = before
    .replace('line 3\n', 'third\n')
    .replace('line 19\n', '')
    .replace(/line 20\n$/, 'line 20');
  const { text, added, removed } = patchText('a.txt', before, after);
  assert.deepEqual([added, removed], [2, 3]);
  assert.equal(
    text,
    [
      '--- a.txt',
      '+++ a.txt',
      '@@ -1,6 +1,6 @@',
      ' line 1',
      ' line 2',
      '-line 3',
      '+third',
      ' line 4',
      ' line 5',
      ' line 6',
      '@@ -16,5 +16,4 @@',
      ' line 16',
      ' line 17',
      ' line 18',
      '-line 19',
      '-line 20',
      '+line 20',
      '\\ No newline at end of file',
      '',
    ].join('\n'),
  );
});

test('files that come or go have no other side', () => {
  assert.equal(patchText('n', undefined, 'a\nb\n').text, '--- /dev/null\n+++ n\n@@ -0,0 +1,2 @@\n+a\n+b\n');
  assert.equal(patchText('n', 'a\n', undefined).text, '--- n\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n');
  assert.deepEqual(patchText('n', 'a', 'a'), { text: '', added: 0, removed: 0 });
});

test('a text for a model keeps its limits, and counts what it leaves out', async () => {
  const lines = (count: number) => ['Title', ...Array.from({ length: count }, (_, at) => `line ${at}`)];
  for (const most of [300, 1_000, 8_000]) {
    const part = { lines: lines(5_000), mostCharacters: most / 3 };
    const text = await fitText([part, { ...part, keepsEnd: true }], most, lines(5_000).join('\n'));
    assert.ok(text.length <= most, `${text.length} of ${most}`);
    assert.match(text, /^ {2}\(\d+ more lines left out\)$/m);
    assert.match(text, /^ {2}\(\d+ more lines before\)\n(?:line \d+\n)*line 4999$/m);
  }
  assert.equal(await fitText([{ lines: [], mostCharacters: 100 }], 1_000), '');
});

test('a secret is taken out before a text is cut', async () => {
  const key = `-----BEGIN RSA PRIVATE KEY-----\n${'QUJD'.repeat(16)}\n${'REVG'.repeat(16)}\n-----END RSA PRIVATE KEY-----`;
  const text = await fitText([{ lines: ['Output', ...key.split('\n')], mostCharacters: 60, keepsEnd: true }], 1_000);
  assert.doesNotMatch(text, /REVG/);
  const { value } = await shortJson({ output: [{ text: `x\n${key}\n` }] });
  assert.doesNotMatch(JSON.stringify(value), /QUJD|REVG/);
});

test('data for a model is cut, and says of what and how much', async () => {
  const files = Array.from({ length: 250 }, (_, at) => ({ path: `/w/${at}` }));
  const evidence = files.map(({ path }) => path);
  const { value, omitted } = await shortJson({
    files,
    output: [{ text: `${'a'.repeat(16_000)}end` }],
    verdict: { reasons: [{ evidence }] },
  });
  assert.deepEqual(omitted, { files: 50, 'verdict.reasons.0.evidence': 230, 'output.0.text': 3 });
  assert.equal((value['files'] as unknown[]).length, 200);
  assert.match(JSON.stringify(value['output']), /aend"/);
});

test('lines end at line feeds alone, wherever the pieces end', async () => {
  const separators = '{"a":"\u2028\u2029\u0085"}';
  const bytes = Buffer.from(`{"é":1}\r\n${separators}\n\n{"last":1}`);
  for (const size of [1, 3, 1_000]) {
    const pieces: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
    const lines: string[] = [];
    for await (const line of jsonLines(Readable.from(pieces), new AbortController().signal)) lines.push(line);
    assert.deepEqual(lines, ['{"é":1}', separators, '', '{"last":1}']);
  }
});
