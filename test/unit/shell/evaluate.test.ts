import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { findStaticPrograms } from '../../../src/core/programs/staticPrograms.ts';
import type { StaticProgram } from '../../../src/core/shell/evaluated.ts';
import { type Folders, matchPattern } from '../../../src/core/shell/glob.ts';

/** Scripts, and how many of their words are not known. Every program in them is one that bash does not find. */
const samples: readonly [script: string, open?: number][] = [
  // Words and quotes.
  ['p a "b c" \'d e\' f\\ g ""'],
  ['p $\'a\\tb\' "a\\"b" a"b"c\'d\''],
  ['p \\$X "\\$X" \'$X\''],
  ["p 'a'\\''b'"],
  // Braces.
  ['p {1..3}'],
  ['p {3..1}'],
  ['p {01..10..2}'],
  ['p {-1..1} {a..e..2} {e..a}'],
  ['p {08..11} {-05..5..5}'],
  ['p {a,b}{c,d}'],
  ['p x{a,b{1,2},}y'],
  ['p {a,"b c",\'d\'} "{a,b}" \'{1..2}\' \\{a,b\\}'],
  ['p {a} {} {a,b {1..x} a{,b}'],
  ['p {$E,b} {*.c,dir/*}'],
  // Braces come first: the variable is E1.
  ['p {a,b}$E{1,2}', 4],
  ['x={a,b}; p $x "$x"'],
  ['p a{b,c}d{e,{f,g}}'],
  // Patterns.
  ['p *.c'],
  ['p "*.c" \\*.c \'*\''],
  ['p *.none "a"*'],
  ['p dir/* */'],
  ['p .h* .*.c'],
  ['p [ab].c [!a].c ?.c'],
  ['p *'],
  ['p dir/../dir/*.txt ./*.c'],
  ['p "$HOME"/*.none ~/x ~ "~" x~'],
  ['p ~/a\\ b'],
  ['x="*.c"; p $x "$x"'],
  ['cd dir; p *.txt'],
  // Folders.
  ['cd dir && p a'],
  ['cd dir || exit; p a'],
  ['cd none || p a'],
  ['(cd dir; p a); p b'],
  ['{ cd dir; p a; }; p b'],
  ['cd dir; cd ..; p a'],
  ['cd dir; cd -; p a'],
  ['pushd dir; p a; popd; p b'],
  ['pushd dir; pushd ../sub; p a; pushd; p b; popd; p c'],
  ['cd dir | p a; p b'],
  ['cd dir & p b'],
  ['builtin cd dir; p a; command cd ..; p b'],
  ['cd -P -- dir; p "$PWD" "$OLDPWD"'],
  ['cd sub && cd dir && p a && cd ../.. && p b'],
  ['CDPATH=sub; cd dir; p a'],
  // Variables.
  ['x=1; p $x "${x}" ${x}y'],
  ['x="a b"; p $x "$x" z$x"z"'],
  ['x=" a  b "; p $x. "$x"'],
  ['x=a y=$x; p $y'],
  ['x=a; x+=b; p $x'],
  ['p ${u:-d} ${u-d} "${u:-a b}" ${u:-a b}'],
  ['e=; p ${e:-d} ${e-d} "${e:+x}" ${e+x}'],
  ['x=a.tar.gz; p ${x%.*} ${x%%.*} ${x#*.} ${x##*.} ${#x}'],
  ['x=/a/b/c.txt; p ${x##*/} ${x%/*} "${x%.txt}.md"'],
  ['x=banana; p ${x/a/o} ${x//a/o} ${x/#b/B} ${x/%a/X} ${x:1:3} ${x: -2} ${x^} ${x^^}'],
  ['p ${u:=d} $u'],
  ['p "$E" $E ${E% *}'],
  ['IFS=:; x=a:b; p $x "$x"'],
  ['x=1 p $x', 1],
  ['a=(1 "2 3" 4); p "${a[@]}" "${a[1]}" ${a[2]} ${#a[@]}'],
  ['a=(x); a+=(y z); p "${a[*]}" $a'],
  ['a=(*.c); p "${a[@]}"'],
  ['set -- a "b c"; p "$@" $# $1 "$2" "x$@y"'],
  ['set -- a "b c"; shift; p "$@" "$*"'],
  ['export x=1; p $x; unset x; p ${x-none}', 1],
  ['read x <<<"a"; p "$x"', 1],
  ['p $((1 + 2 * 3)) $((7 / 2)) $((2 ** 3)) $((5 > 3 ? 1 : 2))'],
  ['x=4; p $((x + 1)) $(( $x % 3 ))'],
  ['p "$(echo a b)" $(echo a b) `echo c`'],
  ['p "$(pwd)" $(printf %s x)'],
  ['p $(q a)', 1],
  ['p "$RANDOM" $$', 2],
  // Functions, loops, branches.
  ['f() { p "$1" "$@" $#; }; f a "b c"; f'],
  ['f() { p "$*"; }; f a b'],
  ['f() { cd dir; x=2; }; f; p $x'],
  ['f() (cd dir; p a); f; p b'],
  ['f() { p "${1:-d}" "$2"; }; f "" x'],
  ['f() { p $1; return; p never; }; f a; p b'],
  ['f() { g "$@" z; }; g() { p "$@"; }; f a'],
  ['for f in a b "c d"; do p "$f" $f; done; p $f'],
  ['for f in *.c; do p "$f" x; done', 0],
  ['for i in {1..3}; do p $i a$i; done'],
  ['for i in 1 2; do for j in a b; do p $i$j; done; done'],
  ['set -- x y; for a; do p $a; done'],
  ['for d in dir sub; do (cd $d && p a); done; p b'],
  ['x=0; while q $x; do x=$((x+1)); [ $x -gt 2 ] && break; done; p z', 1],
  ['if q; then cd dir; else cd sub; fi; p /a'],
  ['if q; then x=1; else x=2; fi; p $x', 1],
  ['case $E in *) p a;; b) p b;; esac'],
  ['q && p a; q || p b; ! q && p c'],
  ['q | r; (q; r) | p'],
  ['q & p a; wait'],
  ['true && p a; false || p b; false && p c'],
  ['exit; p a'],
  ['q || exit 1; p a'],
  ['alias p=q; p a'],
  ['eval "p a; x=1"; p $x'],
  ["eval p '$E'"],
  ['trap "p bye" EXIT; p a'],
  // Arithmetic that assigns.
  ['for ((i=0; i<3; i++)); do p f$i; done; p $i'],
  ['i=7; for ((i=1,j=5; i<=2; ++i, j-=2)); do p $i $j; done'],
  ['for ((i=0; i<q; i++)); do p $i; done; r z', 1],
  ['for ((;;)); do p a; break; done; p b'],
  ['for ((i=0; i<3; i++)); do q && break; p $i; done; p $i', 1],
  ['for ((i=9; i<3; i++)); do p $i; done; p z'],
  ['x=3; while (( x-- )); do p f$x; done; r z', 1],
  ['x=1; ((x++)); p $x; ((x+=5)); p $x; ((x=x*2, y=x-1)); p $x $y'],
  ['x=1; p $((x++)) $x $((++x)) $((x--)) $x'],
  ['x=1; ((0 && (x=5))); p $x; ((1 || (x=6))); p $x; ((1 ? (x=7) : (x=8))); p $x'],
  ['x=1; ((q ? (x=7) : 0)); p $x', 1],
  ['x=1; let x++ "x = x + 2"; p $x', 1],
  ['a=(1 2); ((a[1]=5)); p ${a[1]}', 1],
  ['((x=0)) && p a; ((x=1)) && p b; ((0)) || p c'],
  ['for f in a b; do q && break; done; p $f', 1],
  // What a function keeps to itself.
  ['f() { local x=2 y; x=3; p $x; }; x=1; f; p $x'],
  ['f() { declare x=2; g; p $x; }; g() { x=5; p $x; }; x=1; f; p $x'],
  ['f() { declare -g x=2; y=3; }; x=1; f; p $x $y'],
  ['x=1; f() { local x; p "$x"; x=2; p $x; }; f; p $x', 1],
  // Options of the shell.
  ['IFS=,; set -- a b; p "$*" "$@"'],
  ['IFS=; set -- a b; p "$*"; IFS=$\'\\n\'; p x'],
  ['shopt -s nullglob; p *.none; p x', 1],
  ['shopt -s dotglob; p *', 1],
  ['shopt -s globstar; p **', 1],
  ['set -f; p *.c; set +f; p *.c'],
  ['set -o noglob; p *.c "a*"'],
  ['GLOBIGNORE=a.c; p *.c', 1],
  ['p [[:alpha:]].c [[:digit:]]* [^[:alpha:]]*.c []a].c'],
  ['set -e; false; p a'],
  ['set -e; false || p a; p b; ((0)); p c'],
  ['select x in a b; do p $x; break; done </dev/null; r z', 1],
  // Redirections and texts.
  ['p a >out 2>&1 <a.c'],
  ['x=out; p a >"$x.txt"; p b'],
  ['p <<E\nrm x\nE\np b'],
  ['{ p a; p b; } >out'],
  ['time p a; ! p b'],
  ['p a; # p b\np c \\\n d'],
  ['[ -f a.c ] && p a; [[ -d dir ]] && p b; ((1)) && p c'],
];

