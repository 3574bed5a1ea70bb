#define _GNU_SOURCE
#include "filter.h"
#include "clock.h"
#include "disks.h"
#include "coreLimit.h"
#include "doors.h"
#include "network.h"
#include "owners.h"
#include "pipes.h"
#include "powers.h"
#include "privileges.h"
#include "reads.h"
#include "relay.h"
#include "setup.h"
#include "unwritten.h"
#include "view.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#define MUSL_LOADER "/lib/ld-musl-x86_64.so.1"
#else
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#define MUSL_LOADER "/lib/ld-musl-aarch64.so.1"
#endif

enum { ROOM = 2000, FIRST_UNKNOWN_CALL = 470 }; // Linux 6.18 ends at 469, file_setattr
static struct sock_filter code[ROOM];
static unsigned used;

static void add(uint16_t what, uint32_t value, uint8_t yes, uint8_t no) {
  if (used < ROOM) code[used++] = (struct sock_filter){what, yes, no, value};
}

static void load(size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0); }
static uint32_t low(int argument) { return (uint32_t)(offsetof(struct seccomp_data, args) + 8u * (unsigned)argument); } // little-endian

// Emits a test that skips the following two instructions (the action and reloading) when it does not hold.
static void addRule(const struct rule *rule) {
  add(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)rule->number, 0, 0);
  unsigned jump = used - 1;
  switch (rule->test) {
    case ALWAYS: break;
    case BITS_SET: load(low(rule->argument)); add(BPF_JMP | BPF_JSET | BPF_K, rule->value, 0, 1); break;
    case BITS_CLEAR: load(low(rule->argument)); add(BPF_JMP | BPF_JSET | BPF_K, rule->value, 1, 0); break;
    case EQUALS: load(low(rule->argument)); add(BPF_JMP | BPF_JEQ | BPF_K, rule->value, 0, 1); break;
    case ABOVE: load(low(rule->argument)); add(BPF_JMP | BPF_JGT | BPF_K, rule->value, 0, 1); break;
    case AT_LEAST_UPPER:
      load(low(rule->argument) + 4);
      add(BPF_JMP | BPF_JGE | BPF_K, rule->value, 0, 2);
      add(BPF_JMP | BPF_JGE | BPF_K, 0x80000000, 1, 0);
      break;
    case NOT_NULL:
      load(low(rule->argument));
      add(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 2);
      load(low(rule->argument) + 4);
      add(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
      break;
    case MAP_LIBRARY:
      load(low(3));
      add(BPF_JMP | BPF_JSET | BPF_K, MAP_ANONYMOUS, 4, 0);
      add(BPF_JMP | BPF_JSET | BPF_K, rule->value, 2, 0);
      load(low(2));
      add(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1);
      break;
  }
  add(BPF_RET | BPF_K, rule->action, 0, 0);
  if (rule->test != ALWAYS) load(offsetof(struct seccomp_data, nr));
  code[jump].jf = (uint8_t)(used - jump - 1);
}

static bool build(const struct rule *rules, unsigned count, uint32_t otherwise) {
  used = 0;
  load(offsetof(struct seccomp_data, arch));
  add(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0);
  add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS, 0, 0); // 32-bit calls have other numbers and would pass unseen
  load(offsetof(struct seccomp_data, nr));
  add(BPF_JMP | BPF_JGE | BPF_K, FIRST_UNKNOWN_CALL, 0, 1); // what a newer kernel adds, and the x32 calls of x86-64
  add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS, 0, 0);
  for (unsigned i = 0; i < count; i++) addRule(&rules[i]);
  add(BPF_RET | BPF_K, otherwise, 0, 0);
  if (used >= ROOM) { errno = E2BIG; return false; }
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

static int install(unsigned flags) {
  struct sock_fprog program = {(unsigned short)used, code};
  // SPEC_ALLOW: without it kernels before 5.16 slow every confined process down against speculation attacks between threads.
  int result = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags | SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program);
  return result >= 0 ? result : (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}

bool installFilter(const struct rule *rules, unsigned count, uint32_t otherwise) { return build(rules, count, otherwise) && install(0) >= 0; }

int installListener(const struct rule *rules, unsigned count) {
  return build(rules, count, SECCOMP_RET_ALLOW) ? install(SECCOMP_FILTER_FLAG_NEW_LISTENER) : -1;
}

#define TRACE SECCOMP_RET_TRACE
#define FAIL(error) (SECCOMP_RET_ERRNO | (error))
#define REFUSED SECCOMP_RET_TRACE // the tracer refuses it, and reports that where it matters

