import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measuredLines, showsDurations, tellsDuration } from '../../src/core/worlds/confined/certainty/durations.ts';
import { emptyRecord, type RecordedProgram } from '../../src/core/worlds/confined/wire/runRecord.ts';

/** What test runners, builds and benchmarks print of how long they took. */
const durations = [
  'real\t0m0.012s',
  '0.00user 0.01system 0:00.02elapsed 87%CPU',
  'sys 0.00',
  'Files=1, Tests=2,  0 wallclock secs ( 0.00 usr  0.02 sys +  0.01 cusr  0.00 csys =  0.03 CPU)',
  '1 passed in 0.03s',
  'Ran 3 tests in 0.001s',
  'Finished in 0.00123 seconds (files took 0.08 seconds to load)',
  'Time: 00:00.012, Memory: 4.00 MB',
  'Time Elapsed 00:00:01.23',
  'BenchmarkJoin-8   \t 1000000\t      1023 ns/op',
  'parse  time: [1.2031 µs 1.2040 µs 1.2049 µs]',
  '  took 3 milliseconds',
  'finished in 1 min',
  'Total Test time (real) =   0.01 sec',
  '  "duration": 12.5,',
  '1,204 ops/sec',
  'Finished in 0.001s, 1000.0 runs/s, 2000.0 assertions/s.',
  '100 bytes copied, 0.0001 s, 1.0 MB/s',
];

const others = [
  'ok 1 - adds two numbers',
  '2 users, 3 groups',
  'uses 5 systems',
  'version 1.2.3 (build 45)',
  'Tests: 3 passed, 3 total',
  'src/time.ts:12:3 error',
  'time zone 5',
  'const minutes = 60 * 5;',
  '4096 bytes',
  'chapter 3 minds the gap',
];

test('a line that tells how long something took is known by its form', () => {
  assert.deepEqual(
    durations.filter((line) => !tellsDuration(line, '')),
    [],
  );
  assert.deepEqual(
    others.filter((line) => tellsDuration(line, '')),
    [],
  );
});

test('in a file only what can hardly be anything else is a measured time, and no longer than the run', () => {
  const told = [
    '7 passed, 1 skipped in 0.03s',
    'real\t0m0.012s',
    '0.00user 0.01system 0:00.02elapsed 87%CPU',
    '<testsuite tests="3" time="0.031">',
    '  "duration": 12.5,',
    'Done (12 ms)',
    '# duration_ms 3.25',
    'Total Test time (real) =   0.01 sec',
    'BenchmarkJoin-8   \t 1000000\t      1023 ns/op',
    'Finished in 0s',
    'ok  \texample.invalid/app/store\t0.031s',
    '{"/home/ada/web/test/cart.test.js":[1,12],"/home/ada/web/test/price.test.ts":[0,9]}',
  ];
  const settings = [
    '.menu { transition: opacity 0.2s ease; animation-duration: 0.3s; }',
    'timeout = 5s',
    '// waits in 3 s, or after 20 minutes',
    'It took 4.5 s on a slow machine.',
    'sleep 0.2',
    '{ "timeout": 0.5, "retries": 3 }',
    'time 5',
    '{"point":[0,5]}',
  ];
  assert.deepEqual(measuredLines([...told, ...settings].join('\n'), 2000, ''), told);
});

test('a duration that stands in the script is none that was measured', () => {
  const script = "printf 'handled a (35 ms)\\n' > log; cat log; echo 'took 5s'";
  assert.equal(tellsDuration('handled a (35 ms)', script), false);
  assert.equal(tellsDuration('handled b (35 ms)', script), true);
  assert.equal(tellsDuration('took 5s', script), false);
  assert.equal(tellsDuration('5s', script), true);
  assert.deepEqual(measuredLines('handled a (35 ms)\ndone (35 ms)\n', 2000, script), ['done (35 ms)']);
});

const ran = (argv: string[], also: Partial<RecordedProgram> = {}) => {
  const program = { id: 1, pid: 1, argv, cwd: '/', realPath: argv[0] ?? '', unsure: false, ...also };
  return { ...emptyRecord(), programs: [program] };
};
const known = { isLetIn: true, isKnown: true } as const;

test('what only passes on what files hold measures nothing, whatever stands in them', () => {
  const reads = 'print(open("app.log").read())';
  assert.equal(showsDurations(ran(['head', '-3', 'app.log']), 'head -3 app.log'), false);
  assert.equal(showsDurations(ran(['python3', '-c', reads], known), `python3 -c '${reads}'`), false);
  assert.equal(showsDurations(ran(['perl', '-ne', 'print if /a/', 'app.log'], known), ''), false);
  assert.equal(showsDurations(ran(['gofmt', 'main.go'], known), 'gofmt main.go'), false);
  // Whoever consents to it knows no less of it.
  const given = { isLetIn: true } as const;
  assert.equal(showsDurations(ran(['python3', '-c', reads], given), `python3 -c '${reads}'`), false);
  assert.equal(showsDurations(ran(['python3', '-'], given), `python3 - <<'X'\n${reads}\nX`), false);
});

test('what may look at a clock, or is not known, may measure', () => {
  for (const code of [
    'import time; print(time.time())',
    'from timeit import timeit',
    'import datetime',
    'import os; print(os.times())',
    'import subprocess; subprocess.run(["make"])',
  ])
    assert.equal(showsDurations(ran(['python3', '-c', code], known), ''), true, code);
  for (const code of ['console.time("a")', 'Date.now()', 'performance.now()', 'process.hrtime.bigint()'])
    assert.equal(showsDurations(ran(['node', '-e', code], known), ''), true, code);
  // A here-document.
  assert.equal(showsDurations(ran(['python3', '-'], known), "python3 - <<'X'\nimport time\nX"), true);
  for (const code of ['import shop; print(shop.total())', 'exec(open("x.py").read())'])
    assert.equal(showsDurations(ran(['python3', '-c', code], { isLetIn: true }), ''), true, code);
  assert.equal(showsDurations(ran(['npm', 'ls'], known), 'npm ls'), true);
  assert.equal(showsDurations(ran(['ls']), 'time ls'), true);
});
