import type { Doing, Program } from '../program.ts';

const only = 'only reads';

const endingProcesses: Doing = {
  effect: 'signal',
  care: 'c',
  says: 'ends processes{: rest}',
  valued: '-s -n -u -U -g -P -t -G --signal',
  rules: [
    ['s', '-l|--list|-L|-0', 'only asks whether processes exist'],
    ['d', '~^-?1$', 'ends processes of everybody, or the first process'],
    ['d', '-1 -9|-KILL|-SIGKILL', 'ends processes of everybody'],
    [
      'd',
      '~^(init|systemd|sshd?|bash|sh|zsh|Xorg|gnome-shell|login|dbus-daemon)$',
      'ends processes that the session needs{: rest}',
    ],
    ['d', '-9|-KILL|-SIGKILL', 'kills processes at once{: rest}'],
    ['d', '-s=^(9|(SIG)?KILL)$', 'kills processes at once{: rest}'],
    ['d', '-n=^9$', 'kills processes at once{: rest}'],
    ['d', '--signal=^(9|(SIG)?KILL)$', 'kills processes at once{: rest}'],
    ['s', '-s=^(0|EXIT)$', 'only asks whether processes exist'],
    ['d', '~^/f$', 'kills processes at once{: rest}'],
    ['d', '-f|--full', 'ends all processes that have this in their command lines'],
    ['d', '-u|-U|--euid|--uid|--user', 'ends the processes of a user'],
  ],
};

const steeringProcesses: Doing = { effect: 'process', care: 'c', says: 'changes how processes run' };

/** Processes, and what the machine tells of itself. The truth of most of these is the real machine, not a copy. */
export const processes: readonly Program[] = [
  { names: 'kill', inert: true, builtIn: true, steers: true, needsNoFile: true, does: endingProcesses },
  {
    names: 'pkill killall',
    inert: true,
    asks: ['signalled'],
    answers: [{ codes: [1] }],
    does: endingProcesses,
  },
  { names: 'killall5', does: { effect: 'signal', care: 'd', says: 'ends processes of everybody' } },
  { names: 'skill', inert: true, asks: ['signalled'], does: endingProcesses },
  { names: 'xkill taskkill stop-process tskill', does: endingProcesses },
  { names: 'renice', does: steeringProcesses },
  {
    names: 'cpulimit',
    starts: {
      valued: '-l --limit -p --pid -e --exe -P --path',
      nothing: '-p --pid -e --exe -P --path',
      instead: 'cpulimit slows it down',
    },
    does: steeringProcesses,
  },
  {
    names: 'prlimit',
    starts: { valued: '-p --pid -o --output', nothing: '-p --pid', instead: 'prlimit changes its limits' },
    does: steeringProcesses,
  },
  {
    names: 'fuser',
    inert: true,
    asks: ['processes', 'mounts'],
    momentary: true,
    listsProcesses: true,
    ordersAddresses: true,
    answers: [{ codes: [1] }],
    does: {
      effect: 'none',
      care: 's',
      says: only,
      rules: [['d', '-k|--kill', 'ends the processes that use {rest}', 'signal']],
    },
  },
  { names: 'ps pstree pmap procs', inert: true, asks: ['processes'], momentary: true, listsProcesses: true },
  { names: 'pgrep pidof', inert: true, asks: ['processes'], answers: [{ codes: [1] }] },
  { names: 'pidwait pwdx lsns', inert: true, asks: ['processes'] },
  { names: 'top', inert: true, asks: ['processes'], momentary: true },
  {
    names: 'lsof',
    inert: true,
    asks: ['processes', 'mounts'],
    momentary: true,
    listsProcesses: true,
    answers: [{ codes: [1] }],
  },
  { names: 'snice', inert: true, asks: ['signalled'] },
  { names: 'w vmstat ss netstat', inert: true, asks: ['processes', 'devices'], momentary: true },
  {
    names: 'who users pinky last lastb lastlog uptime iostat mpstat numastat sensors',
    inert: true,
    asks: ['devices'],
    momentary: true,
  },
  { names: 'logname', inert: true, asks: ['devices'], needsNoFile: true },
  { names: 'free', inert: true, asks: ['devices'], momentary: true, tells: true },
  { names: 'pidstat', inert: true, asks: ['processes', 'devices'], momentary: true, listsProcesses: true },
  { names: 'lscpu', inert: true, asks: ['devices'], tells: true },
  { names: 'lsmem lsmod lspci lsusb', inert: true, asks: ['devices'] },
  { names: 'nproc', inert: true, needsNoFile: true, tells: true },
];
