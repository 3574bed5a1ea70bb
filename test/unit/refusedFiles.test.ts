import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusedFiles } from '../../src/core/worlds/confined/certainty/refusedFiles.ts';
import { emptyRecord, type RecordedProgram } from '../../src/core/worlds/confined/wire/runRecord.ts';

/** What is said of programs that failed at files of the kernel. */
function neededBy(argv: string[], { exitCode = 1, cwd = '/', parts = ['/'] } = {}): string[] {
  const program: Partial<RecordedProgram> = { id: 1, argv, cwd, realPath: `/usr/bin/${argv[0]}`, exitCode };
  const record = { ...emptyRecord(), parts, programs: [program as RecordedProgram] };
  const link = { path: '/w/s', change: 'created', type: 'symlink', target: '/sys', mode: '0777' } as const;
  const doubts = refusedFiles(record, [{ ...link, sizeBytes: 4, volatile: false }]);
  return doubts.flatMap((doubt) => (doubt.kind === 'needsMachine' ? doubt.what : []));
}

test('what fails at a file of the kernel in a view may be done by the machine', () => {
  assert.deepEqual(neededBy(['mkdir', '/sys/fs/cgroup/x']), ['/sys/fs/cgroup/x']);
  assert.deepEqual(neededBy(['mkdir', 'x'], { cwd: '/sys/kernel' }), ['/sys/kernel/x']);
  assert.deepEqual(neededBy(['mkdir', 's/x'], { cwd: '/w' }), ['/w/s/x']);
  assert.deepEqual(neededBy(['chmod', '600', '/proc/version']), ['/proc/version']);
  assert.deepEqual(neededBy(['rm', '-f', '/proc/version']), ['/proc/version']);
});

test('what nobody can do, only reads, or succeeded is certain; and so is what supervision answers', () => {
  assert.deepEqual(neededBy(['mkdir', '/proc/new']), []);
  assert.deepEqual(neededBy(['cat', '/sys/nothing']), []);
  assert.deepEqual(neededBy(['mkdir', '/sys/x'], { exitCode: 0 }), []);
  assert.deepEqual(neededBy(['mkdir', '/sys/x'], { parts: [] }), []);
  assert.deepEqual(neededBy(['mkdir', '/work/x']), []);
});

test('what is moved between two overlays of one file system is certain where mv copied it, and says no words of that', () => {
  const doubtsOf = (argv: string[], exitCode: number) => {
    const program = { id: 1, argv, cwd: '/w', realPath: `/usr/bin/${argv[0]}`, exitCode } as RecordedProgram;
    const effect = {
      type: 'effect',
      kind: 'crossesParts',
      pid: 1,
      detail: '/w/a → /x/a',
      unsure: false,
      program,
    } as const;
    return refusedFiles({ ...emptyRecord(), parts: ['/w', '/x'], programs: [program], effects: [effect] }, []);
  };
  assert.deepEqual(doubtsOf(['mv', 'a', '/x/'], 0), []);
  for (const [argv, exitCode] of [
    [['mv', 'a', '/x/'], 1],
    [['mv', '-v', 'a', '/x/'], 0],
    [['python3', 'move.py'], 0],
    [['ln', 'a', '/x/'], 1],
  ] as const)
    assert.deepEqual(doubtsOf([...argv], exitCode), [{ kind: 'movesAcross' }]);
});
