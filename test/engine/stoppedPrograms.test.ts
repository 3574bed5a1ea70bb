import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { CommandAction } from '../../src/core/action/action.ts';
import { foldAll } from '../../src/core/foretell.ts';
import type { Prediction } from '../../src/core/prediction/prediction.ts';
import { plainlyWrites, scriptFileOf } from '../../src/core/programs/plainlyWrites.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

/** What follows a program that was stopped and that nobody predicts: what depends on it is told by nobody. */

const { foretell, folder } = throwAwayForetell('stopped');

// A program that may not run, whatever is installed; named like the real ones.
function workspace(): { place: string; env: Record<string, string> } {
  const place = fs.mkdtempSync(path.join(folder, 'w-'));
  const bin = path.join(place, '.bin');
  fs.mkdirSync(bin);
  for (const name of ['python3', 'node', 'gcc', 'perl', 'npx']) fs.symlinkSync(process.execPath, path.join(bin, name));
  fs.writeFileSync(path.join(place, 'm.py'), 'one\n');
  fs.writeFileSync(path.join(place, 'gen.js'), "require('fs').writeFileSync('out.txt', 'x')\n");
  fs.writeFileSync(path.join(place, 'say.js'), 'console.log(1)\n');
  return { place, env: { PATH: `${bin}:/usr/bin:/bin`, HOME: '/nonexistent', LC_ALL: 'C.UTF-8' } };
}

async function predict(script: string, { place, env } = workspace()): Promise<Prediction> {
  const action: CommandAction = { kind: 'command', script, shell: 'bash', cwd: place };
  const { events, view } = foretell.predict({ action, env, hash: true, signal: new AbortController().signal });
  try {
    return await foldAll(action, events);
  } finally {
    await view.close();
  }
}

const outputs = ({ output }: Prediction) => output.map(({ stream, basis, text }) => [stream, basis, text]);
const unknown = ['stdout', 'unknown', undefined];

const depends: readonly (readonly [string, string])[] = [
  [
    "python3 - <<'E'\nfrom pathlib import Path\nimport shutil\nPath('m.py').write_text('two')\nE\ncat m.py",
    'code in a here-document',
  ],
  ["python3 -c \"open('x.txt', 'a').write('hi')\"; ls", 'code among the arguments'],
  ['node gen.js && cat out.txt', 'a script that writes'],
  ["perl -i -pe 's/one/uc/e' m.py; cat m.py", 'editing in place'],
  ['npx prettier --write .; cat m.py', 'a program that is there to write'],
  ['python3 say.py | wc -l', 'a pipe'],
  ['v=$(node -p 1); echo $v', 'a substitution'],
  ['node say.js > out.json; wc -c out.json', 'a redirection'],
  ['node gen.js; echo *.txt', 'a pattern of the shell'],
  ['node gen.js; [ -f out.txt ] && echo there', 'a test of the shell'],
  ['node gen.js; while read -r l; do echo $l; done < m.py', 'an input of the shell'],
];
for (const [script, what] of depends) {
  test(`what depends on a stopped program is unknown: ${what}`, async () => {
    const prediction = await predict(script);
    assert.equal(prediction.ending, 'abstained');
    assert.deepEqual(
      outputs(prediction).filter(([stream]) => stream === 'stdout'),
      [unknown],
    );
    // `wc` ends with 0, whatever it reads.
    const isCertain = script.endsWith('| wc -l');
    assert.equal(prediction.exitCode, isCertain ? 0 : undefined);
    assert.equal(prediction.exitBasis, isCertain ? 'computed' : 'unknown');
    assert.ok((prediction.output[0]?.dependsOn?.length ?? 0) > 0);
    const later = prediction.programs.filter(({ gatedBecause }) => gatedBecause === undefined);
    assert.ok(later.every(({ basis }) => basis !== 'rehearsed' || script.includes('|')));
  });
}

for (const script of [
  'python3 say.py | sh',
  'python3 say.py | tee out.txt | sh -s -- -y',
  'sh -c "$(node say.js)"',
  'sh <(node say.js)',
  'v=$(node say.js); grep -q "$v" m.py',
])
  test(`how a program ends that reads what nobody knows is not said: ${script}`, async () => {
    const { programs } = await predict(script);
    const reading = programs.filter(({ argv }) => /^(sh|grep)$/.test(argv[0] ?? ''));
    assert.ok(reading.length > 0);
    assert.deepEqual(
      reading.map(({ exitCode }) => exitCode),
      reading.map(() => undefined),
    );
  });

