/**
 * The written part of the truth fixture: what stands in its files.
 * Everything is computed from fixed seeds, so that two fixtures are equal byte by byte.
 */

/** Small deterministic generator (mulberry32): numbers in [0, 1). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const firstNames = 'Ada Grace Linus Dennis Ken Barbara Edsger Margaret Alan Radia José Zoë Søren Yuki Olga Chidi'.split(
  ' ',
);
const lastNames =
  'Lovelace Hopper Torvalds Ritchie Thompson Liskov Dijkstra Hamilton Turing Perlman Núñez Okafor'.split(' ');
const cities = ['Berlin', 'New York', 'Tōkyō', 'São Paulo', 'Kraków', 'Lagos', 'Reykjavík', 'Paris'];
const words =
  'alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey xray yankee zulu apple banana cherry date elderberry fig grape'.split(
    ' ',
  );

function pick<T>(random: () => number, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T;
}

function lines(count: number, line: (index: number) => string): string {
  return `${Array.from({ length: count }, (_, index) => line(index)).join('\n')}\n`;
}

function usersCsv(): string {
  const random = seededRandom(11);
  const row = (index: number) => {
    const first = pick(random, firstNames);
    const last = pick(random, lastNames);
    const city = pick(random, cities);
    return `${index + 1},"${first} ${last}",${first.toLowerCase()}.${last.toLowerCase()}@example.com,${18 + Math.floor(random() * 60)},${city},${random() > 0.3 ? 'true' : 'false'}`;
  };
  return `id,name,email,age,city,active\n${lines(60, row)}`;
}

function ordersCsv(): string {
  const random = seededRandom(12);
  const row = (index: number) =>
    `${1000 + index},${1 + Math.floor(random() * 60)},2024-${String(1 + (index % 12)).padStart(2, '0')}-${String(1 + (index % 28)).padStart(2, '0')},${pick(random, ['paid', 'open', 'refunded'])},${(random() * 500).toFixed(2)}`;
  return `order_id,user_id,date,status,total\n${lines(120, row)}`;
}

function appLog(seed: number, count: number): string {
  const random = seededRandom(seed);
  const messages = [
    'request handled',
    'cache miss',
    'connection reset by peer',
    'user logged in',
    'retrying',
    'disk almost full',
  ];
  return lines(count, (index) => {
    const second = String(index % 60).padStart(2, '0');
    const minute = String(Math.floor(index / 60) % 60).padStart(2, '0');
    const level = pick(random, ['INFO', 'INFO', 'INFO', 'DEBUG', 'WARN', 'ERROR']);
    return `2024-03-0${1 + (index % 7)}T10:${minute}:${second}Z [${level}] worker-${Math.floor(random() * 4)}: ${pick(random, messages)} (${Math.floor(random() * 900)} ms)`;
  });
}

function accessLog(): string {
  const random = seededRandom(13);
  return lines(250, (index) => {
    const address = `10.0.${Math.floor(random() * 4)}.${Math.floor(random() * 20)}`;
    const method = pick(random, ['GET', 'GET', 'GET', 'POST', 'DELETE']);
    const path = pick(random, ['/', '/login', '/api/users', '/api/orders?page=2', '/static/app.js', '/favicon.ico']);
    const status = pick(random, [200, 200, 200, 301, 404, 500]);
    return `${address} - - [0${1 + (index % 7)}/Mar/2024:10:${String(index % 60).padStart(2, '0')}:00 +0000] "${method} ${path} HTTP/1.1" ${status} ${Math.floor(random() * 9000)} "-" "curl/8.0"`;
  });
}

function source(index: number): string {
  const name = words[index % words.length];
  return `import { readFile } from 'node:fs/promises';

// TODO(${pick(seededRandom(index), firstNames)}): handle errors in ${name}
export interface ${name}Options {
  retries: number;
  verbose?: boolean;
}

export async function ${name}(path: string, options: ${name}Options = { retries: ${index % 5} }): Promise<string> {
  const text = await readFile(path, 'utf8');
  if (options.verbose) console.log(\`${name}: \${text.length} characters\`);
  return text.trim();
}
${index % 3 === 0 ? '\n// FIXME: remove before release\n' : ''}`;
}

/** Text files of the project, by path below the project's root. */
export function projectTexts(): Record<string, string> {
  const random = seededRandom(1);
  const files: Record<string, string> = {
    'README.md': `# Sample Project\n\nA small project to try things on.\n\n## Install\n\n\`\`\`sh\nnpm install\nnpm run build\n\`\`\`\n\n## Usage\n\n- run \`scripts/hello.sh\`\n- read [the guide](docs/guide.md)\n\n## License\n\nMIT\n`,
    LICENSE:
      'MIT License\n\nCopyright (c) 2024 Example Authors\n\nPermission is hereby granted, free of charge, to any person obtaining a copy.\n',
    'CHANGELOG.md': '# Changelog\n\n## 1.2.0\n- faster\n\n## 1.1.0\n- better\n\n## 1.0.0\n- first release\n',
    'package.json': `${JSON.stringify({ name: 'sample', version: '1.2.0', private: true, scripts: { build: 'node build.js', test: 'node --test', clean: 'rm -rf dist' }, dependencies: { leftpad: '^1.3.0', chalk: '5.0.0' }, devDependencies: { typescript: '~5.4.0' } }, null, 2)}\n`,
    'tsconfig.json':
      '{\n  // comments are allowed here\n  "compilerOptions": { "strict": true, "target": "ES2022" },\n}\n',
    '.editorconfig': 'root = true\n\n[*]\nindent_style = space\nindent_size = 2\n',
    '.gitignore': 'node_modules/\ndist/\nbuild/\n*.log\n*.tmp\n.env\nperms/\nlinks/\narchives/\n!keep.log\n',
    '.env': 'API_KEY=not-a-real-key\nDATABASE_URL=postgres://localhost/dev\nDEBUG=1\n',
    Makefile: makefile,
    'data/users.csv': usersCsv(),
    'data/orders.csv': ordersCsv(),
    'data/products.json': `${JSON.stringify(
      words.slice(0, 12).map((name, index) => ({
        id: index + 1,
        name,
        price: Math.round(random() * 10000) / 100,
        tags: index % 2 ? ['new'] : ['sale', 'old'],
        stock: index % 4 ? index * 3 : null,
      })),
      null,
      2,
    )}\n`,
    'data/events.jsonl': lines(40, (index) =>
      JSON.stringify({
        ts: 1700000000 + index * 60,
        type: pick(random, ['click', 'view', 'buy']),
        user: `u${index % 7}`,
        value: index * 1.5,
      }),
    ),
    'data/nested.json':
      '{"a":{"b":{"c":[1,2,{"d":"deep"}]}},"list":[3,1,2],"empty":{},"nil":null,"text":"line\\nbreak \\u00e9","flag":true}\n',
    'data/invalid.json': '{"a": 1, "b": [1, 2,}\n',
    'data/config.ini':
      '[server]\nhost = localhost\nport=8080\n; a comment\n[client]\ntimeout = 30\nname = "quoted value"\n',
    'data/config.yaml': 'server:\n  host: localhost\n  port: 8080\nfeatures:\n  - login\n  - search\n',
    'data/numbers.txt': lines(50, () => String(Math.floor(random() * 1000))),
    'data/words.txt': lines(words.length, (index) => words[index] as string),
    'data/unsorted.txt': lines(40, () => `${pick(random, words)} ${Math.floor(random() * 100)}`),
    'data/left.txt': '1 apple red\n2 banana yellow\n3 cherry red\n5 elder black\n7 grape green\n',
    'data/right.txt': '1 kilo 3.20\n2 piece 0.40\n4 box 9.00\n5 kilo 7.10\n8 bag 2.00\n',
    'data/set-a.txt': 'ant\nbee\ncat\ndog\neel\n',
    'data/set-b.txt': 'bee\ncow\ndog\nemu\n',
    'data/table.tsv': lines(15, (index) => `row${index}\t${index * index}\t${words[index]}\t${(index / 3).toFixed(3)}`),
    'data/matrix.txt': '1 2 3\n4 5 6\n7 8 9\n',
    'data/dupes.txt': 'b\na\nb\nB\nc\na\n\nb\n\nC\n',
    'data/sizes.txt': '10K\n2M\n512\n1G\n3.5K\n900\n',
    'data/versions.txt': '1.10.0\n1.2.0\n1.2.0-rc1\n10.0.0\nv1.9.3\n2.0\n1.9.10\n',
    'data/deps.txt': 'app lib\nlib core\ncore libc\napp ui\nui core\n',
    'data/money.csv': 'date;amount;note\n2024-01-31;1.234,50;rent\n2024-02-29;-20,00;"coffee; cake"\n',
    'text/utf8.txt':
      'Grüße aus Köln\nnaïve café — “quotes” … €5\n日本語のテキスト\nemoji: 🎉 👩‍👩‍👧 ✓\nΑλφάβητο\nmixed ASCII line\n',
    'text/crlf.txt': 'first line\r\nsecond line\r\nthird line\r\n',
    'text/mixed-eol.txt': 'unix\nwindows\r\nold mac\rend\n',
    'text/bom.txt': '\ufeffstarts with a mark\nsecond\n',
    'text/nonewline.txt': 'last line has no newline',
    'text/empty.txt': '',
    'text/tabs.txt': 'a\tb\tc\n\tindented\n        spaces\nmix \t end \t \n',
    'text/blank-lines.txt': '\n\none\n\n\n\ntwo\n   \nthree\n\n',
    'text/long-line.txt': `${'x'.repeat(500)} ${words.join(' ')} ${'y'.repeat(300)}\nshort\n`,
    'text/control.txt': 'bell \u0007 esc \u001b[31mred\u001b[0m back\b\b vt\v ff\f nul-free\n',
    'text/poem.txt':
      'The sun was shining on the sea,\nShining with all his might:\nHe did his very best to make\nThe billows smooth and bright—\nAnd this was odd, because it was\nThe middle of the night.\n\nThe moon was shining sulkily,\nBecause she thought the sun\nHad got no business to be there\nAfter the day was done—\n“It’s very rude of him,” she said,\n“To come and spoil the fun!”\n',
    'text/old.txt': lines(20, (index) => `line ${index + 1} of the old text`),
    'text/new.txt': lines(22, (index) =>
      index === 4
        ? 'line five was changed'
        : index > 19
          ? `added line ${index + 1}`
          : `line ${index + 1} of the old text`,
    ),
    'text/third.txt': lines(20, (index) =>
      index === 14 ? 'line fifteen, edited elsewhere' : `line ${index + 1} of the old text`,
    ),
    'text/keep.log': 'kept although *.log is ignored\n',
    'docs/guide.md': `# Guide\n\n${lines(30, (index) => `${index + 1}. Step ${words[index]}: see [link ${index}](page-${index}.md)`)}`,
    'docs/faq.md': '# FAQ\n\n**Q:** Why?\n\n**A:** Because.\n\n<!-- TODO: more -->\n',
    'docs/übersicht.md': '# Übersicht\n\nAlles auf einen Blick.\n',
    'docs/api/index.html':
      '<!doctype html>\n<html><head><title>API</title></head>\n<body><h1 class="x">API</h1><p>one &amp; two</p></body></html>\n',
    'docs/api/style.css': 'h1 { color: #c00; }\n.x { margin: 0 auto; }\n',
    'lib/math.c':
      '#include "math.h"\n\n/* adds */\nint add(int a, int b) {\n\treturn a + b;\n}\n\nint main(void) { return add(1, 2); }\n',
    'lib/math.h': '#ifndef MATH_H\n#define MATH_H\nint add(int a, int b);\n#endif\n',
    'lib/tool.py':
      '#!/usr/bin/env python3\n"""A tool."""\nimport sys\n\n\ndef main() -> int:\n    print("tool", *sys.argv[1:])\n    return 0\n\n\nif __name__ == "__main__":\n    raise SystemExit(main())\n',
    'lib/legacy.js':
      'var x = 1;\nvar y = 2;\nfunction add(a, b) { return a + b; }\nmodule.exports = { add: add }; // legacy\n',
    'logs/app.log': appLog(21, 300),
    'logs/app.log.1': appLog(22, 100),
    'logs/access.log': accessLog(),
    'logs/error.log': 'Traceback (most recent call last):\n  File "x.py", line 3\nValueError: bad\n',
    'logs/big.log': lines(
      20000,
      (index) =>
        `${index} ${words[index % words.length]} ${(index * 7919) % 10007} some padding text to make it longer`,
    ),
    'names/with space.txt': 'space\n',
    "names/quote'single.txt": 'single\n',
    'names/double"quote.txt': 'double\n',
    'names/new\nline.txt': 'newline\n',
    'names/tab\there.txt': 'tab\n',
    'names/-dash.txt': 'dash\n',
    'names/--help': 'not help\n',
    'names/*star*.txt': 'star\n',
    'names/[bracket].txt': 'bracket\n',
    'names/ünïcödé.txt': 'unicode\n',
    'names/日本語.txt': 'nihongo\n',
    'names/emoji-🎉.txt': 'party\n',
    'names/.hidden': 'hidden\n',
    'names/semi;colon.txt': 'semi\n',
    'names/dollar$HOME.txt': 'dollar\n',
    'names/back\\slash.txt': 'backslash\n',
    'names/a&b.txt': 'ampersand\n',
    'names/hash#tag.txt': 'hash\n',
    'names/ leading.txt': 'leading\n',
    'names/trailing ': 'trailing\n',
    'names/UPPER.TXT': 'UPPER\n',
    'names/upper.txt': 'lower\n',
    [`names/${'long'.repeat(50)}.txt`]: 'long name\n',
    'dist/bundle.js': `(()=>{${'var a=1;'.repeat(200)}})();\n`,
    'dist/bundle.js.map': '{"version":3,"sources":[],"mappings":""}\n',
    'dist/assets/style.css': 'body{margin:0}\n',
    'build/output.o': 'not really an object file\n',
    'notes.tmp': 'scratch\n',
    'src/main.ts': `${source(100)}\nconsole.log(process.argv.slice(2));\n`,
    'src/index.html': '<!doctype html><title>x</title>\n',
    'tests/unit/a b.test.ts': "import test from 'node:test';\ntest('a b', () => {});\n",
    'mk/Makefile': makeLab,
    'mk/broken.mk': 'all: dep\n\techo never\ndep:\n    spaces instead of a tab\n',
    'mk/sub/Makefile': 'VALUE ?= default\nall:\n\t@echo sub $(VALUE)\nclean:\n\trm -f out.txt\n',
    'mk/a.in': 'template A: @NAME@\n',
    'mk/b.in': 'template B: @NAME@\n',
    'patches/fix.patch':
      '--- text/old.txt\n+++ text/old.txt\n@@ -1,4 +1,4 @@\n line 1 of the old text\n-line 2 of the old text\n+line 2 was patched\n line 3 of the old text\n line 4 of the old text\n',
    'patches/p1.diff':
      'diff --git a/lib/math.c b/lib/math.c\n--- a/lib/math.c\n+++ b/lib/math.c\n@@ -2,5 +2,5 @@\n \n-/* adds */\n+/* adds two numbers */\n int add(int a, int b) {\n \treturn a + b;\n }\n',
    'patches/new-file.diff': '--- /dev/null\n+++ b/text/created.txt\n@@ -0,0 +1,2 @@\n+hello\n+world\n',
    'patches/stale.patch':
      '--- text/old.txt\n+++ text/old.txt\n@@ -1,3 +1,3 @@\n something else\n-entirely\n+different\n here\n',
    'patches/garbage.patch': 'this is not a patch\n',
  };
  for (let index = 0; index < 60; index += 1) {
    const folder = ['src', 'src/utils', 'src/components', 'src/api', 'src/api/v2'][index % 5];
    const extension = folder === 'src/components' ? 'tsx' : 'ts';
    files[`${folder}/${words[index % words.length]}${index >= words.length ? index : ''}.${extension}`] = source(index);
  }
  for (let index = 1; index <= 20; index += 1)
    files[`tests/unit/t${index}.test.ts`] = `// test ${index}\nimport test from 'node:test';\n`;
  for (let index = 1; index <= 200; index += 1)
    files[`many/file-${String(index).padStart(3, '0')}.txt`] = `file ${index}\n${words[index % words.length]}\n`;
  for (let index = 0; index < 24; index += 1) {
    const name = `${words[index]}-pkg`;
    files[`node_modules/${name}/package.json`] = `{"name":"${name}","version":"${index}.0.0","license":"MIT"}\n`;
    files[`node_modules/${name}/index.js`] = `module.exports = '${name}';\n`;
    if (index % 4 === 0) files[`node_modules/${name}/README.md`] = `# ${name}\n`;
  }
  let deep = 'deep';
  for (let level = 1; level <= 18; level += 1) {
    deep += `/level${level}`;
    if (level % 6 === 0) files[`${deep}/file${level}.txt`] = `at level ${level}\n`;
  }
  return files;
}

