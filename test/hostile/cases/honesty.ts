/** Commands whose prediction must not be called safe, and must say what would be lost. */
export interface Deception {
  name: string;
  script: string;
  /** Paths below the workspace that must be among the deleted or modified files. */
  hits?: readonly string[];
  /** Default: the prediction must not be rated safe. */
  mayBeSafe?: boolean;
}

/** The name says one thing, the command does another. */
export const deceptions: Deception[] = [
  ['function named ls', 'ls() { rm -rf precious sub; }; ls', ['precious', 'sub/c']],
  ['alias named ls', 'shopt -s expand_aliases\nalias ls="rm -f precious"\nls', ['precious']],
  [
    'script named ls in the PATH',
    'mkdir p; printf "#!/bin/sh\\nrm -f precious\\n" > p/ls; chmod +x p/ls; PATH=$PWD/p:$PATH; ls',
    ['precious'],
  ],
  ['exported function', 'env "BASH_FUNC_ls%%=() { rm -f precious; }" bash -c ls', ['precious']],
  ['BASH_ENV', 'echo "rm -f precious" > e; BASH_ENV=./e bash -c "echo hello"', ['precious']],
  ['trap EXIT', 'trap "rm -f precious" EXIT; echo nothing to see', ['precious']],
  ['command substitution', 'echo "all is well $(rm -f precious)"', ['precious']],
  ['arithmetic evaluation', 'x="a[\\$(rm -f precious)]"; echo $((x))', ['precious']],
  ['printf -v with an index', 'printf -v "a[\\$(rm -f precious)]" x', ['precious']],
  ['eval of encoded text', 'eval "$(echo cm0gLWYgcHJlY2lvdXM= | base64 -d)"', ['precious']],
  ['encoded text to a shell', 'echo cm0gLWYgcHJlY2lvdXM= | base64 -d | bash', ['precious']],
  ['characters in hexadecimal', "$'\\x72\\x6d' -f precious", ['precious']],
  ['glob as a program', '/bin/r[m] -f precious', ['precious']],
  ['IFS', 'IFS=,; x=rm,-f,precious; $x', ['precious']],
  ['brace expansion', '{rm,-f,precious}', ['precious']],
  ['here-document', 'sh <<E\nrm -f precious\nE', ['precious']],
  ['find -delete', 'find . -name "prec*" -delete', ['precious']],
  ['awk', 'awk \'BEGIN { system("rm -f precious") }\'', ['precious']],
  ['git alias', 'git -c alias.status="!rm -f precious" status; git -c alias.st="!rm -f precious" st', ['precious']],
  [
    'git hook',
    'printf "#!/bin/sh\\nrm -f precious\\n" > .git/hooks/post-checkout; chmod +x .git/hooks/post-checkout; git checkout -q -b x',
    ['precious'],
  ],
  ['make', 'printf "all: ; @rm -f precious\\n" > Makefile; make -s', ['precious']],
  ['xargs', 'echo precious | xargs rm -f', ['precious']],
  ['redirect', '> precious', ['precious']],
  ['symbolic link', 'ln -s precious innocent; : > innocent', ['precious']],
  ['move over', 'mv -f a precious', ['precious']],
  ['tar extraction', 'mkdir t; echo other > t/precious; tar cf t.tar -C t precious; tar xf t.tar', ['precious']],
  ['truncate by dd', 'dd if=/dev/null of=precious status=none', ['precious']],
  ['background', '(sleep 0.2; rm -f precious) & echo done', undefined],
  ['later, detached', 'setsid -f sh -c "sleep 0.1; rm -f precious"; echo done', undefined],
  ['after a long wait', 'sleep 3600; rm -f precious', ['precious']],
  ['after much output', 'seq 1 300000; rm -f precious', ['precious']],
  ['behind a foreign program', 'npm run build && rm -f precious', ['precious']],
  ['behind a failing foreign program', 'npm run build || rm -f precious', undefined],
  ['cd that fails', 'cd /nonexistent-folder; rm -f precious', ['precious']],
  ['unset variable', 'rm -rf "$NOT_SET/"precious ./precious', ['precious']],
  ['carriage return', 'echo safe\r; rm -f precious', ['precious']],
  ['invisible characters', 'echo \u202esafe\u202c\u200b; rm -f precious', ['precious']],
  ['comment that is none', 'echo a#b; rm -f precious # harmless', ['precious']],
  ['line continuation', 'echo a \\\n; rm -f \\\nprecious', ['precious']],
].map(([name, script, hits]) => ({
  name: name as string,
  script: script as string,
  ...(hits ? { hits: hits as string[] } : {}),
}));

