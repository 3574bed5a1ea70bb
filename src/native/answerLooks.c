// Mode, owner, times, size and attributes.
#define _GNU_SOURCE
#include "answer.h"
#include "attributes.h"
#include "scratch.h"
#include "times.h"
#include "view.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int askChange(struct asked *asked, struct stat *st) {
  struct statx real;
  char path[PATH_MAX];
  int error = askPlace(asked);
  if (error) return error;
  if (!asked->place.there) return ENOENT;
  // Of what is open and has no place, only a pipe or a socket of its own may be changed: everything else could be the machine's.
  if (asked->place.magic && !asked->place.node) return asked->pathAt < 0 && asked->path[0] != '/' ? OF_ITS_OWN : UNKNOWABLE;
  statusOf(&asked->place, AFTER, st);
  contentPath(&asked->place, AFTER, path);
  if (path[0] && !isInScratch(path) && statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_TYPE, &real) == 0) {
    if (real.stx_attributes & (IMMUTABLE | APPEND_ONLY)) return EPERM;
    const struct mountPoint *mounted = mountPointOf(path);
    if (mounted && mounted->flags & 1 /* MS_RDONLY */) return EROFS;
  }
  return 0;
}

// What the kernel made is the machine's.
bool isMachines(const struct asked *asked) {
  char path[PATH_MAX];
  contentPath(&asked->place, AFTER, path);
  return isBelow(path, "/proc") || isBelow(path, "/sys");
}

bool owns(const struct stat *st) { return st->st_uid == ourUser() || hasPower(CAP_FOWNER); }

static void noteChangeTime(struct node *node) {
  clock_gettime(CLOCK_REALTIME_COARSE, &node->now.changed);
  node->now.own |= OWN_CHANGE_TIME;
}

struct node *noteChange(struct asked *asked, const struct stat *st) {
  struct node *node = notePlace(&asked->place);
  if (!node) return 0;
  keepLooks(node);
  if (!(node->now.own & OWN_MODE)) node->now.mode = st->st_mode;
  if (!(node->now.own & OWN_OWNER)) { node->now.uid = st->st_uid; node->now.gid = st->st_gid; }
  noteChangeTime(node);
  return node;
}

bool answerMode(struct asked *asked, mode_t mode) {
  struct stat st;
  int error = askChange(asked, &st);
  if (error) return error == OF_ITS_OWN || giveResult(asked, -error);
  if (S_ISLNK(st.st_mode)) return giveResult(asked, -EOPNOTSUPP);
  if (!owns(&st)) return giveResult(asked, -EPERM);
  if (isMachines(asked)) return stopHere(asked, "chmod");
  mode &= 07777;
  if ((mode & S_ISGID) && !isInGroup(st.st_gid) && !hasPower(CAP_FSETID)) mode &= ~(mode_t)S_ISGID;
  struct node *node = noteChange(asked, &st);
  if (!node) return giveResult(asked, -EIO);
  node->now.mode = (node->now.mode & S_IFMT) | mode;
  node->now.own |= OWN_MODE;
  if (!limitList(node, mode)) return stopHere(asked, "chmod");
  allowExecution(node);
  return giveResult(asked, 0);
}

bool answerOwner(struct asked *asked, uid_t uid, gid_t gid) {
  struct stat st;
  int error = askChange(asked, &st);
  if (error) return error == OF_ITS_OWN || giveResult(asked, -error);
  bool sameUser = uid == (uid_t)-1 || uid == st.st_uid, sameGroup = gid == (gid_t)-1 || gid == st.st_gid;
  // chown(2): the owner may give it to a group of his, nobody but root to another user.
  bool may = hasPower(CAP_CHOWN) || (sameUser && (gid == (gid_t)-1 || (st.st_uid == ourUser() && (sameGroup || isInGroup(gid)))));
  if (uid == (uid_t)-1 && gid == (gid_t)-1) may = true;
  if (!may) return giveResult(asked, -EPERM);
  if (isMachines(asked)) return stopHere(asked, "chown");
  struct node *node = noteChange(asked, &st);
  if (!node) return giveResult(asked, -EIO);
  if (uid != (uid_t)-1) node->now.uid = uid;
  if (gid != (gid_t)-1) node->now.gid = gid;
  node->now.own |= OWN_OWNER;
  bool wasSet = st.st_mode & S_ISUID || (st.st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP);
  if (!S_ISDIR(st.st_mode) && wasSet) {
    node->now.mode &= ~(mode_t)S_ISUID;
    if (st.st_mode & S_IXGRP) node->now.mode &= ~(mode_t)S_ISGID;
    node->now.own |= OWN_MODE;
  }
  return giveResult(asked, 0);
}

