#define _GNU_SOURCE
#include "look.h"
#include "callNames.h"
#include "command.h"
#include "doors.h"
#include "gate.h"
#include "locks.h"
#include "older.h"
#include "ours.h"
#include "optionalLock.h"
#include "supervise.h"
#include "view.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

bool stopAt(const char *name, const char *detail) {
  char text[PATH_MAX + 64];
  snprintf(text, sizeof text, "%s%s%s", name, detail[0] ? " " : "", detail);
  endRun(CHANGED, 0, text);
  return false;
}

// ---- opening for writing ----

// Documentation/admin-guide/devices.txt: null, zero, full; the own terminal; terminals of devpts that only we can have opened are not told apart.
static bool isHarmlessDevice(const struct stat *st) {
  unsigned minor = minor(st->st_rdev), major = major(st->st_rdev);
  if (!S_ISCHR(st->st_mode)) return false;
  return (major == 1 && (minor == 3 || minor == 5 || minor == 7)) || (major == 5 && minor == 0) || (ownTerminalDevice() && st->st_rdev == ownTerminalDevice());
}

static bool isReadableDevice(const struct stat *st) {
  return isHarmlessDevice(st) || (S_ISCHR(st->st_mode) && major(st->st_rdev) == 1 && (minor(st->st_rdev) == 8 || minor(st->st_rdev) == 9));
}

// A path that names a descriptor of the process, and nothing behind it.
static bool namesDescriptor(const char *path, pid_t tid) {
  char own[64];
  snprintf(own, sizeof own, "/proc/%d/fd/", tid);
  const char *const prefixes[] = {"/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/", own};
  if (!strcmp(path, "/dev/stdout") || !strcmp(path, "/dev/stderr") || !strcmp(path, "/dev/stdin")) return true;
  for (int i = 0; i < 4; i++) {
    size_t length = strlen(prefixes[i]);
    if (!strncmp(path, prefixes[i], length) && path[length] && strspn(path + length, "0123456789") == strlen(path + length)) return true;
  }
  return false;
}

// An anonymous pipe: it lies on pipefs, as every pipe of ours does. A FIFO with a name has readers and writers that are not ours.
static bool isAnonymousPipe(const struct stat *st) {
  static dev_t pipes;
  struct stat own;
  int ends[2];
  if (!pipes && pipe(ends) == 0) {
    if (fstat(ends[0], &own) == 0) pipes = own.st_dev;
    close(ends[0]);
    close(ends[1]);
  }
  return S_ISFIFO(st->st_mode) && pipes && st->st_dev == pipes;
}

static bool isOwnPipe(const char *path, pid_t tid, const struct stat *st) { return namesDescriptor(path, tid) && isAnonymousPipe(st); }

// Reading it takes data from somebody else.
static bool takesWhenRead(const char *path, pid_t tid, const struct stat *st) {
  if (S_ISREG(st->st_mode) || S_ISDIR(st->st_mode) || S_ISLNK(st->st_mode)) return false;
  return !isReadableDevice(st) && !isOwnPipe(path, tid, st);
}

// May the user do this to the node behind the descriptor? access(2) asks for the real user.
static int mayUse(int node, int what) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", node);
  return access(link, what) == 0 ? 0 : errno;
}

enum { PROC_MAGIC = 0x9fa0 };

// What the kernel would say to making or removing something there: 0 when it would do it.
static int mayChangeNames(pid_t tid, int directory, const char *path, bool makes) {
  struct statfs fs;
  int parent = openParentAs(tid, directory, path);
  if (parent < 0) return errno;
  int error = mayUse(parent, W_OK | X_OK);
  // In procfs a name that is not there is not found, whatever is asked (fs/proc/generic.c); elsewhere nobody knows.
  if (makes && fstatfs(parent, &fs) == 0 && fs.f_type == PROC_MAGIC) error = forbidsInProc() ? 0 : ENOENT;
  close(parent);
  return error;
}

// Opening it would be felt by the holder of its lease, or take something from the kernel.
static bool isDisturbed(int node) {
  char real[PATH_MAX];
  return pathOfDescriptor(node, real, sizeof real) && (isLeased(real) || takesFromKernel(real));
}

// The node of /dev/tty notes when it was used; the terminal that it means is our own.
static bool isTerminalAlias(const struct stat *st) { return S_ISCHR(st->st_mode) && st->st_rdev == makedev(5, 0) && command.terminal; }

