import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { Consent } from '../../src/core/facts/consent.ts';
import { foldAll } from '../../src/core/foretell.ts';
import type { Prediction } from '../../src/core/prediction/prediction.ts';
import { Launcher } from '../../src/core/worlds/confined/wire/launcher.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

const { foretell, folder, workspace } = throwAwayForetell('consent', { spareLaunchers: 2 });

const node = fs.realpathSync(process.execPath);
const env = { PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`, HOME: folder };

async function predict(script: string, cwd: string, consent?: Consent): Promise<Prediction & { stdout: string }> {
  const action = { kind: 'command', script, shell: 'bash', cwd } as const;
  const given = consent ? { consent } : {};
  const { events, view } = foretell.predict({ action, env, ...given, signal: new AbortController().signal });
  const prediction = await foldAll(action, events);
  await view.close();
  return { ...prediction, stdout: prediction.output.map(({ text = '' }) => text).join('') };
}

const all = (place: string): Consent => ({ folder: place, programs: 'all' });
const only = (place: string, ...files: string[]): Consent => ({
  folder: place,
  programs: files.map((file) => ({ name: path.basename(file), file })),
});
const names = ({ files }: Prediction) => files.map(({ path: file }) => path.basename(file));

const makes = "require('fs').writeFileSync('made', 'x'); console.log('ran'); process.exitCode = 3";

describe('without consent', () => {
  test('no program of the workspace runs', async () => {
    const place = workspace({ 'make.js': makes, 'own.sh': '#!/bin/sh\nnode make.js' });
    for (const script of ['node make.js', './own.sh']) {
      const { stdout, files, ending, assumptions } = await predict(script, place);
      assert.deepEqual([stdout, files.length, ending, assumptions.length], ['', 0, 'abstained', 1], script);
    }
  });
});

/** Which views of a copy were built to let programs in, in order. */
async function viewsOf<T>(make: () => Promise<T>): Promise<{ result: T; letsIn: boolean[]; reads: boolean[] }> {
  const { setup } = Launcher.prototype;
  const [letsIn, reads]: [boolean[], boolean[]] = [[], []];
  Launcher.prototype.setup = function watched(request) {
    if (request.mode !== 'look') {
      letsIn.push(request.letsIn === true);
      reads.push(request.reportReads === true);
    }
    return setup.call(this, request);
  };
  try {
    return { result: await make(), letsIn, reads };
  } finally {
    Launcher.prototype.setup = setup;
  }
}

describe('in a folder with consent', () => {
  test('a command of inert programs pays nothing for programs that could be let in', async () => {
    const place = workspace({ 'a/b': 'x\n', 'a/c': 'x\n' });
    for (const script of [
      'rm -rf a',
      'find a -type f -exec touch {} +',
      'cd a && mv b d; ls',
      "bash -c 'rm a/b' | cat",
    ]) {
      const { result, letsIn, reads } = await viewsOf(() => predict(script, place, all(place)));
      assert.equal(result.ending, 'done', script);
      assert.ok(letsIn.length > 0 && ![...letsIn, ...reads].includes(true), `${script}: ${letsIn}, ${reads}`);
      assert.deepEqual(names(result), names(await predict(script, place)), script);
    }
  });

  test('what a program writes of how long it took is volatile, even where two runs agree on it', async () => {
    const place = workspace({ 'old.txt': '7 passed in 0.01s\n', 'a.js': '' });
    fs.writeFileSync(
      path.join(place, 'a.js'),
      `const { writeFileSync } = require('fs');
writeFileSync('out.txt', '7 passed in 0.01s\\n');
writeFileSync('junit.xml', '<testsuite tests="3" time="0.031">\\n');
writeFileSync('old.txt', '7 passed in 0.01s\\nmore\\n');
writeFileSync('menu.css', '.menu { animation-duration: 0.01s; }\\n');
writeFileSync('late.txt', 'took 9000.5s\\n');`,
    );
    const { files } = await predict('node a.js', place, all(place));
    assert.deepEqual(Object.fromEntries(files.map((file) => [path.basename(file.path), file.volatile === true])), {
      'out.txt': true,
      'junit.xml': true,
      'old.txt': false,
      'menu.css': false,
      'late.txt': false,
    });
  });

  test('an inode that only a copy shows is not claimed', async () => {
    const place = workspace({
      'a.js':
        "const { ino } = require('fs').statSync('a.js'); console.log('' + ino); require('fs').writeFileSync('out', '' + ino);",
    });
    const { output, files } = await predict('node a.js', place, all(place));
    const { ino } = fs.statSync(path.join(place, 'a.js'));
    assert.ok(
      output.every(({ text, volatile }) => volatile || text === `${ino}\n`),
      JSON.stringify(output),
    );
    assert.ok(
      files.every(({ sizeBytes, volatile }) => volatile || sizeBytes === String(ino).length),
      JSON.stringify(files),
    );
  });

  test('another program that the words did not tell is let in all the same, by whomever it is started', async () => {
    const place = workspace({
      'made.sh': '#!/bin/sh\nnode -e "console.log(1 + 1)"; touch made',
      recipe: 'touch first; ./made.sh',
      late: './made.sh',
    });
    for (const script of [
      'touch first; $(echo ./made.sh)',
      "sed -n '1e ./made.sh' recipe",
      'touch a; find . -name late -exec env $(cat late) \\;',
    ]) {
      const { result, letsIn } = await viewsOf(() => predict(script, place, all(place)));
      assert.deepEqual([result.ending, result.stdout], ['done', '2\n'], `${script}: ${result.endingReason}`);
      assert.ok(names(result).includes('made'), script);
      assert.ok(
        result.programs.some(({ argv }) => argv[0]?.endsWith('node')),
        script,
      );
      assert.equal(letsIn.at(-1), true, script);
    }
    assert.equal((await viewsOf(() => predict('node -e 1', place, all(place)))).letsIn.includes(false), false);
  });
});

describe('with consent for every program', () => {
  test('what a program does is the prediction, and is judged as that', async () => {
    const place = workspace({ 'make.js': makes });
    const predicted = await predict('node make.js', place, all(place));
    assert.equal(predicted.stdout, 'ran\n');
    assert.deepEqual([predicted.exitCode, predicted.exitBasis, predicted.ending], [3, 'rehearsed', 'done']);
    assert.deepEqual(
      predicted.files.map((file) => [path.basename(file.path), file.basis]),
      [['made', 'rehearsed']],
    );
    assert.deepEqual(
      predicted.programs.map(({ argv, basis, gate, byConsent }) => [argv.join(' '), basis, gate, byConsent]),
      [['node make.js', 'rehearsed', undefined, true]],
    );
    const mixed = await predict('node make.js; cat package.json; node -e 1 | head -1', place, all(place));
    assert.deepEqual(mixed.programs.map(({ argv, byConsent }) => [argv[0], byConsent]).sort(), [
      ['cat', undefined],
      ['head', undefined],
      ['node', true],
      ['node', true],
    ]);
    assert.ok(!predicted.verdict.reasons.some(({ kind }) => kind === 'program'), 'it does not only run code');
    assert.equal(fs.existsSync(path.join(place, 'made')), false);
  });

  test('what it prints of the moment is marked', async () => {
    const place = workspace({ 'clock.js': 'console.log(Date.now()); console.log("took 12 ms")' });
    const { output } = await predict('node clock.js', place, all(place));
    assert.ok(output.length > 0 && output.every(({ volatile }) => volatile));
  });

  test('so is for how long the machine has been running, on which two runs agree', async () => {
    const place = workspace({ 'up.js': "console.log('up', process.hrtime()[0]); console.log('steady', 7)" });
    const { output } = await predict('node up.js', place, all(place));
    assert.deepEqual(
      output.map(({ text = '', volatile }) => [text.replace(/\d+/, 'N'), volatile === true]),
      [
        ['up N\n', true],
        ['steady N\n', false],
      ],
    );
  });

  test('what it starts runs as well, scripts and libraries of the workspace too', async () => {
    const place = workspace({
      'start.js': "require('child_process').spawnSync('./own.sh', ['a b'], { stdio: 'inherit' })",
      'own.sh': '#!/usr/bin/env bash\nnode -e "console.log(process.argv[1])" "$1" | tr a-z A-Z; node make.js',
      'make.js': makes,
    });
    for (const script of ['node start.js; cat made', './own.sh "a b"; cat made']) {
      const { stdout, assumptions } = await predict(script, place, all(place));
      assert.deepEqual([stdout, assumptions], ['A B\nran\nx', []], script);
    }
  });

  test('what is started outside of the folder does not', async () => {
    const place = workspace({ 'app/a.js': makes, 'other/b.js': makes });
    const consent = all(path.join(place, 'app'));
    const elsewhere = await predict('cd ../other && node b.js', path.join(place, 'app'), consent);
    assert.deepEqual([elsewhere.stdout, elsewhere.ending], ['', 'abstained']);
    fs.symlinkSync('../other', path.join(place, 'app/link'));
    const behind = await predict('cd link && node b.js', path.join(place, 'app'), consent);
    assert.deepEqual([behind.stdout, behind.ending], ['', 'abstained'], 'behind a symbolic link');
    const beside = await predict('node a.js', workspace({ 'a.js': makes }), all(place.slice(0, -1)));
    assert.deepEqual([beside.stdout, beside.ending], ['', 'abstained'], 'the name of a folder begins like another');
  });

  test('programs that need what a rehearsal has not are answered for as before', async () => {
    const place = workspace({ 'package.json': '{"name":"p"}' });
    const { programs, ending } = await predict('npm install left-pad', place, all(place));
    assert.equal(ending, 'abstained');
    assert.equal(programs[0]?.gate?.kind, 'notInert');
  });

  test('of a program that can ask others, what only concerns what is here is rehearsed', async () => {
    const tool = '#!/usr/bin/perl\nprint "@ARGV\\n";';
    const place = workspace({ 'bin/go': tool, 'bin/terraform': tool });
    for (const words of [
      'go mod edit -go=1.20',
      'go mod tidy',
      'go mod graph',
      'go install ./cmd/x',
      'terraform fmt',
      'terraform fmt -check .',
    ]) {
      const { stdout, ending } = await predict(`PATH="$PWD/bin:$PATH"; ${words}`, place, all(place));
      assert.deepEqual([stdout, ending], [`${words.slice(words.indexOf(' ') + 1)}\n`, 'done']);
    }
    for (const words of [
      'go mod download',
      'go get example.invalid/x',
      'go install example.invalid/x@v1',
      'terraform init',
      'terraform apply',
    ])
      assert.equal((await predict(`PATH="$PWD/bin:$PATH"; ${words}`, place, all(place))).ending, 'abstained', words);
    // By a path of the workspace it only has that name.
    assert.equal((await predict('bin/terraform init', place, all(place))).ending, 'done');
  });

  test('what a package manager does with what is here, and a server, are rehearsed', async () => {
    const place = workspace({ 'lib/package.json': '{ "name": "lib", "version": "1.0.0" }' });
    const made = await predict('mkdir new && cd new && npm init -y', place, all(place));
    assert.deepEqual([made.ending, made.exitBasis], ['done', 'rehearsed']);
    assert.ok(names(made).includes('package.json'));
    const linked = await predict('npm install --offline --no-audit ./lib', place, all(place));
    assert.deepEqual([linked.ending, linked.exitCode], ['done', 0]);
    assert.ok(names(linked).includes('lib') && names(linked).includes('package-lock.json'));
    const served = await predict('python3 -u -m http.server --bind 127.0.0.1 0', place, all(place));
    assert.equal(served.doubt?.kind, 'goesOn');
    assert.match(served.stdout, /^Serving HTTP on 127/);
  });

  test('a command that starts only harmless programs is read as without it', async () => {
    const place = workspace({ 'a.txt': 'x\n' });
    const [without, given] = [
      await predict('ls -l; cat a.txt', place),
      await predict('ls -l; cat a.txt', place, all(place)),
    ];
    assert.equal(given.stdout, without.stdout);
    assert.deepEqual([given.ending, given.verdict.level], ['done', 'safe']);
  });
});

describe('with consent for some programs', () => {
  test('these run with what they start, and no other', async () => {
    const place = workspace({
      'make.js': makes,
      'own.sh': '#!/bin/sh\nnode make.js',
      'other.sh': '#!/bin/sh\nnode make.js',
    });
    const consent = only(place, path.join(place, 'own.sh'));
    const own = await predict('./own.sh', place, consent);
    assert.deepEqual([own.stdout, own.exitCode, names(own), own.ending], ['ran\n', 3, ['made'], 'done']);
    for (const script of ['./other.sh', 'node make.js', 'cp own.sh copy.sh; ./copy.sh']) {
      const { stdout, ending } = await predict(script, place, consent);
      assert.deepEqual([stdout, ending], ['', 'abstained'], script);
    }
    const both = await predict('./own.sh; ./other.sh', place, consent);
    assert.equal(both.stdout, 'ran\n');
    assert.equal(both.assumptions.length, 1);
  });

  test('another file of the same name does not', async () => {
    const place = workspace({ 'bin/node': '#!/bin/sh\necho other', 'a.js': 'console.log(1)' });
    const consent = only(place, node);
    assert.equal((await predict('node a.js', place, consent)).stdout, '1\n');
    fs.writeFileSync(path.join(place, 'bin/node'), `#!${node}\nconsole.log('other')\n`);
    assert.equal((await predict('PATH=$PWD/bin:$PATH node a.js', place, consent)).stdout, '');
  });

  test('nor does one that the command itself writes', async () => {
    const place = workspace({ 'own.sh': '#!/bin/sh\necho own' });
    const consent = only(place, path.join(place, 'own.sh'));
    assert.equal((await predict('./own.sh', place, consent)).stdout, 'own\n');
    const { stdout, ending } = await predict('echo "; echo more" >> own.sh; ./own.sh', place, consent);
    assert.deepEqual([stdout, ending], ['own\nmore\n', 'done'], 'a script of a shell runs as without consent');
    fs.writeFileSync(path.join(place, 'own.sh'), '#!/bin/sh\necho own; node -p 1');
    assert.equal((await predict('./own.sh', place, consent)).stdout, 'own\n1\n');
    const changed = await predict('echo "; node -p 2" >> own.sh; ./own.sh', place, consent);
    assert.deepEqual([changed.stdout, changed.ending], ['own\n', 'abstained'], 'what it starts does not run');
  });

  test('what a program that was looked through would start is looked for in the list', async () => {
    const place = workspace({ 'package.json': '{"name":"p","scripts":{"x":"node a.js"}}', 'a.js': 'console.log(1)' });
    const { stdout, assumptions } = await predict('npm run x', place, only(place, node));
    assert.equal(stdout, '\n> x\n> node a.js\n\n1\n');
    assert.deepEqual(assumptions, []);
  });
});
