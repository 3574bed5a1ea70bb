import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { createForetell, foldAll } from '../../src/core/foretell.ts';
import { launcherPath } from '../../src/core/launcherPath.ts';
import type { Prediction } from '../../src/core/prediction/prediction.ts';

/** Secrets of the environment are not given to a rehearsal, whose scripts find the variables set all the same. */

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-withheld-')));
const secret = 'hunter-Zwei22';
const env = {
  ...{ PATH: '/usr/bin:/bin', HOME: folder, DEPLOY_TOKEN: secret },
  ...{ GIT_CONFIG_COUNT: '2', GIT_CONFIG_KEY_0: 'user.name', GIT_CONFIG_VALUE_0: 'Me' },
  ...{ GIT_CONFIG_KEY_1: 'http.extraheader', GIT_CONFIG_VALUE_1: `AUTHORIZATION: bearer ghp_${'a1'.repeat(18)}` },
};
const foretell = createForetell({ launcher: launcherPath(path.resolve('dist')), caller: { env } });
after(async () => {
  await foretell.dispose();
  fs.rmSync(folder, { recursive: true, force: true });
});

const scripts = {
  'needs.sh': '#!/bin/bash\n: "${DEPLOY_TOKEN:?not set}"\necho ${#DEPLOY_TOKEN}\n',
  'removes.sh': '#!/bin/bash\n[ -z "$DEPLOY_TOKEN" ] || rm keep\n',
  'tells.sh': '#!/bin/bash\necho "$DEPLOY_TOKEN"\n',
  'decides.sh': '#!/bin/bash\ncase $DEPLOY_TOKEN in *1*) exit 1 ;; *) exit 2 ;; esac\n',
};
for (const [name, text] of Object.entries(scripts)) fs.writeFileSync(path.join(folder, name), text, { mode: 0o755 });
fs.writeFileSync(path.join(folder, 'keep'), '');
fs.writeFileSync(path.join(folder, 'package.json'), '{"scripts":{"deploy":"./needs.sh"}}');

async function predict(script: string): Promise<Prediction> {
  const action = { kind: 'command', script, shell: 'bash', cwd: folder } as const;
  const { events, view } = foretell.predict({ action, signal: new AbortController().signal });
  try {
    const prediction = await foldAll(action, events);
    assert.ok(!JSON.stringify(prediction).includes(secret) || script.includes('DEPLOY_TOKEN'));
    return prediction;
  } finally {
    await view.close();
  }
}

const textOf = ({ output }: Prediction) => output.map(({ text }) => text ?? '').join('');

test('a script finds a secret set that the command does not name', async () => {
  const needs = await predict('./needs.sh');
  assert.deepEqual([needs.ending, needs.exitCode, textOf(needs)], ['done', 0, `${secret.length}\n`]);
  assert.ok(needs.output.every(({ volatile }) => !volatile));
  const removes = await predict('./removes.sh');
  assert.deepEqual(
    removes.files.map(({ path: file, change }) => [path.basename(file), change]),
    [['keep', 'deleted']],
  );
});

test('what depends on its value is not claimed', async () => {
  for (const script of ['./tells.sh', 'env | grep ^DEPLOY', 'bash -c "export -p"']) {
    const { output, ending } = await predict(script);
    assert.ok(output.some(({ volatile }) => volatile) || ending === 'abstained', script);
  }
  assert.equal((await predict('./decides.sh')).ending, 'abstained');
});

test('a script that a package manager would start finds it as well', async () => {
  const prediction = await predict('npm run deploy --silent');
  assert.equal(textOf(prediction), `${secret.length}\n`);
});

test('what the command names is given', async () => {
  assert.equal(textOf(await predict('echo $DEPLOY_TOKEN')), `${secret}\n`);
});

test('git finds all of its numbered settings', async () => {
  const prediction = await predict('git config user.name; git config http.extraheader | wc -c');
  assert.deepEqual([prediction.ending, textOf(prediction)], ['done', 'Me\n63\n']);
});