unsigned clockRules(struct rule *rules) {
  static const struct rule reading[] = {
    {SYS_clock_gettime, SECCOMP_RET_ALLOW, EQUALS, 0, 2}, // CLOCK_PROCESS_CPUTIME_ID
    {SYS_clock_gettime, SECCOMP_RET_ALLOW, EQUALS, 0, 3}, // CLOCK_THREAD_CPUTIME_ID
    {SYS_clock_gettime, TRACE, ALWAYS, 0, 0},
    {SYS_gettimeofday, TRACE, ALWAYS, 0, 0},
#if defined(__x86_64__)
    {SYS_time, TRACE, ALWAYS, 0, 0},
#endif
  };
  static const struct rule waiting[] = {
    {SYS_nanosleep, TRACE, ALWAYS, 0, 0},
    {SYS_clock_nanosleep, TRACE, ALWAYS, 0, 0},
    {SYS_pselect6, TRACE, EQUALS, 0, 0},
    {SYS_ppoll, TRACE, EQUALS, 1, 0},
    {SYS_setitimer, TRACE, EQUALS, 0, 0}, // ITIMER_REAL
    {SYS_timer_create, TRACE, ALWAYS, 0, 0},
    {SYS_timer_settime, TRACE, ALWAYS, 0, 0},
    {SYS_timer_delete, TRACE, ALWAYS, 0, 0},
#if defined(__x86_64__)
    {SYS_select, TRACE, EQUALS, 0, 0},
    {SYS_poll, TRACE, EQUALS, 1, 0},
    {SYS_alarm, TRACE, ALWAYS, 0, 0},
#endif
  };
  unsigned count = 0;
  bool skips = setup.flags & FLAG_SKIP_WAITING;
  if (skips || hasOwnClock()) { memcpy(rules, reading, sizeof reading); count += sizeof reading / sizeof *reading; }
  if (skips) { memcpy(rules + count, waiting, sizeof waiting); count += sizeof waiting / sizeof *waiting; }
  return count;
}

// MAP_PRIVATE where the loader may be that of musl, which says nothing else; git and others read files that way too.
static uint32_t loaderFlags(void) {
  bool hasMusl = access(MUSL_LOADER, F_OK) == 0;
  return hasMusl ? MAP_PRIVATE : MAP_DENYWRITE;
}

unsigned libraryRules(struct rule *rules) {
  const struct rule all[] = {
    {SYS_mmap, TRACE, MAP_LIBRARY, 0, loaderFlags()},
    {SYS_mprotect, TRACE, BITS_SET, 2, PROT_EXEC},
    {SYS_pkey_mprotect, TRACE, BITS_SET, 2, PROT_EXEC},
    {SYS_shmat, TRACE, BITS_SET, 2, SHM_EXEC},
  };
  if (setup.flags & FLAG_OPEN_GATE) return 0;
  memcpy(rules, all, sizeof all);
  return sizeof all / sizeof *all;
}

