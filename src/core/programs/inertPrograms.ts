/**
 * What makes the answer of an inert program in copy mode differ from the real one: it looks at the process table, the
 * mount table, or at devices, sessions and addresses of the machine (`/sys`, `/run`, `/dev`, the network namespace).
 */
export interface InertTraits {
  readsProcesses?: true;
  readsMounts?: true;
  readsDevices?: true;
  /** What it shows is the state of a moment: another one a moment later. */
  momentary?: true;
}

/**
 * Programs that may run in the confinement: they do what their arguments say, and whatever else they could start they
 * start through `execve` or map through `mmap`, which the gate sees. By name only; whoever uses the table resolves the
 * names to files that the user cannot write.
 *
 * Not here, although often thought harmless:
 * - `perl python ruby node lua php guile gdb vim emacs nano man2html rpm pandoc`: they run code of others in their own process
 * - `gcc ld.so ldd cargo go javac`: compilers run plug-ins, build scripts and macros
 * - `curl wget ssh nc openssl git-remote-*`: useless without network, and their failure would be a wrong prediction
 * - `logger wall write mesg at crontab ip sysctl`: they speak to a daemon, to other users or to the kernel
 * - `chattr lsattr setfacl setfattr chroot unshare nsenter runuser`: their calls differ on a copy, or are denied
 *
 * How the risky ones among those listed get out, and why the gate holds: `awk system()`, `sed e`, `find -exec`, `xargs`,
 * `tar --to-command`, `split --filter`, `sort --compress-program`, `less` (`LESSOPEN`, `!`), `man`, `ed !`, `dc !`,
 * `m4 esyscmd`, `zip -TT`, `rg --pre`, `top` (inspect), `git` (hooks, pagers, aliases, filters) and `sqlite3 .shell`
 * all exec. `gawk -l`, `bash enable -f`, `zsh zmodload`, `make load`, `sqlite3 .load`, `nm --plugin`, `iconv`
 * (`GCONV_PATH`) and `LD_PRELOAD` all map a library.
 */
const namesByGroup = {
  shells: 'sh bash rbash dash ash zsh fish ksh ksh93 mksh lksh tcsh csh yash busybox',
  coreutils: `[ arch b2sum base32 base64 basename basenc cat chcon chgrp chmod chown cksum comm cp csplit cut date dd dir
    dircolors dirname du echo env expand expr factor false fmt fold groups head hostid id install join link ln ls md5sum
    mkdir mkfifo mknod mktemp mv nice nl nohup nproc numfmt od paste pathchk pr printenv printf ptx pwd readlink realpath
    rm rmdir seq sha1sum sha224sum sha256sum sha384sum sha512sum shred shuf sleep sort split stat stdbuf stty sum sync
    tac tail tee test timeout touch tr true truncate tsort tty uname unexpand uniq unlink vdir wc whoami yes coreutils`,
  find: 'find xargs locate plocate fd fdfind which which.debianutils whereis tree namei file run-parts',
  search: 'grep egrep fgrep rgrep rg ag look',
  text: `awk gawk mawk original-awk sed ed col colrm column rev ul hexdump hd xxd strings iconv recode dos2unix unix2dos
    uuencode uudecode jq yq gettext ngettext envsubst msgfmt msgmerge msgcat xgettext xmllint xsltproc sponge ifne pee
    combine isutf8 pv bat batcat eza exa lsd sd hexyl tokei getopt`,
  compare: 'cmp diff diff3 sdiff patch wdiff diffstat interdiff filterdiff lsdiff delta',
  archive: `tar cpio pax ar gzip gunzip zcat zgrep zegrep zfgrep zdiff zcmp zless zmore gzexe pigz unpigz bzip2 bunzip2
    bzcat bzgrep bzdiff bzless pbzip2 xz unxz xzcat xzgrep xzdiff xzless lzma unlzma lzcat zstd unzstd zstdcat zstdgrep
    zstdless lz4 unlz4 lz4cat lzip lzop brotli zip unzip zipinfo zipnote zipsplit zipgrep funzip`,
  git: 'git git-receive-pack git-upload-archive git-upload-pack scalar',
  build: 'make gmake m4 bison yacc flex lex shellcheck shfmt',
  binaries: 'nm size objdump readelf objcopy strip ranlib addr2line c++filt',
  packages: 'dpkg dpkg-query dpkg-deb dpkg-split apt-cache apt-config update-alternatives',
  pagers: `less more most pager sensible-pager man whatis apropos groff nroff troff grotty preconv tbl eqn pic soelim
    zsoelim manpath`,
  terminal: 'tput clear reset tset infocmp tic script scriptreplay',
  system: `bc dc cal ncal expand fallocate flock getconf getent getfacl getfattr hostname ionice kill locale localedef
    mcookie parallel rename rename.ul rsync setarch setsid sqldiff sqlite3 ssh-keygen taskset chrt time uuidgen uuidparse
    watch errno`,
} as const;

