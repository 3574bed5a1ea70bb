#define _GNU_SOURCE
#include "doors.h"
#include "callNames.h"
#include "gate.h"
#include "locks.h"
#include "reading.h"
#include "scan.h"
#include "setup.h"
#include "supervise.h"
#include "times.h"
#include "view.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TRACE SECCOMP_RET_TRACE
enum { WRITING = 3, FCHMODAT2 = 452, SETXATTRAT = 463, REMOVEXATTRAT = 466, FILE_SETATTR = 469, UNLOCK_TERMINAL = 0x40045431 /* TIOCSPTLCK */ };

// ---- rules ----

static const long metadataCalls[] = {
  SYS_fchmod, SYS_fchmodat, FCHMODAT2, SYS_fchown, SYS_fchownat, SYS_utimensat, SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr,
  SYS_lremovexattr, SYS_fremovexattr, SETXATTRAT, REMOVEXATTRAT, FILE_SETATTR,
#if defined(__x86_64__)
  SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat,
#endif
};

bool isMetadataCall(long number) {
  for (size_t i = 0; i < sizeof metadataCalls / sizeof *metadataCalls; i++)
    if (metadataCalls[i] == number) return true;
  return false;
}

static bool isOpening(long number) {
#if defined(__x86_64__)
  if (number == SYS_open || number == SYS_creat) return true;
#endif
  return number == SYS_openat;
}

bool isDoorCall(const struct call *call) {
  long number = call->number;
  if (isOpening(number) || number == SYS_flock || number == SYS_fcntl) return true;
  if (number == SYS_ioctl) return (unsigned)call->args[1] == UNLOCK_TERMINAL;
  return (isMetadataCall(number) && (!view.ownsNodes || hasLeases())) || number == SYS_truncate;
}

bool seesOpenings(void) { return view.bindsDirectories || view.hasTraces || hasLeases(); }

// The run that looks for what varies also looks for the reading of tables that are the view's own, by programs that were let run; the
// run that is shown is not slowed by it.
static bool watchesTables(void) {
  return (setup.flags & FLAG_PERTURB) && (setup.flags & (FLAG_OPEN_GATE | FLAG_LETS_IN)) && view.copies && !view.supervised;
}

static unsigned openingRules(struct rule *rules) {
  unsigned count = 0;
  bool sees = seesOpenings();
  enum ruleTest test = sees || watchesTables() || (setup.flags & FLAG_KNOWN) ? ALWAYS : BITS_SET;
  rules[count++] = (struct rule){SYS_openat, TRACE, test, 2, WRITING};
  rules[count++] = (struct rule){SYS_openat2, SECCOMP_RET_ERRNO | ENOSYS, ALWAYS, 0, 0}; // its flags are in memory
#if defined(__x86_64__)
  rules[count++] = (struct rule){SYS_open, TRACE, test, 1, WRITING};
  rules[count++] = (struct rule){SYS_creat, TRACE, ALWAYS, 0, 0};
#endif
  // Root may read devices; shells and most tools open with no flag at all, the loader and whoever walks through directories give some.
  if (geteuid() != 0 || sees) return count;
  rules[count++] = (struct rule){SYS_openat, TRACE, EQUALS, 2, 0};
#if defined(__x86_64__)
  rules[count++] = (struct rule){SYS_open, TRACE, EQUALS, 1, 0};
#endif
  return count;
}

unsigned doorRules(struct rule *rules) {
  static const uint32_t locks[] = {F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW, F_SETLEASE};
  unsigned count = openingRules(rules);
  rules[count++] = (struct rule){SYS_flock, TRACE, ALWAYS, 0, 0};
  for (size_t i = 0; i < sizeof locks / sizeof *locks; i++) rules[count++] = (struct rule){SYS_fcntl, TRACE, EQUALS, 1, locks[i]};
  if (view.ownsNodes && !hasLeases()) return count;
  if (hasLeases()) rules[count++] = (struct rule){SYS_truncate, TRACE, ALWAYS, 0, 0}, rules[count++] = (struct rule){SYS_linkat, TRACE, ALWAYS, 0, 0};
#if defined(__x86_64__)
  if (hasLeases()) rules[count++] = (struct rule){SYS_link, TRACE, ALWAYS, 0, 0};
#endif
  for (size_t i = 0; i < sizeof metadataCalls / sizeof *metadataCalls; i++) rules[count++] = (struct rule){metadataCalls[i], TRACE, ALWAYS, 0, 0};
  rules[count++] = (struct rule){SYS_ioctl, TRACE, EQUALS, 1, UNLOCK_TERMINAL};
  return count;
}

