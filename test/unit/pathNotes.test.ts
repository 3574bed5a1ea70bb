import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PathNotes } from '../../src/core/worlds/confined/planned/pathNotes.ts';

function noted(...paths: string[]): PathNotes<string> {
  const notes = new PathNotes<string>();
  for (const path of paths) notes.set(path, path.toUpperCase());
  return notes;
}

test('the nearest note is on the path itself or on a folder above it', () => {
  const notes = noted('/a', '/a/b/c');
  assert.deepEqual(notes.nearest('/a/b/c'), ['/a/b/c', '/A/B/C']);
  assert.deepEqual(notes.nearest('/a/b/cd'), ['/a', '/A']);
  assert.deepEqual(notes.nearest('/a/b'), ['/a', '/A']);
  assert.equal(notes.nearest('/ab'), undefined);
  assert.equal(notes.nearest('/'), undefined);
  assert.deepEqual(noted('/').nearest('/x/y'), ['/', '/']);
});

test('names in a folder are those that something is noted of', () => {
  const notes = noted('/a/b/c', '/a/d', '/ax');
  assert.deepEqual(notes.namesIn('/a'), ['b', 'd']);
  assert.deepEqual(notes.namesIn('/'), ['a', 'ax']);
  assert.deepEqual(notes.namesIn('/a/d'), []);
  assert.deepEqual(notes.namesIn('/none/there'), []);
});

test('what is forgotten below a folder leaves the note on the folder', () => {
  const notes = noted('/a', '/a/b', '/ab');
  notes.forgetBelow('/a');
  assert.deepEqual(notes.nearest('/a/b'), ['/a', '/A']);
  assert.deepEqual(notes.nearest('/ab'), ['/ab', '/AB']);
});

test('a copy replaces what was noted at its place, and is on its own', () => {
  const notes = noted('/a', '/a/b', '/to/old');
  notes.copyBelow('/a', '/to');
  notes.set('/a/b', 'later');
  assert.deepEqual(notes.nearest('/to/b'), ['/to/b', '/A/B']);
  assert.equal(notes.nearest('/to/old'), undefined);
  assert.equal(notes.nearest('/to'), undefined);
});

test('notes on a folder can be copied into the folder itself', () => {
  const notes = noted('/a/b');
  notes.copyBelow('/a', '/a/c');
  assert.deepEqual(notes.namesIn('/a'), ['b', 'c']);
  assert.deepEqual(notes.namesIn('/a/c'), ['b']);
});
