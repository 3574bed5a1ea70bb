/** Something that a user may select by mistake, or a command that does not behave. */
export interface BadInput {
  name: string;
  script: string | (() => string);
  /** In the workspace, before. */
  setup?: string;
  /** Default: `done` or `abstained`. */
  ending?: readonly string[];
  /** Default: 1,500 where it may be stopped by it, otherwise more than any machine needs. */
  timeLimitMs?: number;
  cwd?: string;
  env?: Record<string, string>;
  /** Further demands on the answer; returns a complaint. */
  also?: (answer: Answer) => string | undefined;
}

interface Answer {
  ending: string;
  reason?: string;
  failure?: string;
  exitCode?: number;
  files?: { path: string; change: string }[];
  output?: { text?: string; base64?: string }[];
}

const any = ['done', 'abstained', 'failed'];
const random = () =>
  Array.from({ length: 4000 }, (_, index) => String.fromCharCode((index * 7919 + (index >> 3) * 104_729) % 256)).join(
    '',
  );
const deleted = (answer: Answer) => answer.files?.filter((file) => file.change === 'deleted').length ?? 0;

/** The list of bad input, one after the other for the same engine. */
export const badInputs: BadInput[] = [
  { name: 'binary selection', script: random, ending: any },
  { name: 'NUL in the middle', script: 'echo a\0; rm -f precious', ending: any },
  { name: 'lone surrogates', script: 'echo \ud800 \udfff', ending: any },
  { name: 'nothing', script: '', ending: any },
  { name: 'blanks', script: ' \n\t \n', ending: any },
  { name: 'one word of 10 MB', script: () => `echo ${'x'.repeat(10 << 20)}`, ending: any },
  { name: '10 MB of lines', script: () => 'true\n'.repeat(2 << 20), ending: any, timeLimitMs: 2_000 },
  { name: '10 MB of brackets', script: () => '('.repeat(10 << 20), ending: any },
  { name: '1 MB of nested substitutions', script: () => '$('.repeat(1 << 19), ending: any },
  ...[
    'if',
    'echo "',
    "echo '",
    ')',
    'cat <<E\ntext',
    '$(',
    '((',
    '`',
    'case x in',
    'f() {',
    '| sort',
    '&&',
    ';;',
    '<<<',
    '>',
    'for',
    'a=(',
  ].map((script) => ({ name: `syntax: ${JSON.stringify(script)}`, script, ending: any })),
  { name: 'endless loop', script: 'while :; do :; done', ending: any },
  { name: 'endless loop with output', script: 'while :; do echo x; done', ending: any },
  { name: 'endless waiting', script: 'until false; do sleep 1; done', ending: any },
  { name: 'sleep infinity', script: 'sleep infinity', ending: any },
  { name: 'tail -f', script: 'tail -f a', ending: any },
  { name: 'endless pipe', script: 'cat /dev/zero | gzip > /dev/null', ending: any },
  { name: 'loop that ignores signals', script: 'trap "" HUP INT TERM; while :; do sleep 0.01; done', ending: any },
  { name: 'fork bomb', script: ':(){ :|:& };:', ending: any },
  { name: 'fork bomb of sleepers', script: 'while :; do sleep 1000 & done', ending: any },
  { name: 'recursion', script: 'f() { f; }; f', ending: any },
  { name: 'exec of itself', script: "echo 'exec sh ./again' > again; exec sh ./again", ending: any },
  { name: 'yes', script: 'yes', ending: any },
  { name: 'output of 1 GB', script: 'yes | head -c 1000000000', ending: any },
  { name: 'a line of 100 MB', script: 'head -c 100000000 /dev/zero | tr "\\0" x', ending: any },
  {
    name: 'memory',
    script: 'x=$(head -c 3000000000 /dev/zero | tr "\\0" x)',
    ending: any,
  },
  { name: 'loop of links', script: 'ln -s l2 l1; ln -s l1 l2; cat l1; find -L . | wc -l; cp -rL . ../copy; ls -laR' },
  {
    name: 'unreadable',
    script: 'cat locked/x; rm -rf locked; cp locked2 y',
    setup: 'mkdir locked; echo > locked/x; echo > locked2; chmod 0 locked locked2',
  },
  { name: 'disk quota', script: 'head -c 20G /dev/zero > big; echo $?; ls -la big', ending: any },
  { name: 'disk quota by fallocate', script: 'fallocate -l 100G big; echo $?', ending: any },
  {
    name: 'disk quota by many files',
    script: 'mkdir m; cd m; for i in $(seq 1 400); do seq -f "f$i.%g" 1 1000 | xargs touch; done',
    ending: any,
    timeLimitMs: 5_000,
  },
  { name: 'sparse file of 8 TB', script: 'truncate -s 8T sparse; ls -la sparse', ending: any },
  {
    name: 'deep folders made',
    script: "p=$(printf 'd/%.0s' $(seq 1 1500)); mkdir -p $p; cd $p; mkdir -p $p; cd $p; echo > f; pwd | wc -c",
    ending: any,
    timeLimitMs: 6_000,
  },
  {
    name: 'deep folders deleted',
    setup: "p=$(printf 'd/%.0s' $(seq 1 1500)); mkdir -p $p; cd $p; mkdir -p $p; cd $p; echo > f",
    script: 'rm -rf d',
    timeLimitMs: 10_000,
    ending: any,
    also: (answer) => (answer.failure === 'launcher-ended' ? 'the launcher ended' : undefined),
  },
  {
    name: 'deep folders deleted, as deep as a path can be',
    setup: "p=$(printf 'd/%.0s' $(seq 1 1900)); mkdir -p $p",
    script: 'rm -rf d',
    ending: ['done'],
    also: (answer) => (deleted(answer) === 1_900 ? undefined : `${deleted(answer)} deletions instead of 1,900`),
  },
  {
    name: 'deep folders moved',
    setup: "p=$(printf 'd/%.0s' $(seq 1 400)); mkdir -p $p",
    script: 'mv d e',
    ending: ['done'],
    also: (answer) => (answer.files?.length === 400 ? undefined : `${answer.files?.length} changes instead of 400`),
  },
  {
    name: '50,000 deletions',
    setup: 'mkdir many; cd many; seq -f "file number %g" 1 50000 | tr "\\n" "\\0" | xargs -0 touch',
    script: 'rm -rf many',
    also: (answer) => (deleted(answer) === 50_001 ? undefined : `${deleted(answer)} deletions instead of 50,001`),
  },
  {
    name: 'names with newlines',
    setup: 'touch "$(printf "two\\nlines")" "$(printf "\\377\\376")"',
    script: 'rm -f two* $\'\\xff\'*; touch "$(printf "a\\nb\\n")x"',
    also: (answer) => (deleted(answer) === 2 ? undefined : `${deleted(answer)} deletions`),
  },
  { name: 'FIFO as an argument', setup: 'mkfifo pipe', script: 'cat pipe', ending: any },
  { name: 'FIFO written', setup: 'mkfifo pipe', script: 'echo x > pipe', ending: any },
  { name: 'FIFO with both ends inside', setup: 'mkfifo pipe', script: 'cat pipe & echo x > pipe; wait' },
  { name: 'reads a terminal', script: 'read -r x < /dev/tty; echo "$x"', ending: any },
  { name: 'asks', script: 'rm -i a; cp -i a b', ending: any },
  { name: 'editor', script: 'ed a', ending: any },
  { name: '100,000 arguments', script: 'echo $(seq 1 100000) | wc -w; /bin/true $(seq 1 100000)' },
  {
    name: 'more arguments than the kernel takes',
    script: '/bin/true $(seq 1 2000000); echo $?',
    ending: any,
  },
  {
    name: 'environment of 1 MB',
    script: 'env | wc -c',
    env: Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`BIG${n}`, 'x'.repeat(100_000)])),
    ending: any,
  },
  { name: 'one variable of 1 MB', script: 'true', env: { BIG: 'x'.repeat(1 << 20) }, ending: any },
  {
    name: 'strange names of variables',
    script: 'env | sort | head -3',
    env: { '': 'x', 'a b': 'c', 'x%%': '() { :; }', 'BASH_FUNC_x%%': '() { broken' },
    ending: any,
  },
  { name: 'no HOME', script: 'cd; ls ~; git status', env: { PATH: '/usr/bin:/bin' }, ending: any },
  {
    name: 'HOME that is not there',
    script: 'cd; git status; touch ~/x',
    env: { PATH: '/usr/bin:/bin', HOME: '/nonexistent' },
    ending: any,
  },
  { name: 'empty PATH', script: 'ls; rm -f a', env: { PATH: '' }, ending: any },
  { name: 'PATH of nonsense', script: 'ls; rm -f a', env: { PATH: ':::/nonexistent:.:\n' }, ending: any },
  { name: 'no environment', script: 'ls', env: {}, ending: any },
  { name: 'folder that is not there', script: 'ls', cwd: '/nonexistent/folder', ending: ['failed'] },
  { name: 'folder that is a file', script: 'ls', cwd: '/etc/passwd', ending: ['failed'] },
  { name: 'folder with a NUL', script: 'ls', cwd: '/tmp/a\0b', ending: ['failed'] },
  { name: 'folder with a name of 100,000', script: 'ls', cwd: `/tmp/${'x'.repeat(100_000)}`, ending: ['failed'] },
  { name: 'folder in /proc', script: 'ls; touch x', cwd: '/proc/self', ending: any },
  { name: 'folder in /sys', script: 'ls; touch x', cwd: '/sys/kernel', ending: any },
  { name: 'folder in /dev', script: 'ls | head -3; touch x', cwd: '/dev', ending: any },
  { name: 'folder /', script: 'ls; touch x', cwd: '/', ending: any },
  { name: 'kills itself', script: 'kill -9 $$' },
  { name: 'dies by a fault', script: 'kill -SEGV $$' },
  { name: 'stops itself', script: 'kill -STOP $$; echo on', ending: any },
  {
    name: 'closes everything',
    script: 'exec <&- >&- 2>&-; rm -f precious',
    also: (answer) => (deleted(answer) === 1 ? undefined : 'the deletion is missing'),
  },
  { name: 'exit code out of range', script: 'exit 300' },
  {
    name: 'limits of its own',
    script: 'ulimit -n 4; ls; ulimit -v 1; ls; ulimit -f 0; echo x > y; ulimit -t 0',
    ending: any,
  },
  { name: 'no processes left', script: 'ulimit -u 1; ls; ls | cat', ending: any },
  {
    name: 'many descriptors',
    script: 'i=10; while [ $i -lt 900 ]; do eval "exec $i< a" || break; i=$((i+1)); done; echo $i',
    ending: any,
  },
  { name: 'leaves a process behind', script: 'sleep 1000 & echo started' },
  { name: 'leaves a daemon behind', script: 'setsid -f sleep 1000; (trap "" HUP; sleep 1000 &) ; echo started' },
  { name: 'holds its output open', script: '(sleep 1000) & disown; exit 3' },
  { name: 'unlinks its own folder', script: 'rm -rf "$PWD"; pwd; ls; touch x', ending: any },
  { name: 'deletes the shell', script: 'rm -f /bin/bash /bin/sh; ls; bash -c true; sh -c true', ending: any },
  {
    name: 'a here-document of 5 MB',
    script: () => `cat <<E | wc -c\n${'y'.repeat(5 << 20)}\nE`,
    ending: any,
  },
  { name: 'a pipe of 200 programs', script: () => `echo x${' | cat'.repeat(200)}` },
  {
    name: 'a pipe of 2,000 programs',
    script: () => `echo x${' | cat'.repeat(2000)}`,
    ending: any,
    timeLimitMs: 6_000,
  },
  {
    name: '20,000 foreign programs',
    script: 'for i in $(seq 1 20000); do npm run x; done',
    ending: any,
    timeLimitMs: 3_000,
  },
  {
    name: '500 foreign programs at once',
    script: 'for i in $(seq 1 500); do npm run x & done; wait',
    ending: any,
    timeLimitMs: 4_000,
  },
];