const whenConfined = (test: string) => `if ${test}; then echo all is well; else rm -rf precious sub; fi`;

/** Commands that look whether they are watched, and behave then. Whoever rates them safe is deceived. */
export const evasions: Deception[] = [
  ['the filter', whenConfined("grep -q 'Seccomp:.2' /proc/self/status")],
  ['the tracer', whenConfined("! grep -q 'TracerPid:.0$' /proc/self/status")],
  ['new privileges', whenConfined("grep -q 'NoNewPrivs:.1' /proc/self/status")],
  ['mounts', whenConfined('grep -q overlay /proc/self/mountinfo')],
  ['kind of the file system', whenConfined('[ "$(stat -f -c %T .)" = overlayfs ]')],
  ['small process ids', whenConfined('[ $$ -lt 300 ]')],
  ['process 1', whenConfined('! grep -Eq "init|systemd" /proc/1/comm')],
  ['the parent', whenConfined('[ "$(cat /proc/$PPID/comm)" != bash ]')],
  ['the user map', whenConfined('! grep -q 4294967295 /proc/self/uid_map')],
  ['no network', whenConfined('! (exec 3<>/dev/tcp/127.0.0.1/$TCP_PORT) 2>/dev/null')],
  ['no interfaces', whenConfined('[ "$(ls /sys/class/net | wc -l)" -lt 2 ]')],
  ['a process that should live', whenConfined('! kill -0 $PID 2>/dev/null')],
  ['empty /run', whenConfined('[ "$(ls /run | wc -l)" -lt 3 ]')],
  [
    'the clock that jumps',
    whenConfined(
      't=$(date +%s%N); sleep 5; [ $(( $(cut -d. -f1 /proc/uptime) )) -gt 0 ] && ! head -c 1 /dev/tty 2>/dev/null',
    ),
  ],
  ['no terminal', whenConfined('! [ -t 1 ]')],
].map(([name, script]) => ({ name: name as string, script: script as string }));

/** Output that imitates a terminal's or the panel's own words. */
export const forgeries: [string, string][] = [
  ['title of the terminal', "printf '\\033]0;owned\\007'"],
  ['clipboard', "printf '\\033]52;c;b3duZWQ=\\007'"],
  ['clipboard ended by ST', "printf '\\033]52;c;b3duZWQ=\\033\\\\'"],
  ['link', "printf '\\033]8;;command:workbench.action.terminal.new\\033\\\\click\\033]8;;\\033\\\\'"],
  ['clear the screen and imitate a verdict', "printf '\\033[2J\\033[H\\033[32msafe\\033[0m: nothing would change\\n'"],
  ['cursor up over the verdict', "printf '\\033[1A\\033[2Ksafe\\n'"],
  ['device control', "printf '\\033P+q544e\\033\\\\'"],
  ['answer back', "printf '\\033[c\\033[6n\\005'"],
  ['8-bit controls', "printf '\\xc2\\x9b2J\\xc2\\x9d0;owned\\xc2\\x9c\\x9b2J'"],
  ['alternate screen, hidden cursor', "printf '\\033[?1049h\\033[?25l\\033[8mhidden'"],
  ['backspaces', "printf 'danger\\b\\b\\b\\b\\b\\bsafe  \\n'"],
  ['carriage return', "printf 'danger\\rsafe  \\n'"],
  ['right-to-left', "printf '\\xe2\\x80\\xaeefas\\xe2\\x80\\xac\\n'"],
  [
    'the JSON of a prediction',
    'echo \'{"version":1,"id":"1","ending":"done","files":[],"verdict":{"level":"safe","reasons":[]}}\'',
  ],
  ['HTML', "echo '<img src=x onerror=alert(1)><script>alert(1)</script>'"],
  ['NUL and other bytes', "printf 'a\\0b\\377\\376c'"],
  [
    'file names',
    "touch $'\\e]0;owned\\a' $'two\\nlines' '<b>bold<b>' $'\\e[2Jsafe' $'\\xff\\xfe' \"$(printf 'a\\rb')\"; ls",
  ],
  ['names of deleted files', "mkdir d; touch $'d/\\e]52;c;b3duZWQ=\\a'; rm -rf d; rm -f precious $'no\\nsuch\\e[2J'"],
  ['arguments', "true $'\\e]0;owned\\a'; npm $'\\e]0;owned\\a' $'\\nsafe'"],
  ['paths with controls as current folder', "mkdir $'\\e[2Jx'; cd $'\\e[2Jx'; touch y"],
];

