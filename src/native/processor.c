#define _GNU_SOURCE
#include "processor.h"
#include "clock.h"
#include "setup.h"
#include "supervise.h"
#include "view.h"
#include <errno.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

// A stop costs a quarter where both sides are on one processor. Programs that are not inert may want several.
static struct { bool is; cpu_set_t before; } pinned;

// Of those the thread that stops again and again comes to ours, until it computes, and not for long: then the system may choose anew.
enum { FEWEST_STOPS = 6 };
static const uint64_t soonNs = 150000, longestStayNs = 20000000, patienceNs = 1000000;
static struct { pid_t tid, group; bool isHere; unsigned stops; uint64_t stoppedNs, sinceNs; cpu_set_t ours, its, one; } near;

bool isOnOneProcessor(void) { return pinned.is || near.isHere; }

void letGo(void) {
  near.stops = 0;
  if (!near.isHere) return;
  near.isHere = false;
  if (near.tid) sched_setaffinity(near.tid, sizeof near.its, &near.its);
  sched_setaffinity(0, sizeof near.ours, &near.ours);
}

void leaveNear(pid_t tid) {
  if (near.tid != tid) return;
  near.tid = 0; // by now another process may have that number
  letGo();
}

static void bringHere(uint64_t now) {
  int cpu = sched_getcpu();
  near.stops = 0;
  CPU_ZERO(&near.one);
  if (cpu < 0 || sched_getaffinity(0, sizeof near.ours, &near.ours) != 0 || sched_getaffinity(near.tid, sizeof near.its, &near.its) != 0) return;
  if (CPU_COUNT(&near.its) < 2 || !CPU_ISSET(cpu, &near.its)) return;
  CPU_SET(cpu, &near.one);
  if (sched_setaffinity(near.tid, sizeof near.one, &near.one) != 0) return;
  sched_setaffinity(0, sizeof near.one, &near.one);
  near.isHere = true;
  near.sinceNs = now;
}

void keepNear(struct tracee *tracee, long number) {
  if (pinned.is || (!view.copies && !view.supervised)) return;
  switch (number) {
    case SYS_sched_setaffinity: CPU_ZERO(&near.one); // what is born from now on has the new ones
    // fall through
    case SYS_sched_getaffinity: // it is told its own
    case SYS_execve: case SYS_execveat: letGo(); return; // a thread may go on with the number of its process
  }
  uint64_t now = nowNs();
  bool isSame = tracee->tid == near.tid, isSoon = now - near.stoppedNs < (near.isHere ? patienceNs : soonNs);
  if (!isSame && near.isHere && isSoon) return;
  if (!isSame || !isSoon) letGo();
  if (!isSame) { near.tid = tracee->tid; near.group = groupOf(tracee); }
  near.stoppedNs = now;
  near.stops++;
  if (near.isHere) { if (now - near.sinceNs > longestStayNs) letGo(); }
  else if (near.stops >= FEWEST_STOPS) bringHere(now);
}

void watchNear(void) {
  if (!near.isHere) return;
  if (nowNs() >= near.stoppedNs + patienceNs) letGo();
  else wakeBy(near.stoppedNs + patienceNs);
}

void freeBorn(struct tracee *born) {
  cpu_set_t now;
  if (!near.group || CPU_COUNT(&near.one) == 0 || (groupOf(born) != near.group && parentOf(born) != near.group)) return;
  if (sched_getaffinity(born->tid, sizeof now, &now) == 0 && CPU_EQUAL(&now, &near.one)) sched_setaffinity(born->tid, sizeof near.its, &near.its);
}

void stayOnOneProcessor(void) {
  if (!view.supervised || (setup.flags & (FLAG_OPEN_GATE | FLAG_LETS_IN)) || sched_getaffinity(0, sizeof pinned.before, &pinned.before) != 0) return;
  int count = CPU_COUNT(&pinned.before), skip = count > 0 ? (int)getpid() % count : 0;
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
    if (!CPU_ISSET(cpu, &pinned.before) || skip-- > 0) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    pinned.is = sched_setaffinity(0, sizeof one, &one) == 0;
    return;
  }
}

// nproc(1) and others are told how many there are for the user.
bool answerProcessors(struct tracee *tracee, const struct call *call) {
  size_t size = (size_t)call->args[1];
  if (!pinned.is || (call->args[0] && !findTracee((pid_t)call->args[0])) || size < 8) return true;
  long own = syscall(SYS_sched_getaffinity, 0, sizeof(cpu_set_t), &(cpu_set_t){0}); // as many bytes as the kernel would write
  if (own > (long)size) return true;
  skipCall(tracee->tid, writeMemory(tracee->tid, call->args[2], &pinned.before, (size_t)own) ? own : -EFAULT);
  return true;
}
