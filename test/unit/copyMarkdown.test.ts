import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyPrediction, fold } from '../../src/core/prediction/fold.ts';
import { printedText } from '../../src/core/prediction/text/printedText.ts';
import { markdownOf, transcriptOf } from '../../src/host/panel/copyMarkdown.ts';

const script = 'rm `cat list`\necho done';

function predicted() {
  const prediction = emptyPrediction({ kind: 'command', script, shell: 'bash', cwd: '/w' });
  const output = (text: string, basis: 'rehearsed' | 'unknown' = 'rehearsed') =>
    fold(prediction, {
      type: 'output',
      stream: 'stdout',
      text,
      basis,
      ...(basis === 'unknown' ? { dependsOn: [['curl', 'x']] } : {}),
    });
  output('a\rb \u001b[31mred\u001b[0m ```\n');
  output('', 'unknown');
  for (let index = 0; index < 103; index++) {
    const change = {
      path: `/w/a\`${index}`,
      change: 'deleted',
      type: 'file',
      mode: '0644',
      sizeBytes: 1,
      volatile: false,
    } as const;
    fold(prediction, { type: 'file', change, basis: 'rehearsed' });
  }
  const fact = { kind: 'limit', limit: 'time' } as const;
  fold(prediction, { type: 'risk', level: 'danger', kind: 'limit', fact, reason: 'Takes too long.', evidence: [] });
  fold(prediction, { type: 'exit', code: 3, basis: 'rehearsed' });
  return fold(prediction, { type: 'done', durationMs: 1 });
}

test('a prediction as Markdown: nothing in it ends a block, and what is not listed is counted', () => {
  const prediction = predicted();
  const text = markdownOf(prediction, script, printedText(prediction));
  assert.match(
    text,
    /^\*\*DANGER\*\*, as predicted by Foretell \(nothing was run for real\):\n\n```sh\nrm `cat list`\necho done\n```\n/,
  );
  assert.match(text, /\n- danger: Takes too long\.\n/);
  assert.match(text, /\nOutput, exit code 3:\n\n````text\nb red ```\n\(.*`curl x`.*\)\n````\n/);
  assert.match(text, /\n- D `` \/w\/a`0 ``\n/);
  assert.match(text, /\n- and 3 more paths\n$/);
});

test('a prediction as a transcript says that it was none', () => {
  assert.equal(
    transcriptOf(script, 'one\ntwo'),
    '# Predicted by Foretell; nothing was run for real.\n$ rm `cat list`\n> echo done\none\ntwo\n',
  );
  assert.equal(transcriptOf('true', ''), '# Predicted by Foretell; nothing was run for real.\n$ true\n');
});
