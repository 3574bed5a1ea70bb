import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import type { CommandAction } from '../../src/core/action/action.ts';
import { createForetell, type Foretell, foldAll } from '../../src/core/foretell.ts';
import { launcherPath } from '../../src/core/launcherPath.ts';

/** While the gate is shut, a snippet that only edits files is read as the edit that it is. */

let foretell: Foretell;
let place: string;
const text = 'def total(rows):\r\n    return sum(rows)\n';

before(() => {
  foretell = createForetell({ launcher: launcherPath(path.resolve('dist')) });
  place = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-edit-')));
  fs.writeFileSync(path.join(place, 'm.py'), text, { mode: 0o755 });
  fs.writeFileSync(path.join(place, 'latin.txt'), Buffer.from([0xe9, 0x0a]));
  fs.symlinkSync('m.py', path.join(place, 'link.py'));
  fs.writeFileSync(path.join(place, 'one.py'), text);
  fs.linkSync(path.join(place, 'one.py'), path.join(place, 'two.py'));
});
after(async () => {
  await foretell.dispose();
  fs.rmSync(place, { recursive: true, force: true });
});

/** In a workspace that is not trusted no snippet runs. */
async function predict(script: string) {
  const action: CommandAction = { kind: 'command', script, shell: 'bash', cwd: place };
  const request = { action, isTrusted: false, signal: new AbortController().signal };
  const { events, view } = foretell.predict(request);
  const prediction = await foldAll(action, events);
  const read = async (name: string) => {
    const bytes = await view.read(path.join(place, name), 'after');
    return bytes && Buffer.from(bytes).toString('utf8');
  };
  const contents = { 'm.py': await read('m.py'), 'n.py': await read('n.py') };
  await view.close();
  return { ...prediction, contents };
}

const edit = `python3 - <<'E'
from pathlib import Path
p = Path('m.py')
s = p.read_text()
assert 'total' in s
p.write_text(s.replace('total', 'amount'))
E`;
const after1 = 'def amount(rows):\n    return sum(rows)\n';

test('its files are told as they would be, under the assumption that it does what its code says', async () => {
  const { ending, files, contents, assumptions, programs } = await predict(edit);
  assert.equal(ending, 'abstained');
  assert.deepEqual(
    files.map(({ path: name, change, basis, mode }) => [path.basename(name), change, basis, mode]),
    [['m.py', 'modified', 'assumed', '0755']],
  );
  assert.equal(contents['m.py'], after1);
  assert.match(assumptions[0]?.assumed ?? '', /exits 0, prints nothing, makes of m\.py what its code says/);
  assert.equal(programs[0]?.basis, 'assumed');
  assert.equal(fs.readFileSync(path.join(place, 'm.py'), 'utf8'), text);
});

for (const [what, script] of [
  [
    'node',
    `node -e "const fs=require('fs');fs.writeFileSync('m.py',fs.readFileSync('m.py','utf8').replace('total','amount'))"`,
  ],
  [
    'node, by a here-document',
    "node - <<'E'\nconst fs = require('fs');\nconst s = fs.readFileSync('m.py', 'utf8');\nfs.writeFileSync('m.py', s.replace('total', 'amount'));\nE",
  ],
  ['perl', "perl -pi -e 's/total/amount/' m.py"],
  ['perl, all of a file', "perl -0777 -pi -e 's/total/amount/' m.py"],
] as const) {
  test(`so are those of ${what}, with the ends of lines as they are`, async () => {
    const { files, contents, assumptions, ending } = await predict(script);
    assert.equal(ending, 'abstained');
    assert.deepEqual(
      files.map(({ path: name, basis, mode }) => [path.basename(name), basis, mode]),
      [['m.py', 'assumed', '0755']],
    );
    assert.equal(contents['m.py'], text.replace('total', 'amount'));
    assert.match(assumptions[0]?.assumed ?? '', /makes of m\.py what its code says/);
  });
}

test('what comes behind it finds what it left, and what it prints is not known', async () => {
  const printing = edit.replace('\nE', "\nprint('edited')\nE");
  const { contents, output } = await predict(printing.replace("<<'E'", "<<'E' && cp m.py n.py && cat n.py"));
  assert.equal(contents['n.py'], after1);
  assert.deepEqual(
    output.map(({ basis, text: shown }) => [basis, shown]),
    [['assumed', after1]],
  );
});

for (const [what, code] of [
  ['a branch', "s = open('m.py').read()\nif s: open('m.py', 'w').write('x')"],
  ['a text in another encoding', "open('m.py', 'w').write(open('latin.txt').read())"],
  ['a link', "open('link.py', 'w').write('x')"],
  ['a file with another name', "open('two.py', 'w').write('x')"],
  ['a folder that is not there', "open('none/m.py', 'w').write('x')"],
  ['a text that it would not find', "s = open('m.py').read()\nassert 'nowhere' in s\nopen('m.py', 'w').write(s)"],
] as const) {
  test(`what cannot be followed is not told: ${what}`, async () => {
    const { files, assumptions } = await predict(`python3 - <<'E'\n${code}\nE`);
    assert.deepEqual(files, []);
    assert.match(assumptions[0]?.assumed ?? '', /changes is unknown|changes nothing/);
  });
}

test('what it prints is not followed where somebody reads it', async () => {
  const printing = edit.replace('\nE', "\nprint('edited')\nE").replace("<<'E'", "<<'E' | wc -l");
  const { contents } = await predict(printing);
  assert.equal(contents['m.py'], text);
});
