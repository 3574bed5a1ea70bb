import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { foldAll } from '../../src/core/foretell.ts';
import type { Prediction } from '../../src/core/prediction/prediction.ts';
import { completeRequest } from '../../src/core/prediction/request.ts';
import { clearKept, listKept } from '../../src/core/worlds/remembered/memoryStore.ts';
import { readLastTime } from '../../src/core/worlds/remembered/recall.ts';
import {
  asSaid,
  edit,
  edits,
  folder,
  foretell,
  isRemembered,
  memory,
  type Options,
  predict,
  project,
  seed,
  seeded,
  settle,
  shut,
  usual,
  workspace,
} from './rememberedFixture.ts';

/** The names that are told as changed. */
function changedOf({ noticed = [] }: Prediction): string[] {
  return noticed.flatMap((fact) => (fact.kind === 'inputsChanged' ? fact.changed.map(({ name }) => name) : []));
}

describe('a run that is remembered', () => {
  test('the same command on the same inputs is answered from memory, also without consent', async () => {
    const place = await project();
    const first = await predict('node app.js', place);
    assert.deepEqual([first.exitBasis, first.ending], ['rehearsed', 'done']);
    for (const options of [{}, shut]) {
      const again = await predict('node app.js', place, {
        ...options,
        after: async (view) => {
          const made = await view.read(path.join(place, 'out/made.txt'), 'after');
          assert.equal(Buffer.from(made ?? []).toString(), 'a\n');
          assert.equal(await view.read(path.join(place, 'old.txt'), 'after'), undefined);
        },
      });
      assert.ok(isRemembered(again));
      assert.deepEqual(asSaid(again), asSaid(first));
      const bases = [...again.output, ...again.files, ...again.programs].map(({ basis }) => basis);
      assert.deepEqual([...new Set([again.exitBasis, ...bases])], ['remembered']);
      assert.ok(again.noticed?.some((fact) => fact.kind === 'remembered' && fact.of > 20 && fact.at.endsWith('Z')));
    }
    assert.equal(fs.existsSync(path.join(place, 'out')), false, 'nothing is really made');
    assert.ok(listKept(memory.folder).some(({ script, cwd }) => script === 'node app.js' && cwd === place));
  });

  test('what is kept in memory is asked for what is lost as any other run', async () => {
    const place = await project();
    const long = Array.from({ length: 500_000 }, (_, at) => `${at}\n`).join('');
    fs.writeFileSync(path.join(place, 'long.txt'), long);
    for (const options of [{}, shut]) {
      const added = await predict('echo more >> long.txt', place, options);
      assert.deepEqual([added.ending, added.loss], ['done', []]);
    }
  });

  test('npm, which asks for the addresses of this machine and makes nothing of them, is remembered', async () => {
    const place = await project();
    fs.writeFileSync(path.join(place, 'package.json'), '{"scripts":{"go":"node -p 1"}}');
    await settle();
    const quiet = { env: { ...usual, npm_config_update_notifier: 'false' } };
    const first = await predict('npm run -s go', place, quiet);
    assert.deepEqual([first.ending, first.stdout], ['done', '1\n']);
    const again = await predict('npm run -s go', place, { ...quiet, ...shut });
    assert.ok(isRemembered(again));
    assert.equal(again.stdout, '1\n');
    await predict('node -p "Object.keys(os.networkInterfaces()).length > 0"', place, quiet);
    assert.ok(!isRemembered(await predict('node -p "Object.keys(os.networkInterfaces()).length > 0"', place, quiet)));
  });

  test('without consent and without memory nothing is run, and so nothing is kept', async () => {
    const place = await project();
    const before = listKept(memory.folder).length;
    const stopped = await predict('node app.js', place, shut);
    assert.deepEqual([stopped.stdout, stopped.ending], ['', 'abstained']);
    assert.equal(listKept(memory.folder).length, before);
    assert.ok(!isRemembered(await predict('node app.js', place)), 'what was not run is not remembered');
  });

  test('a session goes on from a recalled command as from any other', async () => {
    const place = await project();
    await predict('node app.js', place);
    const session = foretell.openSession();
    const given = {
      env: usual,
      memory,
      consent: { folder: place, programs: 'all' },
      signal: AbortSignal.timeout(60_000),
    } as const;
    const said: string[] = [];
    for (const script of ['node app.js', 'cat out/made.txt', 'ls']) {
      const action = { kind: 'command', script, shell: 'bash', cwd: place } as const;
      const prediction = await foldAll(action, session.predict({ action, ...given }).events);
      said.push(prediction.engine, prediction.output.map(({ text }) => text).join(''));
    }
    await session.close();
    assert.deepEqual([said[0], said[2], said[3]], ['remembered', 'confined', 'a\n']);
    assert.match(said[5] ?? '', /\bout\b/);
    assert.doesNotMatch(said[5] ?? '', /old\.txt/);
  });

  test('what the command read last time is known, also where it changed since', async () => {
    const place = await project();
    await predict('node app.js', place);
    fs.writeFileSync(path.join(place, 'data/a.txt'), 'new');
    const action = { kind: 'command', script: 'node app.js', shell: 'bash', cwd: place } as const;
    const { request } = completeRequest({ action, env: usual, signal: AbortSignal.timeout(1000) }, false);
    const read = readLastTime(request, memory).map((name) => path.relative(place, name));
    assert.deepEqual(read, ['app.js', 'tool.sh', 'data/a.txt']);
  });

  test('what would be lost is judged by what is there now', async () => {
    const place = await project();
    assert.ok((await predict('node app.js', place)).loss.some(({ path: name }) => name.endsWith('old.txt')));
    assert.ok((await predict('node app.js', place)).loss.some(({ path: name }) => name.endsWith('old.txt')));
  });

  test('nothing crosses from one workspace to another, not even to another folder at the same path', async () => {
    const place = workspace({ 'say.js': 'console.log(1)' });
    await settle();
    await predict('node say.js', place);
    const inner = { workspaceFolders: [path.dirname(place)] };
    assert.ok(!isRemembered(await predict('node say.js', place, { ...inner, ...shut })));
    fs.renameSync(place, `${place}-gone`);
    fs.cpSync(`${place}-gone`, place, { recursive: true, preserveTimestamps: true });
    assert.ok(!isRemembered(await predict('node say.js', place, shut)));
  });

  test('what shows a secret is not kept, nor what prints a value of a file of secrets', async () => {
    const token = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');
    const prints = "console.log(require('fs').readFileSync(process.argv[2], 'utf8').slice(6, 60))";
    const place = workspace({ 'p.js': prints, 'plain.txt': `TOKEN=${token}\n`, '.env': 'WORDS=not-a-known-format\n' });
    await settle();
    for (const script of ['node p.js plain.txt', 'node p.js .env', `node -e 'console.log("${token}")'`]) {
      assert.equal((await predict(script, place)).ending, 'done');
      assert.ok(!isRemembered(await predict(script, place)), script);
    }
  });

  test('what nobody can compare later is not kept', async () => {
    const place = workspace({ 'x.js': '', 'wait.sh': '#!/bin/sh\nread -t 1 x < /dev/tty\n' });
    await settle();
    const scripts = [
      'node -e \'console.log(require("os").loadavg()); require("fs").readFileSync("/proc/loadavg")\'',
      'node -e \'require("net").connect(80, "192.0.2.1").on("error", () => {})\'',
      'node -e \'require("fs").statfsSync(".")\'',
      'node -e \'require("fs").renameSync("d", "e"); console.log(require("fs").readFileSync("e/f", "utf8"))\'',
      'node -e \'require("fs").symlinkSync("d", "l"); console.log(require("fs").readFileSync("l/f", "utf8"))\'',
      'true',
    ];
    fs.mkdirSync(path.join(place, 'd'));
    fs.writeFileSync(path.join(place, 'd/f'), 'f');
    await settle();
    for (const script of scripts) {
      await predict(script, place);
      assert.ok(!isRemembered(await predict(script, place)), script);
    }
  });

  test('what is volatile stays marked, and an old run does not count', async () => {
    const place = workspace({ 'now.js': 'console.log("x"); console.log(Date.now())' });
    await settle();
    await predict('node now.js', place);
    const again = await predict('node now.js', place);
    assert.ok(isRemembered(again));
    assert.ok(again.output.some(({ volatile }) => volatile));
    assert.ok(!isRemembered(await predict('node now.js', place, { ...shut, memory: { ...memory, mostAgeMs: 1 } })));
    assert.ok(!isRemembered(await predict('node now.js', place, { memory: { ...memory, version: 'next' } })));
    assert.ok(!isRemembered(await predict('node now.js', place, { memory: { ...memory, isFresh: true } })));
    assert.ok(clearKept(memory.folder, place) > 0);
    assert.ok(!isRemembered(await predict('node now.js', place, shut)));
  });

  test('who may have asked for the hour is answered for within it, others for a day', async () => {
    const place = await project();
    const kept = (script: string) => {
      for (const name of fs.readdirSync(memory.folder)) {
        const file = path.join(memory.folder, name, 'run.json');
        const run = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : undefined;
        if (run?.script === script && run.cwd === place) return { file, run };
      }
      return assert.fail(`${script} is not kept`);
    };
    const greets = 'node -e "console.log(new Date().getHours() < 24)"';
    const plain = 'node -e "console.log(1)"';
    for (const script of [greets, plain]) await predict(script, place);
    assert.equal(kept(plain).run.machine.hour, undefined);
    const { file, run } = kept(greets);
    assert.ok(isRemembered(await predict(greets, place, shut)));
    fs.writeFileSync(file, JSON.stringify({ ...run, machine: { ...run.machine, hour: 'the hour before' } }));
    const later = await predict(greets, place, shut);
    assert.ok(!isRemembered(later));
    assert.deepEqual(changedOf(later), ['hour']);
  });

  test('the memory stays as small as it should, and is nobody else’s', async () => {
    const place = workspace({ 'w.js': 'require("fs").writeFileSync("big", Buffer.alloc(400000, process.argv[2]))' });
    const small = { ...memory, folder: path.join(folder, 'small'), mostBytes: 1_000_000 };
    await settle();
    for (const word of ['a', 'b', 'c']) await predict(`node w.js ${word}`, place, { memory: small });
    const kept = listKept(small.folder);
    assert.deepEqual(kept.map(({ script }) => script).sort(), ['node w.js b', 'node w.js c']);
    assert.equal(fs.statSync(small.folder).mode & 0o777, 0o700);
    fs.chmodSync(small.folder, 0o755);
    assert.ok(!isRemembered(await predict('node w.js c', place, { memory: small })));
  });
});

