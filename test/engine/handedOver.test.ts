import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { throwAwayForetell } from '../throwAwayForetell.ts';

/** What is handed to another machine is judged, wherever its text comes from: files, and code that only the run shows. */

const { predicted, folder } = throwAwayForetell('handedOver');

const bin = path.join(folder, 'bin');
fs.mkdirSync(bin, { recursive: true });
for (const name of ['ssh', 'sftp', 'docker', 'psql']) fs.symlinkSync(process.execPath, path.join(bin, name));
const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: folder, LC_ALL: 'C.UTF-8' };

async function dangersOf(script: string): Promise<string[]> {
  const place = fs.mkdtempSync(path.join(folder, 'w-'));
  fs.writeFileSync(path.join(place, 'x.sh'), 'set -e\nrm -rf /srv/app\n');
  fs.writeFileSync(path.join(place, 'calls'), 'ssh host rm -rf /srv/app\n');
  fs.writeFileSync(path.join(place, 'x.sql'), 'DROP TABLE users;\n');
  fs.writeFileSync(path.join(place, 'batch'), 'cd up\nrm old\n');
  fs.writeFileSync(path.join(place, 'Makefile'), 'clear:\n\tssh host rm -rf /srv/app\n');
  const { verdict } = await predicted(script, place, env);
  return verdict.reasons.flatMap(({ level, text }) => (level === 'danger' ? [text] : []));
}

const deletes = (where: string) => `\`rm\` deletes \`/srv/app\`, which belongs to the system (${where}).`;
const there = deletes('on another machine');

const said: Record<string, string> = {
  "ssh host 'bash -s' < x.sh": there,
  'cat x.sh | ssh host sh': there,
  "printf 'rm -rf /srv/app\\n' > new.sh; ssh host sh < new.sh": there,
  'docker exec -i c sh < x.sh': deletes('in a container'),
  'psql < x.sql': '`psql` deletes or changes data, tables or rights.',
  'psql -f x.sql && rm x.sql': '`psql -f x.sql` deletes or changes data, tables or rights.',
  'docker exec -i c psql < x.sql': '`psql` deletes or changes data, tables or rights (in a container).',
  'sftp -b batch host': '`sftp -b batch host` deletes files on another machine.',
  "bash <(echo 'ssh host rm -rf /srv/app')": there,
  'while read -r l; do eval "$l"; done < calls': there,
  'bash calls': there,
  '. ./calls': there,
  'sh -c "$(cat calls)"': there,
  'xargs -I{} sh -c {} < calls': there,
  'make clear': there,
  "printf 'all:\\n\\tssh host rm -rf /srv/app\\n' | make -f -": there,
};

for (const [script, text] of Object.entries(said))
  test(script, async () => {
    const dangers = await dangersOf(script);
    assert.ok(dangers.includes(text), dangers.join('\n'));
  });
