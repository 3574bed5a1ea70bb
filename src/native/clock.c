#define _GNU_SOURCE
#include "clock.h"
#include "fastClock.h"
#include "jumps.h"
#include "older.h"
#include "supervise.h"
#include "view.h"
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <time.h>
#include <unistd.h>

uint64_t nowNs(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}

uint64_t pauseAfter(uint64_t waitedNs, uint64_t leastNs, uint64_t longestNs) {
  uint64_t pause = waitedNs / 8;
  return pause < leastNs ? leastNs : pause < longestNs ? pause : longestNs;
}

enum { MAX_SKIPS = 100000 };
static const uint64_t maxSkippedNs = 24ull * 3600 * 1000000000;

static uint64_t skippedNs, skips, killAtNs, slowSinceNs;

// A timer that will send a signal. The kernel has it too, and fires it if we do not skip that far.
struct timer { struct timer *next; pid_t pid; int64_t id; uint64_t atNs, everyNs; int signal; };
static struct timer *timers;
enum { ITIMER_ID = -1 };

bool hasSkipped(void) { return skippedNs; }

static uint64_t virtualNow(void) { return nowNs() + skippedNs; }
static uint64_t toNs(const struct timespec *t) { return t->tv_sec < 0 ? 0 : t->tv_sec > INT_MAX ? (uint64_t)INT_MAX * 1000000000ull : (uint64_t)t->tv_sec * 1000000000ull + (uint64_t)t->tv_nsec; }

bool isClockCall(long number) {
  switch (number) {
    case SYS_clock_gettime: case SYS_gettimeofday: case SYS_nanosleep: case SYS_clock_nanosleep: case SYS_pselect6: case SYS_ppoll:
    case SYS_setitimer: case SYS_timer_create: case SYS_timer_settime: case SYS_timer_delete:
#if defined(__x86_64__)
    case SYS_time: case SYS_select: case SYS_poll: case SYS_alarm:
#endif
      return true;
  }
  return false;
}

// ---- reading ----

bool hasOwnClock(void) { return setup.clockOffsetMs || setup.clockPermille; }

// How far a slow clock is behind by now.
static int64_t lagNs(void) {
  if (!setup.clockPermille) return 0;
  uint64_t now = virtualNow();
  if (!slowSinceNs) slowSinceNs = now;
  return (int64_t)((now - slowSinceNs) / 1000) * (1000 - (int64_t)setup.clockPermille);
}

static int64_t shiftOf(clockid_t clock) {
  bool real = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI || clock == CLOCK_REALTIME_ALARM;
  return (int64_t)skippedNs + (real ? setup.clockOffsetMs * 1000000 - lagNs() : 0);
}

static void readShifted(clockid_t clock, struct timespec *now) {
  clock_gettime(clock, now);
  int64_t ns = now->tv_sec * 1000000000ll + now->tv_nsec + shiftOf(clock);
  now->tv_sec = ns / 1000000000;
  now->tv_nsec = ns % 1000000000;
}

static void answerTime(struct tracee *tracee, const struct call *call) {
  struct timespec now;
  clockid_t clock = call->number == SYS_clock_gettime ? (clockid_t)call->args[0] : CLOCK_REALTIME;
  if (clock < 0 || clock > CLOCK_TAI) return; // a process's or a device's clock: the kernel knows
  readShifted(clock, &now);
  long result = 0;
  if (call->number == SYS_clock_gettime) {
    if (!writeMemory(tracee->tid, call->args[1], &now, sizeof now)) result = -EFAULT;
  } else if (call->number == SYS_gettimeofday) {
    struct timeval value = {now.tv_sec, now.tv_nsec / 1000};
    struct timezone zone = {0, 0};
    if (call->args[0] && !writeMemory(tracee->tid, call->args[0], &value, sizeof value)) result = -EFAULT;
    if (call->args[1] && !writeMemory(tracee->tid, call->args[1], &zone, sizeof zone)) result = -EFAULT;
  } else {
    result = now.tv_sec;
    if (call->args[0] && !writeMemory(tracee->tid, call->args[0], &result, sizeof result)) result = -EFAULT;
  }
  skipCall(tracee->tid, result);
}