/** Group of programs in the table of inert programs. */
export type InertGroup = keyof typeof namesByGroup | 'machine';

/** Programs whose truth is the real machine: in copy mode they are stopped and answered by look mode. */
const machinePrograms: Readonly<Record<string, InertTraits>> = {
  ps: { readsProcesses: true, momentary: true },
  pgrep: { readsProcesses: true },
  pkill: { readsProcesses: true },
  pidof: { readsProcesses: true },
  pidwait: { readsProcesses: true },
  killall: { readsProcesses: true },
  pstree: { readsProcesses: true, momentary: true },
  pmap: { readsProcesses: true, momentary: true },
  pwdx: { readsProcesses: true },
  top: { readsProcesses: true, momentary: true },
  procs: { readsProcesses: true, momentary: true },
  lsof: { readsProcesses: true, readsMounts: true, momentary: true },
  fuser: { readsProcesses: true, readsMounts: true, momentary: true },
  lsns: { readsProcesses: true },
  skill: { readsProcesses: true },
  snice: { readsProcesses: true },
  w: { readsProcesses: true, readsDevices: true, momentary: true },
  who: { readsDevices: true, momentary: true },
  users: { readsDevices: true, momentary: true },
  pinky: { readsDevices: true, momentary: true },
  last: { readsDevices: true, momentary: true },
  lastb: { readsDevices: true, momentary: true },
  lastlog: { readsDevices: true, momentary: true },
  logname: { readsDevices: true },
  uptime: { readsDevices: true, momentary: true },
  free: { readsDevices: true, momentary: true },
  vmstat: { readsProcesses: true, readsDevices: true, momentary: true },
  ss: { readsProcesses: true, readsDevices: true, momentary: true },
  netstat: { readsProcesses: true, readsDevices: true, momentary: true },
  iostat: { readsDevices: true, momentary: true },
  mpstat: { readsDevices: true, momentary: true },
  pidstat: { readsProcesses: true, readsDevices: true, momentary: true },
  numastat: { readsDevices: true, momentary: true },
  sensors: { readsDevices: true, momentary: true },
  dmesg: { readsDevices: true },
  lscpu: { readsDevices: true },
  lsmem: { readsDevices: true },
  lsmod: { readsDevices: true },
  lspci: { readsDevices: true },
  lsusb: { readsDevices: true },
  lsblk: { readsMounts: true, readsDevices: true },
  blkid: { readsDevices: true },
  df: { readsMounts: true, momentary: true },
  duf: { readsMounts: true, momentary: true },
  findmnt: { readsMounts: true },
  mountpoint: { readsMounts: true },
  // Listing only: with arguments the kernel refuses, and as a set-user-id program the gate asks about it anyway.
  mount: { readsMounts: true },
};

const noTraits: InertTraits = {};

/** Every inert program by name, with what its answer depends on. */
export const inertPrograms: ReadonlyMap<string, InertTraits> = new Map([
  ...Object.values(namesByGroup).flatMap((names) => words(names).map((name) => [name, noTraits] as const)),
  ...Object.entries(machinePrograms),
]);

/** The group of an inert program, for showing the table; `undefined` when it is not inert. */
export function inertGroupOf(name: string): InertGroup | undefined {
  if (name in machinePrograms) return 'machine';
  for (const [group, names] of Object.entries(namesByGroup)) {
    if (words(names).includes(name)) return group as InertGroup;
  }
  return undefined;
}

/** Whether the truth about this program is the real machine, so that copy mode has to ask about it. */
export function readsRealMachine(name: string): boolean {
  const traits = inertPrograms.get(name);
  return traits !== undefined && Object.keys(traits).length > 0;
}

/** Whether this program shows which processes there are; not those that only signal them. */
export function showsProcesses(name: string): boolean {
  if (/^(?:pkill|killall|skill|snice)$/.test(name)) return false;
  return inertPrograms.get(name)?.readsProcesses === true || name === 'netstat';
}

/** Whether what this program shows is the state of a moment. */
export function isMomentary(name: string): boolean {
  return inertPrograms.get(name)?.momentary === true;
}

// These speak to the network or to another daemon; everything else in git's directory works on the repository.
const networkedGitHelper =
  /^git-(remote-.*|http-.*|imap-send|daemon|instaweb|send-email|svn|cvs.*|p4|archimport|credential-.*|shell|web--browse)$/;

/**
 * Whether a file of git's own program directory (`git --exec-path`) may run.
 * The remote helpers may not: they need the network, which the confinement does not have.
 */
export function isInertGitHelper(fileName: string): boolean {
  return fileName.startsWith('git-') ? !networkedGitHelper.test(fileName) : inertPrograms.has(fileName);
}

function words(names: string): string[] {
  return names.trim().split(/\s+/);
}
