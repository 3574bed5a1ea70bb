import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readApplyPatch, seekLines } from '../../../src/core/action/edit/applyPatchText.ts';
import { compileReplace } from '../../../src/core/action/edit/searchReplace.ts';
import { decodeText, encodeText } from '../../../src/core/action/edit/textBytes.ts';

test('text goes through its bytes and back', () => {
  for (const encoding of ['utf8', 'utf8bom', 'utf16le', 'utf16be'] as const) {
    for (const text of ['', 'a\r\nb', 'ä🦀\n']) {
      const bytes = encodeText(text, encoding);
      assert.deepEqual(decodeText(bytes), { text, encoding });
    }
  }
  assert.equal(decodeText(Uint8Array.from([0xe9, 0x0a])), undefined);
  assert.equal(decodeText(Uint8Array.from([0x61, 0x00])), undefined);
});

test('lines are looked for with less and less regard to blanks', () => {
  const lines = ['  a', 'b ', 'say “x”', '  a'];
  assert.equal(seekLines(lines, ['b '], 0, false), 1);
  assert.equal(seekLines(lines, ['b'], 0, false), 1);
  assert.equal(seekLines(lines, ['a'], 1, false), 3);
  assert.equal(seekLines(lines, ['say "x"'], 0, false), 2);
  assert.equal(seekLines(lines, ['  a'], 0, true), 3);
  assert.equal(seekLines(lines, ['zz'], 0, false), undefined);
});

test('apply_patch texts that are damaged', () => {
  const problem = (text: string) => {
    const read = readApplyPatch(text);
    return 'problem' in read ? read.problem : 'none';
  };
  assert.match(problem('x'), /first line of the patch/);
  assert.match(problem('*** Begin Patch\n'), /last line of the patch/);
  assert.match(problem('*** Begin Patch\n*** Update File: f\n@@\n*** End Patch'), /does not contain any lines/);
  assert.match(problem('*** Begin Patch\n*** Update File: f\nxyz\n*** End Patch'), /line 3, Unexpected line/);
  assert.match(
    problem('*** Begin Patch\n*** Update File: f\n a\n@ b\n*** End Patch'),
    /Expected update hunk to start with a @@/,
  );
});

test('a replacement with groups', () => {
  const replace = compileReplace({ folder: '/', search: '(\\w)=(\\d)?', replacement: '$2:$1$$\\n', isRegex: true });
  assert.ok(!('problem' in replace));
  assert.deepEqual(replace.apply('a=1 b='), { text: '1:a$\n :b$\n', count: 2 });
  const endless = compileReplace({ folder: '/', search: '(a+)+$', replacement: '', isRegex: true });
  assert.ok(!('problem' in endless));
  assert.throws(() => endless.apply(`${'a'.repeat(40)}b`), /takes too long/);
  assert.ok('problem' in compileReplace({ folder: '/', search: '(', replacement: '', isRegex: true }));
  assert.ok('problem' in compileReplace({ folder: '/', search: '', replacement: '' }));
});
