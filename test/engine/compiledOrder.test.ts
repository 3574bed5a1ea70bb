import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { foldAll } from '../../src/core/foretell.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

/** In which order compiled programs print whose threads, processes and tables have none. */

const { foretell, folder } = throwAwayForetell('compiledOrder');

const hasCompiler = spawnSync('cc', ['--version']).status === 0;
const searchPath = '/usr/local/bin:/usr/bin:/bin';

function compile(name: string, code: string): void {
  fs.writeFileSync(path.join(folder, `${name}.c`), code);
  const { status, stderr } = spawnSync('cc', ['-pthread', `${name}.c`, '-o', name], { cwd: folder });
  assert.equal(status, 0, String(stderr));
}

/** Whether each piece of the output is certain. */
async function predict(script: string) {
  const action = { kind: 'command', script, shell: 'bash', cwd: folder } as const;
  const env = { PATH: searchPath, HOME: folder };
  const { events, view } = foretell.predict({ action, env, openGate: true, signal: new AbortController().signal });
  const { ending, output } = await foldAll(action, events);
  await view.close();
  assert.equal(ending, 'done', script);
  return { text: output.map(({ text }) => text).join(''), isCertain: output.every(({ volatile }) => !volatile) };
}

const twoThreads = (work: string) => `#include <pthread.h>
#include <stdio.h>
void *work(void *name) { ${work}; return name; }
int main() {
  pthread_t threads[2];
  void *name;
  for (int i = 0; i < 2; i++) pthread_create(threads + i, 0, work, i ? "b" : "a");
  for (int i = 0; i < 2; i++) { pthread_join(threads[i], &name); printf("%s ended\\n", (char *)name); }
}
`;

test('which of two threads prints first is chance, and what is printed when they have ended is not', {
  skip: !hasCompiler,
}, async () => {
  compile('printing', twoThreads('puts(name); fflush(stdout)'));
  assert.equal((await predict('./printing')).isCertain, false);
  compile('silent', twoThreads('(void)name'));
  assert.deepEqual(await predict('./silent'), { text: 'a ended\nb ended\n', isCertain: true });
});

test('which of a process and its child prints first is chance, unless it waits', { skip: !hasCompiler }, async () => {
  const forked = (wait: string) => `#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int main() {
  if (fork() == 0) { puts("child"); return 0; }
  ${wait} puts("parent"); fflush(stdout); wait(0);
}
`;
  compile('forking', forked(''));
  assert.equal((await predict('./forking')).isCertain, false);
  compile('waiting', forked('wait(0);'));
  assert.deepEqual(await predict('./waiting'), { text: 'child\nparent\n', isCertain: true });
});

test('a number that is drawn by the second is chance, also where two runs agree', { skip: !hasCompiler }, async () => {
  const drawing = (seed: string) => `#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main() { srand(${seed}); printf("%d\\n", rand() % 2); }
`;
  compile('drawing', drawing('time(0)'));
  assert.equal((await predict('./drawing')).isCertain, false);
  compile('seeded', drawing('7'));
  assert.equal((await predict('./seeded')).isCertain, true);
});
