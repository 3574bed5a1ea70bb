import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { foldAll } from '../../src/core/foretell.ts';
import type { Prediction } from '../../src/core/prediction/prediction.ts';
import { Launcher } from '../../src/core/worlds/confined/wire/launcher.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

const { foretell, folder, workspace } = throwAwayForetell('known', { spareLaunchers: 2 });
const hasPython = fs.existsSync('/usr/bin/python3');
const env = { PATH: '/usr/bin:/bin', HOME: folder };

type Told = Prediction & { stdout: string };

async function told(session: Pick<typeof foretell, 'predict'>, script: string, cwd: string, given = {}): Promise<Told> {
  const action = { kind: 'command', script, shell: 'bash', cwd } as const;
  const { events, view } = session.predict({
    ...{ action, env, trusted: true, signal: new AbortController().signal },
    ...given,
  });
  const prediction = await foldAll(action, events);
  if (session === foretell) await view.close();
  return { ...prediction, stdout: prediction.output.map(({ text = '' }) => text).join('') };
}

const predict = (script: string, cwd: string, given = {}) => told(foretell, script, cwd, given);

function isStopped(prediction: Told, script: string): void {
  const { stdout, files, ending, assumptions } = prediction;
  // A plain edit is read from its code, and told as assumed: it did not run.
  const done = files.filter(({ basis }) => basis !== 'assumed');
  assert.deepEqual([stdout, done.length, ending, assumptions.length], ['', 0, 'abstained', 1], script);
}

const snippet = `python3 - <<'EOF'
from pathlib import Path
p = Path('a.txt')
p.write_text(p.read_text().replace('one', 'two'))
print('edited')
EOF`;