static unsigned copyRules(struct rule *all) {
  static const struct rule rules[] = {
    {SYS_execve, TRACE, ALWAYS, 0, 0},
    {SYS_execveat, TRACE, ALWAYS, 0, 0},
    {SYS_connect, TRACE, ALWAYS, 0, 0},
    {SYS_sendto, TRACE, NOT_NULL, 4, 0},
    {SYS_sendmsg, TRACE, ALWAYS, 0, 0},
    {SYS_sendmmsg, TRACE, ALWAYS, 0, 0},
    {SYS_bind, TRACE, ALWAYS, 0, 0},
    {SYS_listen, TRACE, ALWAYS, 0, 0},
    {SYS_kill, TRACE, ALWAYS, 0, 0},
    {SYS_tkill, TRACE, ALWAYS, 0, 0},
    {SYS_tgkill, TRACE, ALWAYS, 0, 0},
    {SYS_rt_sigqueueinfo, TRACE, ALWAYS, 0, 0},
    {SYS_rt_tgsigqueueinfo, TRACE, ALWAYS, 0, 0},
    {SYS_pidfd_send_signal, TRACE, ALWAYS, 0, 0},
    {SYS_renameat2, TRACE, ALWAYS, 0, 0},
#if defined(SYS_renameat)
    {SYS_renameat, TRACE, ALWAYS, 0, 0},
#endif
#if defined(__x86_64__)
    {SYS_rename, TRACE, ALWAYS, 0, 0},
#endif
    // Of itself or of its own processes it may; the tracer looks at the others.
    {SYS_setpriority, SECCOMP_RET_ALLOW, EQUALS, 1, 0},
    {SYS_setpriority, TRACE, ALWAYS, 0, 0},
    {SYS_ioprio_set, SECCOMP_RET_ALLOW, EQUALS, 1, 0},
    {SYS_ioprio_set, TRACE, ALWAYS, 0, 0},
    {SYS_prlimit64, SECCOMP_RET_ALLOW, EQUALS, 0, 0},
    {SYS_prlimit64, TRACE, ALWAYS, 0, 0},
    {SYS_sched_setaffinity, TRACE, ALWAYS, 0, 0},
    {SYS_sched_getaffinity, TRACE, ALWAYS, 0, 0}, // a thread that stops often has fewer for a while
    {SYS_sched_setscheduler, SECCOMP_RET_ALLOW, EQUALS, 0, 0},
    {SYS_sched_setscheduler, TRACE, ALWAYS, 0, 0},
    {SYS_sched_setparam, SECCOMP_RET_ALLOW, EQUALS, 0, 0},
    {SYS_sched_setparam, TRACE, ALWAYS, 0, 0},
    {SYS_sched_setattr, SECCOMP_RET_ALLOW, EQUALS, 0, 0},
    {SYS_sched_setattr, TRACE, ALWAYS, 0, 0},
    {SYS_memfd_create, TRACE, ALWAYS, 0, 0}, // its memory belongs to no process
    {SYS_fallocate, TRACE, BITS_SET, 1, ~(uint32_t)ALLOCATES_ANYWHERE},
    {SYS_sethostname, TRACE, ALWAYS, 0, 0},
    {SYS_setdomainname, TRACE, ALWAYS, 0, 0},
    {SYS_clock_settime, TRACE, ALWAYS, 0, 0},
    {SYS_settimeofday, TRACE, ALWAYS, 0, 0},
    // Only times that are given: the real file system may hold other ones.
    {SYS_utimensat, TRACE, NOT_NULL, 2, 0},
#if defined(__x86_64__)
    {SYS_futimesat, TRACE, NOT_NULL, 2, 0},
    {SYS_utimes, TRACE, NOT_NULL, 1, 0},
    {SYS_utime, TRACE, NOT_NULL, 1, 0},
#endif
    {SYS_ioctl, FAIL(EOPNOTSUPP), EQUALS, 1, 0x40049409}, // FICLONE, as most file systems say; here it would be another file system
    {SYS_ioctl, FAIL(EOPNOTSUPP), EQUALS, 1, 0x4020940d}, // FICLONERANGE
    {SYS_adjtimex, TRACE, ALWAYS, 0, 0},
    {SYS_clock_adjtime, TRACE, ALWAYS, 0, 0},
#include "denied.inc"
  };
  unsigned count = pipeRules(all);
  count += unwrittenRules(all + count);
  count += printRules(all + count);
  count += clockRules(all + count);
  count += doorRules(all + count);
  count += coreLimitRules(all + count);
  count += powerRules(all + count);
  count += privilegeRules(all + count);
  count += diskRules(all + count);
  count += storageRules(all + count);
  count += ownerRules(all + count);
  count += libraryRules(all + count);
  all[count++] = (struct rule){SYS_linkat, TRACE, ALWAYS, 0, 0};
#if defined(__x86_64__)
  all[count++] = (struct rule){SYS_link, TRACE, ALWAYS, 0, 0};
#endif
  if (setup.flags & FLAG_PERTURB) {
    all[count++] = (struct rule){SYS_getdents64, TRACE, ALWAYS, 0, 0};
    all[count++] = (struct rule){SYS_getppid, TRACE, ALWAYS, 0, 0};
  }
  static const long ofPowers[] = {SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr};
  if (geteuid() != 0) all[count++] = (struct rule){SYS_getgroups, TRACE, ALWAYS, 0, 0};
  else for (size_t i = 0; i < sizeof ofPowers / sizeof *ofPowers; i++) all[count++] = (struct rule){ofPowers[i], TRACE, ALWAYS, 0, 0};
  if (view.hasPieces) {
    all[count++] = (struct rule){SYS_unlinkat, TRACE, BITS_SET, 2, AT_REMOVEDIR};
#if defined(__x86_64__)
    all[count++] = (struct rule){SYS_rmdir, TRACE, ALWAYS, 0, 0};
#endif
  }
  memcpy(all + count, rules, sizeof rules);
  count += sizeof rules / sizeof *rules;
  return count + networkRules(all + count);
}

int installCopyFilter(void) {
  static struct rule all[400];
  unsigned count = copyRules(all);
  count += readRules(all + count);
  return installFilter(all, count, SECCOMP_RET_ALLOW) ? 0 : -errno;
}

// What the kernel does with the rules, of the tests that calls with paths have.
static bool holds(const struct rule *rule, const struct call *call) {
  uint64_t argument = call->args[rule->argument];
  switch (rule->test) {
    case ALWAYS: return true;
    case BITS_SET: return (uint32_t)argument & rule->value;
    case BITS_CLEAR: return !((uint32_t)argument & rule->value);
    case EQUALS: return (uint32_t)argument == rule->value;
    case AT_LEAST_UPPER: return (int64_t)argument >> 32 >= rule->value;
    case NOT_NULL: return argument != 0;
    case MAP_LIBRARY: return true;
  }
  return true;
}

bool isStoppedAnyway(const struct call *call) {
  static struct rule all[400];
  static unsigned count;
  if (!count) count = copyRules(all);
  for (unsigned i = 0; i < count; i++)
    if (all[i].number == call->number && holds(&all[i], call)) return all[i].action != SECCOMP_RET_ALLOW;
  return false;
}

unsigned requestRules(struct rule *rules, const uint32_t *requests, size_t bytes) {
  unsigned count = 0;
  for (; count < bytes / sizeof *requests; count++) rules[count] = (struct rule){SYS_ioctl, SECCOMP_RET_TRACE, EQUALS, 1, requests[count]};
  return count;
}

bool isRequestOf(const uint32_t *requests, size_t bytes, uint64_t request) {
  for (size_t i = 0; i < bytes / sizeof *requests; i++)
    if (requests[i] == (uint32_t)request) return true;
  return false;
}
