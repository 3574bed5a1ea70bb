import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rehearseParts } from '../../../src/core/context/gather/rehearseParts.ts';
import { findNamedPrograms } from '../../../src/core/context/gather/scriptPrograms.ts';
import type { Looker } from '../../../src/core/view/view.ts';

/** What would be run for a script, and what is shown of it. */
async function partsOf(script: string): Promise<{ run: string[]; shown: string[] }> {
  const run: string[] = [];
  const looker: Looker = {
    async look(argv, { env }) {
      const commands = [...(argv[2] ?? '').matchAll(/&& (.*)\) 2>&1; printf/g)].map(([, command = '']) => command);
      run.push(...commands);
      const said = commands.map((one) => `said\n\n${env?.['MARK'] ?? ''} ${one.startsWith('stat') ? 127 : 0}\n`);
      return { exitCode: 0, stdout: Buffer.from(said.join('')), stderr: '' };
    },
  };
  const programs = findNamedPrograms(script, { cwd: '/w', home: '/home/ada' });
  const signal = new AbortController().signal;
  const found = await rehearseParts(programs, { looker, cwd: '/w', signal, isWhole: programs.length === 1 });
  return { run, shown: found.map(({ look }) => (look.kind === 'run' ? look.command : '')) };
}

test('parts that only look are run, others are not', async () => {
  const { run } = await partsOf(
    'df -h / | tail -1; cd src && ls -l *.ts; node build.js; rm -rf dist; echo x > y; date',
  );
  assert.deepEqual(run, ['df -h /', 'ls -l *.ts']);
});

test('the whole of what is asked is no part of it', async () => {
  assert.deepEqual((await partsOf('uname -s -m')).run, []);
  assert.deepEqual((await partsOf('wc -l < /etc/passwd')).run, []);
});

test('a file of the kernel that is named is read, whoever names it', async () => {
  assert.deepEqual((await partsOf("grep -m1 'model name' /proc/cpuinfo")).run, ['head -n 40 /proc/cpuinfo']);
  assert.deepEqual((await partsOf('cat /proc/self/environ; cat /proc/1/cmdline')).run, []);
});

test('words that are not known, and what is written, are left alone', async () => {
  const { run } = await partsOf(
    'ls "$UNKNOWN"; ls $(cat list); du -s . > sizes; find . -name "*.md" | xargs wc -l; true',
  );
  assert.deepEqual(
    run.filter((command) => !command.startsWith('find')),
    [],
  );
});

test('what would change something is not run, what is not there is not shown', async () => {
  const { run, shown } = await partsOf('find . -name "*.o" -delete; stat a; ls b; true');
  assert.deepEqual(run, ['stat a', 'ls b']);
  assert.deepEqual(shown, ['ls b']);
});

test('at most six parts are run', async () => {
  const { run } = await partsOf(Array.from({ length: 20 }, (_, index) => `ls ${index}`).join('; '));
  assert.equal(run.length, 6);
});
