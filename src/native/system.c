#define _GNU_SOURCE
#include "system.h"
#include "callNames.h"
#include "gate.h"
#include "ours.h"
#include "rename.h"
#include "setup.h"
#include "signals.h"
#include "view.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <unistd.h>

// The file that gets another name is the machine's, or has replaced it.
static bool isReal(const char *path) {
  struct stat st;
  return fstatat(view.outerRoot, path + 1, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode);
}

// Of a real file that gets another name both have inode numbers of their own (overlayfs.rst): cp(1) and find(1) do not know that they are
// the same. So the command is rehearsed by supervision. Where it cannot be, git clone would take it for an attack of an ordinary user
// ("hardlink different from source"); where links are impossible it copies.
static void judgeLink(struct tracee *tracee, const struct call *call) {
  static char path[PATH_MAX], program[PATH_MAX];
  bool at = call->number == SYS_linkat;
  if (!readText(tracee->tid, call->args[at ? 1 : 0], path, sizeof path)) return;
  bool follows = at && (call->args[4] & AT_SYMLINK_FOLLOW);
  int node = openAs(tracee->tid, at ? (int)call->args[0] : AT_FDCWD, path, follows ? 0 : O_NOFOLLOW);
  if (node >= 0 && pathOfDescriptor(node, path, sizeof path) && path[0] == '/' && isReal(path)) sendEffect(EFFECT_HARD_LINKS, groupOf(tracee), path, 0);
  if (node >= 0) close(node);
  judgeRename(tracee, call);
  if (view.asRoot || !readProcLink(tracee->tid, "exe", program, sizeof program)) return;
  const char *name = strrchr(program, '/');
  if (name && !strcmp(name, "/git")) skipCall(tracee->tid, -EXDEV);
}

static void judgeRemoval(struct tracee *tracee, const struct call *call) {
  static char path[PATH_MAX], real[PATH_MAX];
  char text[PATH_MAX + 8];
  bool at = call->number == SYS_unlinkat;
  if (!readText(tracee->tid, call->args[at ? 1 : 0], path, sizeof path)) return;
  int node = openAs(tracee->tid, at ? (int)call->args[0] : AT_FDCWD, path, O_NOFOLLOW);
  bool ours = node >= 0 && pathOfDescriptor(node, real, sizeof real) && isOurMount(real);
  if (node >= 0) close(node);
  if (!ours) return;
  snprintf(text, sizeof text, "rmdir %s", real);
  sendEffect(EFFECT_REFUSED, groupOf(tracee), text, EBUSY);
}

// ---- other processes' properties ----

static pid_t targetOf(const struct call *call) {
  switch (call->number) {
    case SYS_setpriority: return call->args[0] == 0 ? (pid_t)call->args[1] : 0; // PRIO_PROCESS
    case SYS_ioprio_set: return call->args[0] == 1 ? (pid_t)call->args[1] : 0;  // IOPRIO_WHO_PROCESS
    case SYS_prlimit64: return call->args[2] ? (pid_t)call->args[0] : 0;        // only asks
    case SYS_sched_setaffinity: case SYS_sched_setscheduler: case SYS_sched_setparam: case SYS_sched_setattr: return (pid_t)call->args[0];
    default: return -1;
  }
}

static void judgeOther(struct tracee *tracee, pid_t target, const char *name) {
  if (target <= 0 || isConfined(target)) return;
  int error = askOuter(target);
  char text[64];
  snprintf(text, sizeof text, "%s of process %d", name, target);
  if (!error) sendEffect(EFFECT_CHANGED_SYSTEM, groupOf(tracee), text, target);
  skipCall(tracee->tid, -error);
}

// ---- clock and names ----

static bool onlyAsksClock(pid_t tid, const struct call *call) {
  unsigned modes = 1;
  if (call->number != SYS_adjtimex && call->number != SYS_clock_adjtime) return false;
  uint64_t at = call->args[call->number == SYS_adjtimex ? 0 : 1];
  return readMemory(tid, at, &modes, sizeof modes) == sizeof modes && modes == 0; // adjtimex(2): nothing to be set
}

// The view has names of its own (uts_namespaces(7)): there they may really change.
static long setName(pid_t tid, const struct call *call) {
  char name[65] = "";
  size_t length = (size_t)call->args[1];
  if (length > 64) return -EINVAL;
  if (readMemory(tid, call->args[0], name, length) != (ssize_t)length) return -EFAULT;
  int result = call->number == SYS_sethostname ? sethostname(name, length) : setdomainname(name, length);
  return result == 0 ? 0 : -errno;
}

static void changeSystem(struct tracee *tracee, const struct call *call, const char *name) {
  if (onlyAsksClock(tracee->tid, call)) return;
  if (geteuid() != 0) { skipCall(tracee->tid, -EPERM); return; }
  bool names = call->number == SYS_sethostname || call->number == SYS_setdomainname;
  long result = names && view.asRoot ? setName(tracee->tid, call) : 0;
  if (result == 0) sendEffect(EFFECT_CHANGED_SYSTEM, groupOf(tracee), name, 0);
  skipCall(tracee->tid, result);
}

