#define _GNU_SOURCE
#include "status.h"
#include "frame.h"
#include "setup.h"
#include <string.h>
#include <sys/sysmacros.h>

static struct statx_timestamp toExtended(const struct timespec *time) {
  return (struct statx_timestamp){.tv_sec = time->tv_sec, .tv_nsec = (uint32_t)time->tv_nsec};
}

void fillExtended(struct statx *to, const struct stat *st) {
  to->stx_dev_major = major(st->st_dev);
  to->stx_dev_minor = minor(st->st_dev);
  to->stx_ino = st->st_ino;
  to->stx_nlink = (uint32_t)st->st_nlink;
  to->stx_uid = st->st_uid;
  to->stx_gid = st->st_gid;
  to->stx_size = (uint64_t)st->st_size;
  to->stx_blocks = (uint64_t)st->st_blocks;
  to->stx_mode = (uint16_t)st->st_mode;
  to->stx_atime = toExtended(&st->st_atim);
  to->stx_mtime = toExtended(&st->st_mtim);
  to->stx_ctime = toExtended(&st->st_ctim);
}

// ---- sizes of directories: a matter of each file system ----

static uint64_t extSizeOf(const char *name) { return (8 + strlen(name) + 3) & ~3ull; } // struct ext4_dir_entry_2

struct contents noContents(void) {
  return (struct contents){0, 0, 0, extSizeOf(".") + extSizeOf("..") + 12}; // ext4 keeps a checksum at the end of a block
}

void countEntry(struct contents *contents, const char *name, bool directory) {
  contents->extBytes += extSizeOf(name);
  contents->nameBytes += strlen(name);
  contents->names++;
  if (directory) contents->directories++;
}

bool knownSize(struct stat *st, const struct stat *real, const struct contents *contents, const struct statfs *fs) {
  uint64_t size;
  switch ((long)fs->f_type) {
    case TMPFS_MAGIC: size = 40 + 20 * contents->names; break; // BOGO_DIRENT_SIZE of mm/shmem.c
    case BTRFS_MAGIC: size = 2 * contents->nameBytes; st->st_nlink = 1; break; // btrfs_add_link
    case XFS_MAGIC: // as long as it stands in the inode, whose numbers are short (xfs_dir2_sf.c)
      size = 6 + contents->nameBytes + 8 * contents->names;
      if (size > 128 || (real && real->st_size > 128) || fs->f_blocks * (uint64_t)fs->f_bsize / 512 > UINT32_MAX) return false;
      break;
    default: return false;
  }
  st->st_blocks = real ? real->st_blocks : 0; // the root of a subvolume has some
  st->st_size = (off_t)size;
  return true;
}

enum { EXT_INSIDE = 60, TMPFS_INSIDE = 128, XFS_INSIDE = 96 };

// A short target stands in the inode (ext4_symlink, shmem_symlink, xfs_symlink), with btrfs none does.
static bool knownLink(struct stat *st, const struct statfs *fs) {
  blkcnt_t block = fs->f_bsize / 512;
  switch ((long)fs->f_type) {
    case EXT_MAGIC: st->st_blocks = st->st_size < EXT_INSIDE ? 0 : block; return true;
    case TMPFS_MAGIC: st->st_blocks = st->st_size < TMPFS_INSIDE ? 0 : block; return true;
    case BTRFS_MAGIC: st->st_blocks = block; return true;
    case XFS_MAGIC: st->st_blocks = 0; return st->st_size < XFS_INSIDE;
    case OVERLAY_MAGIC: st->st_blocks = 0; return st->st_size < EXT_INSIDE;
    default: return false;
  }
}

// An ext4 directory never shrinks, and when it grows is sure only for one block.
static bool surelyHolds(uint64_t room, const struct contents *contents, const struct statfs *fs) {
  return fs->f_type == EXT_MAGIC && contents->extBytes <= (room == (uint64_t)fs->f_bsize ? room : room * 3 / 4);
}

bool guessSize(struct stat *st, const struct stat *real, const struct contents *contents, const struct statfs *fs) {
  uint64_t block = fs->f_bsize > 0 ? (uint64_t)fs->f_bsize : 4096, size = real ? (uint64_t)real->st_size : block;
  bool isGuess = !surelyHolds(size, contents, fs);
  if (isGuess) {
    if (fs->f_type == EXT_MAGIC && size < contents->extBytes) size = (contents->extBytes + block - 1) / block * block;
    if (setup.flags & FLAG_PERTURB) size = 16 * size + 4096 + 512 * contents->names;
  }
  st->st_blocks = real && size == (uint64_t)real->st_size ? real->st_blocks : (blkcnt_t)((size + 511) / 512);
  st->st_size = (off_t)size;
  return isGuess;
}

static bool countsPages(const struct statfs *fs) {
  switch ((long)fs->f_type) {
    case EXT_MAGIC: case XFS_MAGIC: case TMPFS_MAGIC: case BTRFS_MAGIC: case OVERLAY_MAGIC: return true;
    default: return false;
  }
}

bool guessRoom(struct stat *st, const struct statfs *fs) {
  if (S_ISLNK(st->st_mode) ? knownLink(st, fs) : st->st_size == 0 || countsPages(fs)) return false;
  if (setup.flags & FLAG_PERTURB) st->st_blocks = 16 * st->st_blocks + 24;
  return true;
}

void tellGuess(pid_t group, const char *path) {
  static bool told;
  if (!told) sendEffect(EFFECT_GUESSED_SIZE, group, path, 0);
  told = true;
}

ino_t otherNumber(ino_t number) { return ((number ^ 0x2aaaa) & 0xffffffffffull) + (1ull << 40); }
