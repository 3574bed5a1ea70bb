// Apply and restore: a node that was made ready takes the name of another one, or a name is taken away, only where what has the
// name is what the host saw there. The name always leads to one of the two (RENAME_EXCHANGE), and all is decided here, within
// microseconds: a writer that never stops finds its file. Descriptor 3 is the folder.
#define _GNU_SOURCE
#include "settle.h"
#include "scan.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#define RENAME_EXCHANGE 2
#endif

enum { FOLDER = 3, NAP_US = 500 };
enum end { PUT = 'p', CHANGED = 'c', BESIDE = 'b', CANNOT = 'n', FAILED = 'f' };

struct mark {
  uint64_t inode, device, size, mtimeNs;
  uint32_t mode;
};

// Together, for whoever has a file open for writing in this moment.
static int naps = 200;

static bool look(const char *name, struct mark *mark) {
  struct stat s;
  if (fstatat(FOLDER, name, &s, AT_SYMLINK_NOFOLLOW) != 0) return false;
  uint64_t mtimeNs = (uint64_t)s.st_mtim.tv_sec * 1000000000u + (uint64_t)s.st_mtim.tv_nsec;
  *mark = (struct mark){s.st_ino, s.st_dev, (uint64_t)s.st_size, mtimeNs, s.st_mode};
  return true;
}

static bool is(const char *name, const struct mark *wanted) {
  struct mark now;
  return look(name, &now) && now.inode == wanted->inode && now.device == wanted->device && now.size == wanted->size &&
         now.mtimeNs == wanted->mtimeNs && now.mode == wanted->mode;
}

static bool move(const char *from, const char *to, unsigned how) {
  return syscall(SYS_renameat2, FOLDER, from, FOLDER, to, how) == 0;
}

// fcntl(2): a read lease is given only where nobody has the file open for writing, and who opens it so waits until it is given
// back. -1: none can be had (another owner's file, a file system without leases, somebody writes for a long time).
static int lease(const char *name, const struct mark *expected) {
  if (!S_ISREG(expected->mode)) return -1;
  int file = openat(FOLDER, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  while (file >= 0 && fcntl(file, F_SETLEASE, F_RDLCK) != 0) {
    if (errno == EAGAIN && naps-- > 0) {
      nanosleep(&(struct timespec){0, NAP_US * 1000}, NULL);
      continue;
    }
    close(file);
    return -1;
  }
  return file;
}

// Somebody has opened it for writing since, and waits.
static bool isWanted(int leased) { return leased >= 0 && fcntl(leased, F_GETLEASE) != F_RDLCK; }

// `aside` has what stood at the name, which is not what was expected.
static enum end giveBack(const char *name, const char *aside, const struct mark *ours) {
  // Whoever took our name away again meant the node that he saw: the other one comes back.
  if (!move(name, aside, RENAME_EXCHANGE)) return move(aside, name, RENAME_NOREPLACE) ? CHANGED : BESIDE;
  if (is(aside, ours)) return CHANGED;
  // A still newer one was there by then: it keeps the name, and the other one stays beside it.
  return move(name, aside, RENAME_EXCHANGE) || move(aside, name, RENAME_NOREPLACE) ? BESIDE : FAILED;
}

static enum end replace(const char *name, const char *aside, const struct mark *expected, int leased) {
  struct mark ours;
  if (!look(aside, &ours)) return FAILED;
  if (!move(aside, name, RENAME_EXCHANGE)) {
    if (errno == ENOENT) return CHANGED;
    return errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP ? CANNOT : FAILED;
  }
  if (!is(aside, expected) || isWanted(leased)) return giveBack(name, aside, &ours);
  return unlinkat(FOLDER, aside, 0) == 0 ? PUT : FAILED;
}

static enum end takeAway(const char *name, const char *aside, const struct mark *expected, int leased) {
  if (!move(name, aside, RENAME_NOREPLACE)) {
    if (errno == ENOENT) return CHANGED;
    return errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP ? CANNOT : FAILED;
  }
  if (!is(aside, expected) || isWanted(leased)) return move(aside, name, RENAME_NOREPLACE) ? CHANGED : BESIDE;
  return unlinkat(FOLDER, aside, 0) == 0 ? PUT : FAILED;
}

static enum end settle(const char *name, const char *aside, bool isReplaced, const struct mark *expected) {
  int leased = lease(name, expected);
  enum end end = CHANGED;
  errno = 0;
  if (is(name, expected) && !isWanted(leased)) end = (isReplaced ? replace : takeAway)(name, aside, expected, leased);
  int error = errno;
  if (leased >= 0) close(leased);
  errno = error;
  return end;
}

// See protocol.md.
int settleNodes(void) {
  char *texts[3] = {NULL};
  size_t rooms[3] = {0};
  signal(SIGIO, SIG_IGN);
  for (;;) {
    for (int i = 0; i < 3; i++)
      if (getdelim(&texts[i], &rooms[i], 0, stdin) < 0) return fflush(stdout) == 0 ? 0 : 1;
    char how;
    struct mark expected;
    if (scanText(texts[2], "%c %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu32, &how, &expected.inode, &expected.device,
               &expected.size, &expected.mtimeNs, &expected.mode) != 6)
      return 1;
    enum end end = settle(texts[0], texts[1], how == 'x', &expected);
    printf("%c %d\n", end, end == FAILED ? errno : 0);
  }
}
