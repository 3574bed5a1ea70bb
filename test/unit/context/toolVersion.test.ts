import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { toolVersion } from '../../../src/core/context/gather/toolVersion.ts';
import { project } from './project.ts';

const binary = { 'go/bin/go': '', 'venv/bin/black': '#!/bin/python\n', 'lib/node_modules/npm/bin/npm-cli.js': '' };

test('the version of a program is read beside its file, and nothing is started', async () => {
  const cwd = project({
    ...binary,
    'go/VERSION': 'go1.23.2\n',
    'venv/pyvenv.cfg': 'version = 3.12.4\n',
    'lib/node_modules/npm/package.json': '{"name":"npm","version":"10.8.1"}\n',
    'bin/other': '',
    'own/tool': '',
  });
  symlinkSync(join(cwd, 'lib/node_modules/npm/bin/npm-cli.js'), join(cwd, 'bin/npm'));
  const path = ['go/bin', 'venv/bin', 'bin', 'own'].map((folder) => join(cwd, folder)).join(':');
  assert.equal((await toolVersion('go', cwd, path))?.read?.text, 'go1.23.2\n');
  assert.equal((await toolVersion('venv/bin/black', cwd, ''))?.read?.text, 'version = 3.12.4\n');
  assert.equal((await toolVersion('npm', cwd, path))?.run?.text, '"version":"10.8.1"\n');
  assert.equal(await toolVersion('tool', cwd, path), undefined);
  assert.equal(await toolVersion('missing', cwd, path), undefined);
});
