import type { Doing, Program } from '../program.ts';

const only = 'only reads';

const checkingDisks: Doing = {
  effect: 'device',
  care: 'd',
  says: 'changes a disk{: rest}',
  helps: true,
  rules: [['s', '-n|--no-act|-l|--list|-d|--dump|--version|-V', 'only reads a disk']],
};

const changingDisks: Doing = {
  effect: 'device',
  care: 'd',
  says: 'changes a disk{: rest}',
  helps: true,
  rules: [
    ['s', '-l|--list|--no-act|--print|-p|--dump|--report|--getro|--getss|--getsize64|--getsz', 'only reads a disk'],
    ['s', '* print|p|unit', 'only reads a disk'],
    ['s', 'list|status|info|print|id-ctrl|smart-log|luksDump|isLuks|ls|table|deps', 'only reads a disk'],
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
  { names: 'mkfs.ext2 mkfs.ext3 mkfs.ext4', harms: true, does: checkingDisks },
  { names: 'mke2fs sfdisk wipefs fsck fsck.ext4 e2fsck xfs_repair', does: checkingDisks },
  {
    names: 'mkfs mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.exfat mkfs.f2fs',
    harms: true,
    does: changingDisks,
  },
  {
    names:
      'mkswap mkdosfs newfs newfs_apfs format diskpart format-volume clear-disk initialize-disk remove-partition blkdiscard hdparm sgdisk gdisk cgdisk cfdisk fdisk parted partprobe kpartx cryptsetup badblocks nwipe resize2fs xfs_growfs tune2fs debugfs dmsetup mdadm losetup nvme blockdev',
    does: changingDisks,
  },
  {
    names:
      'lvremove vgremove pvremove lvreduce lvconvert vgreduce pvmove lvcreate vgcreate pvcreate lvextend vgextend lvresize pvresize lvchange vgchange lvrename vgrename vgexport vgimport',
    does: { effect: 'device', care: 'd', says: 'changes logical volumes{: rest}' },
  },
  { names: 'lvs vgs pvs lvdisplay vgdisplay pvdisplay smartctl', does: readingDisks },
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
