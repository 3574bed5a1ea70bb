// A confined process has fewer privileges than it would really have: no new ones, a filter, an empty bounding set. What it asks of them by
// prctl(2) is answered with what the launcher was started with.
#define _GNU_SOURCE
#include "privileges.h"
#include "setup.h"
#include "signals.h"
#include "view.h"
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

enum { CAPABILITIES = 64 };

static int withoutNew, bounding[CAPABILITIES];
// The command has given up some of its own: whoever asks after that may be another process.
static bool changed;

void notePrivileges(void) {
  withoutNew = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
  for (int i = 0; i < CAPABILITIES; i++) bounding[i] = prctl(PR_CAPBSET_READ, i, 0, 0, 0);
}

unsigned privilegeRules(struct rule *rules) {
  static const uint32_t options[] = {PR_GET_NO_NEW_PRIVS, PR_GET_SECCOMP, PR_CAPBSET_READ, PR_SET_NO_NEW_PRIVS, PR_CAPBSET_DROP};
  unsigned count = 0;
  if (!(setup.flags & (FLAG_OPEN_GATE | FLAG_LETS_IN | FLAG_KNOWN))) return 0; // nobody else asks
  for (; count < sizeof options / sizeof *options; count++) rules[count] = (struct rule){SYS_prctl, SECCOMP_RET_TRACE, EQUALS, 0, options[count]};
  return count;
}

// There is a capability of that number. libcap looks for the last one by asking for numbers that nobody has.
static bool isCapability(uint64_t number) { return number < CAPABILITIES && bounding[number] >= 0; }

bool judgePrivilege(struct tracee *tracee, const struct call *call) {
  if (call->number != SYS_prctl) return false;
  switch ((int)call->args[0]) {
    case PR_SET_NO_NEW_PRIVS: case PR_CAPBSET_DROP: changed = true; return true;
    case PR_CAPBSET_READ:
      if (!isCapability(call->args[1])) return true;
      break;
    case PR_GET_NO_NEW_PRIVS: case PR_GET_SECCOMP: break;
    default: return false;
  }
  // Which filters are the command's own is not noted.
  if (changed || (int)call->args[0] == PR_GET_SECCOMP) sendEffect(EFFECT_READS_PROCESSES, groupOf(tracee), "/proc/self/status", 0);
  else skipCall(tracee->tid, (int)call->args[0] == PR_CAPBSET_READ ? bounding[call->args[1]] : withoutNew);
  return true;
}
