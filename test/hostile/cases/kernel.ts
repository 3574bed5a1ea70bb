import type { Attempt } from '../attempt.ts';

/** Foreign code runs confined, and attacks the kernel's doors directly. The gate is open. */
const attempts: [string, Attempt['proof'], Partial<Attempt>?][] = [
  ['ptraceAttach', 'canaries'],
  ['ptraceSeize', 'canaries'],
  ['vmWrite', 'canaries'],
  ['procMemory', 'canaries'],
  ['stealDescriptor', 'canaries'],
  ['signals', 'canaries'],
  ['killGroup', 'canaries'],
  ['ownedSignal', 'canaries'],
  ['prioritiesOfOthers', 'canaries'],
  ['procSettings', 'canaries'],
  ['forgeFrames', { none: 'there is no launcher whose frames could be forged' }, { denied: /HIT/ }],
  ['writeWatcher', { none: 'there is no watcher outside of the confinement' }, { denied: /HIT/ }],
  ['killWatcher', { none: 'kills the parent of the attack' }],
  ['escapeTracing', { none: 'nobody traces it outside of the confinement' }],
  ['traceMe', { none: 'allowed outside of the confinement' }, { denied: /HIT/ }],
  ['vforkExec', 'hit'],
  ['openings', 'canaries'],
  ['truncateReading', 'canaries'],
  ['createReading', 'canaries'],
  ['temporaryFile', 'canaries'],
  ['changes', 'canaries'],
  ['readingDescriptor', 'canaries'],
  ['mapShared', 'canaries'],
  ['copies', 'canaries'],
  ['byHandle', { none: 'needs a capability that an ordinary user does not have' }, { denied: /HIT open_by_handle_at/ }],
  ['inheritedDescriptors', { none: 'checked with descriptors in its own test' }, { denied: /HIT/ }],
  ['deviceNodes', { none: 'the device of this machine' }, { denied: /READ DEVICE|OPENED DEVICE/ }],
  [
    'hostDevices',
    { none: 'the devices of this machine' },
    { denied: /OPENED DEVICE \/dev\/(mem|kmem|port|loop|vda|sda|nvme|fuse|kvm|net|uinput|vcs|vhost|rtc|mapper)/ },
  ],
  [
    'overlayWords; ls sub',
    { none: 'means nothing outside of an overlay' },
    {
      also: (result, mode) =>
        mode === 'copy' && !/^c$/m.test(result.stdout) ? ["the command can speak the overlay's language"] : [],
    },
  ],
  ['pathRace', { none: 'needs somebody who judges before the kernel reads' }, { repeat: 5, mode: 'copy' }],
  ['ownSocketRace', { none: 'needs somebody who judges before the kernel reads' }, { repeat: 2, mode: 'copy' }],
  ['addressRace', { none: 'needs somebody who judges before the kernel reads' }, { repeat: 2, mode: 'copy' }],
  ['terminalSettings', 'canaries'],
  ['unixNameService', 'canaries'],
  [
    'locks',
    { none: 'a lock ends with its process' },
    { also: (result, mode) => (mode === 'look' && /^HIT/m.test(result.stdout) ? ['a real file was locked'] : []) },
  ],
  ['terminalInjection', { none: 'switched off in most kernels' }, { denied: /HIT TIOC(STI|LINUX)/ }],
  ['writeTerminal', 'canaries'],
  ['loopDevices', { none: 'the devices of this machine' }, { denied: /HIT/ }],
  ['chrootEscape', { none: 'needs a capability that an ordinary user does not have' }],
  ['otherRoots', 'canaries'],
  ['mounting', { none: 'needs a capability that an ordinary user does not have' }, { denied: /HIT/ }],
  ['unmounting', { none: 'needs a capability that an ordinary user does not have' }, { denied: /HIT umount/ }],
  ['unsharing', 'hit', { denied: /HIT/ }],
  ['cloning', 'hit', { denied: /HIT/ }],
  ['joining', { none: 'needs a capability that an ordinary user does not have' }, { denied: /HIT/ }],
  ['systemFiles', { none: 'needs a capability that an ordinary user does not have' }, { denied: /HIT (swapon|acct)/ }],
  ['dots', 'canaries'],
  ['bpf', { none: 'switched off for users in most kernels' }, { denied: /HIT/ }],
  ['userfaultfd', 'hit', { denied: /HIT/ }],
  ['ioUring', 'canaries', { denied: /HIT/ }],
  ['keys', 'canaries', { denied: /HIT/ }],
  ['otherKernelDoors', { none: 'needs a capability that an ordinary user does not have' }, { denied: /HIT/ }],
  ['clocks', { none: 'the clock of this machine' }],
  ['names', { none: 'the name of this machine' }],
  ['systemV', 'canaries'],
  ['systemVRemove', 'canaries'],
  ['posixQueues', 'canaries'],
  ['posixMemory', 'canaries'],
  ['calls32', 'canaries', { processor: 'x64', through: 'has32', denied: /HIT/ }],
  ['callsX32', { none: 'kernels are seldom built with it' }, { processor: 'x64', denied: /HIT/ }],
  ['unknownCalls', { none: 'what a number will mean is not known' }, { denied: /HIT/ }],
  ['filterOff', { none: 'there is no filter outside' }, { denied: /HIT/ }],
  ['memoryFile', 'foreign', { environment: {} }],
  ['tcpConnect', 'canaries'],
  ['tcpFastOpen', 'canaries'],
  ['datagrams', 'canaries'],
  ['unixConnect', 'canaries'],
  ['unixDatagram', 'canaries'],
  ['unixByLink', 'canaries'],
  ['bindUnix', 'canaries'],
  ['rawSockets', { none: 'needs a capability, or leaves no trace' }, { denied: /HIT vsock/ }],
  ['netlinkAddress', { none: 'the addresses of this machine' }],
];

