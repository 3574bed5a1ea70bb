import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { diagnosticsOf } from '../../../src/core/consequences/syntax.ts';

/** What is right in a language as it is today is not called an error; what is right is asked of the language's own tool. */

const typeScript: Record<string, string> = {
  'class.ts':
    'class A extends Z {\n  accessor name = "";\n  static accessor count = 0;\n  declare x: number;\n  override y = 1;\n}\n',
  'decorators.ts':
    '@sealed\nexport class A {\n  @log accessor x = 1;\n  @log() method(@inject() a: string) {}\n  constructor(private readonly b: B) {}\n}\nexport default @x class {}\n',
  'using.ts':
    'function f() {\n  using a = open();\n}\nasync function g() {\n  await using b = open();\n  for (using c of list) {}\n}\n',
  'satisfies.ts': 'const a = { b: 1 } satisfies Record<string, number>;\nconst c = <const>["x"];\nlet d = e!;\n',
  'attributes.ts':
    'import a from "./a.json" with { type: "json" };\nexport { b } from "./b.json" with { type: "json" };\n',
  'assertions.mts':
    'import data from "./a.json" with { type: "json" };\nconst x = await import("./a.json", { with: { type: "json" } });\n',
  'enums.ts': 'const enum A { B = 1 << 2, C }\ndeclare enum D { E }\nexport declare const enum F { G = "x" }\n',
  'types.ts':
    'type A<in out T> = T extends `a${infer U extends string}` ? U : never;\nfunction f<const T extends readonly unknown[]>(x: T): asserts x is T {}\ntype N = [a: string, b?: number, ...c: boolean[]];\ntype G = typeof f<string[]>;\nabstract class B { abstract get x(): number; static { } }\ntype O = { readonly [K in keyof A as `x${K & string}`]-?: A[K] };\n',
  'namespace.ts':
    'namespace A.B { export const c = 1; }\ndeclare module "x" { export default 1; }\nimport x = require("y");\nexport = x;\n',
  'overload.ts':
    'function f(a: string): void;\nfunction f(a: number): void;\nfunction f(a: unknown) {}\nexport type { A } from "a";\nimport { type B, type C as D } from "b";\n',
  'arrow.ts':
    'const f = <T,>(x: T) => x;\nconst g = async <T>(x: T): Promise<T> => x;\nnew Map<string, () => void>();\na?.b!.c;\nlet u: unique symbol;\n',
  'this.ts':
    'function f(this: Window, ...rest: string[]) {}\nclass A<T = {}> extends B<T>.C {}\nlet x: abstract new () => object;\n'.replace(
      'B<T>.C',
      'B<T>',
    ),
  'regex.ts':
    'const a = /(?<year>\\d+)[\\p{L}--[a-z]]/v;\nconst b = /(?i:x)/;\nconst c = 1_000n ** 2n;\na ||= b; c &&= d; e ??= f;\n',
  'defer.ts': 'import defer * as x from "./x.js";\n',
  'tags.tsx':
    'export const A = <T,>(p: { a: T }) => <><B<T> {...p} a:b="c" data-x={1}>{/* c */}&nbsp;</B></>;\nclass C { accessor x = <div />; }\n',
  'common.cts': 'import a = require("a");\nexport = { a };\nclass B { accessor c = 1; }\n',
};

const javaScript: Record<string, string> = {
  'private.js': 'class A { #x = 1; static #y() {} static { A.#y(); } has(o) { return #x in o; } }\n',
  'top.mjs':
    'import a from "./a.json" with { type: "json" };\nconst b = await a;\nexport * as c from "c";\nimport.meta.url;\n',
  'using.mjs': '{ using a = b; await using c = d; }\n',
  'accessor.js': 'class A { @dec accessor x = 1; @dec method() {} }\n',
  'regex.js': 'const a = /[\\p{L}&&[a-z]]/v, b = /(?<a>x)|(?<a>y)/, c = /(?s-i:.)/;\n',
  'tags.jsx': 'export default () => <a.b c={`x`} {...d}><>{e}</></a.b>;\n',
  'hashbang.js': '#!/usr/bin/env node\n"use strict";\nlabel: for (;;) break label;\n',
  'common.cjs': 'if (x) return;\nmodule.exports = { async *f() { yield* g(); } };\n',
  'source.mjs': 'import source x from "./x.wasm";\n',
  'flow.js': '// @flow\ntype A = { a: ?string };\nfunction f(x: A): string %checks { return !!x; }\n',
};

const python: Record<string, string> = {
  'match.py':
    'match command.split():\n    case ["go", direction] if direction in ok:\n        pass\n    case {"a": 1, **rest} | Point(x=0, y=_) as p:\n        pass\n    case _:\n        pass\nmatch = 1\nprint(match)\n',
  'generics.py':
    'type Alias[T] = list[T]\nclass A[T: (int, str), *Ts, **P](Base):\n    def f[U](self, x: U) -> U: ...\n',
  'fstrings.py':
    'a = f"{x!r:>{width}} {"nested " + f"{y}"}"\nb = f"{x=}"\nc = f\'\'\'{\n  x  # comment\n}\'\'\'\nd = rf"\\d{1}"\n',
  'walrus.py': 'if (n := len(a)) > 10: pass\nx = [y := 1, y**2]\nprint(f"{(z := 5)}")\n',
  'groups.py': 'try:\n    pass\nexcept* (A, B) as e:\n    pass\nwith (open("a") as f, open("b") as g):\n    pass\n',
  'arguments.py':
    'def f(a, /, b, *, c=1, **k): ...\nlambda x, /, *y: x\nasync def g():\n    async for i in h(): yield i\n    return [j async for j in k()]\n',
  'numbers.py': 'x = 1_000 + 0xFF_FF + 1e-3j + 0b1_0\na @= b\n*c, d = e\nprint(*c, **d)\nf = a[*b]\n',
  'star.py':
    'def f(*args: *Ts) -> None: ...\nx: int\ny: list[int] = []\nfor z in *a, *b: pass\nreturn_ = yield_ = 1\ndel (x), [y]\n',
  'decorator.py':
    '@a.b[0](c)\n@(lambda f: f)\ndef g(): pass\n@x\nclass C: ...\nnonlocal_ = 1\nassert x, "y"\nraise A from None\n',
  'soft.py': 'type = 1\ncase = 2\n_ = 3\nprint(type, case)\ntype X = int\nexec("x")\n',
  'yield.py': 'def f():\n    x = yield\n    yield\n    yield from g()\n    await_ = 1\n    return (yield x)\n',
};

