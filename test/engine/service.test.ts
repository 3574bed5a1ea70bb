import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { commitAll } from '../gitSettings.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';
import { type ServicePlace, servicePlace, until } from './servicePlace.ts';

const { folder, workspace } = throwAwayForetell('service');
const places: ServicePlace[] = [];

function newPlace(distFolder?: string): ServicePlace {
  const home = path.join(folder, `home${places.length}`);
  fs.mkdirSync(home);
  const place = servicePlace(home, distFolder);
  places.push(place);
  return place;
}

after(async () => {
  await Promise.all(places.map((place) => place.end()));
});

function repository(): string {
  const cwd = workspace({ 'kept.txt': 'kept\n', 'src/a.ts': 'export const a = 1;\n' });
  commitAll(cwd);
  fs.writeFileSync(path.join(cwd, 'notes.txt'), 'one\ntwo\n');
  return cwd;
}

let calls = 0;
function eventFor(cwd: string, command: string): string {
  const id = `t${calls++}`;
  return JSON.stringify({
    ...{ hook_event_name: 'PreToolUse', session_id: 's', tool_use_id: id, cwd },
    ...{ tool_name: 'Bash', tool_input: { command } },
  });
}

/** A release code is drawn by chance, and nothing takes the same time twice. */
const plain = (text: string) =>
  text
    .replace(/foretell allow [0-9a-f]{6}/g, 'foretell allow CODE')
    .replace(/ in [\d.]+ m?s; /g, ' in TIME; ')
    .replace(/kept-\d{8}-\d{6}/g, 'kept-TIME');

describe('the same answer, byte for byte', () => {
  const place = newPlace();
  const cwd = repository();
  const scripts = [
    'cat kept.txt',
    'rm notes.txt',
    'echo > notes.txt',
    'git clean -fdx',
    'sed -i s/one/1/ notes.txt && cat notes.txt',
    'mv kept.txt other.txt; ls -la',
    './nothing --at all',
    'echo $MINE $HOME $TOKEN_OF_MINE; umask; ulimit -n; pwd',
    'ps -eo comm | grep -c foretell-hook',
    'git rm -q --cached kept.txt && git status --short',
    'find . -name "*.ts" -delete; git status --short',
    'cat /proc/self/limits /proc/self/cgroup /proc/self/oom_score_adj > limits.txt',
    'npm run build && rm -rf src',
    'tar czf all.tgz src && rm -rf src',
    'unknown-program-of-mine | tee kept.txt',
  ];
  test('commands, whatever they do', async () => {
    const service = await place.start();
    for (const script of scripts) {
      const event = eventFor(cwd, script);
      const more = { MINE: 'mine and nobody else', TOKEN_OF_MINE: 'a value' };
      const args = ['claude', '--tell', 'changes', '--within', '60'];
      const served = place.call(event, args, more);
      const itself = place.callItself(event, args, more);
      assert.equal(served.status, 0);
      assert.equal(plain(served.stdout), plain(itself.stdout), script);
    }
    assert.deepEqual(place.services(), [service]);
  });

  test('every agent, what is no event, and wrong words', async () => {
    const service = await place.start();
    for (const agent of ['claude', 'codex', 'gemini', 'vscode', 'copilot', 'cursor', 'opencode']) {
      const folderOf = path.join('test/fixtures/hooks', agent);
      for (const file of fs.readdirSync(folderOf).slice(0, 4)) {
        const { event } = JSON.parse(fs.readFileSync(path.join(folderOf, file), 'utf8'));
        const text = JSON.stringify(event);
        const args = [agent, '--within', '60'];
        assert.equal(plain(place.call(text, args).stdout), plain(place.callItself(text, args).stdout), file);
      }
    }
    for (const [args, input] of [
      [['claude'], ''],
      [['gemini'], '{"tool_name":'],
      [['nobody'], '{}'],
      [['codex', '--within', 'x'], '{}'],
      [['--help'], ''],
    ] as const)
      assert.deepEqual(place.call(input, [...args]), place.callItself(input, [...args]));
    assert.deepEqual(place.services(), [service]);
  });
});

test('nothing of one client is in the answer of another', async () => {
  const place = newPlace();
  await place.start();
  const [one, other] = [repository(), repository()];
  const args = ['claude', '--tell', 'changes', '--within', '60'];
  fs.mkdirSync(path.join(one, 'bin'));
  const answers = [
    place.call(eventFor(one, 'echo "$SECRET_OF_ONE" > out'), args, { SECRET_OF_ONE: 'alpha', HOME: one }),
    place.call(eventFor(other, 'echo "$SECRET_OF_ONE" > out'), args),
    place.call(eventFor('', 'echo "$HOME" > /tmp/foretell-service-out'), args, { HOME: other }),
  ].map(({ stdout }) => stdout);
  assert.match(answers[0] ?? '', /alpha/);
  assert.doesNotMatch(answers.slice(1).join('\n'), /alpha/);
  assert.match(answers[2] ?? '', new RegExp(`\\+${other}`));
  // A service stands in only for those who have the same limits and rights: others get one of their own.
  const event = eventFor(one, 'umask > mask; ulimit -n >> mask');
  const narrow = execFileSync('bash', ['-c', `umask 077; ulimit -n 200; exec '${place.hook}' ${args.join(' ')}`], {
    input: event,
    env: place.env,
    encoding: 'utf8',
  });
  assert.match(narrow, /\+0077\\n\+200/);
  assert.doesNotMatch(place.call(event, args).stdout, /\+0077/);
  await until(() => place.services().length === 2);
});

