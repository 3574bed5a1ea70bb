import assert from 'node:assert/strict';
import { test } from 'node:test';
import { perturbationPresets, renderConditions } from '../../../src/core/worlds/language/prompt/perturbations.ts';

test('every preset has its own id, a short title and whole sentences', () => {
  assert.equal(new Set(perturbationPresets.map((one) => one.id)).size, perturbationPresets.length);
  for (const one of perturbationPresets) {
    assert.match(one.id, /^[a-z]+(-[a-z]+)*$/);
    assert.ok(one.title.length <= 24, one.title);
    assert.match(one.text, /^[A-Z`].*[.]$/);
    assert.ok(!one.text.includes('\n'));
  }
});

test('conditions are one paragraph, after the world that they are about', () => {
  assert.equal(renderConditions({}), '');
  assert.equal(renderConditions({ freeText: '  ', fictionalWorld: '\n' }), '');
  const [full, offline] = perturbationPresets;
  const text = renderConditions({ perturbations: [full, offline], freeText: ' All files are read-only. ' });
  assert.match(text, /^# Conditions of this simulation\n\n[^\n]+$/);
  assert.ok(text.endsWith(`${full.text} ${offline.text} All files are read-only.`));
  const world = renderConditions({ fictionalWorld: 'A ship.\n\nIt sails.', freeText: 'Fog.' });
  assert.match(world, /^# The world of this simulation\n\n[\s\S]+A ship\.\n\nIt sails\.\n\n# Conditions/);
});
