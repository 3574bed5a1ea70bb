#define _GNU_SOURCE
#include "coreLimit.h"
#include <errno.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CORE = 4 }; // RLIMIT_CORE

bool isCoreLimitCall(const struct call *call) {
  if (call->number == SYS_prlimit64) return call->args[1] == CORE && (call->args[0] == 0 || findTracee((pid_t)call->args[0]));
  return (call->number == SYS_setrlimit || call->number == SYS_getrlimit) && call->args[0] == CORE;
}

unsigned coreLimitRules(struct rule *rules) {
  rules[0] = (struct rule){SYS_prlimit64, SECCOMP_RET_TRACE, EQUALS, 1, CORE};
  rules[1] = (struct rule){SYS_setrlimit, SECCOMP_RET_TRACE, EQUALS, 0, CORE};
  rules[2] = (struct rule){SYS_getrlimit, SECCOMP_RET_TRACE, EQUALS, 0, CORE};
  return 3;
}

static struct tracee *processOf(struct tracee *tracee) {
  struct tracee *process = findTracee(groupOf(tracee));
  return process ? process : tracee;
}

// What it would be: what it set, or else what whoever started us has.
static struct coreLimit limitOf(struct tracee *process) {
  struct rlimit inherited = {0, 0};
  if (process->core.isSet) return process->core;
  getrlimit(RLIMIT_CORE, &inherited);
  return (struct coreLimit){inherited.rlim_cur, inherited.rlim_max, true};
}

static int setLimit(struct tracee *process, pid_t tid, uint64_t at) {
  uint64_t wanted[2];
  if (readMemory(tid, at, wanted, sizeof wanted) != (ssize_t)sizeof wanted) return -EFAULT;
  if (wanted[0] > wanted[1]) return -EINVAL;
  if (wanted[1] > limitOf(process).hard && geteuid() != 0) return -EPERM;
  process->core = (struct coreLimit){wanted[0], wanted[1], true};
  return 0;
}

void judgeCoreLimit(struct tracee *tracee, const struct call *call) {
  bool old = call->number != SYS_prlimit64;
  struct tracee *process = !old && call->args[0] ? findTracee((pid_t)call->args[0]) : processOf(tracee);
  uint64_t set = call->number == SYS_setrlimit ? call->args[1] : old ? 0 : call->args[2];
  uint64_t get = call->number == SYS_getrlimit ? call->args[1] : old ? 0 : call->args[3];
  struct coreLimit before = limitOf(process);
  int error = set ? setLimit(process, tracee->tid, set) : 0;
  uint64_t told[2] = {before.soft, before.hard};
  if (!error && get && !writeMemory(tracee->tid, get, told, sizeof told)) error = -EFAULT;
  skipCall(tracee->tid, error);
}

bool wouldDump(struct tracee *tracee, int status) {
  if (!tracee || !WIFSIGNALED(status) || limitOf(processOf(tracee)).soft == 0) return false;
  switch (WTERMSIG(status)) { // signal(7): the action "Core"
    case SIGQUIT: case SIGILL: case SIGABRT: case SIGFPE: case SIGSEGV: case SIGBUS: case SIGSYS: case SIGTRAP: case SIGXCPU: case SIGXFSZ: return true;
  }
  return false;
}
