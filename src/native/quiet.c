#define _GNU_SOURCE
#include "quiet.h"
#include "clock.h"
#include "gate.h"
#include "handover.h"
#include "rename.h"
#include "scan.h"
#include "supervise.h"
#include "tracee.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Two looks this far apart, with nothing run in between, mean that nobody runs.
static const uint64_t lookApartNs = 500000, firstLookNs = 300000, asksAfterNs = 20000000, deadAfterNs = 200000000, lookWhileAskedNs = 250000000, leastPauseNs = 2000000, longestPauseNs = 10000000;

static uint64_t lastActivityNs, firstLookAtNs, fingerprint, nextLookNs;
static bool asked, reportedDead, waitsForAnswer;

void noteActivity(void) {
  lastActivityNs = nowNs();
  waitsForAnswer = false;
  firstLookAtNs = 0;
  nextLookNs = 0;
}

void noteInput(void) {
  asked = false;
  noteActivity();
}

bool questionWaits(void) { return waitsForAnswer; }

static size_t readProc(pid_t tid, const char *name, char *to, size_t room) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", tid, name);
  int file = openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC); // musl's open() sets close-on-exec a second time
  ssize_t length = file < 0 ? 0 : read(file, to, room - 1);
  if (file >= 0) close(file);
  to[length > 0 ? length : 0] = 0;
  return length > 0 ? (size_t)length : 0;
}

// Whether it runs, or may; else `print` gets how often it has.
static bool runs(struct tracee *tracee, uint64_t *print) {
  static char status[4096];
  if (tracee->held || !readProc(tracee->tid, "status", status, sizeof status)) return false;
  char *state = strstr(status, "\nState:");
  // S: it sleeps until something happens. T: it is stopped, as by SIGTSTP. Z: it is over. t is a stop that we have not heard of yet.
  if (!state || !strchr("STZX", state[8])) return true;
  char *own = strstr(state, "\nvoluntary_ctxt_switches:"), *forced = strstr(own ? own : state, "\nnonvoluntary_ctxt_switches:");
  uint64_t times = (own ? strtoull(own + 25, 0, 10) * 31 : 0) + (forced ? strtoull(forced + 28, 0, 10) : 0);
  *print += times * 31 * (uint64_t)tracee->tid;
  return false;
}

bool nobodyRuns(uint64_t *print) {
  static pid_t ran;
  *print = traceeCount();
  // Who computes does so for a while, and each look at another costs as much.
  struct tracee *last = ran ? findTracee(ran) : 0;
  if (last && runs(last, print)) return false;
  ran = 0;
  for (struct tracee *tracee = nextTracee(0); tracee; tracee = nextTracee(tracee))
    if (tracee != last && runs(tracee, print)) { ran = tracee->tid; return false; }
  return true;
}

// ---- what they wait for ----

static bool readWaitingCall(pid_t tid, struct call *call) {
  char text[256];
  if (!readProc(tid, "syscall", text, sizeof text)) return false;
  unsigned long long a[6];
  if (scanText(text, "%ld %llx %llx %llx %llx %llx %llx", &call->number, &a[0], &a[1], &a[2], &a[3], &a[4], &a[5]) != 7) return false;
  for (int i = 0; i < 6; i++) call->args[i] = a[i];
  return true;
}

static bool isItsInput(pid_t tid, int descriptor, const struct command *command) {
  struct stat its, ours;
  if (!statDescriptor(tid, descriptor, &its)) return false;
  if (command->terminal) return S_ISCHR(its.st_mode) && (its.st_rdev == command->terminalDevice || its.st_rdev == 0x500); // /dev/tty is 5:0
  return command->input >= 0 && fstat(command->input, &ours) == 0 && its.st_ino == ours.st_ino && its.st_dev == ours.st_dev;
}

static bool pollsInput(pid_t tid, uint64_t at, uint64_t count, const struct command *command) {
  struct pollfd all[64];
  if (count > 64) count = 64;
  if (readMemory(tid, at, all, count * sizeof *all) != (ssize_t)(count * sizeof *all)) return false;
  for (uint64_t i = 0; i < count; i++)
    if (all[i].fd >= 0 && (all[i].events & POLLIN) && isItsInput(tid, all[i].fd, command)) return true;
  return false;
}

static bool selectsInput(pid_t tid, uint64_t count, uint64_t at, const struct command *command) {
  fd_set set;
  if (!at || readMemory(tid, at, &set, sizeof set) != sizeof set) return false;
  for (int i = 0; i < (int)count && i < FD_SETSIZE; i++)
    if (FD_ISSET(i, &set) && isItsInput(tid, i, command)) return true;
  return false;
}

static bool readsInput(pid_t tid, const struct command *command) {
  struct call call;
  if (!readWaitingCall(tid, &call)) return false;
  switch (call.number) {
    case SYS_read: case SYS_readv: return isItsInput(tid, (int)call.args[0], command);
    case SYS_pselect6: return selectsInput(tid, call.args[0], call.args[1], command);
    case SYS_ppoll: return pollsInput(tid, call.args[0], call.args[1], command);
#if defined(__x86_64__)
    case SYS_select: return selectsInput(tid, call.args[0], call.args[1], command);
    case SYS_poll: return pollsInput(tid, call.args[0], call.args[1], command);
#endif
  }
  return false;
}