const folder = mkdtempSync(join(tmpdir(), 'foretell-evaluate-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function freshFolder(index: number): string {
  const place = join(folder, String(index));
  for (const one of ['dir', 'sub/dir']) mkdirSync(join(place, one), { recursive: true });
  for (const file of ['a.c', 'b.c', '.hidden.c', 'x y.c', 'dir/one.txt', 'dir/two.txt', 'sub/dir/deep'])
    writeFileSync(join(place, file), '');
  return place;
}

const env = { HOME: '/home/nobody-here', E: 'from env', LC_ALL: 'C' };

/** What bash starts, as `cwd`, then the words: no program is there, so none is started. */
function really(script: string, cwd: string): string[] {
  const log = `${cwd}.log`;
  const handler = 'command_not_found_handle() { printf "%s\\\\0" "$#" "$PWD" "$@" >&9; }';
  const whole = `exec 9>>'${log}'; ${handler.replace('\\\\0', '\\0')}\n${script}\n`;
  spawnSync('/bin/bash', ['-c', whole], { cwd, env: { ...env, PATH: '/nonexistent' }, encoding: 'utf8' });
  const parts = existsSync(log) ? readFileSync(log, 'utf8').split('\0') : [];
  const calls: string[] = [];
  for (let at = 0; at + 1 < parts.length; ) {
    const length = Number(parts[at]) + 1;
    calls.push(parts.slice(at + 1, at + 1 + length).join('\0'));
    at += 1 + length;
  }
  return calls;
}

const folders: Folders = {
  names: async (path) => (existsSync(path) ? readdirSync(path) : []),
  exists: async (path) => existsSync(path),
  isFolder: async (path) => existsSync(path) && statSync(path).isDirectory(),
};

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** What is claimed of a program, as expressions over what bash starts: one for each name of a loop. */
async function claimed({ fields, cwd, isLost }: StaticProgram): Promise<RegExp[]> {
  const each = fields.find((field) => field.isEach);
  const names = each?.pattern === undefined ? [undefined] : await matchPattern(each.pattern, cwd, folders);
  const found: RegExp[] = [];
  for (const name of names ?? []) {
    let source = isLost ? '[^\\x00]*' : escaped(cwd);
    for (const field of fields) {
      if (field.isOpen) source += '(?:\\x00[^]*)?';
      else if (field.pattern === undefined) source += `\\x00${escaped(field.text)}`;
      else if (field.isEach) source += `\\x00${escaped(field.text.replace(each?.text ?? '', name ?? ''))}`;
      else {
        const matching = (await matchPattern(field.pattern, cwd, folders)) ?? [];
        for (const one of matching.length > 0 ? matching : [field.text]) source += `\\x00${escaped(one)}`;
      }
    }
    found.push(new RegExp(`^${source}$`));
  }
  return found;
}

const builtins =
  /^(cd|pushd|popd|builtin|command|set|shift|export|unset|read|eval|trap|alias|wait|local|declare|let|shopt|exit|return|true|false|echo|printf|pwd|break|\[|\[\[|f|g)$/;

for (const [index, [script, open = 0]] of samples.entries()) {
  test(`bash agrees: ${script}`, async () => {
    const cwd = freshFolder(index);
    const calls = really(script, cwd);
    const programs = findStaticPrograms(script, { cwd, home: env.HOME, env }).filter(
      ({ argv }) => argv.length > 0 && !builtins.test(argv[0] ?? ''),
    );
    const left = [...calls];
    for (const program of programs) {
      for (const claim of await claimed(program)) {
        const at = left.findIndex((call) => claim.test(call));
        // What is not known of a loop stands for all of its rounds.
        const isEvery = program.fields.some(({ why }) => why === 'branch');
        if (isEvery) left.splice(0, left.length, ...left.filter((call) => !claim.test(call)));
        else if (at >= 0) left.splice(at, 1);
        else assert.ok(program.isUncertain, `${program.argv.join(' ')} in ${program.cwd}, of ${JSON.stringify(calls)}`);
      }
    }
    assert.deepEqual(left, [], 'bash starts more');
    const openWords = programs.flatMap(({ fields }) => fields).filter(({ isOpen }) => isOpen);
    assert.ok(openWords.length <= open, `not known: ${openWords.map(({ text }) => text).join(' ')}`);
    for (const word of openWords) assert.ok(word.why);
  });
}

test('a function that is taken away is one no more', () => {
  const script = 'f() { p a; }; f; unset -f f; f; f() { p b; }; f=1; unset f; f';
  const programs = findStaticPrograms(script, { cwd: '/w', home: '/h', env: {} });
  const started = programs.flatMap(({ argv }) => (argv[0] === 'p' ? [argv[1]] : []));
  assert.deepEqual(started, ['a', 'b']);
});

test('a variable that is doubled again and again is not known in the end', () => {
  const script = `x=aa; ${'x=$x$x; '.repeat(40)} p $x; a=(a b); ${'a=("${a[@]}" "${a[@]}"); '.repeat(40)} q`;
  const programs = findStaticPrograms(script, { cwd: '/w', home: '/h', env: {} });
  assert.ok(programs.find(({ argv }) => argv[0] === 'p')?.fields[1]?.isOpen);
  assert.equal(programs.at(-1)?.argv[0], 'q');
});
