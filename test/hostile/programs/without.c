// without WHAT COMMAND...: runs a command where the kernel refuses something, as a container's filter does.
//   namespaces: unshare, clone with namespaces, mount    ptrace: ptrace    seccomp: no further filter
//   newCalls: what came after Linux 5.0 is not there, as in gVisor    closeRange: that call alone is not there
//   docker: what Docker's default profile refuses, and only the capabilities that it leaves
//   unshare: user namespaces alone    mount: mounts, as AppArmor refuses them in a user namespace    landlock: Landlock
//   maximum: inside of a user namespace in which no further one may be made
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
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
#define REFUSE_WITH(number, error) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), FAIL_WITH(error)
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

// The default profile of Docker lets these through only with capabilities that a container does not get; clone3(2) is said to be missing,
// because a filter cannot look at its flags.
static struct sock_filter docker[] = {
  LOAD(nr), REFUSE(SYS_unshare), REFUSE(SYS_setns), REFUSE(SYS_mount), REFUSE(SYS_umount2), REFUSE(SYS_pivot_root), REFUSE(SYS_fsopen), REFUSE(SYS_open_tree),
  REFUSE(SYS_move_mount), REFUSE(SYS_bpf), REFUSE(SYS_perf_event_open), REFUSE(SYS_userfaultfd), REFUSE(SYS_keyctl), REFUSE(SYS_add_key), REFUSE(SYS_request_key),
  REFUSE(SYS_io_uring_setup), REFUSE(SYS_open_by_handle_at), REFUSE(SYS_kexec_load), REFUSE(SYS_acct), REFUSE(SYS_swapon), REFUSE(SYS_reboot),
  REFUSE_WITH(SYS_clone3, ENOSYS),
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3), LOAD(args[0]), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, NAMESPACES, 0, 1), FAIL,
  BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};
static struct sock_filter noUnshare[] = {
  LOAD(nr), REFUSE(SYS_unshare), REFUSE_WITH(SYS_clone3, ENOSYS),
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3), LOAD(args[0]), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_NEWUSER, 0, 1), FAIL,
  BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};
static struct sock_filter noMount[] = {
  LOAD(nr), REFUSE_WITH(SYS_mount, EACCES), REFUSE_WITH(SYS_move_mount, EACCES), REFUSE_WITH(SYS_fsmount, EACCES), REFUSE_WITH(SYS_open_tree, EACCES),
  BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};
static struct sock_filter noLandlock[] = { // landlock_create_ruleset, landlock_add_rule, landlock_restrict_self
  LOAD(nr), REFUSE_WITH(444, ENOSYS), REFUSE_WITH(445, ENOSYS), REFUSE_WITH(446, ENOSYS), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

// The capabilities of a container: chown, dac_override, fowner, fsetid, kill, setgid, setuid, setpcap, net_bind_service, net_raw, sys_chroot, mknod,
// audit_write, setfcap.
static int dropCapabilities(void) {
  static const int left[] = {0, 1, 3, 4, 5, 6, 7, 8, 10, 13, 18, 27, 29, 31};
  unsigned long keep = 0;
  for (unsigned at = 0; at < sizeof left / sizeof *left; at++) keep |= 1ul << left[at];
  for (int capability = 0; capability < 64; capability++) if (!(keep >> capability & 1)) prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  if (getuid() != 0) return 0;
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct data[2] = {{(unsigned)keep, (unsigned)keep, 0}, {0, 0, 0}};
  return (int)syscall(SYS_capset, &header, data);
}

static int writeFile(const char *path, const char *text) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return -1;
  ssize_t written = write(file, text, strlen(text));
  close(file);
  return written == (ssize_t)strlen(text) ? 0 : -1;
}

// user_namespaces(7): the limit is counted in each namespace.
static int enterLastNamespace(void) {
  char map[64];
  uid_t uid = getuid();
  gid_t gid = getgid();
  if (unshare(CLONE_NEWUSER)) return -1;
  snprintf(map, sizeof map, "%u %u 1", uid, uid);
  if (writeFile("/proc/self/uid_map", map) || writeFile("/proc/self/setgroups", "deny")) return -1;
  snprintf(map, sizeof map, "%u %u 1", gid, gid);
  return writeFile("/proc/self/gid_map", map) || writeFile("/proc/sys/user/max_user_namespaces", "0") ? -1 : 0;
}

int main(int count, char **arguments) {
  struct { const char *name; struct sock_fprog program; } known[] = {
    {"namespaces", {sizeof noNamespaces / sizeof *noNamespaces, noNamespaces}},
    {"ptrace", {sizeof noPtrace / sizeof *noPtrace, noPtrace}},
    {"seccomp", {sizeof noSeccomp / sizeof *noSeccomp, noSeccomp}},
    {"newCalls", {sizeof noNewCalls / sizeof *noNewCalls, noNewCalls}},
    {"closeRange", {sizeof noCloseRange / sizeof *noCloseRange, noCloseRange}},
    {"docker", {sizeof docker / sizeof *docker, docker}},
    {"unshare", {sizeof noUnshare / sizeof *noUnshare, noUnshare}},
    {"mount", {sizeof noMount / sizeof *noMount, noMount}},
    {"landlock", {sizeof noLandlock / sizeof *noLandlock, noLandlock}},
  };
  if (count < 3) return 2;
  if (!strcmp(arguments[1], "maximum")) {
    if (enterLastNamespace()) { perror("without"); return 125; }
    execvp(arguments[2], arguments + 2);
    perror(arguments[2]);
    return 127;
  }
  for (unsigned at = 0; at < sizeof known / sizeof *known; at++) {
    if (strcmp(known[at].name, arguments[1])) continue;
    if (!strcmp(arguments[1], "docker") && dropCapabilities()) { perror("without"); return 125; }
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &known[at].program)) { perror("without"); return 125; }
    execvp(arguments[2], arguments + 2);
    perror(arguments[2]);
    return 127;
  }
  return 2;
}
