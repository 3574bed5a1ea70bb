#define _GNU_SOURCE
#include "disks.h"
#include "correct.h"
#include "gate.h"
#include "setup.h"
#include "status.h"
#include "supervise.h"
#include "view.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/falloc.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { PERTURBED = 64 };

bool isDiskCall(long number) { return number == SYS_statfs || number == SYS_fstatfs; }

unsigned diskRules(struct rule *rules) {
  if (!(setup.flags & (FLAG_OPEN_GATE | FLAG_LETS_IN))) return 0;
  rules[0] = (struct rule){SYS_statfs, SECCOMP_RET_TRACE, ALWAYS, 0, 0};
  rules[1] = (struct rule){SYS_fstatfs, SECCOMP_RET_TRACE, ALWAYS, 0, 0};
  return 2;
}

// ext4 holds 16 TiB at most, 4 without extents; and nobody has a disk of 4 TiB free for one file.
enum { LARGEST_UPPER = 4 << (40 - 32) };

static const struct rule lengths[] = {
  {SYS_ftruncate, SECCOMP_RET_TRACE, AT_LEAST_UPPER, 1, LARGEST_UPPER}, {SYS_truncate, SECCOMP_RET_TRACE, AT_LEAST_UPPER, 1, LARGEST_UPPER},
  {SYS_fallocate, SECCOMP_RET_TRACE, ALWAYS, 2, LARGEST_UPPER}, {SYS_fallocate, SECCOMP_RET_TRACE, ALWAYS, 3, LARGEST_UPPER},
  {SYS_pwrite64, SECCOMP_RET_TRACE, AT_LEAST_UPPER, 3, LARGEST_UPPER}, {SYS_lseek, SECCOMP_RET_TRACE, AT_LEAST_UPPER, 1, LARGEST_UPPER},
};
static const uint32_t asked[] = {FS_IOC_GETFLAGS, FS_IOC_GETVERSION, FS_IOC_FSGETXATTR, FS_IOC_FIEMAP}, set[] = {FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR};

unsigned storageRules(struct rule *rules) {
  unsigned count = sizeof lengths / sizeof *lengths;
  memcpy(rules, lengths, sizeof lengths);
  count += requestRules(rules + count, asked, sizeof asked);
  return count + requestRules(rules + count, set, sizeof set);
}

static bool isTooLong(const struct call *call) {
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
    if (lengths[i].number == call->number && (int64_t)call->args[lengths[i].argument] >> 32 >= LARGEST_UPPER) return true;
  return false;
}

// A copy has less room than the disk that it stands for: that a file does not fit there says nothing.
static bool judgeRoom(const struct call *call) {
  struct statfs fs;
  uint32_t mode = (uint32_t)call->args[1];
  if (mode & ~(uint32_t)ALLOCATES_ANYWHERE) return false;
  if (mode & FALLOC_FL_PUNCH_HOLE || !setup.diskBytes || setup.flags & FLAG_FULL_DISK || view.scratch < 0 || fstatfs(view.scratch, &fs) != 0) return true;
  uint64_t room = (uint64_t)fs.f_bavail * (uint64_t)fs.f_bsize;
  if (call->args[3] <= (room < setup.diskBytes ? room : setup.diskBytes)) return true;
  sendEffect(EFFECT_DISK_QUOTA, 0, "", (int64_t)setup.diskBytes);
  endRun(DISK_QUOTA, 0, "");
  return true;
}

bool judgeStorage(struct tracee *tracee, const struct call *call) {
  static char path[PATH_MAX];
  struct stat st;
  uint32_t flags = 0;
  bool asks = call->number == SYS_ioctl && isRequestOf(asked, sizeof asked, call->args[1]), sets = call->number == SYS_ioctl && isRequestOf(set, sizeof set, call->args[1]);
  int file = (int)call->args[0], error = asks || sets ? EPERM : EFBIG;
  if (!view.copies && !view.supervised) return false;
  if (call->number == SYS_fallocate && !isTooLong(call)) return judgeRoom(call);
  if (!asks && !sets && !isTooLong(call)) return false;
  // An overlay has no generation numbers.
  if (call->number == SYS_lseek || (asks && (view.supervised || (uint32_t)call->args[1] != FS_IOC_GETVERSION))) {
    bool named = readProcDescriptor(tracee->tid, file, path, sizeof path);
    if (call->number == SYS_lseek ? named && !strncmp(path, "/proc/", 6) : named && statDescriptor(tracee->tid, file, &st) && isUnchanged(path, &st)) return true;
  }
  // That a user may not set these is the same everywhere.
  if (sets && geteuid() != 0 && readMemory(tracee->tid, call->args[2], &flags, sizeof flags) == sizeof flags && flags & (FS_IMMUTABLE_FL | FS_APPEND_FL)) {
    skipCall(tracee->tid, -EPERM);
    return true;
  }
  sendEffect(EFFECT_REFUSED, groupOf(tracee), error == EFBIG ? "a file of that length" : "what the file system itself notes of a file", error);
  skipCall(tracee->tid, -error);
  return true;
}

static int openNamed(struct tracee *tracee, const struct call *call) {
  static char path[PATH_MAX];
  char link[64];
  if (call->number == SYS_statfs) return readText(tracee->tid, call->args[0], path, sizeof path) ? openAs(tracee->tid, AT_FDCWD, path, 0) : -1;
  snprintf(link, sizeof link, "/proc/%d/fd/%d", tracee->tid, (int)call->args[0]);
  return open(link, O_PATH | O_CLOEXEC);
}

// How much is free changes all the time: the run that looks for what varies is told of less.
static void perturb(struct statfs *fs) {
  if (!(setup.flags & FLAG_PERTURB)) return;
  fs->f_bfree -= fs->f_bfree / PERTURBED;
  fs->f_bavail -= fs->f_bavail / PERTURBED;
  fs->f_ffree -= fs->f_ffree / PERTURBED;
}

void judgeDisk(struct tracee *tracee, const struct call *call) {
  static char path[PATH_MAX];
  struct statfs fs;
  dev_t device;
  int node = openNamed(tracee, call);
  if (node < 0) return; // the kernel says why
  bool isKnown = fstatfs(node, &fs) == 0 && pathOfDescriptor(node, path, sizeof path);
  close(node);
  // The parts of a copy lie in a tmpfs of ours; memory that is shared by a descriptor has no place.
  bool isCopy = (long)fs.f_type == OVERLAY_MAGIC || ((long)fs.f_type == TMPFS_MAGIC && strncmp(path, "/memfd:", 7));
  if (!isKnown || !isCopy || !realFileSystem(path, &fs, &device)) return;
  perturb(&fs);
  if (writeMemory(tracee->tid, call->args[1], &fs, sizeof fs)) skipCall(tracee->tid, 0);
}
