import assert from 'node:assert/strict';
import test from 'node:test';
import { copySentence } from '../../src/core/worlds/confined/engine.ts';

test('the status says which engine makes copies, why, and what would be better', () => {
  assert.equal(
    copySentence({ by: 'overlays' }, true),
    'Commands are rehearsed on a copy of this machine, made by overlays in namespaces; where those would be wrong or slow, each call that names a file is answered.',
  );
  const refused = copySentence({ by: 'supervision', because: 'A user namespace cannot be made here.' }, false);
  assert.match(refused, /without namespaces: each call that names a file is answered\. /);
  assert.match(refused, /faster with overlays\. A user namespace cannot be made here\. With Landlock/);
  for (const by of ['overlays', 'supervision'] as const)
    assert.match(copySentence({ by, isFixed: true }, true), /FORETELL_ENGINE says so\.$/);
});
