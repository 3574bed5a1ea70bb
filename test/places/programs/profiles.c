// What each place refuses. Call numbers from 424 on are the same on all machines; those are named by the kernel that brought them.
#define _GNU_SOURCE
#include "place.h"
#include <errno.h>
#include <linux/sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#define NAMESPACES (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)
#define REFUSE(name) {SYS_##name, EPERM, ALWAYS, 0, 0}
#define REFUSE_NUMBER(number) {number, EPERM, ALWAYS, 0, 0}
#define MISSING(number) {number, ENOSYS, ALWAYS, 0, 0}
#define MISSING_FROM(number) {number, ENOSYS, FROM_HERE, 0, 0}
#define END {-1, 0, ALWAYS, 0, 0}

enum {
  OPEN_TREE = 428, MOVE_MOUNT = 429, FSOPEN = 430, FSCONFIG = 431, FSMOUNT = 432, FSPICK = 433, // Linux 5.2
  CLONE3 = 435, // 5.3
  CLOSE_RANGE = 436, // 5.9
  PIDFD_GETFD = 438, // 5.6
  PROCESS_MADVISE = 440, // 5.10
  MOUNT_SETATTR = 442, // 5.12
  QUOTACTL_FD = 443, // 5.14
  LANDLOCK_CREATE_RULESET = 444, LANDLOCK_ADD_RULE = 445, LANDLOCK_RESTRICT_SELF = 446, // 5.13
  SET_MEMPOLICY_HOME_NODE = 450, // 5.17
  CACHESTAT = 451, // 6.5
  MAP_SHADOW_STACK = 453, // 6.6
  STATMOUNT = 457, // 6.8
  LSM_GET_SELF_ATTR = 459, LSM_SET_SELF_ATTR = 460, LSM_LIST_MODULES = 461, // 6.8
  OPEN_TREE_ATTR = 467, // 6.15
};
enum { FIRST_OF_5_1 = 424, FIRST_OF_5_11 = 441, FIRST_OF_5_16 = 449 };

// Both profiles: execution domains but these are refused.
#define PERSONALITIES \
  {SYS_personality, 0, EQUALS, 0, 0}, {SYS_personality, 0, EQUALS, 0, 8}, {SYS_personality, 0, EQUALS, 0, 0x20000}, \
  {SYS_personality, 0, EQUALS, 0, 0x20008}, {SYS_personality, 0, EQUALS, 0, 0xffffffff}, REFUSE(personality)

// Calls that both profiles make depend on capabilities that no container gets by default.
#define REFUSED_BY_BOTH \
  REFUSE(vhangup), REFUSE(acct), REFUSE(settimeofday), REFUSE(swapon), REFUSE(swapoff), REFUSE(sethostname), REFUSE(setdomainname), \
  REFUSE(init_module), REFUSE(delete_module), REFUSE(finit_module), REFUSE(quotactl), REFUSE(nfsservctl), REFUSE(lookup_dcookie), \
  REFUSE(clock_settime), REFUSE(kexec_load), REFUSE(migrate_pages), REFUSE(move_pages), REFUSE(perf_event_open), REFUSE(open_by_handle_at), \
  REFUSE(kcmp), REFUSE(kexec_file_load), REFUSE(bpf), REFUSE(userfaultfd), REFUSE_NUMBER(PROCESS_MADVISE), REFUSE_NUMBER(QUOTACTL_FD), \
  REFUSED_ON_PC PERSONALITIES
#if defined(__x86_64__)
#define REFUSED_ON_PC REFUSE(uselib), REFUSE(ustat), REFUSE(sysfs), REFUSE(iopl), REFUSE(ioperm), REFUSE(query_module),
#else
#define REFUSED_ON_PC
#endif

