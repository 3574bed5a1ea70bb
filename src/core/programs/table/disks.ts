import type { Doing, Program, ProgramRule, Writes } from '../program.ts';

const only = 'only reads';

const changes = 'changes a disk{: rest}';
const onlyDisk = 'only reads a disk';

/** What changes a disk, but where one of these rules says that it only looks: a letter is another thing in each program. */
function changingDisks(...rules: ProgramRule[]): Doing {
  return {
    effect: 'device',
    care: 'd',
    says: changes,
    helps: true,
    rules: [['sh', '-V|--version', 'only prints'], ...rules],
  };
}

const always = changingDisks();
const unlessDry = changingDisks(['s', '-n|--no-act|--no-action', onlyDisk]);

/** With the options that take the next word as their value. */
const making = (doing: Doing, valued: string): Doing => ({ ...doing, valued });

const extValued = '-b -C -d -e -E -g -G -i -I -J -l -L -m -M -N -o -O -r -t -T -U -z';

/** What is in a file that becomes a disk goes. */
const madeNew: Writes = { operand: 0, unless: /^(?:-n|-N|--no-act|--no-action)$/ };

/** By the word that says what is done, and by options that are long. */
const byWords = changingDisks(
  ['s', '--list|--print|--report', onlyDisk],
  ['s', '* print|p|unit', onlyDisk],
  [
    's',
    'list|status|info|print|id-ctrl|id-ns|smart-log|error-log|luksDump|luksUUID|isLuks|benchmark|ls|table|deps',
    onlyDisk,
  ],
);

const asDevice: Doing = {
  effect: 'device',
  care: 'c',
  says: 'attaches or detaches a file as a disk{: rest}',
  helps: true,
  rules: [
    ['s', '-a|--all|-l|--list|-j|--associated|-V|--version', onlyDisk],
    ['s', '#', onlyDisk],
    ['s', '-f|--find #0', onlyDisk],
  ],
};

const readingDisks: Doing = { effect: 'none', care: 's', says: only };

const mounting: Doing = {
  effect: 'device',
  care: 'c',
  says: 'mounts or unmounts{: rest}',
  rules: [
    ['d', '~^(erase|reformat|partitionDisk|secureErase|zeroDisk|deleteVolume|apfs)', 'erases a disk{: rest}'],
    ['s', '#0 !-a|--all', only],
    ['s', '@1=^(list|info|activity)$', only],
  ],
};