test('what does not depend on it stays assumed, and so does the exit code', async () => {
  const prediction = await predict('node gen.js && rm -rf dist && echo done');
  assert.deepEqual(outputs(prediction), [['stdout', 'assumed', 'done\n']]);
  assert.deepEqual([prediction.exitCode, prediction.exitBasis], [0, 'assumed']);
});

test('of code that plainly writes nobody assumes that it changes nothing', async () => {
  const [writes] = (await predict('node gen.js')).assumptions;
  assert.deepEqual(writes?.unknown, ['changes']);
  assert.doesNotMatch(writes?.assumed ?? '', /changes nothing/);
  const [says] = (await predict('node say.js')).assumptions;
  assert.equal(says?.unknown, undefined);
  assert.match(says?.assumed ?? '', /changes nothing/);
});

test('a file that a stopped program would have printed into is not called rehearsed', async () => {
  const prediction = await predict('echo a > first; node say.js > out.json');
  assert.deepEqual(
    prediction.files.map(({ path: name, basis, sha256 }) => [path.basename(name), basis, sha256 === undefined]),
    [
      ['first', 'rehearsed', false],
      ['out.json', 'unknown', true],
    ],
  );
});

test('a program that fails behind a stopped one may have missed what that one makes', async () => {
  const prediction = await predict('gcc -o tool tool.c && ./tool');
  assert.deepEqual([prediction.exitCode, prediction.exitBasis], [undefined, 'unknown']);
  assert.ok(prediction.output.every(({ basis }) => basis === 'unknown'));
  const unclear = await predict('node nosuch.js; cat nosuch.txt');
  assert.equal(unclear.exitBasis, 'unknown');
  const told = await predict('node nosuch.js; exit 3');
  assert.deepEqual([told.exitCode, told.exitBasis], [3, 'computed']);
});

test('a later command of a session depends on it as well', async () => {
  const { place, env } = workspace();
  const session = foretell.openSession();
  const step = async (script: string) => {
    const action: CommandAction = { kind: 'command', script, shell: 'bash', cwd: place };
    const { events } = session.predict({ action, env, signal: new AbortController().signal });
    return foldAll(action, events);
  };
  try {
    await step('node gen.js');
    const prediction = await step('cat m.py');
    assert.deepEqual([outputs(prediction), prediction.exitBasis], [[unknown], 'unknown']);
    const quiet = await step('echo hi');
    assert.deepEqual([outputs(quiet), quiet.exitBasis], [[['stdout', 'assumed', 'hi\n']], 'assumed']);
  } finally {
    await session.close();
  }
});

test('an answer of a model is no assumption', async () => {
  const { place, env } = workspace();
  const action: CommandAction = { kind: 'command', script: 'node gen.js; cat m.py', shell: 'bash', cwd: place };
  const handOver = async () => ({
    stdout: Buffer.from('made\n'),
    stderr: Buffer.alloc(0),
    exitCode: 0,
    changes: [{ path: path.join(place, 'm.py'), after: Buffer.from('two\n') }],
    basis: 'imagined' as const,
  });
  const { events, view } = foretell.predict({ action, env, handOver, signal: new AbortController().signal });
  const prediction = await foldAll(action, events);
  await view.close();
  assert.deepEqual(outputs(prediction), [['stdout', 'imagined', 'made\ntwo\n']]);
});