// ---- refusals ----

// For an ordinary user the kernel itself would refuse these, so nothing is different.
static bool needsRoot(long number) {
  switch (number) {
    case SYS_mount: case SYS_umount2: case SYS_pivot_root: case SYS_chroot: case SYS_fsopen: case SYS_fsconfig: case SYS_fsmount: case SYS_fspick:
    case SYS_move_mount: case SYS_open_tree: case SYS_mount_setattr: case SYS_setns: case SYS_open_by_handle_at: case SYS_kexec_load:
    case SYS_kexec_file_load: case SYS_reboot: case SYS_swapon: case SYS_swapoff: case SYS_init_module: case SYS_finit_module: case SYS_delete_module:
    case SYS_quotactl: case 443: case SYS_acct: case SYS_vhangup: case SYS_bpf:
      return true;
  }
  return false;
}

// Attributes that only CAP_SYS_ADMIN may set, which the command does not have here (xattr(7)).
static bool setsProtected(pid_t tid, uint64_t at) {
  char name[256];
  return readText(tid, at, name, sizeof name) && (!strncmp(name, "trusted.", 8) || (!strncmp(name, "security.", 9) && strcmp(name + 9, "capability") != 0));
}

void judgeSystem(struct tracee *tracee, const struct call *call) {
  char number[32];
  const struct callName *known = nameOfCall(call->number);
  snprintf(number, sizeof number, "call %ld", call->number);
  const char *name = known ? known->text : number;
  switch (call->number) {
#if defined(__x86_64__)
    case SYS_rmdir:
#endif
    case SYS_unlinkat: judgeRemoval(tracee, call); return;
#if defined(__x86_64__)
    case SYS_link:
#endif
    case SYS_linkat: judgeLink(tracee, call); return;
    case SYS_getppid: judgeParent(tracee); return;
    case SYS_getgroups: judgeGroups(tracee, call); return;
    case SYS_sethostname: case SYS_setdomainname: case SYS_clock_settime: case SYS_settimeofday: case SYS_adjtimex: case SYS_clock_adjtime:
      changeSystem(tracee, call, name);
      return;
    case SYS_setxattr: case SYS_lsetxattr: case SYS_fsetxattr: case SYS_removexattr: case SYS_lremovexattr: case SYS_fremovexattr:
      if (!setsProtected(tracee->tid, call->args[1])) return;
      name = "protected attributes";
      break;
    case SYS_fallocate:
      sendEffect(EFFECT_REFUSED, groupOf(tracee), name, EOPNOTSUPP);
      skipCall(tracee->tid, -EOPNOTSUPP);
      return;
  }
  pid_t target = targetOf(call);
  if (target >= 0) { judgeOther(tracee, target, name); return; }
  skipCall(tracee->tid, -EPERM);
  if (geteuid() == 0 || !needsRoot(call->number)) sendEffect(EFFECT_REFUSED, groupOf(tracee), name, EPERM);
}

// ---- the process table ----

static bool isProcessTable(const char *rest) {
  static const char *const names[] = {"mounts", "net", "self/mount", "self/net", "self/status", "self/stat", "thread-self", "locks", "keys"};
  // A process of this run, or the shell itself.
  char *end = (char *)rest + 2;
  bool own = !strncmp(rest, "$$", 2) || findTracee((pid_t)strtol(rest, &end, 10));
  if (own && *end && *end != '/') own = false;
  if (!*rest || (!own && strchr("0123456789*?[${ \t\n;|&)\"'", *rest))) return true;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (own ? !strncmp(names[i], "self", 4) && !strncmp(end, names[i] + 4, strlen(names[i]) - 4) : !strncmp(rest, names[i], strlen(names[i]))) return true;
  return false;
}

static void wordAt(const char *at, size_t left, char word[256]) {
  size_t used = 0;
  while (used < left && used < 255 && (unsigned char)at[used] > ' ' && !strchr("\"';|&<>()`\\", at[used])) { word[used] = at[used]; used++; }
  word[used] = 0;
}

// Patterns and variables of a shell; a dollar sign that ends a word is one of grep or sed.
static bool isPattern(const char *text) {
  const char *dollar = strchr(text, '$');
  return strpbrk(text, "*?[{") || (dollar && dollar[1]);
}

// The view of an ordinary user shows only those devices that he can use; looking at the others would say that they are not there.
static bool isHiddenDevice(const char *word) {
  struct stat st;
  if (view.overlaysDevices || (word[4] && word[4] != '/')) return false;
  if (!word[4] || !word[5] || isPattern(word + 5)) return true;
  return fstatat(view.outerRoot, word + 1, &st, AT_SYMLINK_NOFOLLOW) == 0 && lstat(word, &st) != 0;
}

