// Look mode's filter: the calls that change nothing outside of the process. Every other call, also one that does not exist yet, is traced.
#define _GNU_SOURCE
#include "coreLimit.h"
#include "filter.h"
#include "doors.h"
#include "pipes.h"
#include "powers.h"
#include "privileges.h"
#include "relay.h"
#include "unwritten.h"
#include <errno.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <unistd.h>

#define GO SECCOMP_RET_ALLOW
#define TRACE SECCOMP_RET_TRACE
#define FAIL(error) (SECCOMP_RET_ERRNO | (error))
#define WRITING 03 /* O_WRONLY, O_RDWR */
#define CHANGING (WRITING | 0100 | 01000) /* O_CREAT, O_TRUNC; O_TMPFILE needs writing */

static const struct rule questions[] = {
  // Shells, cat and awk open without any flag: a FIFO or a terminal could be read from its real reader. The loader, find, grep and git
  // give flags, and cost nothing.
  {SYS_openat, TRACE, EQUALS, 2, 0},
  {SYS_openat, GO, BITS_CLEAR, 2, CHANGING},
#if defined(__x86_64__)
  {SYS_open, TRACE, EQUALS, 1, 0},
  {SYS_open, GO, BITS_CLEAR, 1, CHANGING},
#endif
  {SYS_openat2, FAIL(ENOSYS), ALWAYS, 0, 0}, // its flags are in memory
  {SYS_clone3, FAIL(ENOSYS), ALWAYS, 0, 0},
  {SYS_io_uring_setup, FAIL(ENOSYS), ALWAYS, 0, 0},
  {SYS_fanotify_init, FAIL(ENOSYS), ALWAYS, 0, 0}, // as of a kernel that was built without it; it could hold up who opens files of the machine
  {SYS_mmap, GO, ALWAYS, 0, 0},
  {SYS_clone, TRACE, BITS_SET, 0, LEADS_OUT},
  {SYS_clone, GO, ALWAYS, 0, 0},
  {SYS_sendto, TRACE, NOT_NULL, 4, 0},
  {SYS_sendto, GO, ALWAYS, 0, 0},
  {SYS_personality, GO, EQUALS, 0, 0xffffffff},
  {SYS_personality, GO, BITS_CLEAR, 0, ~(uint32_t)ADDR_NO_RANDOMIZE}, // setarch -R
  {SYS_prlimit64, GO, EQUALS, 0, 0}, // of itself
  {SYS_seccomp, GO, BITS_CLEAR, 1, 8}, // without a listener
  {SYS_syslog, GO, EQUALS, 0, 3}, // read all, without taking
  {SYS_syslog, GO, EQUALS, 0, 9},
  {SYS_syslog, GO, EQUALS, 0, 10},
  // fcntl(2): locks and leases on files, and signals to others, can be felt by other processes.
  {SYS_fcntl, TRACE, EQUALS, 1, 6}, {SYS_fcntl, TRACE, EQUALS, 1, 7}, // F_SETLK, F_SETLKW
  {SYS_fcntl, TRACE, EQUALS, 1, 37}, {SYS_fcntl, TRACE, EQUALS, 1, 38}, // F_OFD_SETLK, F_OFD_SETLKW
  {SYS_fcntl, TRACE, EQUALS, 1, 8}, {SYS_fcntl, TRACE, EQUALS, 1, 15}, // F_SETOWN, F_SETOWN_EX
  {SYS_fcntl, TRACE, EQUALS, 1, 1024}, {SYS_fcntl, TRACE, EQUALS, 1, 1036}, {SYS_fcntl, TRACE, EQUALS, 1, 1038}, // lease, write hints
  {SYS_fcntl, GO, ALWAYS, 0, 0},
};

// Requests of ioctl(2) that ask, or that concern the process's own terminal and descriptors (asm-generic/ioctls.h, linux/fs.h, linux/sockios.h).
static const uint32_t harmlessRequests[] = {
  0x5401, 0x5405, 0x540f, 0x5411, 0x5413, // TCGETS, TCGETA, TIOCGPGRP, TIOCOUTQ, TIOCGWINSZ; those that set are traced
  0x541b, 0x5421, 0x5422, 0x5429, 0x5450, 0x5451, 0x5452, 0x80045430, 0x5460, // FIONREAD, FIONBIO, TIOCNOTTY, TIOCGSID, FIONCLEX, FIOCLEX, FIOASYNC, TIOCGPTN, FIOQSIZE
  0x802c542a, // TCGETS2
  0x80086601, 0x80047601, 0x80087601, 0x801c581f, 0xc020660b, 0x00000001, 0x00000002, // flags, version, fsxattr, fiemap, FIBMAP, FIGETBSZ
  0x1260, 0x1268, 0x80081272, 0x127b, 0x1278, 0x1279, 0x127a, 0x125e, // block devices: sizes, alignment, read-only
  0x8905, 0x8906, 0x8907, 0x8910, 0x8912, 0x8913, 0x8915, 0x8917, 0x8919, 0x891b, 0x891d, 0x8921, 0x8927, 0x8933, 0x8942, 0x8954, 0x8970, // interfaces
  0xb701, 0xb702, 0xb703, 0xb704, // namespaces: NS_GET_*
};

