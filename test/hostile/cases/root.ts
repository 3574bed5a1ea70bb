import type { Attempt } from '../attempt.ts';

const root = { none: 'would change this machine' };

/**
 * What only root could do. Values are harmless: the same setting with a small change, a signal that is ignored.
 * `also` of the test compares every setting of the machine.
 */
const attempts: [string, string, Attempt['gate'], Partial<Attempt>?][] = [
  ['sysctl', 'echo $(($(cat /proc/sys/vm/swappiness) + 1)) > /proc/sys/vm/swappiness; echo x=$?', 'closed'],
  ['sysctl of the network', 'echo 65 > /proc/sys/net/ipv4/ip_default_ttl', 'closed'],
  ['core pattern', 'echo core.attack > /proc/sys/kernel/core_pattern', 'closed'],
  ['host name by file', 'echo attacked > /proc/sys/kernel/hostname', 'closed'],
  ['host name', 'hostname attacked', 'closed'],
  [
    'sysrq',
    '[ -e /proc/sysrq-trigger ] || echo No such >&2; echo h > /proc/sysrq-trigger',
    'closed',
    {
      also: (result) =>
        /write error|denied|Read-only|No such/.test(result.stderr) || result.finished[0]?.how === 'stopped'
          ? []
          : ['sysrq-trigger was written'],
    },
  ],
  [
    'cgroup',
    'mkdir /sys/fs/cgroup/attack; mkdir /sys/fs/cgroup/unified/attack; for f in $(find /sys/fs/cgroup -maxdepth 2 -name cgroup.procs); do echo $$ > $f; done',
    'closed',
  ],
  ['network settings in /sys', 'echo 1400 > /sys/class/net/lo/mtu', 'closed'],
  [
    'every file of /sys and /proc',
    'for f in /proc/irq/default_smp_affinity /sys/kernel/mm/ksm/run /sys/power/state /sys/kernel/uevent_seqnum /proc/mtrr /sys/kernel/debug/sched/debug; do (cat $f > v && cat v > $f) 2>/dev/null && echo wrote $f; done; true',
    'closed',
    { denied: /^wrote \/(sys\/power|proc\/(irq|mtrr))/m },
  ],
  ['passwd', 'echo "evil::0:0::/:/bin/sh" >> /etc/passwd; getent passwd evil', 'closed'],
  ['preloaded for everybody', 'echo "$LIBRARY" > /etc/ld.so.preload; cat a; ls', 'closed', { quiet: false }],
  ['inert program replaced', 'cp "$EVIL" /usr/bin/ls; ls', 'closed', { quiet: false }],
  ['inert program linked over', 'ln -sf "$EVIL" /usr/bin/sort; sort a', 'closed', { quiet: false }],
  ['inert program renamed over', 'cp "$EVIL" x; mv x /usr/bin/wc; wc a', 'closed', { quiet: false }],
  ['inert program written in place', 'cat "$EVIL" > /usr/bin/tail; tail a', 'closed', { quiet: false }],
  [
    'folder of programs replaced',
    'mv /usr/bin /usr/bin.old; mkdir /usr/bin; /usr/bin.old/cp "$EVIL" /usr/bin/ls; /usr/bin/ls',
    'closed',
    { mode: 'copy' },
  ],
  [
    'library replaced',
    'l=$(ldd /usr/bin/ls 2>/dev/null | sed -n "s/.*=> \\(.*libselinux[^ ]*\\).*/\\1/p"); [ "$l" ] || l=$(ls /usr/lib/*/libselinux.so.1 | head -1); cat "$LIBRARY" > $l; ls',
    'closed',
  ],
  [
    'library of the system in a new place',
    'cp "$LIBRARY" /usr/lib/evil.so; LD_PRELOAD=/usr/lib/evil.so cat a',
    'closed',
    { quiet: false },
  ],
  [
    'loader cache',
    'mkdir /usr/local/lib/x; cp "$LIBRARY" /usr/local/lib/x/libselinux.so.1; echo /usr/local/lib/x > /etc/ld.so.conf.d/0.conf; /sbin/ldconfig; ls',
    'closed',
  ],
  [
    'shell replaced',
    'cp "$EVIL" /bin/dash; cp "$EVIL" /bin/sh; sh -c true; awk "BEGIN{system(\\"true\\")}"',
    'closed',
    { quiet: false },
  ],
  [
    'root file system as a device',
    'mknod d b $(stat -c "%d" / | awk "{print int(\\$1/256), \\$1%256}") && dd if=d of=/dev/null count=1 2>&1 | grep -q "512 bytes" && echo READ THE DISK',
    'closed',
    { denied: /READ THE DISK/ },
  ],
  ['memory device', 'mknod m c 1 1; head -c 16 m | od; head -c 16 /dev/mem | od', 'closed', { denied: /0000020/ }],
  [
    'kernel messages',
    'mknod k c 1 11; echo attack > k; echo attack > /dev/kmsg',
    'closed',
    { also: (result) => (result.stderr || result.finished[0]?.how === 'stopped' ? [] : ['kmsg was written']) },
  ],
  [
    'disk of the machine',
    'for d in /dev/vda /dev/sda /dev/nvme0n1 /dev/loop0; do head -c 16 $d > /dev/null && echo READ $d; done; true',
    'closed',
    { mode: 'copy', denied: /READ \/dev/ },
  ],
  ['clock', 'date -s "2001-01-01"; date', 'closed'],
  ['other users', 'su nobody -s /bin/sh -c id; setpriv --reuid=65534 id', 'closed'],
  [
    'capabilities',
    'cat /proc/self/status',
    'closed',
    { also: (result, mode) => capabilityComplaints(result.stdout, mode) },
  ],
  ['new addresses', 'ip addr add 127.7.7.7/32 dev lo; ip link set lo mtu 65000', 'open', { needs: ['ip'] }],
  ['mount', 'mount -t tmpfs none /mnt; mount --bind / /mnt; umount -l /tmp; umount -a', 'open'],
  [
    'namespaces of others',
    'nsenter -t $PID -m -p -n -i -u touch "$OUTSIDE/entered"; nsenter -t 1 -a touch "$OUTSIDE/entered"',
    'open',
    { needs: ['nsenter'] },
  ],
  ['modules', 'modprobe dummy; insmod x.ko; rmmod foretell_none', 'open'],
  ['swap, accounting, quota', 'swapoff -a; truncate -s 1M s; mkswap s; swapon s', 'open', { needs: ['swapon'] }],
  ['kernel log cleared', 'dmesg -C; dmesg -n 4', 'open', { needs: ['dmesg'] }],
  ['reboot command with a harmless word', '"$EVIL" otherKernelDoors', 'open', { denied: /HIT/ }],
  ['attributes', 'chattr +i "$VICTIM"; chattr +a "$OUTSIDE"', 'open', { needs: ['chattr'] }],
  ['loop device', 'truncate -s 1M img; losetup -f img', 'open', { needs: ['losetup'] }],
];