static bool judgeOpen(struct tracee *tracee, const struct call *call, int directory, const char *path, unsigned flags) {
  struct stat st;
  enum ours ours = isInOurs(tracee->tid, directory, path);
  if (ours == IN_PLACE_OF_PARENT) return stopAt("open", path);
  if (ours) { skipCall(tracee->tid, -ENOENT); return true; } // as a process that has just ended
  int node = openAs(tracee->tid, directory, path, flags & O_NOFOLLOW);
  int error = node < 0 ? errno : 0;
  bool known = node >= 0 && fstat(node, &st) == 0;
  bool writes = (flags & ACCESS_MODE) != O_RDONLY;
  if (known && isOwnPipe(path, tracee->tid, &st)) { close(node); return true; }
  if (known && !(flags & O_PATH) && isDisturbed(node)) { close(node); return stopAt("open", path); }
  if (known && isTerminalAlias(&st) && !(flags & O_PATH)) {
    close(node);
    openInstead(tracee->tid, call, command.terminalName, flags);
    return true;
  }
  if (!writes && !(flags & (O_CREAT | O_TRUNC))) {
    if (node >= 0) close(node);
    return known && takesWhenRead(path, tracee->tid, &st) && !(flags & O_PATH) ? stopAt("open", path) : true;
  }
  if (known && isHarmlessDevice(&st) && !(flags & O_EXCL)) { close(node); return true; }
  int answer = 0;
  if (known && (flags & O_CREAT) && (flags & O_EXCL)) answer = EEXIST;
  else if (known && S_ISDIR(st.st_mode) && (flags & O_TMPFILE) != O_TMPFILE) answer = asksFolderFirst() && mayUse(node, W_OK) == EACCES ? EACCES : EISDIR;
  else if (known) answer = mayUse(node, (flags & ACCESS_MODE) == O_RDWR ? R_OK | W_OK : (flags & ACCESS_MODE) == O_WRONLY || (flags & O_TRUNC) ? W_OK : R_OK);
  else if (error != ENOENT) answer = error;
  else answer = flags & O_CREAT ? mayChangeNames(tracee->tid, directory, path, true) : ENOENT;
  if (node >= 0) close(node);
  // An existing file opened with O_CREAT but only for reading is not changed.
  if (known && !answer && (flags & ACCESS_MODE) == O_RDONLY && !(flags & O_TRUNC)) return true;
  if (!answer && isOptionalLock(tracee->tid, path, flags)) {
    sendEffect(EFFECT_LEFT_OUT, 0, path, 0);
    answer = EROFS;
  }
  if (!answer) return opensCoreFilter(tracee, call, path, flags) || stopAt("open", path);
  skipCall(tracee->tid, -answer);
  return true;
}

// ---- other calls ----

// Fails anyway: what is to be removed is not there, what is to be made is.
static int failsAnyway(pid_t tid, const struct callName *name, int directory, const char *path) {
  int node = openAs(tid, directory, path, O_NOFOLLOW), error = errno;
  if (node >= 0) close(node);
  if (name->makes) return node >= 0 ? EEXIST : error == ENOENT ? mayChangeNames(tid, directory, path, true) : error;
  bool takes = name->removes || !strcmp(name->text, "rename");
  if (node < 0) return error == ENOENT && takes && asksFolderFirst() && mayChangeNames(tid, directory, path, false) == EACCES ? EACCES : error;
  return name->removes ? mayChangeNames(tid, directory, path, false) : 0; // removing needs the same right to the directory
}

static bool judgeLock(struct tracee *tracee, const struct call *call) {
  struct flock lock;
  bool lockCall = call->args[1] == F_SETLK || call->args[1] == F_SETLKW || call->args[1] == F_OFD_SETLK || call->args[1] == F_OFD_SETLKW;
  // A shared lock keeps only writers away, and only for the moment of this run; sqlite reads with one.
  if (lockCall && readMemory(tracee->tid, call->args[2], &lock, sizeof lock) == sizeof lock && lock.l_type != F_WRLCK) return true;
  return stopAt("fcntl", lockCall ? "lock" : "lease");
}

// shmctl(2), semctl(2), msgctl(2): the commands that ask.
static bool isIpcQuestion(uint64_t command) {
  unsigned c = (unsigned)command & 0xff;
  return c == 2 || c == 3 || (c >= 11 && c <= 15) || (c >= 18 && c <= 20);
}

