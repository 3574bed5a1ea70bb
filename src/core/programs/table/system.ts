import type { Doing, Program } from '../program.ts';
import { deleting } from './files.ts';

const only = 'only reads';

const opening: Doing = {
  effect: 'process',
  care: 'c',
  says: 'opens or changes something of the desktop{: rest}',
  rules: [
    ['d', 'delete|reset', 'deletes settings{: rest}'],
    ['s', 'read|get|list|dump', only],
  ],
};

const stoppingTheMachine: Doing = {
  effect: 'process',
  care: 'd',
  says: 'stops the machine, or changes what it runs',
  rules: [
    ['c', '-c', 'cancels a shutdown'],
    ['sh', '--help', 'only prints its help'],
  ],
};

const systemControl: Doing = {
  effect: 'service',
  care: 'c',
  says: 'changes the system{: rest}',
  rules: [
    ['d', '@=^(terminate|kill|lock|install|remove|poweroff|reboot)', 'stops sessions or machines{: rest}'],
    ['s', '@=^(status|show|list|query|statistics|session-status|user-status)', only],
    ['s', '#0', only],
  ],
};

const terminalSessions: Doing = {
  effect: 'process',
  care: 'c',
  says: 'changes terminal sessions',
  rules: [
    ['s', 'ls|list-sessions|lsw|list-windows|list-panes|capture-pane|display-message|has-session|has', only],
    ['s', '-ls|-list|-V|-v|--version #0', only],
    [
      'd',
      'kill-server|kill-session|kill-window|kill-pane|kill-all-sessions|delete-session',
      'ends terminal sessions',
      'signal',
    ],
  ],
};