static bool isOtherProcess(const char *word) { return word[5] == 0 || (word[5] == '/' && isProcessTable(word + 6)); }

// `/home/dev` and `work/proc` are no trees of the kernel. What a variable holds before it is not known.
static bool isWithinName(const char *arguments, const char *at) {
  if (at - arguments > 1 && at[-1] == '.' && ((unsigned char)at[-2] <= ' ' || strchr("\"'=", at[-2]))) return true; // `./run`
  if (at == arguments || !(isalnum((unsigned char)at[-1]) || strchr("_-", at[-1]))) return false;
  while (at > arguments && (unsigned char)at[-1] > ' ' && !strchr("\"';|&<>()`=", at[-1]))
    if (*--at == '$') return false;
  return true;
}

static bool reportWord(struct tracee *tracee, const char *arguments, size_t length, const char *tree, bool (*isReported)(const char *word)) {
  char word[256];
  for (const char *at = arguments; (at = memmem(at, length - (size_t)(at - arguments), tree, strlen(tree))); at++) {
    wordAt(at, length - (size_t)(at - arguments), word);
    if (isWithinName(arguments, at) || !isReported(word)) continue;
    sendEffect(EFFECT_READS_PROCESSES, groupOf(tracee), word, 0);
    return true;
  }
  return false;
}

// Of these the view has empty ones of its own: what lies there may speak for the machine.
static bool isWithinCovered(const char *path) { return !strcmp(path, "/run") || isBelow(path, "/run") || !strcmp(path, "/dev/shm") || isBelow(path, "/dev/shm"); }

// `within`: it is asked for what would be made in it.
static bool leadsToCovered(const char *path, bool within, char real[PATH_MAX]) {
  char link[64];
  struct stat st;
  struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT};
  int node = (int)syscall(SYS_openat2, view.outerRoot, path, &how, sizeof how);
  if (node < 0) return false;
  snprintf(link, sizeof link, "/proc/self/fd/%d", node);
  ssize_t length = readlink(link, real, PATH_MAX - 1);
  close(node);
  real[length > 0 ? length : 0] = 0;
  // As the kernel names what lies outside of the view (d_path).
  if (!strncmp(real, "(unreachable)", 13)) memmove(real, real + 13, strlen(real + 13) + 1);
  return isWithinCovered(real) && ((!within && isPartRoot(real)) || stat(path, &st) != 0);
}

static bool isCovered(const char *word) {
  char real[PATH_MAX];
  return !view.supervised && isWithinCovered(word) && (isPattern(word) || leadsToCovered(word, false, real));
}

// Words, as they may be names of files, that lead there by links (/etc/resolv.conf, /var/run, a cache of the workspace), or would be made there.
static void reportLinked(struct tracee *tracee, const char *arguments, size_t length) {
  enum { MOST = 400 };
  char word[256], cwd[PATH_MAX], path[2 * PATH_MAX], real[PATH_MAX];
  if (!readProcLink(tracee->tid, "cwd", cwd, sizeof cwd)) return;
  int words = 0;
  for (size_t at = 0; at < length && words < MOST; at++) {
    wordAt(arguments + at, length - at, word);
    size_t used = strlen(word);
    if (!used) continue;
    at += used;
    words++;
    const char *name = strrchr(word, '=') && word[0] == '-' ? strrchr(word, '=') + 1 : word;
    if (!name[0] || name[0] == '-') continue;
    snprintf(path, sizeof path, "%s%s%s", name[0] == '/' ? "" : cwd, name[0] == '/' ? "" : "/", name);
    bool covered = leadsToCovered(path, false, real);
    char *slash = strrchr(name, '/') ? strrchr(path, '/') : 0;
    if (!covered && slash && slash > path) { *slash = 0; covered = leadsToCovered(path, true, real); }
    if (!covered) continue;
    sendEffect(EFFECT_READS_PROCESSES, groupOf(tracee), real, 0);
    return;
  }
}

// Its tracer, its filter and its powers are those of the rehearsal also where all else is the machine's.
static bool isOwnStatus(const char *word) { return !strncmp(word, "/proc/", 6) && (strstr(word, "self/status") || strstr(word, "$$/status")); }

void reportProcessTable(struct tracee *tracee, const char *arguments, size_t length) {
  if (!view.copies) { reportWord(tracee, arguments, length, "/proc", isOwnStatus); return; }
  static const struct { const char *tree; bool (*isReported)(const char *word); } trees[] = {
    {"/proc", isOtherProcess}, {"/dev/shm", isCovered}, {"/dev", isHiddenDevice}, {"/run", isCovered},
  };
  for (size_t i = 0; i < sizeof trees / sizeof *trees; i++)
    if (reportWord(tracee, arguments, length, trees[i].tree, trees[i].isReported)) return;
  if (!view.supervised && setup.flags & FLAG_PERTURB) reportLinked(tracee, arguments, length);
}
