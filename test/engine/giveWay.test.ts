import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { giveWayUntil } from '../../src/core/worlds/confined/runWork.ts';

/** While the run that is shown works, its check has what processors that leaves. */

const hasGroups = fs.existsSync('/proc/self/autogroup');

test('a run gives way until it need not, in a session of its own', { skip: !hasGroups }, async () => {
  // As a launcher has a tracer, and that a program.
  const launcher = spawn('bash', ['-c', 'bash -c "setsid cat; :"; :'], { stdio: ['pipe', 'ignore', 'ignore'] });
  // A process may be gone by the time that it is asked about.
  const read = (file: string) => {
    try {
      return fs.readFileSync(file, 'utf8');
    } catch (error) {
      return String((error as NodeJS.ErrnoException).code);
    }
  };
  const shareOf = (pid: string) => {
    const text = read(`/proc/${pid}/autogroup`);
    return text.match(/nice (-?\d+)/)?.[1] ?? text;
  };
  const childOf = (pid: string | number | undefined) => read(`/proc/${pid}/task/${pid}/children`).trim();
  let end = () => {};
  const given = giveWayUntil(
    launcher.pid,
    new Promise<void>((resolve) => {
      end = resolve;
    }),
  );
  try {
    let program = '';
    for (let tries = 0; tries < 500; tries += 1) {
      program = childOf(childOf(launcher.pid) || launcher.pid);
      if (program && shareOf(program) === '10') break;
      await setTimeout(10);
    }
    assert.equal(shareOf(program), '10');
    end();
    await given;
    assert.equal(shareOf(program), '0');
  } finally {
    end();
    launcher.stdin.end();
  }
});
