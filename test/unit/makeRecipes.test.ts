import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lookThrough } from '../../src/core/programs/lookThrough.ts';

/** What make would start, by its makefile. */

const makefile = `# A project.
NAME = app
DIR := build/$(NAME)
FLAGS ?= -O2
FLAGS += -g # for debugging
.PHONY: all clean \\
  install test

all: $(DIR) docs
	@echo made $@ of $^
$(DIR): main.c
	mkdir -p $(DIR)
	$(CC) $(FLAGS) -o $@/$< \\
	  && echo "$$HOME"
clean: ; -$(RM) -r build
install: clean test
	install app $(DESTDIR)/bin
test:
	@+cd test; \${MAKE} all

worked: ; echo $(shell date)
short: ; echo $(@D)
round: round2
	echo x
round2: round
	echo y
makes: other
docs:
	generate docs
`;

const files: Record<string, string> = {
  '/w/Makefile': makefile,
  '/w/main.c': '',
  '/w/other.sh': '',
  '/w/docs/a': '',
  '/w/rules.mk': 'go:\n\tls\n',
  '/conditional/makefile': 'ifdef X\nendif\nall:\n\tls\n',
  '/includes/GNUmakefile': '-include config.mk\nall:\n\tls\n',
  '/pattern/Makefile': '%.html: %.md\n\tpandoc $<\n',
  '/special/Makefile': '.ONESHELL:\nall:\n\tls\n',
  '/own/Makefile': 'all: X = 1\nall:\n\tls\n',
  '/double/Makefile': 'all:: a\n\tls\n',
  '/sub/w/Makefile': 'first: second\n\tlast\nsecond:\n\tls\n',
};
const isThere = async (path: string) => Object.keys(files).some((file) => file === path || file.startsWith(`${path}/`));
const look = (command: string | string[], cwd = '/w', env: Record<string, string> = { PATH: '/usr/bin' }) =>
  lookThrough(
    { argv: typeof command === 'string' ? command.split(' ') : command, cwd, env },
    async (path) => files[path],
    isThere,
  );

async function steps(command: string | string[], cwd?: string, env?: Record<string, string>) {
  const result = await look(command, cwd, env);
  assert.ok(result?.ok && !result.exact, JSON.stringify(result));
  return result.steps;
}

const scripts = async (...call: Parameters<typeof steps>) => (await steps(...call)).map((step) => step.shellScript);

test('make starts the recipe of a target behind those of what it needs', async () => {
  assert.deepEqual(await scripts('make install'), [
    '( rm -f -r build\n) || :',
    'cd test; make all',
    'install app /bin',
  ]);
  const [first, second] = await steps('gmake -s clean test');
  assert.deepEqual(first?.label, { kind: 'line', by: 'make', words: 'rm -f -r build' });
  assert.deepEqual(
    [first?.printed, second?.printed, second?.shellScript],
    [undefined, undefined, 'cd test; gmake all'],
  );
  const [shown] = await steps('make clean');
  assert.deepEqual([shown?.printed?.stdout, shown?.cwd], ['rm -f -r build\n', '/w']);
  assert.deepEqual(await scripts('make', '/sub/w'), ['ls', 'last']);
  assert.deepEqual(await scripts('make -C w second', '/sub'), ['ls']);
  assert.deepEqual(await scripts('make --file=rules.mk -j 4 go'), ['ls']);
});

test('variables come from the command line, the makefile and the environment', async () => {
  assert.deepEqual(await scripts('make build/app'), [
    'mkdir -p build/app',
    'cc -O2 -g  -o build/app/main.c \\\n  && echo "$HOME"',
  ]);
  const [made, compiled] = await steps(['make', 'build/app', 'CC=gcc', 'FLAGS=-O0 -s'], '/w', {
    NAME: 'x',
    FLAGS: '-e',
  });
  assert.equal(compiled?.shellScript, 'gcc -O0 -s -o build/app/main.c \\\n  && echo "$HOME"');
  assert.deepEqual(made?.env, { MAKELEVEL: '1', CC: 'gcc', FLAGS: '-O0 -s', NAME: 'app' });
  assert.equal((await scripts('make build/app', '/w', { FLAGS: '-e' }))[1]?.includes('cc -e -g  -o'), true);
  assert.equal((await scripts('make install', '/w', { DESTDIR: '/tmp/x' })).at(-1), 'install app /tmp/x/bin');
});

test('a target that is there and needs nothing is not made, and one that needs something is for make to say', async () => {
  assert.deepEqual(await scripts('make all'), [
    'mkdir -p build/app',
    'cc -O2 -g  -o build/app/main.c \\\n  && echo "$HOME"',
    'echo made all of build/app docs',
  ]);
  assert.equal((await scripts('make -B all')).includes('generate docs'), true);
  files['/w/build/app'] = '';
  const result = await look('make all');
  delete files['/w/build/app'];
  assert.ok(result && !result.ok);
  assert.match(result.reason, /up to date/);
});

test('what make would work out is told, not guessed', async () => {
  for (const [command, cwd, words] of [
    ['make nope', '/w', /no rule for nope/],
    ['make docs', '/w', /nothing to do/],
    ['make worked', '/w', /worked out/],
    ['make short', '/w', /worked out/],
    ['make round', '/w', /needs itself/],
    ['make makes', '/w', /rule of its own/],
    ['make -n clean', '/w', /-n/],
    ['make -k clean', '/w', /-k/],
    ['make -f - clean', '/w', /its input/],
    ['make', '/none', /no makefile/],
    ['make', '/conditional', /more than plain/],
    ['make', '/includes', /more than plain/],
    ['make', '/pattern', /more than plain/],
    ['make', '/special', /more than plain/],
    ['make', '/own', /more than plain/],
    ['make', '/double', /more than plain/],
  ] as const) {
    const result = await look(command, cwd);
    assert.ok(result && !result.ok, command + JSON.stringify(result));
    assert.match(result.reason, words, command);
  }
  const told = await look('make clean', '/w', { MAKEFLAGS: 'n' });
  assert.ok(told && !told.ok);
});