// ---- waiting ----

static bool hold(struct tracee *tracee, const struct call *call, uint64_t wakeNs) {
  tracee->call = *call;
  tracee->startedNs = virtualNow();
  tracee->wakeNs = wakeNs;
  tracee->held = HELD_WAIT;
  return false;
}

static bool judgeSleep(struct tracee *tracee, const struct call *call) {
  bool clocked = call->number == SYS_clock_nanosleep;
  struct timespec duration, now;
  if (readMemory(tracee->tid, call->args[clocked ? 2 : 0], &duration, sizeof duration) != sizeof duration) return true;
  if (duration.tv_sec < 0 || duration.tv_nsec < 0 || duration.tv_nsec >= 1000000000) return true; // EINVAL
  uint64_t wait = toNs(&duration);
  if (clocked && (call->args[1] & TIMER_ABSTIME)) {
    readShifted((clockid_t)call->args[0], &now);
    wait = wait > toNs(&now) ? wait - toNs(&now) : 0;
  }
  return hold(tracee, call, virtualNow() + wait);
}

// select and poll without descriptors are a way to sleep.
static bool judgePoll(struct tracee *tracee, const struct call *call) {
  struct timespec duration = {0, 0};
#if defined(__x86_64__)
  if (call->number == SYS_poll) {
    int ms = (int)call->args[2];
    return ms < 0 ? true : hold(tracee, call, virtualNow() + (uint64_t)ms * 1000000);
  }
#endif
  uint64_t at = call->args[call->number == SYS_ppoll ? 2 : 4];
  if (!at || readMemory(tracee->tid, at, &duration, sizeof duration) != sizeof duration) return true;
#if defined(__x86_64__)
  if (call->number == SYS_select) duration.tv_nsec *= 1000;
#endif
  return hold(tracee, call, virtualNow() + toNs(&duration));
}

static void wake(struct tracee *tracee, long result) {
  const struct call *call = &tracee->call;
  uint64_t now = virtualNow(), left = tracee->wakeNs > now ? tracee->wakeNs - now : 0;
  struct timespec rest = {(time_t)(left / 1000000000), (long)(left % 1000000000)};
  bool clocked = call->number == SYS_clock_nanosleep;
  uint64_t restAt = call->number == SYS_nanosleep ? call->args[1] : clocked && !(call->args[1] & TIMER_ABSTIME) ? call->args[3] : 0;
  if (result == -EINTR && restAt) writeMemory(tracee->tid, restAt, &rest, sizeof rest);
  tracee->held = NOT_HELD;
  tracee->sent = 0;
  skipCall(tracee->tid, result);
  if (hidesSignals()) ptrace(PTRACE_INTERRUPT, tracee->tid, 0, 0); // a stop more, at which it looks for signals
  resume(tracee, 0);
}

// ---- signals that the kernel does not tell ----

void noteSent(pid_t target, int signal) {
  if (signal <= 0 || !hidesSignals()) return;
  for (struct tracee *tracee = nextTracee(0); tracee; tracee = nextTracee(tracee))
    if (target < 0 ? getpgid(tracee->tid) == -target : tracee->tid == target || groupOf(tracee) == target) tracee->sent |= 1ull << (signal - 1);
}

void noteShown(const struct tracee *shown, int signal) {
  if (signal <= 0 || signal > 64 || !hidesSignals()) return;
  for (struct tracee *tracee = nextTracee(0); tracee; tracee = nextTracee(tracee))
    if (groupOf(tracee) == groupOf(shown)) tracee->sent &= ~(1ull << (signal - 1));
}

// ---- timers ----

static struct timer *findTimer(pid_t pid, int64_t id) {
  struct timer *timer = timers;
  while (timer && !(timer->pid == pid && timer->id == id)) timer = timer->next;
  return timer;
}

static void removeTimer(struct timer *gone) {
  for (struct timer **at = &timers; *at; at = &(*at)->next)
    if (*at == gone) { *at = gone->next; free(gone); return; }
}