// Docker, default.json of moby/profiles in 2026. A filter cannot look at the flags of clone3(2), so that call is said to be missing;
// runc answers that also for calls that are newer than the profile.
static const struct rule docker[] = {
  REFUSED_BY_BOTH,
  REFUSE(mount), REFUSE(umount2), REFUSE(pivot_root), REFUSE(unshare), REFUSE(setns), REFUSE(reboot), REFUSE(syslog), REFUSE(fanotify_init),
  REFUSE(add_key), REFUSE(request_key), REFUSE(keyctl), REFUSE(mbind), REFUSE(set_mempolicy), REFUSE(get_mempolicy),
  REFUSE_NUMBER(SET_MEMPOLICY_HOME_NODE), REFUSE_NUMBER(425), REFUSE_NUMBER(426), REFUSE_NUMBER(427), // io_uring
  REFUSE_NUMBER(OPEN_TREE), REFUSE_NUMBER(MOVE_MOUNT), REFUSE_NUMBER(FSOPEN), REFUSE_NUMBER(FSCONFIG), REFUSE_NUMBER(FSMOUNT),
  REFUSE_NUMBER(FSPICK), REFUSE_NUMBER(MOUNT_SETATTR), REFUSE_NUMBER(PIDFD_GETFD), REFUSE_NUMBER(LSM_GET_SELF_ATTR),
  REFUSE_NUMBER(LSM_SET_SELF_ATTR), REFUSE_NUMBER(LSM_LIST_MODULES), MISSING_FROM(OPEN_TREE_ATTR), MISSING(CLONE3),
  {SYS_clone, EPERM, ANY_BIT, 0, NAMESPACES},
  {SYS_socket, EPERM, EQUALS, 0, 38}, {SYS_socket, EPERM, EQUALS, 0, 40}, // AF_ALG, AF_VSOCK
  END,
};
static const struct rule noChroot[] = {REFUSE(chroot), END};

// Podman, seccomp.json of containers/common in 2026: namespaces and mounts may be asked for, the capabilities decide.
static const struct rule podman[] = {
  REFUSED_BY_BOTH,
  REFUSE(vmsplice), REFUSE(io_pgetevents), {SYS_socket, EPERM, EQUALS, 0, 40},
  MISSING(SYS_add_key), MISSING(SYS_request_key), MISSING(425), MISSING(426), MISSING(427), MISSING(SET_MEMPOLICY_HOME_NODE),
  MISSING(CACHESTAT), MISSING(MAP_SHADOW_STACK), MISSING_FROM(STATMOUNT),
  END,
};

// kernel.unprivileged_userns_clone=0 and its like. clone3 hides its flags.
static const struct rule noNamespaces[] = {
  REFUSE(unshare), REFUSE(setns), REFUSE(mount), REFUSE(umount2), REFUSE(pivot_root), REFUSE_NUMBER(OPEN_TREE), REFUSE_NUMBER(MOVE_MOUNT),
  REFUSE_NUMBER(FSOPEN), REFUSE_NUMBER(FSMOUNT), REFUSE_NUMBER(MOUNT_SETATTR), MISSING(CLONE3), {SYS_clone, EPERM, ANY_BIT, 0, NAMESPACES},
  END,
};
static const struct rule noUserNamespaces[] = {
  REFUSE(unshare), MISSING(CLONE3), {SYS_clone, EPERM, ANY_BIT, 0, CLONE_NEWUSER}, END,
};

// kernel.apparmor_restrict_unprivileged_userns=1: the namespace is made, but what its capabilities would allow is refused.
static const struct rule noMounts[] = {
  {SYS_mount, EACCES, ALWAYS, 0, 0}, {SYS_umount2, EACCES, ALWAYS, 0, 0}, {SYS_pivot_root, EACCES, ALWAYS, 0, 0},
  {OPEN_TREE, EACCES, ALWAYS, 0, 0}, {MOVE_MOUNT, EACCES, ALWAYS, 0, 0}, {FSMOUNT, EACCES, ALWAYS, 0, 0},
  {FSOPEN, EPERM, ALWAYS, 0, 0}, {SYS_sethostname, EPERM, ALWAYS, 0, 0}, {SYS_chroot, EPERM, ALWAYS, 0, 0},
  END,
};

