import assert from 'node:assert/strict';
import { test } from 'node:test';
import { programNamed, programOf, programs } from '../../src/core/programs/programOf.ts';

test('a name stands in one row only', () => {
  const seen = new Set<string>();
  for (const { names } of programs) {
    for (const name of names.split(' ')) {
      assert.ok(name !== '' && !seen.has(name), `${name} stands twice, or ${names} has an empty name`);
      seen.add(name);
    }
  }
});

test('a program is found by its path, with a version, in capitals and with .exe', () => {
  const python = programNamed('python');
  for (const word of ['python3.11', '/usr/bin/python3', 'python3.6m', 'C:\\Python\\python.exe']) {
    assert.equal(programOf(word), python, word);
  }
  assert.equal(programOf('g++-12'), programNamed('g++'));
  assert.equal(programOf('Remove-Item'), programNamed('remove-item'));
  assert.equal(programOf('mkfs.anything'), programNamed('mkfs'));
  for (const word of ['', 'constructor', '__proto__', 'frobnicate']) assert.equal(programOf(word), undefined, word);
});

test('what is said of an inert program is said of an exact name', () => {
  assert.equal(programNamed('bash5'), undefined);
  assert.equal(programNamed('LS'), undefined);
});

test('a row says something, and what copy mode asks about is said of inert programs only', () => {
  for (const program of programs) {
    assert.ok(Object.keys(program).length > 1, program.names);
    if (program.asks || program.momentary || program.listsProcesses) assert.ok(program.inert, program.names);
  }
});
