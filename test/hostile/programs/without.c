// without WHAT COMMAND...: runs a command where the kernel refuses something, as a container's filter does.
//   namespaces: unshare, clone with namespaces, mount    ptrace: ptrace    seccomp: no further filter
//   newCalls: what came after Linux 5.0 is not there, as in gVisor    closeRange: that call alone is not there
#define _GNU_SOURCE
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOAD(what) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, what))
#define FAIL BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
#define FAIL_WITH(error) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
#define REFUSE(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), FAIL
#define NAMESPACES (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)

static struct sock_filter noNamespaces[] = {
  LOAD(nr), REFUSE(SYS_unshare), REFUSE(SYS_setns), REFUSE(SYS_mount), REFUSE(SYS_umount2), REFUSE(SYS_pivot_root), REFUSE(SYS_fsopen), REFUSE(SYS_open_tree),
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3), LOAD(args[0]), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, NAMESPACES, 0, 1), FAIL,
  BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};
static struct sock_filter noPtrace[] = {LOAD(nr), REFUSE(SYS_ptrace), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
static struct sock_filter noSeccomp[] = {
  LOAD(nr), REFUSE(SYS_seccomp),
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 3), LOAD(args[0]), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_SET_SECCOMP, 0, 1), FAIL,
  BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

static struct sock_filter noNewCalls[] = {
  LOAD(nr),
  BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 424, 0, 1), FAIL_WITH(ENOSYS), // pidfd_send_signal of Linux 5.1 begins the numbers that all machines share
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1), FAIL_WITH(ENOSYS),
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 0, 3), LOAD(args[0]), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x420e, 0, 1), FAIL_WITH(EIO), // PTRACE_GET_SYSCALL_INFO of Linux 5.3
  BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};
static struct sock_filter noCloseRange[] = {
  LOAD(nr), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 436, 0, 1), FAIL_WITH(ENOSYS), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

int main(int count, char **arguments) {
  struct { const char *name; struct sock_fprog program; } known[] = {
    {"namespaces", {sizeof noNamespaces / sizeof *noNamespaces, noNamespaces}},
    {"ptrace", {sizeof noPtrace / sizeof *noPtrace, noPtrace}},
    {"seccomp", {sizeof noSeccomp / sizeof *noSeccomp, noSeccomp}},
    {"newCalls", {sizeof noNewCalls / sizeof *noNewCalls, noNewCalls}},
    {"closeRange", {sizeof noCloseRange / sizeof *noCloseRange, noCloseRange}},
  };
  if (count < 3) return 2;
  for (unsigned at = 0; at < sizeof known / sizeof *known; at++) {
    if (strcmp(known[at].name, arguments[1])) continue;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &known[at].program)) { perror("without"); return 125; }
    execvp(arguments[2], arguments + 2);
    perror(arguments[2]);
    return 127;
  }
  return 2;
}
