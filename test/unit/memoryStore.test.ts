import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import {
  forgetCommand,
  type KeptRun,
  keepRun,
  listKept,
  makeMemory,
  usualLimits,
} from '../../src/core/worlds/remembered/memoryStore.ts';

test('what a real run has shown to come out otherwise is forgotten, and nothing else', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-memory-'));
  try {
    assert.ok(makeMemory(folder));
    const around = { format: 1, workspace: '/w', madeAt: '2026-01-01T00:00:00Z' } as const;
    const nothing = { inputs: [], events: [], contents: [], variables: {}, machine: {} };
    const runs = [
      ['npm test', '/w'],
      ['npm test', '/w/sub'],
      ['npm test', '/w'],
      ['npm run lint', '/w'],
    ] as const;
    for (const [at, [script, cwd]] of runs.entries()) {
      const kept: KeptRun = { ...around, ...nothing, script, cwd };
      keepRun({ folder, version: '1', ...usualLimits }, String(at).repeat(64), kept, []);
    }
    assert.equal(forgetCommand(folder, { script: 'npm test', cwd: '/w' }), 2);
    const left = listKept(folder).map(({ script, cwd }) => `${script} in ${cwd}`);
    assert.deepEqual(left.sort(), ['npm run lint in /w', 'npm test in /w/sub']);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});