// futex(2): of other operations the fourth argument is a number.
static bool isTimedWait(int operation) {
  switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT: case FUTEX_WAIT_BITSET: case FUTEX_LOCK_PI: case FUTEX_WAIT_REQUEUE_PI: return true;
    default: return false;
  }
}

// It wakes by itself at a time that the virtual clock does not know: for something that happens, but not for ever.
static bool waitsForATime(pid_t tid) {
  struct call call;
  if (!readWaitingCall(tid, &call)) return false;
  switch (call.number) {
    case SYS_epoll_pwait: return (int)call.args[3] > 0;
    case SYS_epoll_pwait2: return call.args[3] != 0;
    case SYS_ppoll: case SYS_rt_sigtimedwait: return call.args[2] != 0;
    case SYS_pselect6: return call.args[4] != 0;
    case SYS_futex: return call.args[3] != 0 && isTimedWait((int)call.args[1]);
    case SYS_io_getevents: return call.args[4] != 0;
    case SYS_semtimedop: return call.args[3] != 0;
#if defined(__x86_64__)
    case SYS_epoll_wait: return (int)call.args[3] > 0;
    case SYS_poll: return (int)call.args[2] > 0;
    case SYS_select: return call.args[4] != 0;
#endif
  }
  return false;
}

static bool anybodyWaitsForATime(void) {
  for (struct tracee *tracee = nextTracee(0); tracee; tracee = nextTracee(tracee))
    if (!tracee->held && waitsForATime(tracee->tid)) return true;
  return false;
}

static bool anybodyReadsInput(const struct command *command) {
  if (command->input < 0) return false;
  for (struct tracee *tracee = nextTracee(0); tracee; tracee = nextTracee(tracee))
    if (!tracee->held && readsInput(tracee->tid, command)) return true;
  return false;
}

// The path of a FIFO or device that it is opening, while nobody opens the other end.
static bool opensFifo(struct tracee *tracee, char *path) {
  struct call call;
  struct stat st;
  bool found = false;
  if (!readWaitingCall(tracee->tid, &call)) return false;
  bool at = call.number == SYS_openat;
#if defined(__x86_64__)
  if (call.number == SYS_open) at = false; else
#endif
  if (!at) return false;
  if (!readText(tracee->tid, call.args[at ? 1 : 0], path, PATH_MAX)) return false;
  int node = openAs(tracee->tid, at ? (int)call.args[0] : AT_FDCWD, path, 0);
  if (node >= 0) { found = fstat(node, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode) && pathOfDescriptor(node, path, PATH_MAX); close(node); }
  return found;
}

static void reportDead(void) {
  static char path[PATH_MAX];
  for (struct tracee *tracee = nextTracee(0); tracee; tracee = nextTracee(tracee))
    if (!tracee->held && opensFifo(tracee, path)) {
      sendEffect(EFFECT_WAITS, groupOf(tracee), path, 0);
      endRun(TIME_LIMIT, 0, path);
      return;
    }
}

// ---- the looks ----

static void onQuiet(const struct command *command) {
  uint64_t now = nowNs();
  nextLookNs = UINT64_MAX;
  if (interruptHeld()) { noteActivity(); return; }
  if (endIfFirstEnded()) return;
  // Whoever reads the terminal may be answered before a wait is over.
  bool mayAsk = command->input >= 0 && !asked;
  if (mayAsk && anybodyReadsInput(command)) {
    if (now < lastActivityNs + asksAfterNs) { nextLookNs = lastActivityNs + asksAfterNs; return; }
    asked = true;
    waitsForAnswer = true;
    nextLookNs = now + lookWhileAskedNs;
    beginEvent(EV_ASKS);
    sendEvent();
    return;
  }
  bool waitsForInput = asked && anybodyReadsInput(command);
  // The user thinks for as long as nothing else runs, which is looked at again and again: others may only have slept.
  waitsForAnswer = waitsForInput;
  if (waitsForInput) nextLookNs = now + lookWhileAskedNs;
  // A jump past such a time would let happen later what really happens earlier: then time passes as it does.
  if (!waitsForInput && (setup.flags & FLAG_SKIP_WAITING) && !anybodyWaitsForATime() && skipToNext()) { noteActivity(); return; }
  if (reportedDead || waitsForInput) return;
  if (now < lastActivityNs + deadAfterNs) { nextLookNs = lastActivityNs + deadAfterNs; return; }
  reportedDead = true;
  reportDead();
}

void watchQuiet(const struct command *command) {
  uint64_t now = nowNs(), print;
  if (traceeCount() == 0 || anyHandWaits() || anyCopyRuns() || nextLookNs == UINT64_MAX) return;
  if (!nextLookNs) nextLookNs = lastActivityNs + (setup.flags & FLAG_SKIP_WAITING ? firstLookNs : asksAfterNs);
  if (now < nextLookNs) { wakeBy(nextLookNs); return; }
  bool still = nobodyRuns(&print);
  if (!still) { waitsForAnswer = false; firstLookAtNs = 0; nextLookNs = now + pauseAfter(now - lastActivityNs, leastPauseNs, longestPauseNs); wakeBy(nextLookNs); return; }
  if (!firstLookAtNs || print != fingerprint) {
    firstLookAtNs = now;
    fingerprint = print;
    nextLookNs = now + lookApartNs;
    wakeBy(nextLookNs);
    return;
  }
  firstLookAtNs = 0;
  onQuiet(command);
  if (nextLookNs != UINT64_MAX && nextLookNs) wakeBy(nextLookNs);
  else if (!nextLookNs) wakeBy(now);
}
