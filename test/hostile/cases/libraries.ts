import type { Attempt } from '../attempt.ts';

/** Foreign code inside of an inert process: libraries, plug-ins, its own memory. The gate is closed. */
const attempts: [string, string, string[]?][] = [
  ['LD_PRELOAD', 'LD_PRELOAD="$LIBRARY" cat a'],
  ['LD_PRELOAD of a copy', 'cp "$LIBRARY" ./x.so; LD_PRELOAD=./x.so cat a'],
  ['LD_AUDIT', 'LD_AUDIT="$LIBRARY" cat a'],
  ['LD_PRELOAD exported to everything', 'export LD_PRELOAD="$LIBRARY"; cat a; ls; true | sort'],
  ['LD_PRELOAD by a descriptor', 'exec 7<"$LIBRARY"; LD_PRELOAD=/proc/self/fd/7 cat a'],
  ['LD_PRELOAD by a link', 'ln -s "$LIBRARY" libc.so; LD_PRELOAD=./libc.so cat a'],
  [
    'LD_LIBRARY_PATH',
    'mkdir l; cp "$LIBRARY" l/libselinux.so.1; cp "$LIBRARY" l/libacl.so.1; LD_LIBRARY_PATH=$PWD/l ls; LD_LIBRARY_PATH=$PWD/l cp --version',
    ['never'],
  ],
  ['bash enable -f', 'enable -f "$LIBRARY" x'],
  ['bash loadables path', 'mkdir l; cp "$LIBRARY" l/x; BASH_LOADABLES_PATH=$PWD/l; enable -f x x'],
  ['zsh module', 'mkdir -p l; cp "$LIBRARY" l/x.so; zsh -fc "module_path=($PWD/l); zmodload x"', ['zsh']],
  ['gawk extension', 'gawk -l "$LIBRARY" "BEGIN {}"', ['gawk']],
  ['sqlite3 .load', 'sqlite3 :memory: ".load $LIBRARY"', ['sqlite3']],
  ['sqlite3 load_extension()', 'sqlite3 :memory: "select load_extension(\'$LIBRARY\')"', ['sqlite3']],
  ['make load', 'printf "load $LIBRARY(library_gmk_setup)\\nall:;\\n" > Makefile; make', ['make']],
  ['nm --plugin', 'nm --plugin "$LIBRARY" "$LIBRARY"', ['nm']],
  [
    'iconv module',
    'mkdir g; cp "$LIBRARY" g/EVIL.so; printf "module EVIL// INTERNAL EVIL 1\\nmodule INTERNAL EVIL// EVIL 1\\n" > g/gconv-modules; echo x | GCONV_PATH=$PWD/g iconv -f EVIL -t UTF-8',
  ],
  ['stdbuf with another library', 'cp "$LIBRARY" libstdbuf.so; LD_PRELOAD=$PWD/libstdbuf.so _STDBUF_O=0 cat a'],
  [
    'name service switch in a chroot of paths',
    'mkdir l; cp "$LIBRARY" l/libnss_files.so.2; LD_LIBRARY_PATH=$PWD/l getent passwd root; LD_PRELOAD=l/libnss_files.so.2 id',
  ],
];

/** Libraries that do not look as if they had instructions: whoever judges only what is mapped executable does not see them. */
const hidden: [string, string, string[]?][] = attempts
  .filter(([, script, needs]) => !needs?.includes('never') && !script.startsWith('nm '))
  .map(([name, script, needs]) => [
    `${name}, instructions hidden`,
    script.replaceAll('$LIBRARY', '$HIDDEN_LIBRARY'),
    needs,
  ]);

