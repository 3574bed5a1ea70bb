import type { Attempt } from '../attempt.ts';

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Of an attempt whose proof cannot be a change of a canary. */
type Proofs = Readonly<Record<string, Attempt['proof']>>;

const hits: Attempt['proof'] = 'hit';
const privileged: Attempt['proof'] = { none: 'needs a capability that an ordinary user does not have' };
const switchedOff: Attempt['proof'] = { none: 'switched off in most kernels' };

interface Runtime {
  /** The program that is needed, and how an attack is started. */
  needs: string;
  start: (attack: string) => string;
  attacks: readonly string[];
  proofs?: Proofs;
}

/** Every runtime with the attacks that its file in `programs/` knows; each is aimed at canaries only. */
export const runtimes: Readonly<Record<string, Runtime>> = {
  python: {
    needs: 'python3',
    start: (attack) => `python3 "$BIN/attack.py" ${attack}`,
    attacks:
      words(`overwrite append truncate mode setuid times unlink rename make folder symlink fifo linked soft race reopened
      folderDescriptor unnamed mapped range sendfile splice passed attribute roots home keys repository workspace memory written traced
      stolen signal queued priority cpus limits oom ioPriority name daemon waiting tcp tcp6 udp unix abstract datagram terminalText
      terminalSize terminalSettings terminalTyped shared unshared key ring descriptors namespaces joined mounts child env`),
    proofs: {
      workspace: { none: 'the workspace is no canary here' },
      repository: { none: 'the workspace is no canary here' },
      terminalTyped: switchedOff,
      ring: switchedOff,
      descriptors: { none: 'nothing is inherited outside of the confinement' },
      namespaces: hits,
      joined: privileged,
      mounts: privileged,
      traced: hits,
    },
  },
  node: {
    needs: 'node',
    start: (attack) => `node "$BIN/attack.js" ${attack}`,
    attacks:
      words(`overwrite append truncate mode setuid times unlink rename make folder symlink link copy copyTree removeTree
      temporary soft softFolder reopened roots dots stream vectors asynchronous home keys settings autostart repository workspace worker
      memory oom signal stopped debugger priority daemon waiting tcp tcpByName tcp6 fetched udp unix terminalText shared unshared
      descriptors child program addon python`),
    proofs: {
      workspace: { none: 'the workspace is no canary here' },
      repository: { none: 'the workspace is no canary here' },
      stopped: { none: 'leaves no trace' },
      descriptors: { none: 'Node has descriptors of its own' },
      addon: 'foreign',
    },
  },
  perl: {
    needs: 'perl',
    start: (attack) => `perl "$BIN/attack.pl" ${attack}`,
    attacks:
      words(`overwrite append update truncate mode setuid times unlink rename make folder symlink link fifo soft reopened
      duplicated roots home keys repository workspace inPlace memory oom signal stopped priority tcp tcp6 udp unix abstract datagram
      waiting terminalText terminalTyped terminalSize segments semaphores messages removedSegments shared ring tree key daemon child
      piped became`),
    proofs: {
      workspace: { none: 'the workspace is no canary here' },
      repository: { none: 'the workspace is no canary here' },
      stopped: { none: 'leaves no trace' },
      terminalTyped: switchedOff,
      ring: switchedOff,
      tree: privileged,
    },
  },
  shell: {
    needs: 'bash',
    start: (attack) => `bash "$BIN/attack.sh" ${attack}`,
    attacks:
      words(`overwrite append noclobber both truncate mode setuid times unlink shred rename make folder symlink link fifo soft
      reopened roots dots home keys repository workspace copied installed archived dd tee sed find split linked awk git background
      session trap oom filter signal stopped renice limits taskset ionice chrt removed shared unshared waiting terminalText
      terminalSettings terminalSize tcp tcp6 udp namespaces joined mounts rights cron services stored`),
    proofs: {
      workspace: { none: 'the workspace is no canary here' },
      repository: { none: 'the workspace is no canary here' },
      stopped: { none: 'leaves no trace' },
      namespaces: hits,
      joined: privileged,
      mounts: privileged,
      rights: { none: 'needs the password of another user' },
      cron: { none: 'the table of this machine' },
      services: { none: 'which daemons this machine has' },
      stored: privileged,
    },
  },
  ruby: {
    needs: 'ruby',
    start: (attack) => `ruby "$BIN/attack.rb" ${attack}`,
    attacks:
      words(`overwrite append truncate mode times unlink rename make folder symlink link fifo soft copied reopened removed home
      workspace memory signal priority daemon thread tcp tcp6 udp unix terminalText shared child ring became`),
    proofs: { workspace: { none: 'the workspace is no canary here' }, ring: switchedOff },
  },
  php: {
    needs: 'php',
    start: (attack) => `php "$BIN/attack.php" ${attack}`,
    attacks:
      words(`overwrite append truncate mode times unlink rename make folder symlink link copied wrapper home workspace memory tcp
      udp unix fetched child shared`),
    proofs: { workspace: { none: 'the workspace is no canary here' } },
  },
  lua: {
    needs: 'lua',
    start: (attack) => `lua "$BIN/attack.lua" ${attack}`,
    attacks: words('overwrite append update unlink rename make home workspace child piped roots'),
    proofs: { workspace: { none: 'the workspace is no canary here' } },
  },
  tcl: {
    needs: 'tclsh',
    start: (attack) => `tclsh "$BIN/attack.tcl" ${attack}`,
    attacks: words('overwrite append unlink rename mode make folder copied home workspace tcp child piped'),
    proofs: { workspace: { none: 'the workspace is no canary here' } },
  },
};