describe('in a trusted workspace, without consent', { skip: !hasPython }, () => {
  test('a snippet of the standard library is rehearsed, and judged as what it did', async () => {
    const place = workspace({ 'a.txt': 'one\n' });
    const predicted = await predict(snippet, place);
    assert.deepEqual([predicted.stdout, predicted.exitCode, predicted.exitBasis], ['edited\n', 0, 'rehearsed']);
    assert.deepEqual([predicted.ending, predicted.assumptions], ['done', []]);
    assert.ok(!predicted.programs.some(({ byConsent }) => byConsent), 'nobody consented');
    assert.deepEqual(
      predicted.files.map((file) => [path.basename(file.path), file.change, file.basis]),
      [['a.txt', 'modified', 'rehearsed']],
    );
    assert.deepEqual(
      predicted.verdict.reasons.filter(({ kind }) => kind === 'program' || kind === 'code'),
      [],
      'its files tell what it did',
    );
    assert.equal(fs.readFileSync(path.join(place, 'a.txt'), 'utf8'), 'one\n');
  });

  test('one that deletes is judged by what is gone, as rm is', async () => {
    const place = workspace({ '.gitignore': 'out/\n', 'a.txt': 'one\n', 'out/x': 'x\n', 'own.txt': 'own\n' });
    const git = (...words: string[]) => execFileSync('git', words, { cwd: place, env });
    git('init', '-q');
    git('add', 'a.txt', '.gitignore');
    git('-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '-qm', 'all');
    const levels = async (script: string) => (await predict(script, place)).verdict.level;
    for (const [code, rm] of [
      ["import os; os.remove('a.txt')", 'rm a.txt'],
      ["import os; os.remove('own.txt')", 'rm own.txt'],
      ["import shutil; shutil.rmtree('out')", 'rm -r out'],
      ["import shutil; shutil.rmtree('none', ignore_errors=True)", 'rm -rf none'],
      ["import os; os.rename('a.txt', 'b.txt')", 'mv a.txt b.txt'],
      ["import os; os.rename('a.txt', 'own.txt')", 'mv a.txt own.txt'],
      ["import os; os.chmod('a.txt', 0o666)", 'chmod 666 a.txt'],
    ] as const)
      assert.equal(await levels(`python3 -c "${code}"`), await levels(rm), code);
    assert.equal(await levels('python3 -c "import os; os.remove(\'none\')"'), 'caution', 'it failed, as rm does');
    assert.equal(await levels('python3 -c "import shutil; shutil.rmtree(\'/etc/nosuch\')"'), 'danger', 'at the system');
    assert.equal(await levels('false && python3 -c "import os; os.remove(\'a.txt\')"'), 'danger', 'it was not run');
  });

  test('so is what Node reads as a here-document, as a module too', {
    skip: !fs.existsSync('/usr/bin/node'),
  }, async () => {
    const place = workspace({ 'a.txt': 'one\n', 'own.cjs': 'console.log("own")\n' });
    const script = `node - b <<'E'
const fs = require('fs'); fs.writeFileSync('a.txt', fs.readFileSync('a.txt', 'utf8').replace('one', process.argv[2]));
E
node --input-type=module <<'E'
import { readFileSync } from 'node:fs'; console.log(await Promise.resolve(readFileSync('a.txt', 'utf8')));
E`;
    const { stdout, ending, files } = await predict(script, place);
    assert.deepEqual([stdout, ending, files.map(({ basis }) => basis)], ['b\n\n', 'done', ['rehearsed']]);
    isStopped(await predict("node - <<'E'\nrequire('./own.cjs')\nE", place), 'code of the workspace');
  });

  test('what it starts is judged: inert programs run', async () => {
    const place = workspace({ 'a.txt': 'b\na\n' });
    const { stdout, ending } = await predict(
      'python3 -c \'import subprocess; subprocess.run(["sort", "a.txt"])\'',
      place,
    );
    assert.deepEqual([stdout, ending], ['a\nb\n', 'done']);
  });

  test('its words may come from a shell: through a pipe, a variable, a loop, another shell', async () => {
    const place = workspace({ 'a.txt': 'b\na\n' });
    for (const [script, prints] of [
      [`echo 'print("a")' | python3`, 'a\n'],
      [`printf 'import %s\\nprint(%s.sep)\\n' os os | python3 -`, '/\n'],
      [`{ echo 'import os'; echo 'print(os.sep)'; } | python3`, '/\n'],
      [`python3 <<< 'print(2)'`, '2\n'],
      [`python3 <<E\nprint("\\$HOME", "$((1 + 2))")\nE`, '$HOME 3\n'],
      [`for i in 1 2; do python3 -c "print($i * 2)"; done`, '2\n4\n'],
      [`python3 -c "print($(wc -l < a.txt))"`, '2\n'],
      [`C='print(5)'; python3 -c "$C"`, '5\n'],
      [`bash -c 'python3 -c "print(\\"n\\")"'`, 'n\n'],
      [`cat <<'E' > own.py; cat own.py | python3\nprint(3)\nE`, '3\n'],
      [`while read l; do echo "print('$l')" | python3; done < a.txt`, 'b\na\n'],
      [`cat a.txt | python3 -c 'import sys; print(len(sys.stdin.read()))'`, '4\n'],
    ] as const) {
      const { stdout, ending } = await predict(script, place);
      assert.deepEqual([stdout, ending], [prints, 'done'], script);
    }
  });

  test('in a session the next command finds what it left', async () => {
    const place = workspace({ 'a.txt': 'one\n' });
    const session = foretell.openSession();
    try {
      assert.equal((await told(session, snippet, place)).ending, 'done');
      const next = await told(session, "cat a.txt; perl -ne 'print uc' a.txt", place);
      assert.deepEqual([next.stdout, next.ending], ['two\nTWO\n', 'done']);
      fs.writeFileSync(path.join(place, 'json.py'), 'print("of the workspace")\n');
      const last = await told(session, "python3 -c 'import json'", place);
      assert.deepEqual([last.stdout, last.ending], ['', 'abstained']);
    } finally {
      await session.close();
    }
  });

  test('what chance decides is volatile, also where two runs agree', async () => {
    const place = workspace({ 'a.txt': '' });
    for (const script of [
      "python3 -c 'import random; print(random.choice([1]))'",
      'python3 -c \'print({"a", "b"})\'',
      'python3 -c \'open("set.txt", "w").write(str(set(["a", "b"])))\'; cat set.txt',
      "perl -e 'my %h = (a => 1, b => 2); print keys %h'",
    ]) {
      const { output, files } = await predict(script, place);
      assert.ok(output.length > 0 && output.every((piece) => piece.volatile), script);
      assert.ok(
        files.every((file) => file.volatile),
        script,
      );
    }
    for (const code of ['print(sorted(set([2, 1])))', 'seen = set(["a", "b"])\nprint("a" in seen)']) {
      const { output } = await predict(`python3 -c '${code}'`, place);
      assert.deepEqual(
        output.map(({ volatile = false }) => volatile),
        [false],
      );
    }
  });
});

test('cancelling ends the run that looks for another order at once', { skip: !hasPython }, async () => {
  const started: Launcher[] = [];
  const closed = new Set<Launcher>();
  const { run, close } = Launcher.prototype;
  Launcher.prototype.run = function noted(...given) {
    started.push(this);
    return run.apply(this, given);
  };
  Launcher.prototype.close = function noted() {
    closed.add(this);
    return close.call(this);
  };
  try {
    const script = 'python3 -c \'print({"a", "b"}); sum(i for i in range(20000000))\'';
    const action = { kind: 'command', script, shell: 'bash', cwd: workspace({ 'a.txt': '' }) } as const;
    const abort = new AbortController();
    const { events, view } = foretell.predict({ action, env, trusted: true, signal: abort.signal });
    const folded = foldAll(action, events);
    // The run that is shown and its check were two.
    let isOver = false;
    void folded.then(() => {
      isOver = true;
    });
    while (started.length < 3 && !isOver) await new Promise((wake) => setTimeout(wake, 5));
    abort.abort();
    assert.ok(started[2] && closed.has(started[2]));
    assert.equal((await folded).ending, 'cancelled');
    await view.close();
  } finally {
    Object.assign(Launcher.prototype, { run, close });
  }
});

describe('it stays stopped, and nothing of it is kept', { skip: !hasPython }, () => {
  const leaves = "open('left', 'w').write('x'); print('ran')";

  test('in a workspace that is not trusted', async () => {
    const place = workspace({ 'a.txt': 'one\n' });
    for (const script of [snippet, "python3 -c 'print(1)'", "perl -e 'print 1'", 'python3 --version', 'gcc --version'])
      isStopped(await predict(script, place, { trusted: false }), script);
    const plain = await predict("python3 -c 'print(1)'", place, { trusted: undefined });
    isStopped(plain, 'where nobody says that it is trusted');
  });

  test('where a module of the workspace stands in for one of the library', async () => {
    const place = workspace({ 'json.py': leaves, 'email/__init__.py': leaves, 'other/x.py': leaves });
    for (const script of [
      "python3 -c 'print(1); import json'",
      'python3 -c \'open("early", "w"); import email\'',
      'python3 -m json.tool a.json',
      "python3 - <<'E'\nimport sys\nsys.path.append('other')\nimport x\nE",
      'python3 -B -c \'import threading; t = threading.Thread(target=__import__, args=("json",)); t.start(); t.join()\'',
      "python3 -c 'import os; os.fork(); import json'",
    ])
      isStopped(await predict(script, place), script);
  });

  test('where what starts with Python is not the system’s', async () => {
    const version = execFileSync('/usr/bin/python3', ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])']);
    const site = `home/.local/lib/python${String(version).trim()}/site-packages`;
    for (const name of ['usercustomize.py', 'own.pth', 'sitecustomize.py']) {
      const place = workspace({ [`${site}/${name}`]: name.endsWith('.pth') ? 'import sys\n' : leaves });
      const HOME = path.join(place, 'home');
      const script = "python3 -c 'print(1)'";
      const predicted = await predict(script, place, { env: { ...env, HOME } });
      // Debian has a sitecustomize of its own, which comes first.
      if (name !== 'sitecustomize.py' || predicted.ending !== 'done') isStopped(predicted, name);
    }
    const place = workspace({ 'lib/json.py': leaves });
    isStopped(await predict("PYTHONPATH=lib python3 -c 'print(1)'", place), 'PYTHONPATH');
    isStopped(await predict("PYTHONINSPECT=1 python3 -c 'print(1)'", place), 'PYTHONINSPECT');
  });

  test('where it starts a program that may not run, or runs what is no snippet', async () => {
    const place = workspace({ 'own.py': leaves, 'Own.pm': '1;' });
    for (const script of [
      'python3 own.py',
      'python3 < own.py',
      'python3 -i -c 1',
      'python3 -m own',
      'python3 -c \'import subprocess; subprocess.run(["python3", "own.py"])\'',
      'python3 -c \'import os; os.execv("/usr/bin/python3", ["python3", "own.py"])\'',
      'perl -I. -MOwn -e 1',
      'perl -e \'use lib "."; require Own; print 1\'',
      'perl own.py',
    ])
      isStopped(await predict(script, place), script);
  });

  test('where its code comes from a file', async () => {
    const own = "open('left', 'w').write('x')\nprint('ran')\n";
    const js = "require('fs').writeFileSync('left', 'x'); console.log('ran')\n";
    const place = workspace({
      ...{ 'own.py': own, 'own.txt': own, 'js.txt': js, 'own.sh': 'python3 -c "print(6 * 7)"\n' },
      ...{ 'own.pl.txt': "open F, '>left'; print 'ran'\n", 'folder.json/package.json': '{"main":"main.txt"}' },
      ...{ 'folder.json/main.txt': js, 'plain.json': '{"v":1}' },
    });
    fs.symlinkSync('js.txt', path.join(place, 'link.json'));
    for (const script of [
      'cat own.py | python3',
      'tee /dev/null < own.py | python3 -',
      'python3 -c "$(cat own.py)"',
      'python3 <<< "$(cat own.py)"',
      'C=$(cat own.py); python3 -c "$C"',
      'xargs -0 python3 -c < own.py',
      'bash own.sh',
      '. ./own.sh',
      'bash -c "$(cat own.sh)"',
      'python3 -c \'exec(open("own.txt").read())\'',
      'python3 -c \'import threading; threading.Thread(target=exec, args=(open("own.txt").read(),)).start()\'',
      'python3 -c \'import runpy; runpy.run_path("own.txt")\'',
      'python3 -c \'import sys; exec(sys.argv[1])\' "$(cat own.txt)"',
      'python3 -c \'import pickle; pickle.load(open("own.txt", "rb"))\'',
      'python3 -c \'import subprocess; subprocess.run(["python3", "-c", open("own.txt").read()])\'',
      'perl -e "$(cat own.pl.txt)"',
      'perl -ne eval own.pl.txt',
      'perl -e \'do "./own.pl.txt"\'',
      "perl -pe 's/(.*)/$1/ee' own.pl.txt",
      'perl -MStorable -e \'print retrieve("own.txt")\'',
      ...(fs.existsSync('/usr/bin/node')
        ? [
            'cat js.txt | node',
            'node -e "$(cat js.txt)"',
            'node -e \'eval(require("fs").readFileSync("js.txt", "utf8"))\'',
            'node -e \'require("./js.txt")\'',
            'node -e \'require("./link.json")\'',
            'node -e \'require("./folder.json")\'',
          ]
        : []),
    ])
      isStopped(await predict(script, place), script);
  });

  test('where the interpreter lies in the workspace', async () => {
    const place = workspace({ 'a.txt': '' });
    fs.copyFileSync(fs.realpathSync('/usr/bin/perl'), path.join(place, 'perl'));
    fs.chmodSync(path.join(place, 'perl'), 0o755);
    isStopped(await predict("./perl -e 'print 1'", place), './perl');
    isStopped(await predict('cp /usr/bin/perl p; rm p; ./perl --version', place), './perl --version');
  });

  test('also where many of them do', async () => {
    const place = workspace(Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`m${n}.py`, leaves])));
    const { files, stdout, ending } = await predict('for i in 1 2 3 4 5 6; do python3 -c "import m$i"; done', place);
    assert.deepEqual([files.length, stdout, ending], [0, '', 'abstained']);
  });
});

test('what a snippet asks of the network is not known', { skip: !hasPython }, async () => {
  const script = 'python3 -c \'import socket; socket.create_connection(("192.0.2.1", 80), 1)\'';
  const { ending, exitBasis } = await predict(script, workspace({ 'a.txt': '' }));
  assert.deepEqual([ending, exitBasis], ['abstained', 'unknown']);
});