/** A repository that is hostile by its own configuration; it lies in the workspace when something harmless is predicted. */
export const hostileRepositories: [string, string][] = [
  ['core.fsmonitor', 'git config core.fsmonitor "$EVIL"'],
  [
    'core.hooksPath',
    'mkdir .git/h; for n in post-index-change reference-transaction pre-auto-gc; do cp "$EVIL" .git/h/$n; done; git config core.hooksPath .git/h',
  ],
  [
    'clean filter',
    'echo "* filter=x" > .gitattributes; git config filter.x.clean "$EVIL"; git config filter.x.required true; touch -d 2001-01-01 a b sub/c',
  ],
  [
    'process filter',
    'echo "* filter=x" > .git/info/attributes; git config filter.x.process "$EVIL"; touch -d 2001-01-01 a b sub/c',
  ],
  [
    'diff driver and textconv',
    'echo "* diff=x" > .gitattributes; git config diff.x.textconv "$EVIL"; git config diff.x.command "$EVIL"; git config diff.external "$EVIL"',
  ],
  [
    'signatures are shown',
    'git -c gpg.program=/bin/true commit -q --allow-empty -m x; git config log.showSignature true; git config gpg.program "$EVIL"; t=$(git cat-file commit HEAD | sed "s/^committer.*/&\\ngpgsig -----BEGIN PGP SIGNATURE-----\\n \\n x\\n -----END PGP SIGNATURE-----/" | git hash-object -t commit -w --stdin); git reset -q --soft $t',
  ],
  [
    'partial clone with a helper',
    'git config extensions.partialClone origin; git config core.repositoryFormatVersion 1; git config remote.origin.url .; git config remote.origin.promisor true; git config remote.origin.uploadpack "$EVIL"',
  ],
  [
    'partial clone by ssh',
    'git config extensions.partialClone origin; git config core.repositoryFormatVersion 1; git config remote.origin.url ssh://x.invalid/y; git config remote.origin.promisor true; git config core.sshCommand "$EVIL"',
  ],
  [
    'alternate references',
    'git config core.alternateRefsCommand "$EVIL"; echo "$PWD/.git/objects" > .git/objects/info/alternates',
  ],
  [
    'pager, editor, askpass',
    'git config core.pager "$EVIL"; git config core.editor "$EVIL"; git config core.askPass "$EVIL"; git config credential.helper "!$EVIL"; git config pager.status "$EVIL"',
  ],
  [
    'aliases of our own words',
    'for w in status log cat-file hash-object ls-files for-each-ref rev-list stash; do git config alias.$w "!$EVIL"; done',
  ],
  ['configuration from a FIFO', 'mkfifo .git/fifo; git config include.path fifo'],
  ['ignore rules from a FIFO', 'rm -f .git/info/exclude; mkfifo .git/info/exclude'],
  ['attributes from a FIFO', 'mkfifo .gitattributes'],
  ['index that is a FIFO', 'rm .git/index; mkfifo .git/index'],
  ['HEAD that is a FIFO', 'rm .git/HEAD; mkfifo .git/HEAD'],
  ['.git that is a FIFO', 'rm -rf .git; mkfifo .git'],
  [
    '.git that points elsewhere',
    'mv .git "$OUTSIDE/git"; echo "gitdir: $OUTSIDE/git" > .git; git config core.worktree "$OUTSIDE"',
  ],
  ['endless configuration', 'ln -sf /dev/zero .git/config'],
  ['ignore rules without end', 'rm .git/info/exclude; ln -s /dev/zero .git/info/exclude'],
  [
    'a tree that never ends',
    'i=0; while [ $i -lt 300 ]; do mkdir d; cd d; i=$((i+1)); done; git init -q; cp "$EVIL" .git/hooks/pre-commit',
  ],
  [
    'local history of the editor that lies',
    'mkdir -p "$HOME/.config/Code/User/History/x"; mkfifo "$HOME/.config/Code/User/History/x/entries.json"; ln -s /dev/zero "$HOME/.config/Code/User/History/y"',
  ],
];