const makefile = `.PHONY: all build clean test help
VERSION := $(shell sed -n 's/.*"version": "\\(.*\\)".*/\\1/p' package.json)

all: build

build: dist/version.txt

dist/version.txt: package.json
\t@mkdir -p dist
\techo $(VERSION) > $@

clean:
\trm -rf dist build

test:
\t@echo "running tests"
\t@false

help:
\t@grep -E '^[a-z]+:' Makefile | cut -d: -f1 | sort
`;

const makeLab = `NAME ?= world
SOURCES := $(wildcard *.in)
OUTPUTS := $(SOURCES:.in=.out)

all: $(OUTPUTS)

%.out: %.in
\tsed 's/@NAME@/$(NAME)/' $< > $@

copy: all
\tmkdir -p copied
\tcp $(OUTPUTS) copied/

sub:
\t$(MAKE) -C sub

fail:
\t@echo before; exit 3

ignore:
\t-false
\t@echo after

circular: circle
circle: circular
\t@echo round

print-%:
\t@echo $* = $($*)

define GREETING
Hello, $(NAME)!
Second line.
endef
export GREETING
greet:
\t@echo "$$GREETING"

.ONESHELL:
oneshell:
\tx=5
\techo $$x

clean:
\trm -rf *.out copied

.PHONY: all copy sub fail ignore circular circle greet oneshell clean
`;

