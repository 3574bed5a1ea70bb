// Attacks on a device node: NODE is one, changed by descriptor and by number of the call; as foreign code, with the gate open.
#include "attack.h"
#include <sched.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <sys/xattr.h>

static void nodeByDescriptor(void) {
  const char *node = aim("NODE");
  struct timespec times[2] = {{1, 0}, {1, 0}}, now[2] = {{0, UTIME_NOW}, {0, UTIME_NOW}};
  int reading = open(node, O_RDONLY | O_NOCTTY), place = open(node, O_PATH);
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", place);
  tell("fchmod", fchmod(reading, 0640));
  tell("chmod by a link of the descriptor", chmod(link, 0600));
  tell("fchmodat2", syscall(452, place, "", 0604, AT_EMPTY_PATH));
  tell("fchown", fchown(reading, getuid(), 1));
  tell("fchownat", fchownat(place, "", getuid(), 2, AT_EMPTY_PATH));
  tell("futimens", futimens(reading, times));
  tell("futimens now", futimens(reading, now));
  tell("utimensat", utimensat(AT_FDCWD, node, times, 0));
  tell("utimensat now", utimensat(AT_FDCWD, node, now, 0));
  tell("utimensat null", utimensat(AT_FDCWD, link, 0, 0));
#ifdef SYS_utime
  tell("utime", syscall(SYS_utime, node, 0));
  tell("utimes", syscall(SYS_utimes, node, 0));
  tell("futimesat", syscall(SYS_futimesat, AT_FDCWD, node, 0));
#endif
  tell("fsetxattr", fsetxattr(reading, "trusted.attack", "x", 1, 0));
  tell("setxattr", setxattr(node, "security.attack", "x", 1, 0));
  tell("setxattrat", syscall(463, place, "", AT_EMPTY_PATH, "trusted.attack", 0, 0));
}

static void nodeLock(void) {
  struct flock lock = {.l_type = F_WRLCK};
  int both = open(aim("NODE"), O_RDWR | O_NOCTTY);
  tell("flock", flock(both, LOCK_EX | LOCK_NB));
  tell("fcntl lock", fcntl(both, F_SETLK, &lock));
  tell("own lock", fcntl(both, F_OFD_SETLK, &lock));
  usleep(400000);
}

// One thread changes where a link leads while the other one writes by it, and changes the text of the path as well.
static char path[4200];
static int turn(void *with) {
  const char *first = aim("BOUND_FIFO"), *other = aim("PLAIN");
  for (int i = 0;; i++) {
    memcpy(path, i & 1 ? first : other, strlen(i & 1 ? first : other) + 1);
    if (i % 64) continue;
    unlink("turning");
    if (symlink(i & 64 ? first : other, "turning") != 0) continue;
  }
}
static void pathTurned(void) {
  static char stack[65536];
  strcpy(path, aim("PLAIN"));
  int flags = CLONE_VM | CLONE_FS | CLONE_FILES | SIGCHLD;
  int thread = clone(turn, stack + sizeof stack, flags, 0);
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  for (time_t end = now.tv_sec + 1, i = 0; now.tv_sec <= end; i++, clock_gettime(CLOCK_MONOTONIC, &now)) {
    int file = open(i & 1 ? path : "turning", O_WRONLY | O_NONBLOCK | O_APPEND);
    if (file >= 0 && write(file, "x", 1) < 0) close(file);
    else if (file >= 0) close(file);
  }
  kill(thread, SIGKILL);
  waitpid(thread, 0, 0);
}

const struct attack deviceAttacks[] = {{"nodeByDescriptor", nodeByDescriptor}, {"nodeLock", nodeLock}, {"pathTurned", pathTurned}, {0, 0}};