// ---- what is where ----

static void report(struct tracee *tracee, enum door door, const char *path) { sendEffect(EFFECT_DOOR, groupOf(tracee), path, door); }

// What comes next cannot be told: neither success nor failure would be true.
static bool stopRun(struct tracee *tracee, enum door door, const char *path) {
  report(tracee, door, path);
  endRun(CHANGED, 0, path);
  return false;
}

// The path as text, whether or not something is there.
static bool wholePath(struct tracee *tracee, int directory, const char *path, char *to) {
  char base[PATH_MAX];
  if (path[0] == '/') { snprintf(to, PATH_MAX, "%s", path); return true; }
  if (!readProcDescriptor(tracee->tid, directory, base, sizeof base) || strlen(base) + strlen(path) + 2 > PATH_MAX) return false;
  path2(to, base, path);
  return true;
}

static bool realDevice(const char *path, struct stat *st) {
  return isBelow(path, "/dev") && fstatat(view.outerRoot, path + 1, st, 0) == 0 && (S_ISBLK(st->st_mode) || S_ISCHR(st->st_mode));
}

// The machine's own node: what is done to it is done to the machine.
static bool isMachineNode(const char *path, const struct stat *st) {
  if (!view.ownsNodes && isViewDevice(path) && !isBelow(path, "/dev/pts")) return st->st_rdev && (S_ISCHR(st->st_mode) || S_ISBLK(st->st_mode));
  if (isBelow(path, "/sys")) return true;
  const struct part *part = partOf(path, 0);
  return part && part->kind == PART_READ_ONLY;
}

// By its permission bits alone: access(2) would say that it is read-only in the view.
static bool mayUse(const struct stat *st, bool writes) {
  if (getuid() == 0) return true;
  unsigned bits = st->st_mode, wanted = writes ? 2 : 4;
  if (st->st_uid == getuid()) bits >>= 6;
  else if (isInGroup(st->st_gid)) bits >>= 3;
  return bits & wanted;
}

// ---- opening ----

struct opening { const char *path; int directory; unsigned flags; bool at; };

// A shell or a tool that only writes goes on as it would: what it writes arrives nowhere. Whoever also reads, or is not known to be
// inert, would notice: the run ends before that.
static bool writeNowhere(struct tracee *tracee, const struct call *call, const struct opening *opening, enum door door, const char *path) {
  if ((opening->flags & ACCESS_MODE) != O_WRONLY || isOpen(tracee) || runsKnown(tracee) || (setup.flags & FLAG_OPEN_GATE)) return stopRun(tracee, door, path);
  report(tracee, door, path);
  openInstead(tracee->tid, call, "/dev/null", opening->flags);
  return true;
}

// A device that a view does not have. What is written to it goes nowhere; what would be read from it nobody knows.
static bool openDevice(struct tracee *tracee, const struct call *call, const struct opening *opening, const char *path, const struct stat *st) {
  bool writes = (opening->flags & ACCESS_MODE) != O_RDONLY, reads = (opening->flags & ACCESS_MODE) != O_WRONLY;
  const char *own = S_ISCHR(st->st_mode) ? ownDeviceOf(st->st_rdev) : 0;
  if (opening->flags & O_PATH) return true;
  if ((opening->flags & O_CREAT) && (opening->flags & O_EXCL)) { skipCall(tracee->tid, -EEXIST); return true; }
  if ((writes && !mayUse(st, true)) || (reads && !mayUse(st, false))) { skipCall(tracee->tid, -EACCES); return true; }
  if (own) { openInstead(tracee->tid, call, own, opening->flags); return true; }
  if (!writes) return stopRun(tracee, DOOR_READ, path);
  // A disk takes what it is given; what a driver says to it only the driver knows.
  return S_ISBLK(st->st_mode) ? writeNowhere(tracee, call, opening, DOOR_DEVICE, path) : stopRun(tracee, DOOR_DEVICE, path);
}