static const long harmless[] = {
  SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_preadv, SYS_pwritev, SYS_preadv2, SYS_pwritev2, SYS_close, SYS_close_range,
  SYS_lseek, SYS_fstat, SYS_newfstatat, SYS_statx, SYS_statfs, SYS_fstatfs, SYS_getdents64, SYS_faccessat, SYS_faccessat2, SYS_readlinkat, SYS_getcwd,
  SYS_chdir, SYS_fchdir, SYS_munmap, SYS_mprotect, SYS_pkey_mprotect, SYS_pkey_alloc, SYS_pkey_free, SYS_mremap, SYS_madvise, SYS_msync, SYS_mincore, SYS_mlock, SYS_mlock2, SYS_munlock, SYS_mlockall,
  SYS_munlockall, SYS_brk, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigpending, SYS_rt_sigreturn, SYS_rt_sigsuspend, SYS_rt_sigtimedwait,
  SYS_sigaltstack, SYS_restart_syscall, SYS_pipe2, SYS_dup, SYS_dup3, SYS_ppoll, SYS_pselect6, SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_pwait,
  SYS_epoll_pwait2, SYS_eventfd2, SYS_signalfd4, SYS_timerfd_create, SYS_timerfd_settime, SYS_timerfd_gettime, SYS_inotify_init1,
  SYS_inotify_add_watch, SYS_inotify_rm_watch, SYS_nanosleep, SYS_clock_nanosleep, SYS_clock_gettime, SYS_clock_getres, SYS_gettimeofday,
  SYS_times, SYS_getitimer, SYS_setitimer, SYS_timer_create, SYS_timer_settime, SYS_timer_gettime, SYS_timer_getoverrun, SYS_timer_delete,
  SYS_exit, SYS_exit_group, SYS_wait4, SYS_waitid, SYS_getpid, SYS_getppid, SYS_gettid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getresuid,
  SYS_getresgid, SYS_getgroups, SYS_getpgid, SYS_setpgid, SYS_getsid, SYS_setsid, SYS_umask, SYS_getrlimit, SYS_setrlimit, SYS_getrusage, SYS_sysinfo,
  SYS_uname, SYS_sched_getaffinity, SYS_sched_getparam, SYS_sched_getscheduler, SYS_sched_getattr, SYS_sched_yield, SYS_sched_get_priority_max,
  SYS_sched_get_priority_min, SYS_sched_rr_get_interval, SYS_getpriority, SYS_ioprio_get, SYS_capget, SYS_capset, SYS_prctl, SYS_set_tid_address,
  SYS_set_robust_list, SYS_get_robust_list, SYS_futex, SYS_rseq, SYS_membarrier, SYS_getcpu, SYS_getrandom, SYS_memfd_create, SYS_ftruncate, SYS_socket,
  SYS_socketpair, SYS_getsockopt, SYS_setsockopt, SYS_getsockname, SYS_getpeername, SYS_shutdown, SYS_recvfrom, SYS_recvmsg, SYS_recvmmsg, SYS_accept,
  SYS_accept4, SYS_copy_file_range, SYS_sendfile, SYS_splice, SYS_tee, SYS_vmsplice, SYS_getxattr, SYS_lgetxattr, SYS_fgetxattr, SYS_listxattr,
  SYS_llistxattr, SYS_flistxattr, SYS_name_to_handle_at, SYS_fadvise64, SYS_readahead, SYS_pidfd_open, SYS_get_mempolicy, SYS_set_mempolicy, SYS_mbind,
  457, 458, 464, 465, // statmount, listmount, getxattrat, listxattrat, newer than the C library's headers
#if defined(__x86_64__)
  SYS_stat, SYS_lstat, SYS_getdents, SYS_access, SYS_readlink, SYS_pipe, SYS_dup2, SYS_poll, SYS_select, SYS_epoll_create, SYS_epoll_wait, SYS_eventfd,
  SYS_signalfd, SYS_inotify_init, SYS_time, SYS_alarm, SYS_pause, SYS_fork, SYS_vfork, SYS_getpgrp, SYS_arch_prctl,
#endif
};

// Becoming another user: without capabilities it is refused or changes nothing; as root it is not what it would be.
static const long identity[] = {SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid, SYS_setresuid, SYS_setresgid, SYS_setgroups, SYS_setfsuid, SYS_setfsgid};

static struct rule *rules;
static unsigned count;

static void addAll(const long *numbers, size_t size) {
  for (size_t i = 0; i < size / sizeof *numbers; i++) rules[count++] = (struct rule){numbers[i], GO, ALWAYS, 0, 0};
}

unsigned lookRules(struct rule *to) {
  rules = to;
  count = pipeRules(rules);
  count += unwrittenRules(rules + count);
  count += printRules(rules + count);
  count += clockRules(rules + count);
  count += coreLimitRules(rules + count);
  count += powerRules(rules + count);
  count += privilegeRules(rules + count);
  if (seesOpenings()) {
    rules[count++] = (struct rule){SYS_openat, TRACE, ALWAYS, 0, 0};
#if defined(__x86_64__)
    rules[count++] = (struct rule){SYS_open, TRACE, ALWAYS, 0, 0};
#endif
  }
  count += libraryRules(rules + count);
  addAll(harmless, sizeof harmless);
  for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) rules[count++] = questions[i];
  for (size_t i = 0; i < sizeof harmlessRequests / sizeof *harmlessRequests; i++) rules[count++] = (struct rule){SYS_ioctl, GO, EQUALS, 1, harmlessRequests[i]};
  if (geteuid() != 0) addAll(identity, sizeof identity);
  return count;
}

int installLookFilter(void) {
  static struct rule all[600];
  unsigned used = lookRules(all);
  return installFilter(all, used, TRACE) ? 0 : -errno;
}
