import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { foldAll } from '../../src/core/foretell.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

/** On which processors programs may run: a thread that stops often is taken to another one, and nobody must learn of that. */

const { folder, foretell: usual } = throwAwayForetell('processors');
process.env['FORETELL_ENGINE'] = 'supervision';
const { foretell: supervised } = throwAwayForetell('processorsSupervised');
delete process.env['FORETELL_ENGINE'];
const env = { PATH: '/usr/bin:/bin', HOME: folder, LC_ALL: 'C.UTF-8' };
const skip =
  availableParallelism() < 2
    ? 'there is one processor'
    : spawnSync('/usr/bin/python3', ['--version']).error
      ? 'Python is not installed'
      : false;

/** Asks for many names, so that it stops as often, and then for its processors. */
const python = (then: string) => `python3 - <<'E'
import os, subprocess, sys, threading
first = min(os.sched_getaffinity(0))
def often():
    for i in range(200): os.path.exists('/none/%d' % (i % 7))
def show(): print(sorted(os.sched_getaffinity(0)), flush=True)
often()
${then}
E`;

const scripts = [
  python('show()'),
  python("subprocess.run(['nproc'])"),
  python(
    'for i in range(20):\n    often()\n    if os.fork() == 0:\n        show()\n        os._exit(0)\n    os.wait()',
  ),
  python('for i in range(20):\n    often()\n    one = threading.Thread(target=show)\n    one.start()\n    one.join()'),
  python("os.sched_setaffinity(0, [first])\noften()\nshow()\nsubprocess.run(['nproc'])"),
  python("os.system('taskset -pc %d' % os.getppid() + ' | sed s/.*list://')\noften()\nos.execvp('nproc', ['nproc'])"),
  python(
    'os.sched_setaffinity(0, [first])\nfor i in range(20):\n    often()\n    if os.fork() == 0:\n        show()\n        os._exit(0)\n    os.wait()',
  ),
  `taskset -c 0 ${python('show()')}`,
];

const engines = { usual, supervised };
const cases = Object.entries(engines).flatMap(([way, foretell]) =>
  scripts.map((script, index) => ({ way, foretell, script, index })),
);

for (const { way, foretell, script, index } of cases)
  test(`a program that asks for many names may run where it may (${way}, ${index + 1})`, { skip }, async () => {
    const action = { kind: 'command', script, shell: 'bash', cwd: folder } as const;
    const { events, view } = foretell.predict({
      ...{ action, env, openGate: true, signal: new AbortController().signal },
    });
    const { ending, endingReason, output } = await foldAll(action, events);
    await view.close();
    assert.equal(ending, 'done', endingReason);
    const real = spawnSync('/bin/bash', ['-c', script], { cwd: folder, env, encoding: 'utf8' });
    assert.equal(output.map(({ text }) => text).join(''), real.stdout + real.stderr);
    assert.ok(output.every(({ volatile }) => !volatile));
  });