export const kernelAttempts: Attempt[] = attempts.map(([name, proof, more]) => ({
  name: `kernel: ${name}`,
  script: `"$EVIL" ${name}`,
  gate: 'open',
  proof,
  ...more,
}));

// Copy mode only: in look mode programs of others do not run. `countedOnce` needs 80 MB, however often that is mapped.
export const memoryAttempts: Attempt[] = [
  'sharedMemory',
  'memoryFileWritten',
  'memoryFileMapped',
  'segments',
  'sharedByChildren',
  'countedOnce',
].map((name) => ({
  name: `memory: ${name}`,
  script: `"$EVIL" ${name}`,
  gate: 'open',
  mode: 'copy',
  proof: 'hit',
  memoryBytes: 150 << 20,
  also: ({ stdout, finished }) => {
    const fits = name === 'countedOnce';
    const ended = finished.at(-1)?.how === 'memoryLimit';
    if (fits && ended) return ['ended, although it fits'];
    return /^HIT/m.test(stdout) === fits && ended !== fits ? [] : [`${JSON.stringify(finished)} ${stdout}`];
  },
}));

/** Exhausting what everybody shares: each must end in time, and leave nothing. */
export const exhaustionAttempts: Attempt[] = [
  ['forkBomb', '"$EVIL" forkBomb'],
  ['many processes', '"$EVIL" threadStorm'],
  ['disk', '"$EVIL" fillDisk'],
  ['memory', '"$EVIL" fillMemory'],
  ['output', 'while :; do "$EVIL"; done & yes'],
  [
    'children that ignore every signal',
    'trap "" HUP INT TERM QUIT TSTP; setsid sh -c \'trap "" HUP INT TERM; sleep 600\' & disown; echo started',
  ],
  ['daemon', 'setsid -f sleep 600 > /dev/null 2>&1 < /dev/null; echo started'],
  ['stopped children', 'sleep 600 & kill -STOP $!; kill -STOP $$'],
].map(([name, script]) => ({
  name: `exhaustion: ${name}`,
  script: script as string,
  gate: 'open',
  proof: { none: 'would exhaust this machine' },
}));
