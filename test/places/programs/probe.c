// probe: tries what engines rest on, each in a process of its own, and says how it ended: a line `name ok`, or `name` and the error.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static int call(long result) { return result < 0 ? errno : 0; }

static int unshareUser(void) { return call(unshare(CLONE_NEWUSER)); }
static int unshareMounts(void) { return call(unshare(CLONE_NEWNS)); }
static int cloneUser(void) {
  long pid = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
  if (pid == 0) _exit(0);
  return call(pid);
}
static int clone3(void) { return call(syscall(435, 0, 0)); } // no size: EINVAL where it is known
static int mountHere(void) { return call(mount("x", "/no/such/folder", "tmpfs", 0, 0)); }
static int mountInUser(void) {
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS)) return errno;
  return call(mount("x", "/tmp", "tmpfs", 0, 0));
}
static int makeRoot(void) { return call(chroot("/")); }
static int makeDevice(void) {
  char name[] = "/tmp/probe-XXXXXX";
  if (!mkdtemp(name)) return errno;
  char node[64];
  snprintf(node, sizeof node, "%s/null", name);
  int error = call(mknod(node, S_IFCHR | 0600, makedev(1, 3)));
  unlink(node);
  rmdir(name);
  return error;
}

static int trace(void) { return call(ptrace(PTRACE_TRACEME, 0, 0, 0)); }
static int syscallInfo(void) { return call(syscall(SYS_ptrace, 0x420e, getppid(), 0, 0)); } // not our tracee: ESRCH where it is known
static int readMemory(void) {
  char from = 1, to = 0;
  struct iovec here = {&to, 1}, there = {&from, 1};
  return call(process_vm_readv(getpid(), &here, 1, &there, 1, 0));
}

static int filterWith(unsigned flags) {
  struct sock_filter allow[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog program = {1, allow};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return errno;
  return call(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program));
}
static int filter(void) { return filterWith(0); }
static int listener(void) { return filterWith(8); } // SECCOMP_FILTER_FLAG_NEW_LISTENER

// Writing is handled and nowhere allowed: then nothing can be opened for writing (landlock(7)).
static int landlock(void) {
  uint64_t handled = 1 << 1; // LANDLOCK_ACCESS_FS_WRITE_FILE
  int ruleset = (int)syscall(444, &handled, sizeof handled, 0);
  if (ruleset < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || syscall(446, ruleset, 0)) return errno;
  if (open("/dev/null", O_WRONLY) >= 0) return EEXIST;
  return errno == EACCES ? 0 : errno;
}

static int keys(void) { return call(syscall(SYS_keyctl, 0, -3, 0)); }
static int bpf(void) { return call(syscall(SYS_bpf, -1, 0, 0)); }
static int personality(void) { return call(syscall(SYS_personality, 0x40000)); } // ADDR_NO_RANDOMIZE
static int vsock(void) { return call(socket(40, SOCK_STREAM, 0)); }

// Calls by number with arguments that no kernel accepts: whatever is answered but ENOSYS, the call is there.
static int numbered(long number) { return call(syscall(number, -1, 0, 0, 0, 0, -1)); }
static int pidfdOpen(void) { return numbered(434); } // Linux 5.3
static int closeRange(void) { return call(syscall(436, ~0u, ~0u, 0)); } // 5.9
static int openat2(void) { return numbered(437); } // 5.6
static int pidfdGetfd(void) { return numbered(438); } // 5.6
static int faccessat2(void) { return numbered(439); } // 5.8
static int epollPwait2(void) { return numbered(441); } // 5.11
static int mountSetattr(void) { return numbered(442); } // 5.12
static int futexWaitv(void) { return numbered(449); } // 5.16
static int fchmodat2(void) { return numbered(452); } // 6.6
static int statmount(void) { return numbered(457); } // 6.8

static const struct { const char *name; int (*try)(void); } probes[] = {
#define PROBE(name) {#name, name}
  PROBE(unshareUser), PROBE(unshareMounts), PROBE(cloneUser), PROBE(clone3), PROBE(mountHere), PROBE(mountInUser), PROBE(makeRoot),
  PROBE(makeDevice), PROBE(trace), PROBE(syscallInfo), PROBE(readMemory), PROBE(filter), PROBE(listener), PROBE(landlock), PROBE(keys),
  PROBE(bpf), PROBE(personality), PROBE(vsock), PROBE(pidfdOpen), PROBE(closeRange), PROBE(openat2), PROBE(pidfdGetfd), PROBE(faccessat2),
  PROBE(epollPwait2), PROBE(mountSetattr), PROBE(futexWaitv), PROBE(fchmodat2), PROBE(statmount),
};

static const char *nameOf(int error) {
  static const struct { int number; const char *name; } names[] = {
    {0, "ok"}, {EPERM, "EPERM"}, {ENOENT, "ENOENT"}, {ESRCH, "ESRCH"}, {EIO, "EIO"}, {EBADF, "EBADF"}, {EACCES, "EACCES"},
    {EFAULT, "EFAULT"}, {EINVAL, "EINVAL"}, {ENOSPC, "ENOSPC"}, {ENOSYS, "ENOSYS"}, {ENOTSUP, "ENOTSUP"},
    {EUSERS, "EUSERS"}, {EAFNOSUPPORT, "EAFNOSUPPORT"},
  };
  static char number[16];
  for (size_t at = 0; at < sizeof names / sizeof *names; at++) if (names[at].number == error) return names[at].name;
  snprintf(number, sizeof number, "%d", error);
  return number;
}

int main(void) {
  for (size_t at = 0; at < sizeof probes / sizeof *probes; at++) {
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) _exit(probes[at].try() & 0xff);
    // A tracee stops for its parent when it ends by a signal only.
    if (child < 0 || waitpid(child, &status, 0) < 0) { perror("probe"); return 1; }
    printf("%s %s\n", probes[at].name, WIFEXITED(status) ? nameOf(WEXITSTATUS(status)) : "killed");
  }
  return 0;
}