static bool isOwnProcess(struct tracee *tracee, uint64_t pid) { return pid == 0 || (pid_t)pid == tracee->tid || findTracee((pid_t)pid); }

// Calls that concern a process: of our own they may.
static bool judgeProcessCall(struct tracee *tracee, const struct call *call, bool *known) {
  *known = true;
  switch (call->number) {
    case SYS_prlimit64: return call->args[2] == 0 || isOwnProcess(tracee, call->args[0]);
    case SYS_setpriority: case SYS_ioprio_set: return (call->number == SYS_ioprio_set ? call->args[0] == 1 : call->args[0] == 0) && isOwnProcess(tracee, call->args[1]);
    case SYS_sched_setaffinity: case SYS_sched_setscheduler: case SYS_sched_setparam: case SYS_sched_setattr: return isOwnProcess(tracee, call->args[0]);
    case SYS_shmctl: case SYS_msgctl: return isIpcQuestion(call->args[1]);
    case SYS_semctl: return isIpcQuestion(call->args[2]);
    default: *known = false; return false;
  }
}

// Requests that change a terminal (ioctl_tty(2)): the own one they may.
static bool isTerminalSetting(unsigned request) {
  return (request >= 0x5402 && request <= 0x540b && request != 0x5405) || request == 0x540e || request == 0x5410 || request == 0x5414 || (request >= 0x402c542b && request <= 0x402c542d);
}

static bool isOthersTerminal(pid_t tid, int descriptor) {
  struct stat st;
  return statDescriptor(tid, descriptor, &st) && S_ISCHR(st.st_mode) && !isHarmlessDevice(&st);
}

bool judgeLook(struct tracee *tracee, const struct call *call) {
  static char path[PATH_MAX];
  char number[32];
  bool known;
  if (call->number < 0) return true;
  if (judgeProcessCall(tracee, call, &known)) return true;
  if (call->number == SYS_fcntl) return judgeLock(tracee, call);
  const struct callName *name = nameOfCall(call->number);
  if (!name) {
    snprintf(number, sizeof number, "%ld", call->number);
    return stopAt("call", number);
  }
  if (call->number == SYS_ioctl) {
    if (isTerminalSetting((unsigned)call->args[1])) return !isOthersTerminal(tracee->tid, (int)call->args[0]) || stopAt("ioctl", "of another terminal");
    snprintf(number, sizeof number, "0x%x", (unsigned)call->args[1]);
    return stopAt("ioctl", number);
  }
  if (name->path < 0) return stopAt(name->text, "");
  int directory = name->path > 0 && name->at ? (int)call->args[name->path - 1] : AT_FDCWD;
  if (!readText(tracee->tid, call->args[name->path], path, sizeof path)) path[0] = 0;
  if (!path[0]) return stopAt(name->text, "");
  if (name->opens) return judgeOpen(tracee, call, directory, path, name->opens < 0 ? O_CREAT | O_WRONLY | O_TRUNC : (unsigned)call->args[name->opens]);
  int error = failsAnyway(tracee->tid, name, directory, path);
  if (!error) return stopAt(name->text, path);
  skipCall(tracee->tid, -error);
  return true;
}

// ---- arguments ----

static bool takesFromOthers(pid_t tid, const char *argument) {
  struct stat st;
  if (!argument[0] || argument[0] == '-') return false;
  int node = openAs(tid, AT_FDCWD, argument, 0);
  if (node < 0) return false;
  bool takes = fstat(node, &st) == 0 && (takesWhenRead(argument, tid, &st) || isDisturbed(node));
  close(node);
  return takes;
}

bool judgeArguments(struct tracee *tracee, uint64_t argv) {
  static char text[PATH_MAX];
  uint64_t pointer;
  for (int i = 0; i < 4096 && readMemory(tracee->tid, argv + 8u * (unsigned)i, &pointer, 8) == 8 && pointer; i++) {
    if (i == 0 || !readText(tracee->tid, pointer, text, sizeof text)) continue;
    const char *value = strchr(text, '=');
    if (takesFromOthers(tracee->tid, text)) return stopAt("open", text);
    if (value && takesFromOthers(tracee->tid, value + 1)) return stopAt("open", value + 1);
  }
  return true;
}
