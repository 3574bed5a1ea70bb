import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { CommandAction } from '../../src/core/action/action.ts';
import { foldAll } from '../../src/core/foretell.ts';
import { aMomentLater } from '../../src/core/worlds/confined/certainty/moment.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

/** What shows the machine's state of a moment is volatile, also where two looks agree by chance. */

const { foretell, folder } = throwAwayForetell('moment');

async function predict(script: string) {
  const action: CommandAction = { kind: 'command', script, shell: 'bash', cwd: folder };
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/nonexistent', LC_ALL: 'C.UTF-8' };
  const { events, view } = foretell.predict({ action, env, hash: true, signal: new AbortController().signal });
  try {
    return await foldAll(action, events);
  } finally {
    await view.close();
  }
}

const installed = (name: string) => ['/usr/bin', '/bin'].some((place) => fs.existsSync(path.join(place, name)));
const momentary = [
  ['uptime', 'uptime'],
  ['w', 'w'],
  ['df', 'df'],
  ['df', 'df -h . | tail -1'],
  ['df', 'x=$(df --output=pcent . | tail -1); echo "used $x"'],
  ['free', 'free -m'],
  ['free', "free -m | awk '/Mem/{print $7}'"],
  ['ps', 'ps aux | head -5'],
  ['vmstat', 'vmstat'],
  ['uptime', 'echo "up: $(uptime)"'],
  ['cat', 'cat /proc/loadavg'],
  ['cut', "cut -d' ' -f1 /proc/loadavg"],
  ['cut', 'cut -d. -f1 /proc/uptime'],
  ['grep', 'grep Dirty /proc/meminfo'],
  ['bash', 'read -r load _ < /proc/loadavg; echo $load'],
  ['stat', 'stat -f -c %f .'],
  ['df', 'df . | tee report | wc -l; tail -1 report'],
] as const;
for (const [program, script] of momentary) {
  test(`volatile by what it shows: ${script}`, { skip: !installed(program) }, async () => {
    const { output, ending } = await predict(script);
    assert.equal(ending, 'done');
    const numbers = output.filter(({ text = '' }) => /\d/.test(text) && !/^Filesystem[^\n]*\n$|^2\n$/.test(text));
    assert.ok(numbers.length > 0);
    assert.ok(
      numbers.every((piece) => piece.volatile),
      JSON.stringify(output),
    );
  });
}

test('what chance decides is volatile, also where two runs agree', async () => {
  fs.writeFileSync(path.join(folder, 'same'), 'one\none\n');
  const scripts = [
    'shuf -n 1 same > pick; wc -l pick',
    'shuf -e a > pick',
    'sort -R same | tee pick',
    'echo $((RANDOM % 1)) > pick',
    "awk 'BEGIN { srand(); print int(rand()) }' > pick",
  ];
  for (const script of scripts) {
    const { files, output, ending } = await predict(script);
    assert.equal(ending, 'done', script);
    assert.deepEqual([files.length, files[0]?.volatile], [1, true], script);
    assert.ok(
      output.every((piece) => piece.volatile),
      script,
    );
  }
  const certain = [
    'RANDOM=1; echo $((RANDOM % 7)) > pick',
    'shuf --random-source=same -e a > pick',
    'sort same > pick',
  ];
  for (const script of certain) assert.equal((await predict(script)).files[0]?.volatile ?? false, false, script);
});

test('a file that holds the state of a moment is volatile', { skip: !installed('df') }, async () => {
  for (const script of ['df . > report', 'cut -d. -f1 /proc/uptime > report', 'echo $(uptime) > report']) {
    const { files } = await predict(script);
    assert.deepEqual(
      files.map((file) => [path.basename(file.path), file.volatile]),
      [['report', true]],
      script,
    );
  }
});

const steady = [
  ['df . > /dev/null; echo 3'],
  ['nproc'],
  ['ps -o pid=,comm= -p 1'],
  ['if [ $(df --output=avail . | tail -1) -gt 1 ]; then echo 1 is enough; fi'],
  ['df . | wc -l'],
  ['uptime > /dev/null; wc -c /etc/passwd'],
] as const;
for (const [script] of steady) {
  test(`not volatile: ${script}`, { skip: !installed('ps') }, async () => {
    const { output, exitCode, ending } = await predict(script);
    assert.deepEqual([ending, exitCode], ['done', 0]);
    assert.ok(output.length > 0 && output.every((piece) => !piece.volatile), JSON.stringify(output));
  });
}

test('a moment later numbers differ; headings, processes and their arguments do not', () => {
  const later = (text: string, program = 'df') => aMomentLater(Buffer.from(text), program).toString();
  assert.equal(
    later(' 09:49:21 up 7 min,  0 user,  load average: 0.87, 0.35\n'),
    ' 09:49:26 up 2 min,  5 user,  load average: 0.82, 0.30\n',
  );
  assert.equal(
    later('Filesystem 1K-blocks Use%\n/dev/vda1 264212089 26%\n'),
    'Filesystem 1K-blocks Use%\n/dev/vda1 264212034 21%\n',
  );
  assert.equal(
    later('USER PID %CPU COMMAND\nroot 1 0.0 node --port 3000\n', 'ps'),
    'USER PID %CPU COMMAND\nroot 1 0.5 node --port 3000\n',
  );
  assert.equal(later('1 node server.js 3000\n', 'ps'), '1 node server.js 3000\n');
  assert.equal(later('LISTEN 0 128 0.0.0.0:3000 [::1]:80\n', 'ss'), 'LISTEN 5 173 0.0.0.0:3000 [::1]:80\n');
});
