import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayReadLater } from '../../../src/core/worlds/language/imagine/readsLater.ts';

/** Whether a script may read what a program in it wrote: only where it surely does not, contents need not be asked for. */

const may = (script: string, argv = ['npm', 'i']) =>
  mayReadLater({ kind: 'command', script, shell: 'bash', cwd: '/w' }, argv, { HOME: '/home/u' });

for (const script of [
  'npm i',
  'npm i && echo done',
  'cd app && npm i',
  'cat package.json; npm i',
  'npm i; ls; ls -a src; mkdir -p x; touch y; rm -rf dist; chmod +x run.sh; true',
  'npm i 2>&1 | tail -20',
  'npm i > log.txt',
  'npm i | wc -l',
  'if npm i; then echo yes; fi',
  'test -f package-lock.json || npm i',
  'npm i && [ -d node_modules ] && echo there',
])
  test(`nothing reads a file behind it: ${script}`, () => assert.equal(may(script), false));

for (const script of [
  'npm i; cat package-lock.json',
  'npm i && node build.js',
  'npm i; wc -c < package-lock.json',
  'npm i; while read -r l; do echo "$l"; done < package-lock.json',
  'npm i; mv package-lock.json a',
  'npm i; cp -r . /tmp/x',
  'npm i; ls -l',
  'npm i; [ -s package-lock.json ]',
  'npm i; git add .',
  'npm i; . ./env.sh',
  'npm i; echo "$(<package.json)"',
  'npm i; x=$(cat package.json); echo $x',
  'npm i; $TOOL x',
  'npm i; find . -size +1k',
  'npm i | xargs cat',
  'npm i | grep -r foo',
  'npm i | sh',
  'npm i | tee out',
  'npm i & cat package.json',
  'for i in 1 2; do cat package.json; npm i; done',
  'while sleep 1; do cat package.json; npm i; done',
  'trap "cat package.json" EXIT; npm i',
  'f() { cat package.json; }; npm i; f',
  'echo $(npm i)',
  'sudo npm i; echo x',
  'bash -c "npm i"',
  'make all',
  'npm i; if [[ package.json -nt a ]]; then echo x; fi',
  'npm i; rm $(cat list)',
  'npm i; eval "$X"',
])
  test(`something may read one: ${script}`, () => assert.equal(may(script), true));

test('of an edit nothing is known', () => {
  assert.equal(mayReadLater({ kind: 'edit', cwd: '/w', changes: [] }, ['npm', 'i'], {}), true);
});