/** Ways to start an attack by something that itself only does its work. */
const starters: readonly [string, string, string?][] = [
  ['make', 'printf \'all:\\n\\t@sh -c "$$ATTACK"\\n\' > Makefile; make -s', 'make'],
  ['make -j2', 'printf \'all: x y\\nx y:\\n\\t@sh -c "$$ATTACK"\\n\' > Makefile; make -sj2', 'make'],
  [
    'hook of git',
    'printf "#!/bin/sh\\n%s\\n" "$ATTACK" > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; git commit -qam x',
  ],
  ['alias of git', 'git -c alias.x="!$ATTACK" x'],
  ['filter of git', 'echo "a filter=f" > .gitattributes; git -c filter.f.clean="$ATTACK; cat" add a'],
  [
    'npm run',
    'printf \'{"scripts":{"x":"%s"}}\' "$(echo "$ATTACK" | sed \'s/"/\\\\"/g\')" > package.json; npm run --silent x',
    'npm',
  ],
  ['node', 'node -e \'require("child_process").execSync(process.env.ATTACK, { stdio: "inherit" })\'', 'node'],
  ['python', 'python3 -c \'import os; os.system(os.environ["ATTACK"])\'', 'python3'],
  ['find', 'find a -exec sh -c "$ATTACK" \\;'],
  ['in the background', '(sh -c "$ATTACK" &) ; sleep 1'],
  ['without a terminal', 'setsid -w sh -c "$ATTACK"'],
];
const started = [
  'perl "$BIN/attack.pl" overwrite',
  'perl "$BIN/attack.pl" memory',
  'bash "$BIN/attack.sh" tcp',
  'bash "$BIN/attack.sh" signal',
  '"$EVIL" ptraceAttach',
  '"$EVIL" unixConnect',
];

/** An attack that is not there, or is wrong. */
export const noSuchAttack = /no such attack|undefined is not|KeyError|SyntaxError/;
const startsC: ReadonlySet<string> = new Set(['env', 'program', 'became']);

/** Foreign programs of every runtime with the gate open: only the confinement is against them. */
export const runtimeAttempts: Attempt[] = [
  ...Object.entries(runtimes).flatMap(([runtime, { needs, start, attacks, proofs = {} }]) =>
    attacks.map(
      (attack): Attempt => ({
        name: `${runtime}: ${attack}`,
        script: start(attack),
        gate: 'open',
        mode: 'copy',
        proof: proofs[attack] ?? 'canaries',
        needs: [needs],
        // What the program in C opens is of the view.
        denied: startsC.has(attack) ? noSuchAttack : new RegExp(`^HIT|${noSuchAttack.source}`, 'm'),
      }),
    ),
  ),
  ...starters.flatMap(([name, script, needs]) =>
    started.map(
      (attack): Attempt => ({
        name: `by ${name}: ${attack}`,
        script,
        gate: 'open',
        mode: 'copy',
        proof: 'canaries',
        needs: ['perl', ...(needs ? [needs] : [])],
        environment: { ATTACK: attack },
      }),
    ),
  ),
];
