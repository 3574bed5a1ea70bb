import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLeftToChance } from '../../src/core/programs/leftToChance.ts';
import { printsByChance } from '../../src/core/worlds/confined/certainty/order.ts';
import { emptyRecord } from '../../src/core/worlds/confined/wire/runRecord.ts';

const files: Readonly<Record<string, string>> = {
  '/w/main.go': 'package main\nfunc main() { fmt.Println(1) }\n',
  '/w/main_test.go': `package main
func TestGet(t *testing.T) { t.Log(1) }
func TestBeside(t *testing.T) {
  t.Parallel()
}
func ExampleMain() {}
`,
};

function isByChance(...argv: string[]): Promise<boolean> {
  const program = {
    id: 1,
    pid: 1,
    argv,
    cwd: '/w',
    realPath: '/usr/bin/go',
    unsure: false,
    isLetIn: true,
    exitCode: 0,
  };
  const named = Object.keys(files).map((path) => ({
    ...{ path, isOpened: true, isMoved: false, isLinked: false, isDisk: false, wasThere: true },
  }));
  const read = async (file: string) => Buffer.from(files[file] ?? '');
  return printsByChance({ ...emptyRecord(), programs: [program] }, named, read);
}

test('tests that run beside each other print in an order of chance where they are run', async () => {
  for (const words of ['-v', '-v -run Beside', '-v -run=TestB', '-v -run Test/x', '-json', '-v -run (?!x)'])
    assert.equal(await isByChance('go', 'test', './...', ...words.split(' ')), true, words);
  for (const words of ['-v -run TestGet', '-run=^TestGet$ -v', '-v -test.run Get/x', '-v -run Example'])
    assert.equal(await isByChance('go', 'test', './...', ...words.split(' ')), false, words);
});

test('what is no test is not run by go run, whatever its tests do', async () => {
  assert.equal(await isByChance('go', 'run', '.'), false);
});

test('numbers that begin with a constant are no chance in Go', () => {
  assert.equal(isLeftToChance('go', ['rand.Seed(1)\nfmt.Println(rand.Intn(2))']), false);
  assert.equal(isLeftToChance('go', ['r := rand.New(rand.NewSource(42))']), false);
  assert.equal(isLeftToChance('go', ['rand.Seed(time.Now().Unix())\nrand.Intn(2)']), true);
});
