#define _GNU_SOURCE
#include "powers.h"
#include "gate.h"
#include "signals.h"
#include <errno.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CLASS_SHIFT = 13, CLASS_REALTIME = 1 }; // linux/ioprio.h

static const long calls[] = {SYS_setpriority, SYS_ioprio_set, SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr, SYS_mlockall, SYS_syslog};
static const uint32_t ofFileSystems[] = {FIFREEZE, FITHAW, FITRIM};
static const uint32_t ofNetworks[] = {SIOCSIFFLAGS, SIOCSIFADDR, SIOCSIFNETMASK, SIOCSIFMTU, SIOCSIFHWADDR, SIOCADDRT, SIOCDELRT};

unsigned powerRules(struct rule *rules) {
  unsigned count = 0;
  if (geteuid() != 0) return 0;
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) rules[count++] = (struct rule){calls[i], SECCOMP_RET_TRACE, ALWAYS, 0, 0};
  count += requestRules(rules + count, ofFileSystems, sizeof ofFileSystems);
  return count + requestRules(rules + count, ofNetworks, sizeof ofNetworks);
}

static bool isRealTime(uint32_t policy) { return policy == SCHED_FIFO || policy == SCHED_RR || policy == 6; } // SCHED_DEADLINE

// Whether it would run before all others. Of a realtime policy a mistake could take the whole machine, so nobody gets one here.
static bool goesFirst(pid_t tid, const struct call *call) {
  uint32_t values[6] = {0}; // of struct sched_attr: its size, the policy, flags in two, the nice value
  switch (call->number) {
    case SYS_ioprio_set: return call->args[2] >> CLASS_SHIFT == CLASS_REALTIME;
    case SYS_sched_setscheduler: return isRealTime((uint32_t)call->args[1] & ~(uint32_t)SCHED_RESET_ON_FORK);
    case SYS_sched_setparam: return readMemory(tid, call->args[1], values, 4) == 4 && (int32_t)values[0] > 0;
    default: return readMemory(tid, call->args[1], values, 20) == 20 && (isRealTime(values[1]) || (int32_t)values[4] < 0);
  }
}

static bool withhold(struct tracee *tracee, const char *what) {
  sendEffect(EFFECT_REFUSED, groupOf(tracee), what, EPERM);
  skipCall(tracee->tid, -EPERM);
  return true;
}

bool judgePower(struct tracee *tracee, const struct call *call) {
  pid_t target = (pid_t)call->args[1];
  if (geteuid() != 0) return false;
  switch (call->number) {
    case SYS_setpriority:
      if (call->args[0] != PRIO_PROCESS || (target != 0 && !isConfined(target))) return false;
      skipCall(tracee->tid, setpriority(PRIO_PROCESS, (id_t)(target ? target : tracee->tid), (int)call->args[2]) == 0 ? 0 : -errno);
      return true;
    case SYS_ioprio_set: case SYS_sched_setscheduler: case SYS_sched_setparam: case SYS_sched_setattr:
      return goesFirst(tracee->tid, call) && withhold(tracee, "a realtime priority");
    case SYS_mlockall: return withhold(tracee, "locking all memory");
    case SYS_syslog: return withhold(tracee, "the messages of the kernel");
    case SYS_ioctl:
      if (isRequestOf(ofFileSystems, sizeof ofFileSystems, call->args[1])) return withhold(tracee, "a file system as a whole");
      return isRequestOf(ofNetworks, sizeof ofNetworks, call->args[1]) && withhold(tracee, "a change of the network");
  }
  return false;
}
