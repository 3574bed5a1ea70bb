import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conditionPresets } from '../../../src/core/worlds/language/conditions/conditionPresets.ts';
import { renderConditions } from '../../../src/core/worlds/language/prompt/conditions.ts';

test('every preset has its own id, a short title and whole sentences', () => {
  assert.equal(new Set(conditionPresets.map((one) => one.id)).size, conditionPresets.length);
  for (const one of conditionPresets) {
    assert.match(one.id, /^[a-z]+(-[a-z]+)*$/);
    assert.ok(one.title.length <= 24, one.title);
    assert.match(one.text, /^[A-Z`].*[.]$/);
    assert.ok(!one.text.includes('\n'));
  }
});

test('conditions are one paragraph, after the world that they are about', () => {
  assert.equal(renderConditions({}), '');
  assert.equal(renderConditions({ freeText: '  ', fictionalWorld: '\n' }), '');
  const [full, offline] = conditionPresets;
  const text = renderConditions({ presets: [full, offline], freeText: ' All files are read-only. ' });
  assert.match(text, /^# Conditions of this simulation\n\n[^\n]+$/);
  assert.ok(text.endsWith(`${full.text} ${offline.text} All files are read-only.`));
  const world = renderConditions({ fictionalWorld: 'A ship.\n\nIt sails.', freeText: 'Fog.' });
  assert.match(world, /^# The world of this simulation\n\n[\s\S]+A ship\.\n\nIt sails\.\n\n# Conditions/);
});