/** Changes of one input each, and the name under which each is told. */
const changes: readonly (readonly [what: string, change: (at: (name: string) => string) => unknown, told: string])[] = [
  ['content', (at) => fs.writeFileSync(at('data/a.txt'), 'other\n'), 'data/a.txt'],
  [
    'content of the same length, with its old time',
    (at) => {
      const { atime, mtime } = fs.statSync(at('data/a.txt'));
      fs.writeFileSync(at('data/a.txt'), 'z\n');
      fs.utimesSync(at('data/a.txt'), atime, mtime);
    },
    'data/a.txt',
  ],
  ['time alone', (at) => fs.utimesSync(at('data/b.txt'), 1, 1), 'data/b.txt'],
  ['mode', (at) => fs.chmodSync(at('data/b.txt'), 0o600), 'data/b.txt'],
  ['deletion', (at) => fs.rmSync(at('data/a.txt')), 'data/a.txt'],
  ['a new file in a listed folder', (at) => fs.writeFileSync(at('data/list/two'), ''), 'data/list'],
  ['a file gone from a listed folder', (at) => fs.rmSync(at('data/list/one')), 'data/list'],
  ['a file renamed in a listed folder', (at) => fs.renameSync(at('data/list/one'), at('data/list/eno')), 'data/list'],
  ['a config that was looked for', (at) => fs.writeFileSync(at('config.json'), '{}'), 'config.json'],
  ['a file that was asked for', (at) => fs.writeFileSync(at('data/maybe'), ''), 'data/maybe'],
  ['a package.json above', (at) => fs.writeFileSync(at('package.json'), '{}'), 'package.json'],
  [
    'the target of a link',
    (at) => {
      fs.rmSync(at('link'));
      fs.symlinkSync('data/c.txt', at('link'));
    },
    'link',
  ],
  ['a program', (at) => fs.writeFileSync(at('tool.sh'), '#!/bin/sh\necho new\n'), 'tool.sh'],
  ['a program that may not be run', (at) => fs.chmodSync(at('tool.sh'), 0o644), 'tool.sh'],
  ['the script', (at) => fs.appendFileSync(at('app.js'), '\nconsole.log(1)'), 'app.js'],
  [
    'a folder in the place of a file',
    (at) => {
      fs.rmSync(at('data/a.txt'));
      fs.mkdirSync(at('data/a.txt'));
    },
    'data/a.txt',
  ],
  [
    'a file in the place of a folder',
    (at) => {
      fs.rmSync(at('data/sub'), { recursive: true });
      fs.writeFileSync(at('data/sub'), '');
    },
    'data/sub',
  ],
  ['what would be removed', (at) => fs.appendFileSync(at('old.txt'), 'more'), 'old.txt'],
  ['a folder that would be made', (at) => fs.mkdirSync(at('out')), 'out'],
  ['a variable', () => ({ env: { ...usual, MODE: 'two' } }), 'MODE'],
  ['a new variable', () => ({ env: { ...usual, NODE_OPTIONS: '--no-warnings' } }), 'NODE_OPTIONS'],
  ['a program further ahead in PATH', (at) => ({ env: { ...usual, PATH: `${at('data')}:${usual.PATH}` } }), 'PATH'],
  [
    'another program under a name of PATH',
    (at) => fs.symlinkSync(process.execPath, path.join(at('..'), 'bin', 'node')),
    '../bin/node',
  ],
];

