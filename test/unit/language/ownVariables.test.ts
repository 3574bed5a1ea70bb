import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownVariables } from '../../../src/core/worlds/language/imagine/ownVariables.ts';

test('a model is told the variables that a script sets, and not what shells and version managers set on the way', () => {
  const usual = { PATH: '/usr/bin', HOME: '/home/me', CI: 'true' };
  const onTheWay = {
    ...{ PYENV_VERSION: '3.12.1', PYENV_DIR: '/w', ASDF_INSTALL_PATH: '/x', VOLTA_HOME: '/v', RBENV_ROOT: '/r' },
    ...{ _PYENV_INSTALL_PREFIX: '/p', _VOLTA_TOOL_RECURSION: '1', __MISE_DIFF: 'x' },
    ...{ MAKELEVEL: '1', MFLAGS: '', MAKEFLAGS: '', MAKE_TERMOUT: '/dev/pts/1' },
    ...{ SHLVL: '2', npm_config_x: 'y', PATH: '/shims:/usr/bin', LONG: 'x'.repeat(201) },
  };
  assert.deepEqual(ownVariables({ ...usual, ...onTheWay, NODE_ENV: 'production', CI: 'false' }, usual), [
    ['CI', 'false'],
    ['NODE_ENV', 'production'],
  ]);
});