/** Disks, volumes and file systems. */
export const disks: readonly Program[] = [
  { names: 'mkfs.ext2 mkfs.ext3 mkfs.ext4', harms: true, writes: madeNew, does: making(unlessDry, extValued) },
  { names: 'mke2fs', writes: madeNew, does: making(unlessDry, extValued) },
  { names: 'fsck.ext4 e2fsck xfs_repair xfs_growfs', does: unlessDry },
  { names: 'mkfs', harms: true, writes: { operand: 0 }, does: making(always, `-t --type ${extValued}`) },
  {
    names: 'mkfs.vfat mkfs.fat',
    harms: true,
    // `-n` is a name.
    writes: { operand: 0 },
    does: making(always, '-b -D -f -F -g -h -i -l -m -M -n -r -R -s -S'),
  },
  { names: 'mkfs.exfat', harms: true, writes: { operand: 0 }, does: making(always, '-b -c -i -L -n -s -U') },
  { names: 'mkfs.btrfs mkfs.f2fs', harms: true, does: always },
  {
    names: 'mkfs.xfs',
    harms: true,
    writes: madeNew,
    does: making(changingDisks(['s', '-N', onlyDisk]), '-b -c -d -i -l -L -m -n -p -r -s'),
  },
  { names: 'mkfs.ntfs', harms: true, does: unlessDry },
  { names: 'fsck', does: changingDisks(['s', '-n|-N', onlyDisk]) },
  {
    names: 'sfdisk',
    does: changingDisks([
      's',
      '-n|--no-act|-l|--list|-d|--dump|--json|-F|--list-free|-V|--verify|-s|--show-size',
      onlyDisk,
    ]),
  },
  { names: 'wipefs', does: changingDisks(['s', '-n|--no-act', onlyDisk], ['s', '!-a|--all|-o|--offset', onlyDisk]) },
  { names: 'fdisk', does: changingDisks(['s', '-l|--list|-x|-s', onlyDisk]) },
  { names: 'gdisk parted kpartx', does: changingDisks(['s', '-l', onlyDisk], ...(byWords.rules ?? [])) },
  {
    names: 'sgdisk',
    does: changingDisks([
      's',
      '-p|--print|-i|--info|-v|--verify|-O|--print-mbr|-F|-f|-E|-D !-Z|--zap-all|-z|--zap|-o|--clear|-n|--new|-d|--delete|-t|--typecode|-c|--change-name|-G|-R|-l|-e|-g|-N|-s|-A|-m|-r|-u|-U|-b',
      onlyDisk,
    ]),
  },
  { names: 'hdparm', does: changingDisks(['s', '-I|-i|-t|-T|-C|-g|-H !-W|-S|-B|-M|-y|-Y|-Z|-f|-F', onlyDisk]) },
  { names: 'badblocks', does: changingDisks(['s', '!-w|-n', onlyDisk]) },
  { names: 'resize2fs', does: changingDisks(['s', '-P', onlyDisk]) },
  { names: 'tune2fs', does: changingDisks(['s', '-l', onlyDisk]) },
  { names: 'debugfs', does: changingDisks(['s', '!-w', onlyDisk]) },
  {
    names: 'mdadm',
    does: changingDisks(['s', '-D|--detail|-E|--examine|-Q|--query !-A|--assemble|-C|--create', onlyDisk]),
  },
  {
    names: 'blockdev',
    does: changingDisks(['s', '--report|--getro|--getss|--getpbsz|--getbsz|--getsize|--getsize64|--getsz', onlyDisk]),
  },
  { names: 'losetup', does: asDevice },
  {
    names: 'cryptsetup',
    writes: { operand: 1, when: /^luksFormat$/, unless: /^--header/, overwrites: { when: /^(?:-q|--batch-mode)$/ } },
    does: making(
      byWords,
      '-c --cipher -h --hash -s --key-size -d --key-file --keyfile-size -S --key-slot -M --type -l -i --iter-time --pbkdf --pbkdf-memory --pbkdf-parallel --label --subsystem --uuid --offset -o --sector-size --volume-key-file --master-key-file',
    ),
  },
  { names: 'dmsetup nvme', does: byWords },
  {
    names: 'mkswap',
    writes: madeNew,
    does: making(always, '-p --pagesize -L --label -v --swapversion -U --uuid -e --endianness -o --offset -s --size'),
  },
  {
    names:
      'mkdosfs newfs newfs_apfs format diskpart format-volume clear-disk initialize-disk remove-partition blkdiscard cgdisk cfdisk partprobe nwipe',
    does: always,
  },
  {
    names:
      'lvremove vgremove pvremove lvreduce lvconvert vgreduce pvmove lvcreate vgcreate pvcreate lvextend vgextend lvresize pvresize lvchange vgchange lvrename vgrename vgexport vgimport',
    does: { effect: 'device', care: 'd', says: 'changes logical volumes{: rest}' },
  },
  { names: 'lvs vgs pvs lvdisplay vgdisplay pvdisplay smartctl dumpe2fs', does: readingDisks },
  { names: 'blkid', inert: true, asks: ['devices'], does: readingDisks },
  {
    names: 'zfs zpool btrfs bcachefs',
    does: {
      effect: 'device',
      care: 'c',
      says: 'changes a file system{: rest}',
      verbs: true,
      helps: true,
      rules: [['d', '@=^(rollback|labelclear|offline|detach|split|receive|recv)$', 'changes a file system{: rest}']],
    },
  },
  { names: 'mount', inert: true, asks: ['mounts'], does: mounting },
  { names: 'umount swapon swapoff fusermount sshfs diskutil hdiutil mountvol', does: mounting },
  { names: 'lsblk', inert: true, asks: ['mounts', 'devices'], tells: true },
  { names: 'findmnt', inert: true, asks: ['mounts'] },
  { names: 'mountpoint', inert: true, asks: ['mounts'], answers: [{ codes: [1] }] },
  { names: 'df', inert: true, asks: ['mounts'], momentary: true, planned: 'nothing', tells: true },
  { names: 'duf', inert: true, asks: ['mounts'], momentary: true },
];
