import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runsOnlyItself } from '../../src/core/programs/code/runsOnlyItself.ts';
import { isOwnCode } from '../../src/core/programs/ownCode.ts';

const runsOthers = (language: string, code: string) => runsOnlyItself(code, language) === undefined;

test('what evaluates, unpacks or loads code of others is found', () => {
  for (const code of [
    'exec(text)',
    'map(eval, lines)',
    'from builtins import exec as run',
    'print.__self__',
    'globals()["__builtins__"]',
    'import runpy',
    'import os, pickle',
    'from importlib.machinery import SourceFileLoader',
    'import ctypes; ctypes.CDLL(None)',
    'import sys; sys.path.insert(0, "a.zip"); import json',
    'from sys import path; path.append("a.zip")',
    'import own',
    'from . import own',
    '__import__(name)',
    'import logging.config',
    'from types import FunctionType',
    'import yaml; yaml.load(f, Loader=yaml.Loader)',
    'from yaml import safe_load, load; load(f)',
    'import pandas as pd; df.query("@a")',
    'import pandas as pd; pd.read_pickle("a")',
    'print(f"{exec(x)}")',
    // Since Python 3.12 and 3.14.
    'f"{""+str(exec(text))+""}"',
    'f"}}{""+str(exec(text))+""}"',
    't"{exec(text)}"',
    'breakpoint()',
    'from six import exec_; exec_(text)',
    'import inspect; inspect.get_annotations(f, eval_str=True)',
    'type(lambda: 0)(compile(text, "a", "exec"), {})()',
    'from multiprocessing import connection',
    'import multiprocessing as m; m.reduction.ForkingPickler',
    'import multiprocessing as m; a, b = m.Pipe(); a.send_bytes(text); b.recv()',
    'import logging.handlers as h; h.pickle.loads(text)',
    'import sys; p = sys.path; p.insert(0, "a.zip"); import json',
    'import sys; sys.path.__iadd__(["a.zip"]); import json',
    'import pkgutil; list(pkgutil.walk_packages(["a.zip"]))',
  ])
    assert.ok(runsOthers('python', code), code);
  for (const code of [
    'eval(text)',
    'new Function(text)()',
    'require(name)',
    'require("./own.js")',
    'require("lodash")',
    'import("./own.mjs")',
    'import own from "./own.mjs"',
    'const load = require; load("./a")',
    'process["binding"]("fs")',
    '[].constructor.constructor(text)()',
    'new WebAssembly.Module(bytes)',
    'const { constructor: F } = () => {}; F(text)()',
    'import("./a.json" + name)',
    'process.getBuiltinModule("module").runMain("./a.txt")',
  ])
    assert.ok(runsOthers('javascript', code), code);
  for (const code of [
    'eval $_',
    'eval',
    'do "./a"',
    'do $f',
    'require "./a"',
    's/(.*)/$1/ee',
    's{a}{b}gee',
    'use lib "."',
    'use if 1, "lib", "."',
    'do File::Spec->catfile(".", "a.txt")',
    'do catfile(".", "a.txt")',
    'do +"a.txt"',
    'do lc "A.TXT"',
    'require lc("A.TXT")',
    'unshift @INC, sub { $file }; require Foo',
    'use ExtUtils::MakeMaker; MM->parse_version("a.txt")',
    'use Text::Template; Text::Template->new(SOURCE => "a.txt")',
    's/a/eval/e',
    's/(?{ eval })/x/',
    'print if /(?{ eval })/',
    'print if /a/ .eval. /b/',
    '$x / eval / 2',
    'tr/s/t/; eval $_; s/x/y/',
  ])
    assert.ok(runsOthers('perl', code), code);
});

test('what only names such things in texts and comments is not taken for them, nor are patterns', () => {
  for (const code of [
    'import re, json, os.path as p\nr = re.compile("exec(a)")  # eval',
    'p.write_text(p.read_text().replace("import own", \'exec("x")\'))',
    'text = """\nimport own\neval(x)\n"""',
    'path = "a"; path += "b"; path[0]',
    'import sys; print(sys.path, sys.path[0])',
    'import importlib.util, importlib.metadata',
    '__import__("json").dumps(1)',
    'import ast; ast.literal_eval("1"); compile(text, "a", "exec")',
    'from yaml import safe_load, YAMLError; safe_load(f)',
    'import pandas as pd; query = df["a"]; query[query > 1]',
    'import yaml; yaml.safe_load(f); yaml.load(open("a"), Loader=yaml.SafeLoader)',
    'from urllib.parse import urlparse; urlparse(u).query',
    'import sys; print("\\n".join(sys.path), sys.path.index("a"))',
    'print(f"{a[\'b\']} {{}}")',
  ])
    assert.ok(!runsOthers('python', code), code);
  for (const code of [
    'const fs = require("fs"), { join } = require("node:path")',
    'import fs from "node:fs"; import { join } from "path"; import.meta.url',
    '/a/.exec(text)',
  ])
    assert.ok(!runsOthers('javascript', code), code);
  assert.deepEqual(runsOnlyItself('require("./package.json").version', 'javascript'), { data: ['./package.json'] });
  for (const code of [
    'print unless $seen{$_}++',
    'eval { print }',
    'do { local $/; <> }',
    's/a/b/e',
    's/see/saw/g',
    's/open/eval/',
    'print if /eval/',
    'print unless $a =~ /\\beval\\(/i;',
    'print JSON::PP->new->encode([1]), decode_json($b)->{a}',
    's|load|do it|g',
    'require 5.006; require v5.10;',
    'require Foo;',
  ])
    assert.ok(!runsOthers('perl', code), code);
});

test('own code stands in the script, but for plain words that a shell fills in', () => {
  const own = (code: string, script: string) => isOwnCode(code, script, { isRead: true });
  assert.ok(own('print("a b")\n', 'echo \'print("a b")\' | python3'));
  assert.ok(own('import m1', 'python3 -c "import m$i"'));
  assert.ok(!own('import m;x()', 'python3 -c "import m$i"'));
  assert.ok(!own('print("a b")', 'python3 -c "print(\\"$x\\")"'));
  assert.ok(!own('open("x")\n', 'cat x.py | python3'));
  assert.ok(!own('print(1)\nx()', 'python3 -c "print(1)\n$(cat x.py)"'));
  // Many places that a shell fills are not looked through again and again.
  const many = Array.from({ length: 40 }, (_, n) => `$a${n}`).join('.');
  assert.ok(!own(`${'a.'.repeat(2000)}!`, `python3 -c "${many}"`));
});
