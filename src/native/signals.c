#define _GNU_SOURCE
#include "signals.h"
#include "births.h"
#include "clock.h"
#include "ours.h"
#include "scan.h"
#include "view.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

bool isSignalCall(long number) {
  return number == SYS_kill || number == SYS_tkill || number == SYS_tgkill || number == SYS_rt_sigqueueinfo || number == SYS_rt_tgsigqueueinfo ||
    number == SYS_pidfd_send_signal;
}

bool isConfined(pid_t pid) {
  if (findTracee(pid)) return true;
  if (view.ownPids && pid == 1) return false; // that is us; the command means the machine's first process
  if (view.ownPids) return readStatusNumber(AT_FDCWD, pid, "Tgid:") > 0;
  // An ended child waits for its parent, and can still be signalled.
  long parent = readStatusNumber(AT_FDCWD, pid, "PPid:");
  return parent > 0 && findTracee((pid_t)parent);
}

static bool isConfinedGroup(pid_t group) {
  for (struct tracee *tracee = nextTracee(0); tracee; tracee = nextTracee(tracee))
    if (getpgid(tracee->tid) == group) return true;
  return false;
}

static size_t readOuter(pid_t pid, const char *name, char *to, size_t room) {
  char path[64];
  snprintf(path, sizeof path, "%d/%s", pid, name);
  int file = openat(view.outerProc, path, O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? 0 : read(file, to, room - 1);
  if (file >= 0) close(file);
  to[length > 0 ? length : 0] = 0;
  return length > 0 ? (size_t)length : 0;
}

// 0, EPERM or ESRCH, as kill(2): the sender's real or effective user must be the receiver's real or saved one.
int askOuter(pid_t pid) {
  char status[4096];
  unsigned real, effective, saved;
  if (!readOuter(pid, "status", status, sizeof status)) return ESRCH;
  char *line = strstr(status, "\nUid:");
  if (!line || scanText(line, "\nUid: %u %u %u", &real, &effective, &saved) != 3) return ESRCH;
  if (geteuid() == 0 || getuid() == real || getuid() == saved || geteuid() == real || geteuid() == saved) return 0;
  return EPERM;
}

static void reportSignal(struct tracee *tracee, pid_t pid, int signal) {
  char command[4096];
  size_t length = readOuter(pid, "cmdline", command, sizeof command);
  if (!length) length = readOuter(pid, "comm", command, sizeof command);
  for (size_t i = 0; i + 1 < length; i++)
    if (!command[i]) command[i] = ' ';
  sendEffect(EFFECT_SIGNAL, groupOf(tracee), command, (int64_t)pid * 256 + signal);
}

enum { MOST_ASKED = 1000 };

// Signal 0 asks whether a process is there (kill(2)). Behind another signal the answer may be wrong, so the host is told; a loop that waits for a process need not tell it for ever.
static int signalOuter(struct tracee *tracee, pid_t pid, int signal) {
  static int asked;
  int error = askOuter(pid);
  if (error == 0 && (signal > 0 || asked++ < MOST_ASKED)) reportSignal(tracee, pid, signal);
  return error;
}

static int signalOuterGroup(struct tracee *tracee, pid_t group, int signal) {
  int answer = ESRCH, own = dup(view.outerProc);
  DIR *entries = own < 0 ? 0 : fdopendir(own);
  if (!entries) return ESRCH;
  rewinddir(entries);
  for (struct dirent *entry; (entry = readdir(entries));) {
    char stat[512];
    int itsGroup = 0;
    pid_t pid = atoi(entry->d_name);
    if (pid <= 0 || !readOuter(pid, "stat", stat, sizeof stat)) continue;
    char *afterName = strrchr(stat, ')'); // proc_pid_stat(5): the name may hold anything
    if (!afterName || scanText(afterName, ") %*c %*d %d", &itsGroup) != 1 || itsGroup != group || isOurs(pid)) continue;
    int error = signalOuter(tracee, pid, signal);
    if (error == 0 || answer == ESRCH) answer = error;
  }
  closedir(entries);
  return answer;
}

// kill(-1): the confined processes get it; the others of the user would have.
static void signalEverybody(struct tracee *tracee, int signal) {
  sendEffect(EFFECT_SIGNAL, groupOf(tracee), "every process of the user", -256 + signal);
  for (struct tracee *other = nextTracee(0); other; other = nextTracee(other))
    if (groupOf(other) == other->tid && other->tid != groupOf(tracee)) { kill(other->tid, signal); noteSent(other->tid, signal); }
  skipCall(tracee->tid, 0);
}

static pid_t pidOfDescriptor(pid_t tid, int descriptor) {
  char path[64], text[1024];
  snprintf(path, sizeof path, "/proc/%d/fdinfo/%d", tid, descriptor);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? 0 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  text[length > 0 ? length : 0] = 0;
  char *line = strstr(text, "\nPid:");
  if (line) return atoi(line + 5);
  // pidfd_send_signal(2) also takes a directory /proc/<pid>.
  snprintf(path, sizeof path, "fd/%d", descriptor);
  if (!readProcLink(tid, path, text, sizeof text) || strncmp(text, "/proc/", 6) != 0) return 0;
  return strspn(text + 6, "0123456789") == strlen(text + 6) ? atoi(text + 6) : 0;
}

// A thread of its own process, or the process itself.
static bool isOfItself(struct tracee *tracee, pid_t target) {
  struct tracee *other = findTracee(target);
  return other && groupOf(other) == groupOf(tracee);
}

bool judgeSignal(struct tracee *tracee, const struct call *call) {
  pid_t target = (pid_t)call->args[0];
  int signal = (int)call->args[call->number == SYS_tgkill || call->number == SYS_rt_tgsigqueueinfo ? 2 : 1];
  if (call->number == SYS_pidfd_send_signal) {
    target = pidOfDescriptor(tracee->tid, (int)call->args[0]);
    if (target <= 0) { skipCall(tracee->tid, -EBADF); return true; }
  }
  if (signal < 0 || signal > 64) return true; // EINVAL
  if (target == 0) { noteSent(-getpgid(tracee->tid), signal); return true; } // its own group
  bool group = call->number == SYS_kill && target < 0;
  if (group && target == -1 && signal > 0) { signalEverybody(tracee, signal); return true; }
  if (group ? isConfinedGroup(-target) : isConfined(target)) {
    noteSent(target, signal); // which counts when nobody has a turn any more
    return isOfItself(tracee, target) || !holdSender(tracee);
  }
  if (target < 0 && !group) return true; // EINVAL
  int error = group ? signalOuterGroup(tracee, -target, signal) : signalOuter(tracee, target, signal);
  skipCall(tracee->tid, -error);
  return true;
}