test('two at once, and many', async () => {
  const place = newPlace();
  const service = await place.start();
  const cwd = repository();
  const begun = Array.from({ length: 8 }, (_, at) =>
    place.begin(eventFor(cwd, at % 2 ? 'rm notes.txt' : 'cat kept.txt')),
  );
  const answers = await Promise.all(begun.map(({ answered }) => answered));
  answers.forEach((answer, at) => {
    if (at % 2) assert.match(answer, /"permissionDecision":"deny"/);
    else assert.equal(answer, '');
  });
  assert.deepEqual(place.services(), [service]);
});

test('a client that is killed leaves the service to others', async () => {
  const place = newPlace();
  const service = await place.start();
  const cwd = repository();
  for (let round = 0; round < 5; round++) {
    const client = place.begin(eventFor(cwd, 'find / -name nothing; rm notes.txt'));
    await until(() => fs.existsSync(`/proc/${client.pid}/cwd`));
    client.kill('SIGKILL');
    await client.answered;
  }
  assert.match(place.call(eventFor(cwd, 'rm notes.txt')).stdout, /"deny"/);
  assert.deepEqual(place.services(), [service]);
});

describe('the service is killed', () => {
  test('while it answers: the client answers itself, and the next one starts another', async () => {
    const place = newPlace();
    const service = await place.start();
    const cwd = repository();
    const client = place.begin(eventFor(cwd, 'sleep 1; rm notes.txt'));
    await until(() => fs.readdirSync(`/proc/${client.pid}/fd`).length > 4);
    process.kill(service, 'SIGKILL');
    assert.match(await client.answered, /"deny"/);
    assert.match(place.call(eventFor(cwd, 'rm notes.txt')).stdout, /"deny"/);
    assert.notEqual(await place.start(), service);
  });

  test('its socket stands there: many find it at once, and one service takes its place', async () => {
    const place = newPlace();
    const service = await place.start();
    process.kill(service, 'SIGKILL');
    await until(() => place.services().length === 0);
    const cwd = repository();
    const begun = Array.from({ length: 4 }, () => place.begin(eventFor(cwd, 'rm notes.txt')));
    for (const { answered } of begun) assert.match(await answered, /"deny"/);
    await until(() => place.services().length === 1);
  });

  test('it hangs: the client does not wait for it', async () => {
    const place = newPlace();
    const service = await place.start();
    process.kill(service, 'SIGSTOP');
    assert.match(place.call(eventFor(repository(), 'rm notes.txt')).stdout, /"deny"/);
  });
});

test('it ends when its program is another one, and when nobody comes', async () => {
  const dist = path.join(folder, 'dist');
  fs.cpSync(path.resolve('dist'), dist, { recursive: true });
  const place = newPlace(dist);
  const service = await place.start();
  const now = new Date();
  fs.utimesSync(path.join(dist, 'cli.js'), now, now);
  const cwd = repository();
  assert.match(place.call(eventFor(cwd, 'rm notes.txt')).stdout, /"deny"/);
  await until(() => !place.services().includes(service));
  await place.start();
  await place.end();
  const socketIs = () => fs.readdirSync(path.join(place.env['XDG_STATE_HOME'] ?? '', 'foretell/service'));
  await until(() => {
    // One that is started while the last one still ends starts none.
    if (place.services().length === 0)
      assert.equal(place.call('{}', ['claude'], { FORETELL_SERVICE_IDLE: '4' }).status, 0);
    return place.services().length === 1 && socketIs().some((name) => name.endsWith('.socket'));
  });
  await until(() => place.services().length === 0);
  assert.deepEqual(
    socketIs().filter((name) => !name.endsWith('.lock')),
    [],
  );
});

test('a folder that others may enter, a token that is wrong, and a stranger are no service', async () => {
  const place = newPlace();
  const service = await place.start();
  const cwd = repository();
  const own = path.join(place.env['XDG_STATE_HOME'] ?? '', 'foretell/service');
  const [token = ''] = fs.readdirSync(own).filter((name) => name.endsWith('.token'));
  const said = fs.readFileSync(path.join(own, token), 'utf8');
  fs.writeFileSync(path.join(own, token), '0'.repeat(32));
  assert.match(place.call(eventFor(cwd, 'rm notes.txt')).stdout, /"deny"/);
  fs.writeFileSync(path.join(own, token), said);
  fs.chmodSync(own, 0o755);
  assert.match(place.call(eventFor(cwd, 'rm notes.txt')).stdout, /"deny"/);
  fs.chmodSync(own, 0o700);
  // One that was begun in the meantime sees the other, and ends.
  await until(() => place.services().length === 1);
  assert.deepEqual(place.services(), [service]);
  // Bytes that no client sends.
  const stranger = spawn(process.execPath, [
    '-e',
    `const s = require('net').connect(process.argv[1]); s.on('close', () => process.exit(0)); s.on('error', () => {}); s.write('GET / HTTP/1.1\\r\\n\\r\\n')`,
    path.join(own, token.replace('token', 'socket')),
  ]);
  await new Promise((resolve) => stranger.once('close', resolve));
  assert.match(place.call(eventFor(cwd, 'rm notes.txt')).stdout, /"deny"/);
  // One that was begun in the meantime sees the other, and ends.
  await until(() => place.services().length === 1);
  assert.deepEqual(place.services(), [service]);
});

test('what is not installed any more answers nothing, with status 0', () => {
  const place = newPlace();
  const file = path.join(path.dirname(place.hook), 'installation');
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replaceAll(path.resolve('dist'), '/nowhere'));
  assert.deepEqual(place.call('{}'), { stdout: '', status: 0 });
  fs.rmSync(file);
  assert.deepEqual(place.call('{}'), { stdout: '', status: 0 });
});