const others: Record<string, string> = {
  'A.java':
    'record Circle(double r) {}\nclass B {\n  int f(Object o) {\n    return switch (o) {\n      case Circle(double r) when r > 1 -> 1;\n      case String s -> { yield 2; }\n      default -> 0;\n    };\n  }\n}\n',
  'a.php':
    '<?php\nenum Suit: string { case A = "a"; public function f(): string { return match($this) { self::A => "x" }; } }\nfinal readonly class P {}\nclass Q { public string $n { get => $this->n; } public private(set) int $m = 1; }\n',
  'a.go':
    'package a\n\ntype N interface{ ~int | ~float64 }\n\nfunc Sum[T N](xs ...T) (t T) {\n\tfor i := range 10 {\n\t\t_ = i\n\t}\n\treturn\n}\n',
  'a.rs': 'fn f() {\n    let Some(y) = z else { return };\n    if let Some(a) = b && let Ok(c) = d {}\n}\n',
  'a.css':
    '.a { &:hover { color: blue; } @media (width >= 600px) { color: green; } }\n@scope (.a) to (.b) { img { x: y } }\n',
};

async function errorsIn(path: string, text: string): Promise<string[]> {
  const found = await diagnosticsOf(`/w/${path}`, '', text);
  return found
    .filter(({ status }) => status === 'new')
    .map(({ line, message, severity }) => `${severity} ${line}: ${message}`);
}

/** What TypeScript's own compiler finds wrong with the form of the examples, by file. */
function compiled(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-syntax-'));
  try {
    for (const [name, text] of Object.entries(typeScript)) fs.writeFileSync(path.join(folder, name), text);
    const options = [
      '--ignoreConfig',
      '--noCheck',
      '--noEmit',
      '--noResolve',
      '--target',
      'esnext',
      '--module',
      'nodenext',
      '--jsx',
      'preserve',
    ];
    const tsc = path.resolve('node_modules/typescript/bin/tsc');
    const run = spawnSync(process.execPath, [tsc, ...options, ...Object.keys(typeScript)], {
      cwd: folder,
      encoding: 'utf8',
    });
    return `${run.stdout}${run.stderr}`;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

test('the examples are right: TypeScript takes all of them', () => {
  // Numbers below 2000 are those of the form.
  const wrong = compiled()
    .split('\n')
    .filter((line) => /error TS1\d{3}:|Unknown|error TS5/.test(line));
  assert.deepEqual(wrong, []);
});

for (const [path, text] of Object.entries(typeScript)) {
  test(`${path} has no new error`, async () => assert.deepEqual(await errorsIn(path, text), []));
}

for (const [path, text] of Object.entries(javaScript)) {
  test(`${path} has no new error`, async () => assert.deepEqual(await errorsIn(path, text), []));
}

for (const [path, text] of Object.entries(python)) {
  test(`Python's ${path} has no new error`, async (context) => {
    const own = spawnSync('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], {
      input: text,
      encoding: 'utf8',
    });
    if (own.status !== 0) context.diagnostic(`the python3 here is older: ${own.stderr.split('\n').at(-2)}`);
    assert.deepEqual(await errorsIn(path, text), []);
  });
}

for (const [path, text] of Object.entries(others)) {
  test(`${path} has no new error`, async () => assert.deepEqual(await errorsIn(path, text), []));
}

test('what is wrong is still called an error', async () => {
  assert.equal((await errorsIn('a.ts', 'class A { accessor accessor x = 1; }\n')).length, 1);
  assert.equal((await errorsIn('a.ts', 'const enum = 1;\n')).length, 1);
  assert.equal((await errorsIn('a.py', 'def f(:\n    pass\n')).length > 0, true);
  assert.equal((await errorsIn('a.py', 'with (open("a") as f:\n    pass\n')).length > 0, true);
  assert.equal((await errorsIn('A.java', 'class A { int x( { } }\n')).length > 0, true);
});

test('what is nested too deeply for a parser is not called wrong', async () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  for (const [path, text] of [
    ['a.json', deep],
    ['a.yaml', deep],
    ['a.toml', `a = ${deep}`],
    ['a.ts', `x = ${deep}`],
    ['a.py', `x = ${deep}`],
    ['a.sh', `${'$('.repeat(20_000)}${')'.repeat(20_000)}`],
    ['a.xml', `${'<a>'.repeat(20_000)}${'</a>'.repeat(20_000)}`],
    ['b.yaml', Array.from({ length: 2_000 }, (_, index) => `${' '.repeat(index)}a:`).join('\n')],
    ['b.ts', `x = ${'!'.repeat(20_000)}1`],
    ['c.ts', `x = ${'a ? b : '.repeat(20_000)}1`],
    ['d.ts', `x = ${'1 + '.repeat(100_000)}1`],
  ] as const)
    assert.deepEqual(await errorsIn(path, text), [], path);
});