void forgetTimersOf(pid_t pid) {
  for (struct timer *timer = timers, *next; timer; timer = next) {
    next = timer->next;
    if (timer->pid == pid) removeTimer(timer);
  }
}

static void setTimer(pid_t pid, int64_t id, uint64_t firstNs, uint64_t everyNs, int signal) {
  struct timer *timer = findTimer(pid, id);
  if (timer) removeTimer(timer);
  if (!firstNs) return;
  timer = malloc(sizeof *timer);
  if (!timer) _exit(122);
  *timer = (struct timer){timers, pid, id, virtualNow() + firstNs, everyNs, signal};
  timers = timer;
}

static void judgeTimer(struct tracee *tracee, const struct call *call) {
  pid_t pid = groupOf(tracee);
  struct itimerspec spec;
  struct itimerval value;
  struct sigevent event;
  switch (call->number) {
    case SYS_timer_create:
      tracee->timerSignal = SIGALRM; // timer_create(2): without a sigevent
      if (call->args[1] && readMemory(tracee->tid, call->args[1], &event, sizeof event) > 0) tracee->timerSignal = event.sigev_notify == SIGEV_NONE ? 0 : event.sigev_signo;
      return;
    case SYS_timer_settime:
      if (readMemory(tracee->tid, call->args[2], &spec, sizeof spec) != sizeof spec || (call->args[1] & TIMER_ABSTIME)) return;
      setTimer(pid, (int64_t)call->args[0], toNs(&spec.it_value), toNs(&spec.it_interval), tracee->timerSignal ? tracee->timerSignal : SIGALRM);
      return;
    case SYS_timer_delete: setTimer(pid, (int64_t)call->args[0], 0, 0, 0); return;
    case SYS_setitimer:
      if (!call->args[1]) setTimer(pid, ITIMER_ID, 0, 0, 0);
      else if (readMemory(tracee->tid, call->args[1], &value, sizeof value) == sizeof value) {
        struct timespec first = {value.it_value.tv_sec, value.it_value.tv_usec * 1000}, every = {value.it_interval.tv_sec, value.it_interval.tv_usec * 1000};
        setTimer(pid, ITIMER_ID, toNs(&first), toNs(&every), SIGALRM);
      }
      return;
    default: setTimer(pid, ITIMER_ID, call->args[0] * 1000000000ull, 0, SIGALRM); // alarm
  }
}

// A timer that became due without a skip was fired by the kernel itself.
static void fire(struct timer *timer, bool byUs) {
  if (byUs) kill(timer->pid, timer->signal);
  noteSent(timer->pid, timer->signal);
  if (timer->everyNs && findTracee(timer->pid)) timer->atNs += timer->everyNs;
  else removeTimer(timer);
}

bool judgeClock(struct tracee *tracee, const struct call *call) {
  switch (call->number) {
    case SYS_nanosleep: case SYS_clock_nanosleep: return judgeSleep(tracee, call);
    case SYS_pselect6: case SYS_ppoll: return judgePoll(tracee, call);
    case SYS_setitimer: case SYS_timer_create: case SYS_timer_settime: case SYS_timer_delete: judgeTimer(tracee, call); return true;
    case SYS_clock_gettime: case SYS_gettimeofday: answerTime(tracee, call); return true;
#if defined(__x86_64__)
    case SYS_select: case SYS_poll: return judgePoll(tracee, call);
    case SYS_alarm: judgeTimer(tracee, call); return true;
    case SYS_time: answerTime(tracee, call); return true;
#endif
  }
  return true;
}

// ---- the jumps ----

// The bits of a line like "SigBlk:" in /proc/<pid>/status.
static uint64_t readMask(const char *status, const char *name) {
  const char *line = strstr(status, name);
  return line ? strtoull(line + strlen(name), 0, 16) : 0;
}

// By default SIGCHLD, SIGCONT, SIGURG and SIGWINCH are ignored (signal(7)).
static const uint64_t ignoredSignals = 1ull << (SIGCHLD - 1) | 1ull << (SIGCONT - 1) | 1ull << (SIGURG - 1) | 1ull << (SIGWINCH - 1);

