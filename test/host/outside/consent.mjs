// Consent to rehearse the programs of the workspace: asked for in plain words, kept outside of the workspace, listed, taken back.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { personAt, until } from '../support/outside.mjs';

const always = 'Always Rehearse Programs of This Workspace…';

export async function drive(host) {
  const { words, folder } = host;
  const person = personAt(host);
  const kept = path.join(process.env.XDG_CONFIG_HOME, 'foretell/consent.json');
  const built = readFileSync(path.join(folder, 'dist/ports.json'), 'utf8');
  const says = (pattern) => until(String(pattern), async () => pattern.test(await person.panelText()));
  const isOpen = async () => (await words.count('.monaco-dialog-box')) > 0;
  const choose = (button) =>
    words.click(`.monaco-dialog-box a:has-text("${button}"), .monaco-dialog-box button:has-text("${button}")`);
  const folders = () => JSON.parse(readFileSync(kept, 'utf8')).consents.map((one) => one.folder);
  writeFileSync(path.join(folder, 'times.js'), 'console.log(6 * Number(process.argv[2]))\n');
  await person.started();

  await person.predict('npm run build');
  await says(/prints, changes and returns is not known/);
  await person.picture('consent-offered');
  await person.clickInPanel(always);
  await words.waitFor('.monaco-dialog-box');
  const question = await words.text('.monaco-dialog-box');
  for (const sentence of [
    'really run: confined, without network, on a copy',
    'They can read what you can read',
    'not in the project',
  ])
    assert.ok(question.includes(sentence), question);
  await person.picture('consent-dialog');
  await words.press('Enter');
  await until('no dialog', async () => !(await isOpen()));
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.ok(!existsSync(kept) || !folders().includes(folder), 'Enter gives no consent');

  await person.clickInPanel(always);
  await words.waitFor('.monaco-dialog-box');
  await choose('Rehearse Every Program');
  await says(/From now on every program may be rehearsed/);
  await says(/\d ports/);
  await says(/exit code 0/);
  assert.doesNotMatch(await person.panelText(), /is not known/);
  await person.picture('consent-given');
  assert.equal(statSync(kept).mode & 0o777, 0o600);
  assert.ok(folders().includes(folder));
  assert.equal(readFileSync(path.join(folder, 'dist/ports.json'), 'utf8'), built, 'nothing was touched');
  await person.predict('node times.js 7');
  await says(/\b42\b/);

  await person.runCommand('foretell.showConsents');
  await until('the list', async () =>
    (await words.texts('.quick-input-list .monaco-list-row')).some((row) => row.includes(path.basename(folder))),
  );
  await person.picture('consent-list');
  await words.type(folder);
  await words.press('Enter');
  await says(/Taken back/);
  assert.ok(!folders().includes(folder));
  // What was rehearsed is remembered; anything else is not known again.
  await person.predict('node times.js 8');
  await says(/is not known/);

  await person.clickInPanel(always);
  await words.waitFor('.monaco-dialog-box');
  await choose('Only node');
  await says(/From now on node \(\/.*\) may be rehearsed/);
  await says(/\b48\b/);
  await person.runCommand('foretell.takeBackConsent');
  await says(/Taken back/);
  assert.ok(!folders().includes(folder));

  await asksAsLook();

  /** A server of this machine is asked once the user has said so: from what is not known, and from the palette. */
  async function asksAsLook() {
    let asked = 0;
    const server = createServer((_, response) => {
      asked += 1;
      response.end('three ports are open\n');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address();
    const looks = () => JSON.parse(readFileSync(kept, 'utf8')).looks ?? [];
    try {
      const script = `curl -sS http://127.0.0.1:${port}/ports`;
      await person.predict(script);
      await says(/Known as of now if curl may ask the server of this machine: once, only to read/);
      assert.equal(asked, 0, 'nobody was asked without consent');
      await person.picture('look-offered');
      await person.pressInPanel('Ask Servers of This Machine…');
      await words.waitFor('.monaco-dialog-box');
      const told = await words.text('.monaco-dialog-box');
      assert.match(told, /this request is really made, once/);
      await person.picture('look-dialog');
      // The keyboard is on the answer that consents to nothing.
      await words.press('Enter');
      await until('no dialog', async () => !(await isOpen()));
      assert.equal(asked, 0);
      await person.pressInPanel('Ask Servers of This Machine…');
      await words.waitFor('.monaco-dialog-box');
      await choose('Ask, Only to Read');
      await says(/three ports are open/);
      assert.equal(asked, 1, 'it was asked once');
      await says(/Rests on what a server said/);
      await says(
        /prints is what this machine's own server on port \d+ said at \d\d:\d\d; it may say something else later/,
      );
      await says(/asked once, only to read/);
      await says(/exit code 0/);
      await person.picture('look-given');
      await person.runCommand('foretell.showConsents');
      await until('the list', async () =>
        (await words.texts('.quick-input-list .monaco-list-row')).some((row) =>
          row.includes('servers of this machine'),
        ),
      );
      await words.press('Enter');
      await says(/Taken back/);
      assert.deepEqual(looks(), []);

      await person.runCommand('foretell.consentToLook');
      await until('the kinds', async () =>
        (await words.texts('.quick-input-list .monaco-list-row')).some((row) => /Ask GitHub through gh/.test(row)),
      );
      await words.press('Enter');
      await words.waitFor('.monaco-dialog-box');
      await choose('Ask, Only to Read');
      // What the panel shows is the same as before.
      await until('the consent', () => looks().length === 1);
    } finally {
      server.close();
    }
  }
}