test('writing is seen in code, in options and in what a program is for', () => {
  const code = (text: string) => plainlyWrites(['python3', '-'], text);
  for (const text of [
    "p.write_text(p.read_text().replace('1', '2'))",
    "open('a', 'w').write('x')",
    "with open(name, mode='a') as f: f.write(x)",
    "fs.writeFileSync('a', 'b')",
    "await fs.promises.rm('dist')",
    "shutil.rmtree('x')",
    "os.replace('a', 'b')",
    "File.write('a', 'b')",
    "open(my $f, '>', 'x')",
    "df.to_csv('out.csv')",
    'json.dump(data, f)',
  ])
    assert.ok(code(text), text);
  for (const text of ["open('a').read()", "open('a', 'rb')", 'print(1)', "fs.readFileSync('a')", 'json.dumps(x)'])
    assert.ok(!code(text), text);
  const does = (words: string) => plainlyWrites(words.split(' '), undefined);
  for (const words of [
    'perl -pi -e s/a/b/ f',
    'ruby -i.bak -pe 1 f',
    'gcc -o a a.c',
    'npx tsc -p .',
    'python3 -m black src',
    'cargo build --release',
    'pip3.11 install x',
    'curl -fsSLo f http://x',
    'wget http://x',
    'prettier -w .',
    'go build ./...',
  ])
    assert.ok(does(words), words);
  for (const words of [
    'node --version',
    'npx tsc --noEmit',
    'black --check .',
    'gcc --version',
    'prettier --check .',
    'curl http://x',
    'cargo tree',
    'npm ls',
    'pip list',
  ])
    assert.ok(!does(words), words);
  assert.equal(scriptFileOf(['node', '--no-warnings', 'gen.js', 'a']), 'gen.js');
  assert.equal(scriptFileOf(['python3', '-c', 'x']), undefined);
  assert.equal(scriptFileOf(['cat', 'x']), undefined);
});

test('a shell that would load a library of somebody’s own is named, and nothing of the command is told', async () => {
  const { place, env } = workspace();
  const library = fs.readFileSync('/proc/self/maps', 'utf8').match(/\/\S*\/libc\.so\.6/)?.[0] ?? '/lib/libc.so.6';
  fs.copyFileSync(library, path.join(place, 'libmine.so'));
  const prediction = await predict('echo hi', { place, env: { ...env, LD_PRELOAD: path.join(place, 'libmine.so') } });
  assert.deepEqual(
    prediction.programs.map(({ argv, gate }) => [argv, gate?.kind]),
    [[['bash'], 'openLibrary']],
  );
  assert.equal(prediction.ending, 'abstained');
  assert.deepEqual(
    prediction.output.filter(({ text }) => text),
    [],
  );
});

test('what stands behind a stopped program is shown as far as it is certain', async () => {
  const bounds = async (script: string) => {
    const { output, exitCode, exitBasis } = await predict(script);
    const { bound, limit } = output.find(({ stream }) => stream === 'stdout') ?? {};
    return [bound?.lines, bound?.isNumber, limit, exitCode, exitBasis];
  };
  const none = [undefined, undefined, undefined];
  assert.deepEqual(await bounds('node say.js 2>&1 | head -20'), [20, undefined, 'at most 20 lines', 0, 'computed']);
  assert.deepEqual(await bounds('node say.js | wc -l'), [1, true, 'one number besides errors', 0, 'computed']);
  assert.deepEqual(await bounds('node say.js || true'), [...none, 0, 'computed']);
  assert.deepEqual(await bounds('node say.js'), [...none, 0, 'assumed']);
  assert.deepEqual(await bounds('node say.js | grep x'), [...none, undefined, 'unknown']);
  assert.deepEqual(await bounds('node say.js 2>&1 | tail -1 > f'), [...none, undefined, 'unknown']);
});

test('a program that checks or tests says that it changes no files, as a rule', async () => {
  const [tests] = (await predict('node --test')).assumptions;
  assert.deepEqual(tests?.assumes?.at(-1), { kind: 'leavesFiles', own: [], runsProject: true });
  assert.equal(
    tests?.notKnown,
    "What it prints and returns is not known; as a rule it changes nothing in the workspace, unless the project's own code does.",
  );
});

test('a program of the project that has the name of an inert one is not safe by its name', async () => {
  const { place, env } = workspace();
  for (const name of ['ls', 'wc']) {
    fs.copyFileSync('/bin/true', path.join(place, '.bin', name));
    fs.chmodSync(path.join(place, '.bin', name), 0o755);
  }
  for (const script of ['ls', 'ls -l m.py && echo done', 'cat m.py | wc -l']) {
    const { verdict } = await predict(script, { place, env });
    assert.equal(verdict?.level, 'caution', script);
    assert.deepEqual(
      verdict.reasons.flatMap(({ fact }) => (fact.kind === 'outOfPlace' ? [path.basename(fact.file)] : [])),
      [script.startsWith('ls') ? 'ls' : 'wc'],
    );
  }
  const { verdict } = await predict('cat m.py', { place, env });
  assert.equal(verdict?.level, 'safe');
});
