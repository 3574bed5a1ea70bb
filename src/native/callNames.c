#include "callNames.h"
#include <stddef.h>
#include <sys/syscall.h>

// Of a link or a renaming the path that is there already. What the directories allow counts only where both names lie on one mount (EXDEV
// comes first), so that is left to a copy.
static const struct callName names[] = {
  {SYS_openat, "open", 1, 2, true, false, false},
  {SYS_unlinkat, "unlink", 1, 0, true, false, true},
  {SYS_mkdirat, "mkdir", 1, 0, true, true, false},
  {SYS_mknodat, "mknod", 1, 0, true, true, false},
  {SYS_symlinkat, "symlink", 2, 0, true, true, false},
  {SYS_linkat, "link", 1, 0, true, false, false},
  {SYS_renameat2, "rename", 1, 0, true, false, false},
  {SYS_fchmodat, "chmod", 1, 0, true, false, false},
  {SYS_fchownat, "chown", 1, 0, true, false, false},
  {SYS_utimensat, "utimensat", 1, 0, true, false, false},
  {SYS_truncate, "truncate", 0, 0, false, false, false},
  {SYS_setxattr, "setxattr", 0, 0, false, false, false},
  {SYS_lsetxattr, "setxattr", 0, 0, false, false, false},
  {SYS_removexattr, "removexattr", 0, 0, false, false, false},
  {SYS_lremovexattr, "removexattr", 0, 0, false, false, false},
  {SYS_chroot, "chroot", 0, 0, false, false, false},
  {SYS_umount2, "umount", 0, 0, false, false, false},
  {SYS_mount, "mount", 1, 0, false, false, false},
  {SYS_mq_open, "mq_open", 0, 0, false, false, false},
  {SYS_fchmod, "fchmod", -1, 0, false, false, false},
  {SYS_fchown, "fchown", -1, 0, false, false, false},
  {SYS_fallocate, "fallocate", -1, 0, false, false, false},
  {SYS_fsetxattr, "setxattr", -1, 0, false, false, false},
  {SYS_fremovexattr, "removexattr", -1, 0, false, false, false},
  {SYS_flock, "flock", -1, 0, false, false, false},
  {SYS_sync, "sync", -1, 0, false, false, false},
  {SYS_syncfs, "sync", -1, 0, false, false, false},
  {SYS_fsync, "sync", -1, 0, false, false, false},
  {SYS_fdatasync, "sync", -1, 0, false, false, false},
  {SYS_ioctl, "ioctl", -1, 0, false, false, false},
  {SYS_unshare, "unshare", -1, 0, false, false, false},
  {SYS_clone, "clone", -1, 0, false, false, false},
  {SYS_setns, "setns", -1, 0, false, false, false},
  {SYS_ptrace, "ptrace", -1, 0, false, false, false},
  {SYS_personality, "personality", -1, 0, false, false, false},
  {SYS_sethostname, "sethostname", -1, 0, false, false, false},
  {SYS_setdomainname, "setdomainname", -1, 0, false, false, false},
  {SYS_clock_settime, "clock_settime", -1, 0, false, false, false},
  {SYS_settimeofday, "settimeofday", -1, 0, false, false, false},
  {SYS_adjtimex, "adjtimex", -1, 0, false, false, false},
  {SYS_clock_adjtime, "adjtimex", -1, 0, false, false, false},
  {SYS_prlimit64, "prlimit", -1, 0, false, false, false},
  {SYS_setpriority, "setpriority", -1, 0, false, false, false},
  {SYS_sched_setaffinity, "sched_setaffinity", -1, 0, false, false, false},
  {SYS_shmget, "shmget", -1, 0, false, false, false},
  {SYS_shmat, "shmat", -1, 0, false, false, false},
  {SYS_semget, "semget", -1, 0, false, false, false},
  {SYS_msgget, "msgget", -1, 0, false, false, false},
  {SYS_shmctl, "shmctl", -1, 0, false, false, false},
  {SYS_semctl, "semctl", -1, 0, false, false, false},
  {SYS_msgctl, "msgctl", -1, 0, false, false, false},
  {SYS_syslog, "syslog", -1, 0, false, false, false},
  {SYS_setuid, "setuid", -1, 0, false, false, false},
  {SYS_setgid, "setgid", -1, 0, false, false, false},
  {SYS_setresuid, "setresuid", -1, 0, false, false, false},
  {SYS_setresgid, "setresgid", -1, 0, false, false, false},
  {SYS_setgroups, "setgroups", -1, 0, false, false, false},
  {SYS_reboot, "reboot", -1, 0, false, false, false},
#if defined(SYS_renameat)
  {SYS_renameat, "rename", 1, 0, true, false, false},
#endif
#if defined(__x86_64__)
  {SYS_open, "open", 0, 1, false, false, false},
  {SYS_creat, "open", 0, -1, false, false, false},
  {SYS_unlink, "unlink", 0, 0, false, false, true},
  {SYS_rmdir, "rmdir", 0, 0, false, false, true},
  {SYS_mkdir, "mkdir", 0, 0, false, true, false},
  {SYS_mknod, "mknod", 0, 0, false, true, false},
  {SYS_rename, "rename", 0, 0, false, false, false},
  {SYS_symlink, "symlink", 1, 0, false, true, false},
  {SYS_link, "link", 0, 0, false, false, false},
  {SYS_chmod, "chmod", 0, 0, false, false, false},
  {SYS_chown, "chown", 0, 0, false, false, false},
  {SYS_lchown, "chown", 0, 0, false, false, false},
  {SYS_utime, "utime", 0, 0, false, false, false},
  {SYS_utimes, "utime", 0, 0, false, false, false},
  {SYS_futimesat, "utime", 1, 0, true, false, false},
#endif
};

const struct callName *nameOfCall(long number) {
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i].number == number) return &names[i];
  return 0;
}
