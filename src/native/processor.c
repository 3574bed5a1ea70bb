#define _GNU_SOURCE
#include "processor.h"
#include "setup.h"
#include "view.h"
#include <errno.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

// A stop costs a third where both sides are on one processor. Programs that are not inert may want several.
static struct { bool is; cpu_set_t before; } pinned;

bool isOnOneProcessor(void) { return pinned.is; }

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
