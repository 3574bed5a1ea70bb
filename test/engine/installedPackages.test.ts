import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { test } from 'node:test';
import { analyseLoss } from '../../src/core/loss/analyseLoss.ts';
import { withLossText } from '../../src/core/words/lossText.ts';
import { pairChanges, pairView, plainLooker, rehearse, run, throwAway } from './plainLooker.ts';

/** A virtual environment with one package, as an installer leaves it. */
function environment(more = ''): string {
  const real = `${throwAway()}/p`;
  const packages = `${real}/.venv/lib/python3.11/site-packages`;
  fs.mkdirSync(`${packages}/own`, { recursive: true });
  fs.mkdirSync(`${packages}/own-1.2.dist-info`);
  fs.mkdirSync(`${real}/.venv/bin`);
  const files = {
    'own/__init__.py': 'x = 1\n',
    'own/a,b.py': 'y = 2\n',
    '../../../bin/own': '#!/x\nrun\n',
    'own-1.2.dist-info/METADATA': 'Name: own\n',
    'own-1.2.dist-info/INSTALLER': 'pip\n',
  };
  const lines = Object.entries(files).map(([name, text]) => {
    fs.writeFileSync(`${packages}/${name}`, text);
    const digest = createHash('sha256').update(text).digest('base64url');
    return `${name.includes(',') ? `"${name}"` : name},sha256=${digest},${text.length}`;
  });
  fs.writeFileSync(`${packages}/own-1.2.dist-info/RECORD`, [...lines, 'own-1.2.dist-info/RECORD,,', ''].join('\n'));
  for (const name of ['pyvenv.cfg', 'bin/activate']) fs.writeFileSync(`${real}/.venv/${name}`, 'home = /usr\n');
  run(real, `git init -q; git commit -q --allow-empty -m x; cd ${packages}; ${more}`);
  return real;
}

async function lost(real: string, script: string): Promise<string[]> {
  const pair = rehearse(real, script);
  const signal = new AbortController().signal;
  const losses = await analyseLoss({ files: pairChanges(pair), view: pairView(pair), looker: plainLooker(), signal });
  return losses.map(withLossText).map(({ path, recoverable }) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return `${name}: ${/`(.*)`/.exec(recoverable)?.[1] ?? recoverable}`;
  });
}

const again = ['pip install own==1.2'];

test('what a package says that it is can be installed again', async () => {
  const part = await lost(environment(), 'rm -r .venv/lib/python3.11/site-packages/own* .venv/bin/own');
  assert.deepEqual(
    part,
    ['own', 'INSTALLER', 'METADATA', 'RECORD', '__init__.py', 'a,b.py'].map((name) => `${name}: ${again}`),
  );
  const whole = await lost(environment(), 'rm -r .venv');
  assert.ok(whole.includes('activate: python3 -m venv') && whole.includes('pyvenv.cfg: python3 -m venv'), `${whole}`);
  assert.ok(!whole.some((line) => line.endsWith(': no')), `${whole}`);
});

test('what somebody changed there, added, or installed from elsewhere is lost', async () => {
  const whole = (more: string) => lost(environment(more), 'rm -r .venv');
  assert.ok((await whole('printf "x = 9\\n" > own/__init__.py')).includes('__init__.py: no'));
  assert.ok((await whole('echo more >> own/a,b.py')).includes('a,b.py: no'));
  assert.ok((await whole('echo mine > own/mine.py')).includes('mine.py: no'));
  assert.ok((await whole('echo mine > ../../../bin/mine')).includes('mine: no'));
  assert.ok((await whole('echo {} > own-1.2.dist-info/direct_url.json')).includes('__init__.py: no'));
  assert.ok((await whole('rm ../../../pyvenv.cfg')).includes('__init__.py: no'));
});
