import type { Attempt } from '../attempt.ts';

/** Foreign programs started from inert ones, in every way that inert programs know. The gate is closed. */
export const programAttempts: Attempt[] = (
  [
    ['plain', '"$EVIL"'],
    ['copied into the workspace', 'cp "$EVIL" ./tool && ./tool'],
    ['named like an inert program', 'cp "$EVIL" ./ls && ./ls'],
    ['PATH with the current folder first', 'cp "$EVIL" ./ls && PATH=.:$PATH && ls'],
    ['argv[0] of an inert program', 'exec -a /usr/bin/ls "$EVIL"'],
    ['through its own descriptor', 'exec 9<"$EVIL"; /proc/self/fd/9'],
    ['through /dev/fd', 'exec 9<"$EVIL"; /dev/fd/9'],
    ['through /proc/self/root', '/proc/self/root"$EVIL"'],
    ['through /proc/self/cwd', 'cp "$EVIL" tool; /proc/self/cwd/tool'],
    ['through a chain of links', 'for i in $(seq 1 30); do ln -s l$((i+1)) l$i; done; ln -s "$EVIL" l31; ./l1'],
    ['link with the name of an inert program', 'ln -s "$EVIL" ls; ./ls'],
    ['shebang', 'printf "#!%s\\n" "$EVIL" > s; chmod +x s; ./s'],
    ['shebang with spaces and options', 'printf "#! \\t %s   x\\n" "$EVIL" > s; chmod +x s; TOUCH= ./s'],
    [
      'shebang chain',
      'printf "#!%s\\n" "$EVIL" > s1; printf "#!$PWD/s1\\n" > s2; printf "#!$PWD/s2\\n" > s3; chmod +x s?; ./s3',
    ],
    ['shebang by env', 'cp "$EVIL" tool; printf "#!/usr/bin/env ./tool\\n" > s; chmod +x s; ./s'],
    ['shebang by env -S', 'printf "#!/usr/bin/env -S nice %s\\n" "$EVIL" > s; chmod +x s; ./s'],
    ['shebang with a relative path', 'cp "$EVIL" tool; printf "#!tool\\n" > s; chmod +x s; ./s'],
    ['find -exec', 'find . -maxdepth 0 -exec "$EVIL" \\;'],
    ['find -execdir +', 'find . -maxdepth 0 -execdir "$EVIL" {} +'],
    ['find -ok', 'yes | find . -maxdepth 0 -ok "$EVIL" \\;'],
    ['xargs', 'echo | xargs "$EVIL"'],
    ['xargs -P', 'seq 1 8 | xargs -P 8 -n 1 sh -c \'"$EVIL"\''],
    ['awk system', 'awk \'BEGIN { system(ENVIRON["EVIL"]) }\''],
    ['awk pipe', 'awk \'BEGIN { print "x" | ENVIRON["EVIL"] }\''],
    ['awk getline', 'awk \'BEGIN { ENVIRON["EVIL"] | getline x; print x }\''],
    ['sed e command', 'echo x | sed "1e $EVIL"'],
    ['sed s///e', 'echo x | sed "s|x|$EVIL|e"'],
    ['tar --to-command', 'tar cf t.tar a; tar xf t.tar --to-command="$EVIL"'],
    ['tar --checkpoint-action', 'tar cf t.tar --checkpoint=1 --checkpoint-action=exec="$EVIL" a'],
    ['tar -I', 'tar cf t.tar -I "$EVIL" a'],
    ['tar --info-script', 'head -c 90000 /dev/urandom > big; tar cf t.tar -L 20 -M -F "$EVIL" big < /dev/null'],
    ['zip -TT', 'zip -q z.zip a -T -TT "$EVIL"', ['zip']],
    ['sort --compress-program', 'seq 1 200000 | sort -R -S 64k --compress-program="$EVIL" | head -1'],
    ['split --filter', 'seq 1 3 | split -l 1 --filter="$EVIL"'],
    ['ed !', 'printf "!$EVIL\\nq\\n" | ed -s', ['ed']],
    ['less LESSOPEN', 'LESSOPEN="|$EVIL %s" less a | cat', ['less']],
    ['man pager', 'MANPAGER="$EVIL" PAGER="$EVIL" script -qc "man -P $EVIL ls" /dev/null', ['script']],
    ['env', 'env -i TOUCH="$TOUCH" "$EVIL"'],
    ['nohup, nice, setsid, timeout', 'nohup nice setsid -w timeout 5 "$EVIL"'],
    ['flock -c', 'flock a -c "$EVIL"'],
    ['script -c', 'script -qc "$EVIL" /dev/null', ['script']],
    ['stdbuf', 'stdbuf -o0 "$EVIL"'],
    ['setarch', 'setarch -R "$EVIL" || setarch -v "$EVIL" || linux64 "$EVIL"', ['setarch'], true],
    ['run-parts', 'mkdir parts; cp "$EVIL" parts/tool; run-parts parts', ['run-parts']],
    ['bash loop in a subshell in a pipe', '( { echo | while read -r x; do "$EVIL"; done; } )'],
    ['process substitution', 'cat <("$EVIL") >(cat)'],
    ['command substitution', 'x=$("$EVIL"); echo "$x"'],
    ['here-document to a shell', 'bash <<< "$EVIL"'],
    ['make recipe', 'printf "all:\\n\\t@$EVIL\\n" > Makefile; make', ['make']],
    ['make $(shell)', 'printf "x := \\$(shell $EVIL)\\nall:\\n\\t@echo \\$(x)\\n" > Makefile; make -n', ['make']],
    ['make SHELL', 'printf "SHELL=$EVIL\\nall:\\n\\t@x\\n" > Makefile; make', ['make']],
    ['BASH_ENV', 'printf "%s\\n" "$EVIL" > env; BASH_ENV=./env bash -c :'],
    ['ENV of sh', 'printf "%s\\n" "$EVIL" > env; ENV=./env script -qc "sh -i < /dev/null" /dev/null', ['script']],
    ['PROMPT_COMMAND', 'PROMPT_COMMAND="$EVIL" bash --norc -i <<< exit'],
    ['exported function with the name of an inert program', 'env "BASH_FUNC_ls%%=() { $EVIL; }" bash -c ls'],
    ['alias with the name of an inert program', 'shopt -s expand_aliases\nalias ls="$EVIL"\nls'],
    ['trap DEBUG', 'trap "$EVIL" DEBUG; :'],
    ['trap EXIT', 'trap "$EVIL" EXIT'],
    ['SHELLOPTS and PS4', 'env SHELLOPTS=xtrace PS4="\\$($EVIL >&2)" bash -c : 2>&1', undefined, false, 'user'],
    ['coproc', 'coproc "$EVIL"; cat <&"$COPROC"'],
    ['python', "python3 -c \"print('FOREIGN' + ' CODE RAN')\"", ['python3']],
    ['perl', "perl -e \"print 'FOREIGN' . ' CODE RAN'\"", ['perl']],
    ['less with a key binding, sqlite3 .shell', 'sqlite3 :memory: ".shell $EVIL"', ['sqlite3']],
    ['sqlite3 .system', 'sqlite3 :memory: ".system $EVIL"', ['sqlite3']],
    ['sqlite3 .import pipe', 'sqlite3 :memory: ".import \\"|$EVIL\\" t" "select * from t"', ['sqlite3']],
    ['dash, sh -c, eval', 'dash -c \'eval "$EVIL"\'', ['dash']],
    ['zsh', 'zsh -fc \'"$EVIL"\'', ['zsh']],
    ['fish', "fish --no-config -c '$EVIL'", ['fish']],
    [
      'awk with a shell in CONVFMT order',
      'mawk \'BEGIN { while ((ENVIRON["EVIL"] | getline line) > 0) print line }\'',
      ['mawk'],
    ],
    ['cat in an own folder of programs', 'mkdir bin; cp "$EVIL" bin/cat; PATH=$PWD/bin; cat a'],
    ['hash table of the shell', 'hash -p "$EVIL" ls; ls'],
    [
      'ld.so with an inert program and a foreign path',
      'x=$(ls /lib64/ld-linux* /lib/ld-linux* 2>/dev/null | head -1); "$x" --preload "$LIBRARY" /bin/true',
    ],
    ['link exchanged while the gate decides', linkRace(), undefined, true],
    ['file exchanged while the gate decides', fileRace(), undefined, true],
  ] as [string, string, string[]?, boolean?, 'user'?][]
).map(
  ([name, script, needs, quiet, identity]): Attempt => ({
    name: `program: ${name}`,
    script,
    gate: 'closed',
    proof: 'foreign',
    ...(needs ? { needs } : {}),
    quiet: quiet === true,
    ...(identity ? { identity } : {}),
  }),
);

function linkRace(): string {
  return `ln -s /usr/bin/true x
( for i in $(seq 1 150); do ln -sfn "$EVIL" y; mv -fT y x; ln -sfn /usr/bin/true y; mv -fT y x; done ) &
for i in $(seq 1 150); do ./x; done; wait`;
}

function fileRace(): string {
  return `cp "$EVIL" evil; printf '#!/bin/sh\\n:\\n' > good; chmod +x good; cp good x
( for i in $(seq 1 150); do ln -f evil y; mv -f y x; ln -f good y; mv -f y x; done ) &
for i in $(seq 1 150); do ./x; done; wait`;
}