describe('what changed is noticed, and named', () => {
  for (const [what, change, told] of changes) {
    test(what, async () => {
      const place = await project();
      const bin = path.join(folder, 'bin');
      fs.mkdirSync(bin, { recursive: true });
      const env = { ...usual, PATH: `${bin}:${usual.PATH}` };
      const options = told === '../bin/node' ? { env } : {};
      await predict('node app.js', place, options);
      assert.ok(
        isRemembered(await predict('node app.js', place, { ...options, ...shut })),
        'it is remembered at first',
      );
      const given = (change((name) => path.join(place, name)) as Options | undefined) ?? options;
      const next = await predict('node app.js', place, { ...given, ...shut });
      assert.ok(!isRemembered(next));
      assert.deepEqual([next.ending, next.stdout], ['abstained', ''], 'nothing is run without consent');
      const names = changedOf(next);
      assert.ok(names.includes(told) || names.includes(path.join(place, told)), names.join());
      fs.rmSync(bin, { recursive: true });
    });
  }
});

test(`${edits} random edits: what is remembered is what a fresh rehearsal says`, async (context) => {
  const pick = seeded(seed);
  const place = await project();
  let hits = 0;
  for (let round = 0; round < edits; round++) {
    edit(place, pick);
    await settle();
    const remembered = await predict('node app.js', place, shut);
    const fresh = await predict('node app.js', place, { memory: { ...memory, isFresh: true } });
    if (!isRemembered(remembered)) continue;
    hits += 1;
    assert.deepEqual(asSaid(remembered), asSaid(fresh), `round ${round}`);
  }
  context.diagnostic(`${hits} of ${edits} were answered from memory, on ${os.availableParallelism()} processors`);
  assert.ok(hits > edits / 20, `only ${hits} hits say little`);
});