/** Services, users, the kernel, clocks and the desktop: the machine itself. */
export const system: readonly Program[] = [
  {
    names: 'systemctl',
    answers: [{ codes: [1, 3, 4], after: ['is-active', 'is-enabled', 'is-failed', 'status'] }],
    does: {
      effect: 'service',
      care: 'c',
      says: 'changes services{: rest}',
      valued: '-t --type -n --lines -o --output -H --host -M --machine',
      helps: true,
      rules: [
        [
          'd',
          'poweroff|reboot|halt|kexec|suspend|hibernate|hybrid-sleep|emergency|rescue|exit|isolate',
          'stops the machine',
        ],
        ['c', 'stop', 'stops services{: rest}'],
        ['d', 'disable|mask|kill|revert|clean', 'stops services for good{: rest}'],
        ['d', 'edit|set-default|set-property|link|preset-all', 'changes what runs at start{: rest}'],
        [
          's',
          'status|show|cat|list-units|list-unit-files|list-timers|list-sockets|list-jobs|list-dependencies|is-active|is-enabled|is-failed|is-system-running|get-default|show-environment|help',
          only,
        ],
        ['s', '#0', only],
      ],
    },
  },
  {
    names:
      'service rc-service initctl launchctl sc sv s6-svc supervisorctl rc-update chkconfig update-rc.d invoke-rc.d schtasks pm2 monit',
    does: {
      effect: 'service',
      care: 'c',
      says: 'changes services{: rest}',
      verbs: true,
      helps: true,
      rules: [
        ['s', '--status-all|/query', only],
        ['s', '* status', only],
        [
          'd',
          '~^(unload|bootout|disable|shutdown|kill|delete|remove|off)$|^/(delete|change|create)$',
          'stops or changes services{: rest}',
        ],
        ['c', '~^stop$', 'stops services{: rest}'],
      ],
    },
  },
  {
    names: 'journalctl',
    does: {
      effect: 'none',
      care: 's',
      says: only,
      rules: [
        [
          'd',
          '--vacuum-size|--vacuum-time|--vacuum-files|--rotate|--flush',
          'deletes or moves logs of the system',
          'service',
        ],
      ],
    },
  },
  { names: 'loginctl hostnamectl timedatectl localectl resolvectl networkctl bootctl', does: systemControl },
  { names: 'machinectl', starts: { subcommands: ['shell'], operands: 1, elsewhere: 'container' }, does: systemControl },
  {
    names: 'shutdown reboot poweroff halt init telinit stop-computer restart-computer pm-suspend pm-hibernate',
    does: stoppingTheMachine,
  },
  {
    names: 'systemd-run',
    starts: {
      valued:
        '-p --property -u --unit --uid --gid -E --setenv --on-calendar --on-active --on-boot --slice --working-directory --description --nice -M --machine -H --host --service-type --timer-property',
      folder: '--working-directory',
      away: '!-d --same-dir --scope -S --shell',
    },
    does: { effect: 'service', care: 'c', says: 'runs what it is given as a service{: rest}' },
  },
  { names: 'sudoedit', does: { effect: 'privilege', care: 'c', says: 'edits {rest} as root' } },
  {
    names: 'sysctl',
    does: {
      effect: 'device',
      care: 'd',
      says: 'changes the kernel, the boot or the registry{: rest}',
      rules: [
        ['s', '-a|-n|--all|--version|--help !-w|--write|-p|--load|--system', only],
        ['s', '~^[a-z]+\\.[\\w.]+$ !~= !-w|--write|-p', only],
      ],
    },
  },
  {
    names:
      'modprobe insmod rmmod depmod kexec kldload update-grub grub-install grub-mkconfig update-initramfs dracut mkinitcpio efibootmgr bcdedit bootrec fwupdmgr flashrom nvram setpci tc bpftool bpftrace ldconfig vssadmin wbadmin cipher wevtutil reg dism sfc manage-bde pnputil wmic fsutil',
    does: {
      effect: 'device',
      care: 'd',
      says: 'changes the kernel, the boot or the registry{: rest}',
      rules: [
        ['s', '--show|--list|--version|--help|--show-depends|--showconfig|--dry-run', only],
        ['s', 'query|list|show|get|get-devices', only],
      ],
    },
  },
  {
    names: 'security',
    does: {
      effect: 'privilege',
      care: 'c',
      says: 'reads or changes keys and certificates{: rest}',
      rules: [
        [
          'd',
          '@1=^(delete|set|remove|add-trusted|authorizationdb|lock|import)',
          'changes or deletes keys and certificates{: rest}',
        ],
        ['c', '@1=^(find-.*password|dump-keychain|export|unlock)', 'reads keys or passwords{: rest}'],
        ['s', '@1=^(find-certificate|find-identity|list-keychains|show-keychain-info|verify-cert|error|help)$', only],
      ],
    },
  },
  {
    names: 'tmutil',
    does: {
      effect: 'service',
      care: 'c',
      says: 'changes backups of the machine{: rest}',
      rules: [
        ['d', '@1=^(delete|disable|restore|thin)', 'deletes or turns off backups of the machine{: rest}'],
        ['s', '@1=^(list|latest|status|destinationinfo|isexcluded|compare|machinedirectory|version)', only],
      ],
    },
  },
  { names: 'srm trash trash-put', does: deleting },
  {
    names: 'gio',
    does: {
      effect: 'files',
      care: 'c',
      says: 'opens or changes something of the desktop{: rest}',
      rules: [
        ['d', 'remove', 'deletes {rest}'],
        ['c', 'trash', 'moves {rest} to the trash'],
        ['c', 'move|rename|copy|save|set', 'moves, copies or changes {rest}'],
        ['s', 'help|version|info|list|cat|tree|monitor', only],
      ],
    },
  },
  {
    names: 'dbus-send gdbus busctl',
    does: {
      effect: 'service',
      care: 'c',
      says: 'asks a service of the system or the desktop for something',
      rules: [['s', '@1=^(list|status|tree|introspect|monitor|get-property)$', only]],
    },
  },
  {
    names: 'setx',
    does: { effect: 'environment', care: 'c', says: 'changes the environment of what is started later{: rest}' },
  },
  { names: 'mdfind mdls sw_vers system_profiler', does: { effect: 'none', care: 's', says: only } },
  {
    names: 'crontab',
    does: {
      effect: 'service',
      care: 'd',
      says: 'changes what runs at set times{: rest}',
      valued: '-u',
      rules: [
        ['s', '-l', only],
        ['d', '-r', 'deletes what runs at set times'],
      ],
    },
  },
  {
    names: 'at batch atrm anacron',
    does: { effect: 'service', care: 'c', says: 'changes what runs later', rules: [['s', '-l', only]] },
  },
  { names: 'iptables-save ip6tables-save', does: { effect: 'none', care: 's', says: only } },
  {
    names:
      'iptables ip6tables ebtables arptables nft ipset ufw firewall-cmd pfctl netsh iptables-restore ip6tables-restore iptables-legacy fail2ban-client',
    does: {
      effect: 'permission',
      care: 'd',
      says: 'changes the firewall{: rest}',
      rules: [
        ['s', '-L|--list|-S|--list-rules|--list-all|--state|--get-zones|--check|-C', only],
        ['s', 'status|list|show|app|version', only],
      ],
    },
  },
  {
    names:
      'ip ifconfig route ifup ifdown nmcli iw iwconfig ethtool brctl bridge dhclient arp wg wg-quick tailscale ovs-vsctl vtysh',
    does: {
      effect: 'service',
      care: 'c',
      says: 'changes the network of the machine{: rest}',
      rules: [
        ['s', '* show|list|ls|get|monitor|save|status', only],
        ['d', 'flush|down|off|disconnect|logout|del|delete', 'changes the network of the machine{: rest}'],
        ['d', '* flush|down|off|disconnect|logout|del|delete', 'changes the network of the machine{: rest}'],
        ['d', '* * * down', 'changes the network of the machine{: rest}'],
        ['c', '* add|set|change|replace|up|connect|append', 'changes the network of the machine{: rest}'],
        ['c', 'up|connect|set|add|change|replace|append', 'changes the network of the machine{: rest}'],
        ['s', 'addr|address|a|link|route|r|neigh|rule|show|status|list|dev|device|connection', only],
        ['s', '#0', only],
        ['s', '-a|-n|-r !-d|-s', only],
      ],
    },
  },
  {
    names: 'networksetup',
    does: {
      effect: 'service',
      care: 'c',
      says: 'changes the network of the machine{: rest}',
      oneDash: true,
      rules: [
        [
          's',
          '-getinfo|-listallhardwareports|-listallnetworkservices|-getwebproxy|-getdnsservers|-getcomputername|-getairportnetwork|-getcurrentlocation|-listlocations|-printcommands|-version|-help',
          only,
        ],
      ],
    },
  },
  {
    names: 'logger wall write',
    does: { effect: 'service', care: 'c', says: 'writes to a log or to other terminals' },
  },
  {
    names: 'mesg',
    inert: true,
    needsNoFile: true,
    does: {
      effect: 'none',
      care: 's',
      says: only,
      rules: [['s', 'y|n', 'says whether others may write to this terminal']],
    },
  },
  {
    names: 'history',
    builtIn: true,
    does: {
      effect: 'none',
      care: 's',
      says: only,
      rules: [['d', '-c|-d|-w', 'deletes or overwrites the history of the shell', 'environment']],
    },
  },
  { names: 'logrotate', does: { effect: 'service', care: 'c', says: 'moves or deletes logs' } },
  {
    names: 'dmesg',
    inert: true,
    asks: ['devices'],
    does: {
      effect: 'none',
      care: 's',
      says: only,
      rules: [['d', '-c|-C|--clear|--read-clear|-n|-D|-E', 'clears the log of the kernel', 'device']],
    },
  },
  {
    names: 'hostname',
    inert: true,
    needsNoFile: true,
    does: { effect: 'none', care: 's', says: only, rules: [['c', '*', 'changes the name of the machine', 'service']] },
  },
  {
    names: 'date',
    inert: true,
    needsNoFile: true,
    planned: 'nothing',
    prints: true,
    does: { effect: 'none', care: 's', says: only, rules: [['d', '-s|--set', 'changes the clock', 'device']] },
  },
  { names: 'hwclock ntpdate rdate', does: { effect: 'device', care: 'c', says: 'changes the clock' } },
  {
    names: 'xclip xsel pbcopy pbpaste wl-copy wl-paste',
    does: { effect: 'environment', care: 'c', says: 'reads or changes the clipboard' },
  },
  { names: 'open xdg-open', usualTool: true, does: opening },
  { names: 'start explorer defaults gsettings dconf tccutil', does: opening },
  {
    names: 'tmux byobu',
    known: [{ by: /^-V$/, rest: 'nothing', code: [] }],
    starts: {
      subcommands: [
        ...['new-session', 'new', 'new-window', 'neww', 'split-window', 'splitw', 'respawn-pane', 'respawnp'],
        ...['respawn-window', 'respawnw', 'run-shell', 'run', 'display-popup', 'popup'],
      ],
      valued: '-L -S -f -s -t -n -c -e -F -x -y -l -p',
      joins: 'one',
      folder: '-c',
      // There it is the folder of the session.
      awayBehind: /^(?!new$|new-session$)/,
      endsAt: ';',
    },
    does: terminalSessions,
  },
  {
    names: 'screen',
    known: [{ by: /^-V$/, rest: 'nothing', code: [] }],
    starts: {
      valued: '-S -t -c -h -p -s -T -e',
      nothing: '-r -R -x -X -Q -ls -list -D -wipe -v',
    },
    does: terminalSessions,
  },
  {
    names: 'zellij',
    starts: { subcommands: ['run'], valued: '-n --name --cwd', folder: '--cwd' },
    does: terminalSessions,
  },
  { names: 'arch groups', inert: true, needsNoFile: true, tells: true },
  { names: 'hostid localedef mcookie uuidgen uuidparse cal ncal errno', inert: true },
  { names: 'id whoami uname', inert: true, needsNoFile: true, planned: 'nothing', tells: true },
  { names: 'getconf locale', inert: true, tells: true },
  { names: 'getent', inert: true, answers: [{ codes: [1, 2] }] },
];
