import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnosticsOf } from '../../src/core/consequences/syntax.ts';

test('a second declaration of a name is no syntax error, what no dialect takes is one', async () => {
  for (const [text, found] of [
    ['let a = 1;\nlet a = 2;\n', 0],
    ["import { a } from './a.js';\nconst a = 'has already been declared';\n", 0],
    ["const a = 'has already been declared;\n", 1],
    ['class A {\n  #a;\n  #a;\n}\n', 1],
  ] as const) {
    for (const path of ['/w/a.ts', '/w/a.js']) assert.equal((await diagnosticsOf(path, '', text)).length, found, text);
  }
});
