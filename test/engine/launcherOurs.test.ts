import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { cliFile } from '../hostile/batch.ts';
import { folder, identities } from './launcherDriver.ts';

// A command that looks for processes finds those that are there when it is really run: not those of its own prediction.
for (const identity of identities().filter(({ name }) => name === 'user')) {
  const isLonely = process.getuid?.() === 0;
  const become = isLonely ? { uid: identity.uid, gid: identity.uid } : {};
  const home = folder(identity);
  let sleeper: ChildProcess;

  before(() => {
    sleeper = spawn('sleep', ['300'], { stdio: 'ignore', ...become });
  });
  after(() => sleeper.kill());

  function foretell(script: string) {
    const { stdout, stderr } = spawnSync(process.execPath, [cliFile, '--json', script], {
      cwd: home,
      env: { PATH: '/usr/bin:/bin', HOME: home, XDG_CACHE_HOME: home },
      encoding: 'utf8',
      ...become,
    });
    assert.equal(stderr, '');
    const prediction = JSON.parse(stdout) as {
      ending: string;
      output: { text?: string }[];
      effects: { effect: string; detail: string }[];
    };
    const text = prediction.output.map((piece) => piece.text ?? '').join('');
    const signals = prediction.effects.filter(({ effect }) => effect === 'signal').map(({ detail }) => detail);
    return { text, signals, prediction };
  }

  const alone = { skip: isLonely ? false : 'only root can test as a user who has nothing else' };

  test('pgrep and ps list none of ours', () => {
    for (const script of [`pgrep -l -u ${identity.uid}`, `ps -u ${identity.uid} -o pid,comm`]) {
      const { text } = foretell(script);
      assert.match(text, new RegExp(`${sleeper.pid} sleep`), script);
      assert.doesNotMatch(text, /confine/, script);
      if (isLonely) assert.doesNotMatch(text, /node|bash/, script);
    }
  });

  test('what a command asks about its own parent is not answered with ours', () => {
    for (const script of [
      'ps -o comm= -p $PPID',
      'cat /proc/$PPID/comm',
      'read -r x < /proc/$PPID/comm; echo $x > n; cat n',
    ])
      assert.equal(foretell(script).prediction.ending, 'abstained', script);
    assert.equal(
      foretell('ls /proc/$$/fd > n; cat /proc/$$/comm; wc -l < /proc/self/mountinfo').prediction.ending,
      'done',
    );
  });

  test('pkill and killall reach none of ours', alone, () => {
    const scripts = [
      `pkill -u ${identity.uid}`,
      `pkill -f . -u ${identity.uid}`,
      'killall -q -r . 2> /dev/null; true',
      // The shell spares itself: numbers start anew now and then, so it may stand before the one that is looked for.
      `for p in $(pgrep -u ${identity.uid}); do [ $p = $$ ] || kill $p; done`,
    ];
    for (const script of scripts) {
      const { signals, prediction } = foretell(script);
      assert.deepEqual(
        signals,
        [`sends SIGTERM to process ${sleeper.pid} (sleep 300)`],
        `${script} ${JSON.stringify(prediction)}`,
      );
    }
  });

  test('a signal to everybody is said to be one', () => {
    assert.deepEqual(foretell('kill -9 -1').signals, ['sends SIGKILL to every process of the user']);
  });
}