static bool isOfProcess(const char *path) { return isBelow(path, "/proc") && path[6] >= '0' && path[6] <= '9'; }

// A Java machine says at its start what a core dump of its own would hold, and goes on if it cannot: no run makes one.
bool opensCoreFilter(struct tracee *tracee, const struct call *call, const char *path, unsigned flags) {
  const char *name = strrchr(path, '/');
  if (!name || strcmp(name, "/coredump_filter") || !isBelow(path, "/proc") || (flags & ACCESS_MODE) != O_RDWR) return false;
  openInstead(tracee->tid, call, path, flags & ~(unsigned)(ACCESS_MODE | O_CREAT | O_TRUNC));
  return true;
}

// Files of the kernel are read-only in the view, so that nothing reaches the machine.
static bool openSetting(struct tracee *tracee, const struct call *call, const struct opening *opening, const char *path, const struct stat *st) {
  if (!mayUse(st, true)) { skipCall(tracee->tid, -EACCES); return true; }
  if (opensCoreFilter(tracee, call, path, opening->flags)) return true;
  if (isOfProcess(path)) return writeNowhere(tracee, call, opening, DOOR_OWN, path);
  return isBelow(path, "/proc/sys") ? writeNowhere(tracee, call, opening, DOOR_SETTING, path) : stopRun(tracee, DOOR_SETTING, path);
}

// A node of a device with permission to be opened: elsewhere the view forbids it (nodev).
static bool isOpenable(const char *path) { return isViewDevice(path) || isBelow(path, "/dev/pts") || !strcmp(path, "/dev/ptmx"); }

static bool hasTerminal(pid_t tid) {
  char path[64], text[512];
  snprintf(path, sizeof path, "/proc/%d/stat", tid);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  if (length <= 0) return true;
  text[length] = 0;
  int number = 0;
  const char *end = strrchr(text, ')');
  return !end || scanText(end + 2, "%*c %*d %*d %*d %d", &number) != 1 || number != 0;
}

static bool judgeNode(struct tracee *tracee, const struct call *call, const struct opening *opening, const char *real, const struct stat *st) {
  bool writes = (opening->flags & ACCESS_MODE) != O_RDONLY;
  if (isLeased(real)) return stopRun(tracee, DOOR_LEASED, real);
  if (S_ISCHR(st->st_mode) || S_ISBLK(st->st_mode)) {
    // The terminal stands there in the place of the machine's node, which says ENXIO to whoever has none.
    if (!view.ownsNodes && !strcmp(real, "/dev/tty") && !(opening->flags & O_PATH) && !hasTerminal(tracee->tid)) skipCall(tracee->tid, -ENXIO);
    return isOpenable(real) || openDevice(tracee, call, opening, real, st);
  }
  if (S_ISREG(st->st_mode) && (isBelow(real, "/proc") || isBelow(real, "/sys"))) {
    if (writes) return openSetting(tracee, call, opening, real, st);
    return !takesFromKernel(real) || !mayUse(st, false) || (opening->flags & O_PATH) ? true : stopRun(tracee, DOOR_READ, real);
  }
  if (S_ISFIFO(st->st_mode) && isMachineNode(real, st) && !(opening->flags & O_PATH)) return stopRun(tracee, DOOR_FIFO, real);
  return true;
}