/** Executable scripts of the project, by path below its root. */
export const projectScripts: Readonly<Record<string, string>> = {
  'scripts/hello.sh': '#!/bin/bash\necho "hello, ${1:-world}"\n',
  'scripts/args.sh': '#!/bin/bash\nprintf "%d arguments\\n" "$#"\nfor a in "$@"; do printf "<%s>\\n" "$a"; done\n',
  'scripts/fail.sh': '#!/bin/bash\necho "about to fail" >&2\nexit 42\n',
  'scripts/strict.sh':
    '#!/bin/bash\nset -euo pipefail\necho start\ncat "$1" | grep -c x\necho "$UNSET_VARIABLE"\necho never\n',
  'scripts/posix.sh': '#!/bin/sh\nx=1\nwhile [ "$x" -le 3 ]; do echo "posix $x"; x=$((x + 1)); done\n',
  'scripts/lib.sh': 'greet() { echo "greetings, $1"; }\nLIB_LOADED=yes\n',
  'scripts/filter.awk':
    '#!/usr/bin/awk -f\nBEGIN { FS = "," }\nNR > 1 && $4 > 50 { count++ }\nEND { print count " older than 50" }\n',
  'scripts/swap.sed': '#!/bin/sed -f\ns/^\\([^,]*\\),\\([^,]*\\)/\\2,\\1/\n/^$/d\n',
  'scripts/stdin.sh': '#!/bin/bash\nn=0\nwhile IFS= read -r line; do n=$((n+1)); echo "$n: $line"; done\n',
  'scripts/no-shebang': 'echo "no shebang: $0 $#"\n',
  'scripts/crlf.sh': '#!/bin/bash\r\necho crlf\r\n',
  'scripts/bad-shebang.sh': '#!/no/such/interpreter\necho never\n',
  'scripts/deploy.sh':
    '#!/bin/bash\n# Builds into out/ and keeps the last two versions.\nset -e\ncd "$(dirname "$0")/.."\nmkdir -p out/releases\nfor v in 1 2 3; do mkdir -p "out/releases/v$v"; cp README.md "out/releases/v$v/"; done\nls out/releases | head -n -2 | while read -r old; do rm -r "out/releases/$old"; done\nln -sfn releases/v3 out/current\necho "deployed to $(readlink out/current)"\n',
  'scripts/recursive.sh':
    '#!/bin/bash\nn=${1:-3}\n[ "$n" -le 0 ] && { echo liftoff; exit 0; }\necho "$n"\nexec "$0" $((n-1))\n',
  'scripts/trap.sh':
    '#!/bin/bash\ntmp=$(mktemp -d)\ntrap \'rm -rf "$tmp"; echo cleaned\' EXIT\necho data > "$tmp/file"\ncat "$tmp/file"\nexit 5\n',
  'scripts/getopts.sh':
    '#!/bin/bash\nwhile getopts ":vn:o:" opt; do\n  case $opt in\n    v) echo verbose;;\n    n) echo "number $OPTARG";;\n    o) echo "$OPTARG" > "out-$OPTARG.txt";;\n    :) echo "-$OPTARG needs a value" >&2; exit 2;;\n    \\?) echo "unknown -$OPTARG" >&2; exit 1;;\n  esac\ndone\nshift $((OPTIND-1))\necho "rest: $*"\n',
};

/** Files whose bytes are not text, by path below the project's root. */
export function projectBinaries(): Record<string, Buffer> {
  const random = seededRandom(99);
  const noise = Buffer.from(Array.from({ length: 65536 }, () => Math.floor(random() * 256)));
  return {
    'bin/random.bin': noise,
    'bin/zeros.bin': Buffer.alloc(4096),
    'bin/small.bin': Buffer.from([0, 1, 2, 255, 254, 10, 65, 66, 67, 0, 10]),
    'bin/image.png': Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
    'text/latin1.txt': Buffer.from('caf\xe9 cr\xe8me br\xfbl\xe9e\nplain\n', 'latin1'),
    'text/utf16le.txt': Buffer.from('\ufeffwide characters\nsecond line äöü\n', 'utf16le'),
    'text/invalid-utf8.txt': Buffer.from([
      0x6f, 0x6b, 0x0a, 0xff, 0xfe, 0x20, 0x62, 0x61, 0x64, 0x0a, 0xc3, 0x28, 0x0a, 0x65, 0x6e, 0x64, 0x0a,
    ]),
    'text/nul.txt': Buffer.from('one\0two\0three\0', 'latin1'),
  };
}
