import type { ProgramEntry } from './entry.ts';

const only = 'only reads';

/** Disks, services, processes, users, kernel: the machine itself. */
export const systemPrograms: readonly ProgramEntry[] = [
  // Disks and file systems.
  {
    names: 'mkfs.ext2 mkfs.ext3 mkfs.ext4 mke2fs sfdisk wipefs fsck fsck.ext4 e2fsck xfs_repair',
    effect: 'device',
    care: 'd',
    says: 'changes a disk: {rest}',
    helps: true,
    rules: [['s', '-n|--no-act|-l|--list|-d|--dump|--version|-V', 'only reads a disk']],
  },
  {
    names:
      'mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.exfat mkfs.f2fs mke2fs mkswap mkdosfs newfs newfs_apfs format diskpart format-volume clear-disk initialize-disk remove-partition wipefs blkdiscard hdparm sgdisk gdisk cgdisk cfdisk sfdisk fdisk parted partprobe kpartx cryptsetup badblocks nwipe fsck fsck.ext4 e2fsck resize2fs xfs_repair xfs_growfs tune2fs debugfs dmsetup mdadm losetup nvme blockdev',
    effect: 'device',
    care: 'd',
    says: 'changes a disk: {rest}',
    helps: true,
    rules: [
      ['s', '-l|--list|--no-act|--print|-p|--dump|--report|--getro|--getss|--getsize64|--getsz', 'only reads a disk'],
      ['s', 'list|status|info|print|id-ctrl|smart-log|luksDump|isLuks|ls|table|deps', 'only reads a disk'],
    ],
  },
  {
    names:
      'lvremove vgremove pvremove lvreduce lvconvert vgreduce pvmove lvcreate vgcreate pvcreate lvextend vgextend lvresize pvresize lvchange vgchange lvrename vgrename vgexport vgimport',
    effect: 'device',
    care: 'd',
    says: 'changes logical volumes: {rest}',
  },
  { names: 'lvs vgs pvs lvdisplay vgdisplay pvdisplay blkid smartctl', effect: 'none', care: 's', says: only },
  {
    names: 'zfs zpool btrfs bcachefs',
    effect: 'device',
    care: 'c',
    says: 'changes a file system: {rest}',
    verbs: true,
    helps: true,
    rules: [['d', '@=^(rollback|labelclear|offline|detach|split|receive|recv)$', 'changes a file system: {rest}']],
  },
  {
    names: 'mount umount swapon swapoff fusermount sshfs diskutil hdiutil mountvol',
    effect: 'device',
    care: 'c',
    says: 'mounts or unmounts: {rest}',
    rules: [
      ['d', '~^(erase|reformat|partitionDisk|secureErase|zeroDisk|deleteVolume|apfs)', 'erases a disk: {rest}'],
      ['s', '#0 !-a|--all', only],
    ],
  },
  // Services and power.
  {
    names: 'systemctl',
    effect: 'service',
    care: 'c',
    says: 'changes services: {rest}',
    valued: '-t --type -n --lines -o --output -H --host -M --machine',
    helps: true,
    rules: [
      [
        'd',
        'poweroff|reboot|halt|kexec|suspend|hibernate|hybrid-sleep|emergency|rescue|exit|isolate',
        'stops the machine',
      ],
      ['c', 'stop', 'stops services: {rest}'],
      ['d', 'disable|mask|kill|revert|clean', 'stops services for good: {rest}'],
      ['d', 'edit|set-default|set-property|link|preset-all', 'changes what runs at start: {rest}'],
      [
        's',
        'status|show|cat|list-units|list-unit-files|list-timers|list-sockets|list-jobs|list-dependencies|is-active|is-enabled|is-failed|is-system-running|get-default|show-environment|help',
        only,
      ],
      ['s', '#0', only],
    ],
  },
  {
    names:
      'service rc-service initctl launchctl sc sv s6-svc supervisorctl rc-update chkconfig update-rc.d invoke-rc.d schtasks pm2 monit',
    effect: 'service',
    care: 'c',
    says: 'changes services: {rest}',
    verbs: true,
    helps: true,
    rules: [
      ['s', '--status-all|/query', only],
      ['s', '* status', only],
      [
        'd',
        '~^(stop|unload|bootout|disable|shutdown|kill|delete|remove|off)$|^/(delete|change|create)$',
        'stops or changes services: {rest}',
      ],
    ],
  },
  {
    names: 'journalctl',
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
  {
    names: 'loginctl hostnamectl timedatectl localectl resolvectl networkctl bootctl machinectl',
    effect: 'service',
    care: 'c',
    says: 'changes the system: {rest}',
    rules: [
      ['d', '@=^(terminate|kill|lock|install|remove|poweroff|reboot)', 'stops sessions or machines: {rest}'],
      ['s', '@=^(status|show|list|query|statistics|session-status|user-status)', only],
      ['s', '#0', only],
    ],
  },
  {
    names:
      'shutdown reboot poweroff halt init telinit stop-computer restart-computer pm-suspend pm-hibernate systemd-run',
    effect: 'process',
    care: 'd',
    says: 'stops the machine, or changes what it runs',
    rules: [
      ['c', '-c', 'cancels a shutdown'],
      ['s', '--help', 'only prints its help'],
    ],
  },
  // Processes.
  {
    names: 'kill pkill killall skill xkill taskkill stop-process tskill',
    effect: 'signal',
    care: 'c',
    says: 'ends processes: {rest}',
    valued: '-s -n -u -U -g -P -t -G --signal',
    rules: [
      ['s', '-l|--list|-L|-0', 'only asks whether processes exist'],
      ['d', '~^-?1$', 'ends processes of everybody, or the first process'],
      ['d', '-1 -9|-KILL|-SIGKILL', 'ends processes of everybody'],
      [
        'd',
        '~^(init|systemd|sshd?|bash|sh|zsh|Xorg|gnome-shell|login|dbus-daemon)$',
        'ends processes that the session needs: {rest}',
      ],
      ['d', '-9|-KILL|-SIGKILL|-f|-u|--full', 'kills processes at once: {rest}'],
      ['d', '~^/f$', 'kills processes at once: {rest}'],
    ],
  },
  { names: 'renice cpulimit prlimit', effect: 'process', care: 'c', says: 'changes how processes run' },
  // Users and rights.
  {
    names:
      'useradd adduser userdel deluser usermod groupadd groupdel groupmod addgroup delgroup gpasswd passwd chpasswd chsh chfn chage newusers vipw vigr visudo pwconv dscl net runas csrutil spctl setenforce aa-disable aa-teardown auditctl pam-auth-update',
    effect: 'privilege',
    care: 'd',
    says: 'changes users, passwords or rights of the machine: {rest}',
    rules: [
      ['s', '-S|--status|-l|--list|--help', only],
      ['s', 'status', only],
    ],
  },
  { names: 'sudoedit', effect: 'privilege', care: 'c', says: 'edits {rest} as root' },
  {
    names: 'sudo doas su pkexec runuser gosu',
    effect: 'privilege',
    care: 'c',
    says: 'works with the rights of another user',
    rules: [['s', '-l|--list|-v|-k|-K|-V|--version|--help', only]],
  },
  // Kernel, boot and registry.
  {
    names:
      'modprobe insmod rmmod depmod kexec sysctl kldload update-grub grub-install grub-mkconfig update-initramfs dracut mkinitcpio efibootmgr bcdedit bootrec fwupdmgr flashrom nvram setpci tc bpftool bpftrace ldconfig vssadmin wbadmin cipher wevtutil reg dism sfc manage-bde pnputil wmic fsutil',
    effect: 'device',
    care: 'd',
    says: 'changes the kernel, the boot or the registry: {rest}',
    rules: [
      ['s', '-a|-l|--show|--list|--version|--help', only],
      ['s', 'query|list|show|get|get-devices', only],
      ['s', '~^[a-z]+\\.[\\w.]+$ !-w|--write|-p', only],
    ],
  },
  // Schedulers.
  {
    names: 'crontab',
    effect: 'service',
    care: 'd',
    says: 'changes what runs at set times: {rest}',
    valued: '-u',
    rules: [
      ['s', '-l', only],
      ['d', '-r', 'deletes what runs at set times'],
    ],
  },
  {
    names: 'at batch atrm anacron',
    effect: 'service',
    care: 'c',
    says: 'changes what runs later',
    rules: [['s', '-l', only]],
  },
  // Network of the machine.
  {
    names:
      'iptables ip6tables ebtables arptables nft ipset ufw firewall-cmd pfctl netsh iptables-restore ip6tables-restore iptables-legacy fail2ban-client',
    effect: 'permission',
    care: 'd',
    says: 'changes the firewall: {rest}',
    rules: [
      ['s', '-L|--list|-S|--list-rules|--list-all|--state|--get-zones|--check|-C', only],
      ['s', 'status|list|show|app|version', only],
    ],
  },
  {
    names:
      'ip ifconfig route ifup ifdown nmcli iw iwconfig ethtool brctl bridge dhclient networksetup arp wg wg-quick tailscale ovs-vsctl vtysh',
    effect: 'service',
    care: 'c',
    says: 'changes the network of the machine: {rest}',
    rules: [
      ['s', '* show|list|ls|get|monitor|save|status', only],
      ['d', 'flush|down|off|disconnect|logout|del|delete', 'changes the network of the machine: {rest}'],
      ['d', '* flush|down|off|disconnect|logout|del|delete', 'changes the network of the machine: {rest}'],
      ['d', '* * * down', 'changes the network of the machine: {rest}'],
      ['c', '* add|set|change|replace|up|connect|append', 'changes the network of the machine: {rest}'],
      ['c', 'up|connect|set', 'changes the network of the machine: {rest}'],
      ['s', 'addr|address|a|link|route|r|neigh|rule|show|status|list|dev|device|connection', only],
      ['s', '#0', only],
      ['s', '-a|-n|-r', only],
    ],
  },
  // Logs, clocks, desktop.
  {
    names: 'logger wall write mesg',
    effect: 'service',
    care: 'c',
    says: 'writes to a log or to other terminals',
  },
  {
    names: 'history',
    effect: 'none',
    care: 's',
    says: only,
    rules: [['d', '-c|-d|-w', 'deletes or overwrites the history of the shell', 'environment']],
  },
  { names: 'logrotate', effect: 'service', care: 'c', says: 'moves or deletes logs' },
  {
    names: 'dmesg',
    effect: 'none',
    care: 's',
    says: only,
    rules: [['d', '-c|-C|--clear|--read-clear|-n|-D|-E', 'clears the log of the kernel', 'device']],
  },
  {
    names: 'hostname',
    effect: 'none',
    care: 's',
    says: only,
    rules: [['c', '*', 'changes the name of the machine', 'service']],
  },
  {
    names: 'date',
    effect: 'none',
    care: 's',
    says: only,
    rules: [['d', '-s|--set', 'changes the clock', 'device']],
  },
  { names: 'hwclock ntpdate rdate', effect: 'device', care: 'c', says: 'changes the clock' },
  {
    names: 'fuser',
    effect: 'none',
    care: 's',
    says: only,
    rules: [['d', '-k|--kill', 'ends the processes that use {rest}', 'signal']],
  },
  {
    names: 'xclip xsel pbcopy pbpaste wl-copy wl-paste',
    effect: 'environment',
    care: 'c',
    says: 'reads or changes the clipboard',
  },
  {
    names: 'open xdg-open start explorer defaults gsettings dconf tccutil',
    effect: 'process',
    care: 'c',
    says: 'opens or changes something of the desktop: {rest}',
    rules: [
      ['d', 'delete|reset', 'deletes settings: {rest}'],
      ['s', 'read|get|list|dump', only],
    ],
  },
  {
    names: 'tmux screen zellij byobu',
    effect: 'process',
    care: 'c',
    says: 'changes terminal sessions',
    rules: [
      ['s', 'ls|list-sessions|lsw|list-windows|list-panes|capture-pane|display-message', only],
      ['d', 'kill-server|kill-session|kill-window|kill-pane', 'ends terminal sessions', 'signal'],
    ],
  },
  {
    names: 'chroot unshare nsenter capsh setpriv',
    effect: 'privilege',
    care: 'c',
    says: 'runs in another root or namespace',
  },
  // PowerShell.
  {
    names:
      'remove-item ri clear-content clear-item remove-itemproperty clear-recyclebin set-content out-file add-content',
    effect: 'other',
    care: 'c',
    says: 'changes files: {rest}',
    oneDash: true,
    rules: [
      ['d', '-Recurse|-Force|-r|-fo', 'deletes or overwrites: {rest}'],
      ['d', '%root|home|system', 'deletes or overwrites: {rest}'],
    ],
  },
  {
    names: 'new-item copy-item move-item rename-item',
    effect: 'other',
    care: 'c',
    says: 'makes, copies or moves files: {rest}',
    oneDash: true,
    rules: [['d', '%root|home|system', 'overwrites or moves: {rest}']],
  },
  {
    names:
      'invoke-expression iex invoke-command invoke-webrequest iwr invoke-restmethod irm start-process set-executionpolicy new-service set-itemproperty',
    effect: 'code-execution',
    care: 'd',
    says: 'runs or fetches code, or changes the system: {rest}',
  },
  {
    names:
      'get-content get-childitem get-process get-date get-random get-item get-location get-help get-command get-service write-host write-output select-object sort-object measure-object compare-object where-object foreach-object out-string split-path join-path test-path format-table format-list out-null convertto-json convertfrom-json findstr',
    effect: 'none',
    care: 's',
    says: only,
  },
];