// The name behind /proc/self/, /proc/thread-self/ or /proc/12/; 0: there is none.
static const char *ofProcess(const char *path) {
  static const char *const own[] = {"/proc/self/", "/proc/thread-self/"};
  for (int i = 0; i < 2; i++)
    if (!strncmp(path, own[i], strlen(own[i]))) return path + strlen(own[i]);
  if (strncmp(path, "/proc/", 6) || path[6] < '0' || path[6] > '9') return 0;
  const char *rest = strchr(path + 6, '/');
  return rest ? rest + 1 : 0;
}

// Who looks for processes is told of. Of mounts and of the network, at which runtimes look when they start, this run sees nothing:
// what depends on them is different in the other run. True: the call has another path now.
static bool judgeTable(struct tracee *tracee, const struct call *call, const struct opening *opening) {
  const char *path = opening->path, *rest = ofProcess(path);
  if (!(setup.flags & FLAG_OPEN_GATE) && !isOpen(tracee) && !runsKnown(tracee)) return false;
  bool mounts = !strcmp(path, "/etc/mtab") || !strcmp(path, "/proc/mounts") || (rest && !strncmp(rest, "mount", 5));
  bool network = !strncmp(path, "/proc/net/", 10) || (rest && !strncmp(rest, "net/", 4));
  if (mounts || network) openInstead(tracee->tid, call, "/dev/null", opening->flags & ~(unsigned)O_DIRECTORY);
  else if (!strcmp(path, "/proc") || !strcmp(path, "/proc/"))
    sendEffect(EFFECT_READS_PROCESSES, groupOf(tracee), path, 0);
  return mounts || network;
}

static bool judgeOpening(struct tracee *tracee, const struct call *call) {
  static char path[PATH_MAX], real[PATH_MAX];
  struct stat st;
  bool at = call->number == SYS_openat;
  struct opening opening = {.path = path, .directory = at ? (int)call->args[0] : AT_FDCWD, .flags = (unsigned)call->args[at ? 2 : 1], .at = at};
#if defined(__x86_64__)
  if (call->number == SYS_creat) opening.flags = O_WRONLY | O_CREAT | O_TRUNC;
#endif
  if (!readText(tracee->tid, call->args[at ? 1 : 0], path, sizeof path)) return true;
  bool onlyLooked = !seesOpenings() && (watchesTables() || (setup.flags & FLAG_KNOWN));
  if (!(opening.flags & WRITING)) {
    if (watchesTables() && judgeTable(tracee, call, &opening)) return true;
    if (onlyLooked && (geteuid() != 0 || opening.flags)) return true;
  }
  int node = openAs(tracee->tid, opening.directory, path, opening.flags & O_NOFOLLOW);
  if (node < 0) {
    // The view of an ordinary user does not show every device.
    bool hidden = wholePath(tracee, opening.directory, path, real) && realDevice(real, &st);
    return !hidden || openDevice(tracee, call, &opening, real, &st);
  }
  bool known = fstat(node, &st) == 0 && pathOfDescriptor(node, real, sizeof real);
  close(node);
  return !known || judgeNode(tracee, call, &opening, real, &st);
}

// ---- mode, owner, times ----

// Of explicit times only "both now" may be set by who does not own the file (utimensat(2)).
static bool setsToNow(struct tracee *tracee, const struct call *call) {
  struct timespec times[2];
  bool directory = call->number == SYS_utimensat;
#if defined(__x86_64__)
  directory |= call->number == SYS_futimesat;
#endif
  uint64_t at = call->args[directory ? 2 : 1];
  if (call->number != SYS_utimensat) return !at;
  return !at || (readMemory(tracee->tid, at, times, sizeof times) == sizeof times && times[0].tv_nsec == UTIME_NOW && times[1].tv_nsec == UTIME_NOW);
}

static bool setsTimes(long number) {
#if defined(__x86_64__)
  if (number == SYS_utime || number == SYS_utimes || number == SYS_futimesat) return true;
#endif
  return number == SYS_utimensat;
}

