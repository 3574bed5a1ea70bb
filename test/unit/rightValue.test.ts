import assert from 'node:assert/strict';
import { test } from 'node:test';
import manifest from '../../package.json' with { type: 'json' };
import { rightValue, type SettingSchema } from '../../src/host/rightValue.ts';

const properties: object[] = manifest.contributes.configuration.map((group) => group.properties);
const schemas: Readonly<Record<string, SettingSchema>> = Object.assign({}, ...properties);
const of = (name: string, value: unknown, otherwise: unknown) =>
  rightValue(schemas[`foretell.${name}`], value, otherwise);

test('a setting that is not what it may be counts as its default, and a number as the nearest', () => {
  assert.equal(of('limits.seconds', 'ten', 10), 10);
  assert.equal(of('limits.seconds', Number.NaN, 10), 10);
  assert.equal(of('limits.seconds', 0, 10), 1);
  assert.equal(of('limits.seconds', 1e9, 10), 3600);
  assert.equal(of('limits.seconds', 30, 10), 30);
  assert.equal(of('limits.processes', 1.5, 512), 512);
  assert.equal(of('shell', 3, 'auto'), 'auto');
  assert.equal(of('shell', 'tcsh', 'auto'), 'auto');
  assert.equal(of('shell', 'fish', 'auto'), 'fish');
  assert.equal(of('interactiveShell', 'no', true), true);
  assert.equal(of('interactiveShell', false, true), false);
  assert.equal(of('model.seed', null, null), null);
  assert.equal(of('model.seed', 7, null), 7);
  assert.equal(of('model.name', {}, ''), '');
  assert.deepEqual(of('context.exclude', ['a', 3], []), []);
  assert.deepEqual(of('context.exclude', ['a'], []), ['a']);
  assert.deepEqual(of('context.exclude', 'a', []), []);
});

test('every default is a value that its schema allows', () => {
  for (const [name, schema] of Object.entries(schemas)) {
    const given = (schema as { default?: unknown }).default;
    assert.deepEqual(rightValue(schema, given, 'refused'), given, name);
  }
});