static bool hasSignal(const struct tracee *tracee) {
  char path[64], status[4096];
  if (hidesSignals()) return tracee->sent & ~ignoredSignals;
  snprintf(path, sizeof path, "/proc/%d/status", tracee->tid);
  FILE *file = fopen(path, "re");
  size_t length = file ? fread(status, 1, sizeof status - 1, file) : 0;
  if (file) fclose(file);
  status[length] = 0;
  uint64_t pending = readMask(status, "SigPnd:") | readMask(status, "ShdPnd:");
  // Signals to a traced process wait even when it ignores them.
  uint64_t ignored = (ignoredSignals & ~readMask(status, "SigCgt:")) | readMask(status, "SigIgn:");
  return pending & ~readMask(status, "SigBlk:") & ~ignored;
}

bool interruptHeld(void) {
  bool any = false;
  for (struct tracee *tracee = nextTracee(0); tracee; tracee = nextTracee(tracee))
    if (tracee->held == HELD_WAIT && hasSignal(tracee)) { wake(tracee, -EINTR); any = true; }
  return any;
}

static uint64_t nextWakeNs(void) {
  uint64_t next = UINT64_MAX;
  for (struct tracee *tracee = nextTracee(0); tracee; tracee = nextTracee(tracee))
    if (tracee->held == HELD_WAIT && tracee->wakeNs < next) next = tracee->wakeNs;
  for (struct timer *timer = timers; timer; timer = timer->next)
    if (timer->atNs < next) next = timer->atNs;
  return next;
}

// Wakes one after the other: what the first does may concern the second.
static void wakeDue(bool skipped) {
  uint64_t now = virtualNow();
  struct tracee *first = 0;
  for (struct tracee *tracee = nextTracee(0); tracee; tracee = nextTracee(tracee))
    if (tracee->held == HELD_WAIT && tracee->wakeNs <= now && (!first || tracee->wakeNs < first->wakeNs || (tracee->wakeNs == first->wakeNs && tracee->startedNs < first->startedNs))) first = tracee;
  struct timer *timer = timers, *next;
  for (; timer; timer = next) {
    next = timer->next;
    if (timer->atNs <= now && (!first || timer->atNs < first->wakeNs)) { fire(timer, skipped); if (skipped) return; }
  }
  if (first) wake(first, 0);
}

void watchClock(void) {
  if (!(setup.flags & FLAG_SKIP_WAITING)) return;
  uint64_t next = nextWakeNs(), now = virtualNow();
  if (next == UINT64_MAX) return;
  if (next <= now) wakeDue(false);
  next = nextWakeNs();
  if (next != UINT64_MAX) wakeBy(next > skippedNs ? next - skippedNs : 0);
}

void setKillTime(uint32_t ms) { killAtNs = ms ? virtualNow() + ms * 1000000ull : 0; }
uint64_t putOffKill(uint64_t ns) {
  if (killAtNs) killAtNs += ns;
  return ns;
}

void watchKill(void) {
  if (!killAtNs) return;
  if (virtualNow() >= killAtNs) endRun(SIGNALLED, SIGKILL, "");
  else wakeBy(killAtNs - skippedNs);
}

bool skipToNext(void) {
  uint64_t next = nextWakeNs(), now = virtualNow();
  if (next == UINT64_MAX) return false;
  if (killAtNs && next >= killAtNs) {
    if (killAtNs > now) skippedNs += killAtNs - now;
    endRun(SIGNALLED, SIGKILL, "");
    return true;
  }
  if (next > now) {
    if (!skippedNs) slowClocks();
    noteJump(next - now);
    skippedNs += next - now;
    sendEffect(EFFECT_WAIT_SKIPPED, 0, "", (int64_t)((next - now + 500000) / 1000000));
    if (++skips >= MAX_SKIPS || skippedNs >= maxSkippedNs) { endRun(TIME_LIMIT, 0, "it goes on waiting for ever"); return true; }
  }
  wakeDue(true);
  return true;
}