int openTarget(struct tracee *tracee, const struct call *call) {
  static char path[PATH_MAX];
  char link[64];
  const struct callName *name = nameOfCall(call->number);
  bool at = !name || name->path < 0 ? false : name->at;
  bool byNumber = name && name->path < 0;
  if (call->number == FCHMODAT2 || call->number >= SETXATTRAT) at = true;
  uint64_t text = byNumber ? 0 : call->args[at ? 1 : 0];
  path[0] = 0;
  if (text && !readText(tracee->tid, text, path, sizeof path)) return -1;
  if (!path[0]) {
    snprintf(link, sizeof link, "/proc/%d/fd/%d", tracee->tid, (int)call->args[0]);
    return open(link, O_PATH | O_CLOEXEC);
  }
  bool follows = true;
  if (call->number == SYS_fchownat) follows = !(call->args[4] & AT_SYMLINK_NOFOLLOW);
  if (call->number == SYS_utimensat || call->number == FCHMODAT2) follows = !(call->args[3] & AT_SYMLINK_NOFOLLOW);
  if (call->number == SYS_lsetxattr || call->number == SYS_lremovexattr) follows = false;
#if defined(__x86_64__)
  if (call->number == SYS_lchown) follows = false;
#endif
  return openAs(tracee->tid, at ? (int)call->args[0] : AT_FDCWD, path, follows ? 0 : O_NOFOLLOW);
}

// Of a call that names a descriptor, its path tells most of it.
static bool isPlainDescriptor(struct tracee *tracee, const struct call *call) {
  static char real[PATH_MAX];
  const struct callName *name = nameOfCall(call->number);
  if (!name || name->path >= 0) return false;
  return readProcDescriptor(tracee->tid, (int)call->args[0], real, sizeof real) && (view.ownsNodes || !isViewDevice(real) || isBelow(real, "/dev/pts"));
}

enum { LIST_OF_MODE = 28 }; // an access list of the three classes alone, as sed(1) copies it: nobody is named

static bool isListCall(long number) { return number == SYS_setxattr || number == SYS_lsetxattr || number == SYS_fsetxattr; }

// acl(5): who is named there need not have a number in a user namespace, and the kernel refuses what the real file system would take.
static void judgeList(struct tracee *tracee, const struct call *call) {
  static char real[PATH_MAX];
  char name[32] = "";
  const char *rest;
  if (view.asRoot || !isListCall(call->number) || !readText(tracee->tid, call->args[1], name, sizeof name)) return;
  if (strncmp(name, "system.posix_acl_", 17) != 0 || (name[17] == 'a' && call->args[3] <= LIST_OF_MODE)) return;
  int node = openTarget(tracee, call);
  const struct part *part = node >= 0 && pathOfDescriptor(node, real, sizeof real) ? partOf(real, &rest) : 0;
  if (node >= 0) close(node);
  if (part && part->kind == PART_OVERLAY) sendEffect(EFFECT_OTHER_OWNER, groupOf(tracee), real, 0);
}

// The machine's nodes are bound read-only, which refuses with a word of its own (EROFS). What the machine would say is said instead.
static bool judgeMetadata(struct tracee *tracee, const struct call *call) {
  static char real[PATH_MAX];
  struct stat st;
  bool plain = isPlainDescriptor(tracee, call);
  int node = plain ? -1 : openTarget(tracee, call);
  bool known = node >= 0 && fstat(node, &st) == 0 && pathOfDescriptor(node, real, sizeof real);
  if (node >= 0) close(node);
  if (!known || view.ownsNodes || !isViewDevice(real) || isBelow(real, "/dev/pts")) {
    judgeList(tracee, call);
    if (isReadingCall(call->number) && !view.asRoot) judgeReading(tracee, call);
    else if (isTimeCall(call->number)) judgeTimes(tracee, call);
    return true;
  }
  struct stat outside = st;
  fstatat(view.outerRoot, real + 1, &outside, 0); // a terminal of ours may stand there
  if (setsTimes(call->number) && setsToNow(tracee, call)) {
    bool may = mayUse(&outside, true) || outside.st_uid == getuid();
    if (may) sendEffect(EFFECT_TIME_ONLY, groupOf(tracee), real, 0);
    skipCall(tracee->tid, may ? 0 : -EACCES);
  } else if (outside.st_uid == getuid()) {
    report(tracee, DOOR_NODE, real);
    skipCall(tracee->tid, 0);
  } else skipCall(tracee->tid, -EPERM);
  return true;
}