// The times that are asked for, as utimensat(2) says them; false: unreadable.
static bool readTimes(struct asked *asked, struct timespec times[2]) {
  const struct call *call = asked->call;
  times[0].tv_sec = times[1].tv_sec = 0;
  times[0].tv_nsec = times[1].tv_nsec = UTIME_NOW;
#if defined(__x86_64__)
  int64_t seconds[2], micro[4];
  pid_t tid = asked->tracee->tid;
  uint64_t where = call->args[call->number == SYS_futimesat ? 2 : 1];
  if (call->number == SYS_utime || call->number == SYS_utimes || call->number == SYS_futimesat) {
    if (!where) return true;
    if (call->number == SYS_utime) {
      if (readMemory(tid, where, seconds, sizeof seconds) != sizeof seconds) return false;
      times[0] = (struct timespec){seconds[0], 0};
      times[1] = (struct timespec){seconds[1], 0};
      return true;
    }
    if (readMemory(tid, where, micro, sizeof micro) != sizeof micro) return false;
    times[0] = (struct timespec){micro[0], micro[1] * 1000};
    times[1] = (struct timespec){micro[2], micro[3] * 1000};
    return true;
  }
#endif
  return !call->args[2] || readMemory(asked->tracee->tid, call->args[2], times, 2 * sizeof *times) == 2 * sizeof *times;
}

static int maySetTimes(struct asked *asked, const struct stat *st, const struct timespec times[2]) {
  bool bothNow = times[0].tv_nsec == UTIME_NOW && times[1].tv_nsec == UTIME_NOW;
  for (int i = 0; i < 2; i++)
    if (times[i].tv_nsec != UTIME_NOW && times[i].tv_nsec != UTIME_OMIT && (times[i].tv_nsec < 0 || times[i].tv_nsec > 999999999)) return EINVAL;
  if (owns(st)) return 0;
  if (!bothNow) return EPERM;
  return mayUsePlace(&asked->place, W_OK) ? EACCES : 0;
}

bool answerTimes(struct asked *asked) {
  struct timespec times[2], now;
  struct stat st;
  char path[PATH_MAX];
  if (!readTimes(asked, times)) return giveResult(asked, -EFAULT);
  int error = askChange(asked, &st);
  if (error) return error == OF_ITS_OWN || giveResult(asked, -error);
  if (times[0].tv_nsec == UTIME_OMIT && times[1].tv_nsec == UTIME_OMIT) return giveResult(asked, 0);
  error = maySetTimes(asked, &st, times);
  if (error) return giveResult(asked, -error);
  if (isMachines(asked)) return stopHere(asked, "utimensat");
  struct node *node = noteChange(asked, &st);
  if (!node) return giveResult(asked, -EIO);
  fileSystemPath(node, path);
  if (!fitTimes(path, times)) sendEffect(EFFECT_NOT_REAL_STATUS, groupOf(asked->tracee), path, 0);
  if (node->now.scratch && S_ISREG(node->now.mode)) {
    scratchFile(node->now.scratch, path);
    utimensat(AT_FDCWD, path, times, 0);
    node->now.own &= (uint8_t)~OWN_CHANGE_TIME;
    return giveResult(asked, 0);
  }
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
  node->now.accessed = times[0].tv_nsec == UTIME_NOW ? now : times[0].tv_nsec == UTIME_OMIT ? st.st_atim : times[0];
  node->now.modified = times[1].tv_nsec == UTIME_NOW ? now : times[1].tv_nsec == UTIME_OMIT ? st.st_mtim : times[1];
  node->now.own |= OWN_TIMES;
  return giveResult(asked, 0);
}

bool answerTruncate(struct asked *asked, off_t size) {
  struct stat st;
  char path[64];
  int error = askChange(asked, &st);
  if (error) return error == OF_ITS_OWN || giveResult(asked, -error);
  if (S_ISDIR(st.st_mode)) return giveResult(asked, -EISDIR);
  if (!S_ISREG(st.st_mode) || size < 0) return giveResult(asked, -EINVAL);
  error = mayUsePlace(&asked->place, W_OK);
  if (error) return giveResult(asked, -error);
  if (isMachines(asked)) return stopHere(asked, "truncate");
  struct node *node = notePlace(&asked->place);
  if (!node || !ownContent(node, size == 0)) return giveResult(asked, errno ? -errno : -EIO);
  scratchFile(node->now.scratch, path);
  return giveResult(asked, truncate(path, size) == 0 ? 0 : -errno);
}