static const struct rule noLandlock[] = {MISSING(LANDLOCK_CREATE_RULESET), MISSING(LANDLOCK_ADD_RULE), MISSING(LANDLOCK_RESTRICT_SELF), END};
static const struct rule noNotify[] = {{SYS_seccomp, EINVAL, ANY_BIT, 1, 8}, END}; // SECCOMP_FILTER_FLAG_NEW_LISTENER
static const struct rule noPtrace[] = {REFUSE(ptrace), END};
static const struct rule noSeccomp[] = {REFUSE(seccomp), {SYS_prctl, EPERM, EQUALS, 0, 22}, END}; // PR_SET_SECCOMP
static const struct rule noCloseRange[] = {MISSING(CLOSE_RANGE), END};
static const struct rule noGetfd[] = {REFUSE_NUMBER(PIDFD_GETFD), END};

// What is refused of calls that were there before, by the kernel that brought it.
#define NEWER_THAN_5_15 \
  {SYS_seccomp, EINVAL, ANY_BIT, 1, 0x20}, /* SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, 5.19 */ \
  {SYS_memfd_create, EINVAL, ANY_BIT, 1, 0x18}, /* MFD_NOEXEC_SEAL, MFD_EXEC, 6.3 */ \
  {SYS_ptrace, EIO, EQUALS, 0, 0x4212}, /* PTRACE_SET_SYSCALL_INFO, 6.16 */ \
  {434, EINVAL, ANY_BIT, 1, 0200} /* PIDFD_THREAD of pidfd_open, 6.9 */
static const struct rule kernel5_15[] = {NEWER_THAN_5_15, MISSING_FROM(FIRST_OF_5_16), END};
static const struct rule kernel5_10[] = {
  NEWER_THAN_5_15, {SYS_ptrace, EIO, EQUALS, 0, 0x420f}, /* PTRACE_GET_RSEQ_CONFIGURATION, 5.13 */ MISSING_FROM(FIRST_OF_5_11), END,
};
// gVisor of 2022 and kernels before 5.1. process_vm_readv is not there either.
static const struct rule kernel5_0[] = {
  {SYS_ptrace, EIO, EQUALS, 0, 0x420e}, /* PTRACE_GET_SYSCALL_INFO, 5.3 */ MISSING(SYS_process_vm_readv), MISSING_FROM(FIRST_OF_5_1), END,
};

#define BIT(number) (1ull << (number))
// chown, dac_override, fowner, fsetid, kill, setgid, setuid, setpcap, net_bind_service, sys_chroot, setfcap
#define PODMAN_LEAVES \
  (BIT(0) | BIT(1) | BIT(3) | BIT(4) | BIT(5) | BIT(6) | BIT(7) | BIT(8) | BIT(10) | BIT(18) | BIT(31))
// besides these net_raw, mknod, audit_write
#define DOCKER_LEAVES (PODMAN_LEAVES | BIT(13) | BIT(27) | BIT(29))

static const struct place places[] = {
  {.name = "plain"},
  {.name = "docker", .rules = docker, .dropsCapabilities = true, .capabilities = DOCKER_LEAVES},
  {.name = "docker-none", .rules = docker, .moreRules = noChroot, .dropsCapabilities = true, .capabilities = 0},
  {.name = "podman", .rules = podman, .dropsCapabilities = true, .capabilities = PODMAN_LEAVES, .mapsIds = true},
  {.name = "no-namespaces", .rules = noNamespaces},
  {.name = "no-user-namespaces", .rules = noUserNamespaces},
  {.name = "last-namespace", .isLastNamespace = true},
  {.name = "no-mounts", .rules = noMounts},
  {.name = "no-landlock", .rules = noLandlock},
  {.name = "no-notify", .rules = noNotify},
  {.name = "no-ptrace", .rules = noPtrace},
  {.name = "no-seccomp", .rules = noSeccomp},
  {.name = "no-close-range", .rules = noCloseRange},
  {.name = "no-getfd", .rules = noGetfd},
  {.name = "kernel-5.15", .rules = kernel5_15},
  {.name = "kernel-5.10", .rules = kernel5_10},
  {.name = "kernel-5.0", .rules = kernel5_0},
};

const struct place *findPlace(const char *name) {
  for (size_t at = 0; at < sizeof places / sizeof *places; at++) if (!strcmp(places[at].name, name)) return &places[at];
  return 0;
}

void listPlaces(void) {
  for (size_t at = 0; at < sizeof places / sizeof *places; at++) puts(places[at].name);
}
