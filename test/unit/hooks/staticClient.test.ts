import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { clientFolder, installClient, refreshClient } from '../../../src/core/hooks/staticClient.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-client-'));
after(() => fs.rmSync(folder, { recursive: true, force: true }));

const env = { XDG_DATA_HOME: path.join(folder, 'data') };
const isBuiltHere = process.platform === 'linux' ? {} : { skip: 'there is a client for Linux only' };

/** A built command line whose client is this text. */
function distOf(name: string, client: string): string {
  const dist = path.join(folder, name);
  fs.mkdirSync(path.join(dist, 'native'), { recursive: true });
  fs.writeFileSync(path.join(dist, 'cli.js'), '');
  fs.writeFileSync(path.join(dist, `native/client-linux-${process.arch === 'arm64' ? 'arm64' : 'x64'}`), client);
  return dist;
}

const lines = () => fs.readFileSync(path.join(clientFolder(env), 'installation'), 'utf8').split('\n');
const installation = (distFolder: string, version: string) => ({
  ...{ distFolder, version, node: process.execPath, isElectron: false },
});

test('settings name one path, which leads to the newest version that is there', isBuiltHere, () => {
  const [old, newer] = [distOf('old', 'one'), distOf('newer', 'two')];
  // Nobody asked for it.
  refreshClient(installation(old, '1.9.0'), env);
  assert.ok(!fs.existsSync(clientFolder(env)));
  const hook = installClient(installation(old, '1.9.0'), env);
  assert.equal(hook, path.join(clientFolder(env), 'foretell-hook'));
  assert.equal(fs.statSync(hook ?? '').mode & 0o777, 0o700);
  assert.deepEqual(lines(), ['foretell 1', process.execPath, old, '', '1.9.0', '']);
  refreshClient(installation(newer, '1.10.0'), env);
  assert.deepEqual(lines(), ['foretell 1', process.execPath, newer, '', '1.10.0', '']);
  assert.equal(fs.readFileSync(hook ?? '', 'utf8'), 'two');
  // A window of an older version takes nothing back, unless the newer one is gone.
  refreshClient(installation(old, '1.9.0'), env);
  assert.equal(lines()[2], newer);
  fs.rmSync(newer, { recursive: true });
  refreshClient(installation(old, '1.9.0'), env);
  assert.equal(lines()[2], old);
  assert.deepEqual(
    fs.readdirSync(clientFolder(env)).sort(),
    ['foretell', 'foretell-enter', 'foretell-hook', 'installation'],
    'nothing half written stays',
  );
});

test('what cannot be written or led to is not installed', isBuiltHere, () => {
  const dist = distOf('third', 'three');
  const blocked = path.join(folder, 'a file');
  fs.writeFileSync(blocked, '');
  assert.equal(installClient(installation(dist, '1'), { XDG_DATA_HOME: blocked }), undefined);
  assert.equal(installClient(installation(path.join(folder, 'nowhere'), '1'), env), undefined);
  assert.equal(installClient({ ...installation(dist, '1'), node: '/a\nb' }, env), undefined);
});
