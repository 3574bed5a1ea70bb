import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pythonEdits } from '../../src/core/programs/code/pythonEdits.ts';

const before = 'one = 1\ntwo = "2"\none = one + 1\n';

/** What it would leave, asked for the files that it needs as the engine does. */
function edited(code: string): Record<string, string> | undefined {
  const files = new Map<string, string | null>();
  for (;;) {
    const found = pythonEdits(code, files);
    if (!found) return undefined;
    if ('edits' in found) return Object.fromEntries(found.edits.written);
    files.set(found.needs, found.needs === 'm.py' ? before : null);
  }
}

const plain = [
  "from pathlib import Path\np = Path('m.py')\ns = p.read_text()\ns = s.replace('one', 'three')\np.write_text(s)",
  "import pathlib\np = pathlib.Path(\"m.py\")\np.write_text(p.read_text(encoding='utf-8').replace('one', 'x', 1), encoding=\"utf-8\")",
  "s = open('m.py').read()\nassert 'two' in s, 'not there'\nassert s.count('one') == 3\nopen('m.py', 'w').write(s.replace('two = \"2\"', '''two = [\n  '\\t\\\\',\n]'''))\nprint('done')",
  "import re, sys\n# a comment\np = 'm.py'\nold = 'one = ' + '1'\ns = open(p, 'r').read(); s = s.replace(old, r'\\d' 'x')\nopen(p, 'w').write(s)\nopen('n.py', 'w').write(s + old)",
  "from pathlib import Path\nPath('m.py').write_text('new\\n')\nPath('k.py').write_text(Path('m.py').read_text() + 'more')",
  "from pathlib import Path\ns = Path('m.py').read_text()\nPath('m.py').write_text(s.replace('one', 'one one', 2).replace('none of it', ''))",
];

test('a plain edit is what Python makes of it', (context) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-edits-'));
  for (const code of plain) {
    const told = edited(code);
    assert.ok(told, code);
    fs.writeFileSync(path.join(folder, 'm.py'), before);
    const run = spawnSync('python3', ['-I', '-'], { cwd: folder, input: code, encoding: 'utf8' });
    if (run.error) return context.skip('there is no Python here');
    assert.equal(run.status, 0, run.stderr);
    for (const [name, text] of Object.entries(told))
      assert.equal(fs.readFileSync(path.join(folder, name), 'utf8'), text, code);
  }
  fs.rmSync(folder, { recursive: true });
});

test('anything else is no plain edit', () => {
  for (const code of [
    "s = open('m.py').read()",
    "s = open('none.py').read()\nopen('m.py', 'w').write(s)",
    "s = open('m.py').read()\nif 'one' in s:\n    open('m.py', 'w').write('x')",
    "for p in ['m.py']:\n    open(p, 'w').write('x')",
    "s = open('m.py').read()\nassert 'nowhere' in s\nopen('m.py', 'w').write(s)",
    "import os\nopen('m.py', 'w').write('x')\nos.remove('m.py')",
    "import json\nopen('m.py', 'w').write('x')",
    "from evil import *\nopen('m.py', 'w').write('x')",
    "f = open('m.py', 'w')\nf.write('x')",
    "open('m.py', 'a').write('x')",
    "open('m.py', 'wb').write(b'x')",
    "open('m.py', 'w').write(f'{1}')",
    "open('m.py', 'w', newline='').write('x')",
    "open = print\nopen('m.py', 'w').write('x')",
    "open('m.py', 'w').write(missing)",
    "open('m.py', 'w').write('\\N{BULLET}')",
    "s = open('m.py').read().replace('', '-')\nopen('m.py', 'w').write(s)",
    "open('m.py', 'w').write('x'); exit(3)",
    "open('m.py', 'w').write('x')\nprint(1 / 0)",
    "open('m.py', 'w').write('x'",
  ])
    assert.equal(edited(code), undefined, code);
});