// What changes the machine when a capability is left; a confined root may keep those that only concern files.
const dangerous: readonly [string, number][] = [
  ['CAP_KILL', 5],
  ['CAP_NET_ADMIN', 12],
  ['CAP_NET_RAW', 13],
  ['CAP_SYS_MODULE', 16],
  ['CAP_SYS_RAWIO', 17],
  ['CAP_SYS_PTRACE', 19],
  ['CAP_SYS_ADMIN', 21],
  ['CAP_SYS_BOOT', 22],
  ['CAP_SYS_NICE', 23],
  ['CAP_SYS_RESOURCE', 24],
  ['CAP_SYS_TIME', 25],
  ['CAP_SYS_TTY_CONFIG', 26],
  ['CAP_SYSLOG', 34],
  ['CAP_PERFMON', 38],
  ['CAP_BPF', 39],
  ['CAP_CHECKPOINT_RESTORE', 40],
];

/** A copy has processes of its own to signal; the real machine's process table is read with CAP_SYS_PTRACE. */
function capabilityComplaints(status: string, mode: 'copy' | 'look'): string[] {
  const allowed = mode === 'copy' ? 'CAP_KILL' : 'CAP_SYS_PTRACE';
  const complaints: string[] = [];
  for (const kind of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) {
    const bits = BigInt(`0x${new RegExp(`^${kind}:\\s*([0-9a-f]+)`, 'm').exec(status)?.[1] ?? '0'}`);
    for (const [name, bit] of dangerous)
      if (name !== allowed && bits & (1n << BigInt(bit))) complaints.push(`${kind} has ${name}`);
  }
  if (!/^NoNewPrivs:\s*1/m.test(status)) complaints.push('new privileges can be had');
  if (!/^Seccomp:\s*2/m.test(status)) complaints.push('there is no filter');
  return complaints;
}

export const rootAttempts: Attempt[] = attempts.map(([name, script, gate, more]) => ({
  name: `root: ${name}`,
  script,
  gate,
  identity: 'root',
  proof: root,
  quiet: true,
  ...more,
}));