// Each script ends with HIT where the loader called what the library's relocations name: exit, with the number of arguments.
const data: [string, string, string[]?][] = [
  ['LD_PRELOAD', 'LD_PRELOAD="$DATA_LIBRARY" cat a b a; [ $? = 4 ] && echo HIT'],
  ['LD_PRELOAD of a copy', 'cp "$DATA_LIBRARY" x; LD_PRELOAD=./x cat a b a; [ $? = 4 ] && echo HIT'],
  ['LD_PRELOAD, aligned', 'LD_PRELOAD="$ALIGNED_LIBRARY" cat a b a; [ $? = 4 ] && echo HIT'],
  ['bash enable -f', 'bash -c \'enable -f "$DATA_LIBRARY" x; exit 99\' 1 2 3; [ $? = 6 ] && echo HIT'],
  [
    'zsh module',
    'mkdir -p l; cp "$DATA_LIBRARY" l/x.so; zsh -fc "module_path=($PWD/l); zmodload x" 1 2 3; [ $? = 6 ] && echo HIT',
    ['zsh'],
  ],
  ['sqlite3 .load', 'sqlite3 -batch -bail :memory: ".load $DATA_LIBRARY"; [ $? = 5 ] && echo HIT', ['sqlite3']],
  [
    'make load',
    'printf "load $DATA_LIBRARY(library_gmk_setup)\\nall:;\\n" > Makefile; make all all; [ $? = 3 ] && echo HIT',
    ['make'],
  ],
  [
    'iconv module',
    'mkdir g; cp "$DATA_LIBRARY" g/EVIL.so; printf "module EVIL// INTERNAL EVIL 1\\nmodule INTERNAL EVIL// EVIL 1\\n" > g/gconv-modules; echo x | GCONV_PATH=$PWD/g iconv -c -s -f EVIL -t UTF-8; [ $? = 7 ] && echo HIT',
  ],
];

// dd writes machine code over its own text; a system call in it would print the token.
const ownMemory = `setarch -R true || exit 0
set -- $(readelf -SW /usr/bin/dd | sed -n 's/^ *\\[ *[0-9]*\\] //p' | awk '$1 == ".text" { print $3, $5 }')
start=$((0x555555554000 + 0x$1)); size=$((0x$2))
printf '\\x48\\x8d\\x35\\x1a\\0\\0\\0\\xbf\\x02\\0\\0\\0\\xba\\x11\\0\\0\\0\\xb8\\x01\\0\\0\\0\\x0f\\x05\\x31\\xff\\xb8\\xe7\\0\\0\\0\\x0f\\x05' > code
printf 'FOREIGN %s\\n' 'CODE RAN' >> code
{ head -c $((size - $(stat -c %s code))) /dev/zero | tr '\\0' '\\220'; cat code; } > text
setarch -R dd if=text of=/proc/self/mem bs=$size count=1 oflag=seek_bytes seek=$start conv=notrunc status=none`;

// The shell's parent opens the shell's memory.
const parentMemory = ownMemory.replace(
  /setarch -R dd.*$/,
  'exec 8<>/proc/self/mem && echo OPENED && cat text | dd of=/proc/$$/mem bs=1 count=1 oflag=seek_bytes seek=$(($(head -1 /proc/$$/maps | sed "s/-.*//;s/^/0x/"))) conv=notrunc && echo WROTE MEMORY',
);

export const libraryAttempts: Attempt[] = [
  ...data.map(
    ([name, script, needs]): Attempt => ({
      name: `library without instructions: ${name}`,
      script,
      gate: 'closed',
      proof: 'hit',
      denied: /^HIT/m,
      ...(needs ? { needs } : {}),
    }),
  ),
  ...[...attempts, ...hidden]
    .filter(([, , needs]) => !needs?.includes('never'))
    .map(
      ([name, script, needs]): Attempt => ({
        name: `library: ${name}`,
        script,
        gate: 'closed',
        proof: 'foreign',
        ...(needs ? { needs } : {}),
      }),
    ),
  {
    name: 'library: machine code written into the memory of an inert program',
    script: ownMemory,
    gate: 'closed',
    proof: 'foreign',
    needs: ['readelf', 'setarch'],
    processor: 'x64',
    quiet: true,
  },
  {
    name: 'library: the memory of another inert program opened for writing',
    script: parentMemory,
    gate: 'closed',
    proof: {
      none: 'the file of its memory is opened by everybody who may trace a process; the attempt above shows the harm',
    },
    needs: ['readelf', 'setarch'],
    processor: 'x64',
    quiet: true,
    denied: /WROTE MEMORY/,
  },
];