// What changes the file or its names makes the overlay copy it first, and that opens the real one.
bool stopsAtLease(struct tracee *tracee, const struct call *call) {
  static char path[PATH_MAX], real[PATH_MAX];
  const struct callName *name = nameOfCall(call->number);
  if (!hasLeases() || !name || name->opens) return false;
  int at = name->path;
  char number[64];
  snprintf(number, sizeof number, "/proc/%d/fd/%d", tracee->tid, (int)call->args[0]);
  if (at >= 0 && !readText(tracee->tid, call->args[at], path, sizeof path)) return false;
  int node = at < 0 ? open(number, O_PATH | O_CLOEXEC) : openAs(tracee->tid, name->at ? (int)call->args[at - 1] : AT_FDCWD, path, O_NOFOLLOW);
  bool leased = node >= 0 && pathOfDescriptor(node, real, sizeof real) && isLeased(real);
  if (node >= 0) close(node);
  return leased && !stopRun(tracee, DOOR_LEASED, real);
}

// ---- locks ----

static bool releases(struct tracee *tracee, const struct call *call) {
  struct flock lock;
  if (call->number == SYS_flock) return (call->args[1] & 15) == 8; // LOCK_UN
  if (call->args[1] == F_SETLEASE) return call->args[2] == F_UNLCK;
  return readMemory(tracee->tid, call->args[2], &lock, sizeof lock) == sizeof lock && lock.l_type == F_UNLCK;
}

// Whoever does not wait for a lock that somebody else has is told so at once (flock(2)), while the file is still the real one.
static bool isTaken(const struct call *call, const char *path) {
  const char *rest;
  struct stat upper;
  if (call->number != SYS_flock || ((int)call->args[1] & (LOCK_EX | LOCK_NB)) != (LOCK_EX | LOCK_NB) || view.supervised) return false;
  const struct part *part = partOf(path, &rest);
  return part && part->upper >= 0 && fstatat(part->upper, rest, &upper, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT;
}

static void judgeLock(struct tracee *tracee, const struct call *call) {
  static char real[PATH_MAX];
  struct stat st;
  if (!readProcDescriptor(tracee->tid, (int)call->args[0], real, sizeof real) || real[0] != '/') return;
  if (!statDescriptor(tracee->tid, (int)call->args[0], &st)) return;
  if (isMachineNode(real, &st)) {
    // Its lock is the machine's: it is not taken, and nobody knows who else would have had it.
    if (!releases(tracee, call)) report(tracee, DOOR_LOCK, real);
    skipCall(tracee->tid, 0);
  } else if (!releases(tracee, call) && isLockedOutside(real)) {
    if (isTaken(call, real)) skipCall(tracee->tid, -EWOULDBLOCK);
    else report(tracee, DOOR_LOCKED, real);
  }
}

// ---- the rest ----

// A terminal of its own: from now on that is what /dev/tty may mean.
static void judgeTerminal(struct tracee *tracee, const struct call *call) {
  unsigned number;
  char slave[32];
  int terminal = copyDescriptor(groupOf(tracee), (int)call->args[0]);
  if (terminal < 0) return;
  if (ioctl(terminal, TIOCGPTN, &number) == 0) {
    snprintf(slave, sizeof slave, "/dev/pts/%u", number);
    showTerminal(slave);
  }
  close(terminal);
}

bool judgeDoor(struct tracee *tracee, const struct call *call) {
  if (isOpening(call->number)) return judgeOpening(tracee, call);
  if (call->number == SYS_flock || call->number == SYS_fcntl) judgeLock(tracee, call);
  else if (call->number == SYS_ioctl) judgeTerminal(tracee, call);
  else return judgeMetadata(tracee, call);
  return true;
}
