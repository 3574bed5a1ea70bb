/** A line that reaches for the nodes of devices; run only where those are throw-away nodes. */
export interface DeviceCase {
  name: string;
  /** Run by bash; NODE and the environment of `devices.test.ts` name what it aims at. */
  script: string;
  identity?: 'user' | 'root';
  gate?: 'open';
  /** Terminal width; default: pipes. */
  columns?: number;
  /** What the prediction must say of it, in the effects or the changed files; absent: what happens leaves no mark. */
  told?: RegExp;
  /** Without confinement nothing is changed by it either; it is here for what is said about it. */
  harmless?: boolean;
}

const full = /\/dev\/full/;
const disk = /write to the device \/dev\/vda|write to \/dev\/vda/;

/** Attributes, times and contents of device nodes. */
export const deviceCases: DeviceCase[] = [
  { name: 'chmod', script: 'chmod 640 /dev/full', identity: 'root', told: full },
  { name: 'chmod of an ordinary user', script: 'chmod 640 /dev/full', identity: 'user', harmless: true },
  { name: 'chown', script: 'chown 1:1 /dev/full', identity: 'root', told: full },
  { name: 'touch', script: 'touch /dev/full', told: full },
  // Whoever reads changes that time too: of no file it is told.
  { name: 'touch of the time of reading', script: 'touch -a /dev/zero', identity: 'root' },
  { name: 'touch with a date', script: 'touch -d 2002-02-02 /dev/null', identity: 'root', told: /\/dev\/null/ },
  {
    name: 'a file is laid beside',
    script: 'echo x > /dev/beside; ls /dev > a',
    identity: 'root',
    told: /\/dev\/beside/,
  },
  {
    name: 'cp of attributes',
    script: 'chmod 700 a; cp --attributes-only -p a /dev/full',
    identity: 'root',
    told: full,
  },
  { name: 'find', script: 'find /dev -name full -exec chmod 640 {} +', identity: 'root', told: full },
  { name: 'by the descriptor', script: 'exec 5< /dev/full; chmod 640 /proc/self/fd/5', identity: 'root', told: full },
  { name: 'every node', script: 'chmod -R 700 /dev', identity: 'root', told: /\/dev\/vda/ },
  { name: 'node of a disk', script: 'chmod 666 /dev/vda', identity: 'root', told: /\/dev\/vda/ },
  { name: 'link to a node', script: 'ln -s /dev/full here; touch here', told: full },
  { name: 'node by its descriptor', script: 'NODE=/dev/full "$EVIL" nodeByDescriptor', gate: 'open', told: full },
  { name: 'terminal by its descriptor', script: 'NODE=/dev/tty "$EVIL" nodeByDescriptor', gate: 'open', columns: 80 },
  { name: 'terminal written', script: 'echo hello > /dev/tty', columns: 80 },
  { name: 'terminal read', script: 'read -t 0.2 line < /dev/tty; stty -a < /dev/tty > a', columns: 80, harmless: true },
  { name: 'terminal of one that is made', script: 'script -qc "echo hello > /dev/tty" /dev/null', gate: 'open' },
  { name: 'terminal that is not there', script: 'echo hello > /dev/tty || rm -f a', harmless: true, told: /\/a\b/ },
  {
    name: 'read and written',
    script: 'head -c 9 /dev/zero > /dev/null; echo x > /dev/null; head -c 9 /dev/urandom > a',
    harmless: true,
  },
  { name: 'disk written', script: 'cat a > /dev/vda && rm -f precious', identity: 'root', told: disk },
  { name: 'disk written by dd', script: 'dd if=a of=/dev/vda conv=notrunc seek=3', identity: 'root', told: disk },
  {
    name: 'disk written by a node of its own',
    script: 'mknod n b $(stat -c "0x%t 0x%T" /dev/vda); cat b > n',
    identity: 'root',
    told: /write to \S*\/n\b/,
  },
  {
    name: 'null device by a node of its own',
    script: 'mknod n c 1 3; echo x > n && rm -f precious',
    identity: 'root',
    told: /precious/,
    harmless: true,
  },
  { name: 'log of the kernel', script: 'echo x > /dev/kmsg', identity: 'root', told: /\/dev\/kmsg/, harmless: true },
  { name: 'memory', script: 'echo x > /dev/mem', identity: 'root', told: /\/dev\/mem/, harmless: true },
  { name: 'disk of others', script: 'cat a > /dev/vda || rm -f a', identity: 'user', told: /\/a\b/, harmless: true },
  { name: 'FIFO where only a bind is possible', script: 'echo x > "$BOUND/fifo"', told: /fifo/ },
  {
    name: 'FIFO by a link that is swapped',
    script:
      'for i in $(seq 1 20); do ln -sfn "$BOUND/fifo" e; mv -fT e d; ln -sfn "$PWD/a" e; mv -fT e d; done & while kill -0 $! 2> /dev/null; do echo x >> d; done 2> /dev/null',
  },
  {
    name: 'FIFO by a path that is swapped',
    script: 'BOUND_FIFO="$BOUND/fifo" PLAIN="$PWD/a" "$EVIL" pathTurned',
    gate: 'open',
  },
  {
    name: 'records of the kernel',
    script: 'timeout 0.5 cat $TRACE/trace_pipe > a',
    identity: 'root',
    told: /trace_pipe/,
  },
  {
    name: 'records by a redirect',
    script: 'read -t 0.5 x < $TRACE/trace_pipe; echo $x',
    identity: 'root',
    told: /trace_pipe/,
  },
  {
    name: 'records by a name as long as names may be',
    script: 'p=$(head -c 4095 /dev/zero | tr "\\0" /)$TRACE/trace_pipe; timeout 0.5 cat "${p: -4095}" > a',
    identity: 'root',
    told: /trace_pipe/,
  },
  { name: 'records by grep', script: 'timeout 0.5 grep x $TRACE/trace_pipe', identity: 'root', told: /trace_pipe/ },
  {
    name: 'records of one processor',
    script: 'for f in $TRACE/per_cpu/cpu*/trace_pipe; do timeout 0.2 cat $f; done > a',
    identity: 'root',
    told: /trace_pipe/,
  },
  { name: 'every file of the records', script: 'timeout 0.5 grep -rs x $TRACE', identity: 'root' },
  {
    name: 'messages of the kernel',
    script: 'timeout 0.5 cat /proc/kmsg > a',
    identity: 'root',
    told: /kmsg/,
    harmless: true,
  },
  {
    name: 'setting of the kernel',
    script: 'echo 61 > /proc/sys/vm/swappiness && rm -f precious',
    identity: 'root',
    told: /swappiness/,
    harmless: true,
  },
  {
    name: 'own process',
    script: 'echo 500 > /proc/self/oom_score_adj && rm -f precious',
    told: /precious/,
    harmless: true,
  },
  { name: 'node moved', script: 'mv /dev/kmsg /dev/kmsg2', identity: 'root', told: /\/dev\/kmsg2/ },
  { name: 'node of a disk removed', script: 'rm /dev/vda', identity: 'root', told: /\/dev\/vda/ },
];

/** Locks that would be the machine's; the script holds what it took for a while. */
export const lockCases: DeviceCase[] = [
  { name: 'flock', script: 'exec 9< /dev/null; flock -n 9; sleep 0.4', told: /\/dev\/null/ },
  { name: 'flock of a command', script: 'flock -n /dev/full sleep 0.4', told: full },
  { name: 'locks by descriptor', script: 'NODE=/dev/zero "$EVIL" nodeLock', gate: 'open', told: /\/dev\/zero/ },
];
