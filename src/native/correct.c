#define _GNU_SOURCE
#include "correct.h"
#include "gate.h"
#include "jumps.h"
#include "outside.h"
#include "reading.h"
#include "setup.h"
#include "status.h"
#include "view.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

void noteCorrected(struct tracee *tracee) {
  char program[PATH_MAX];
  tracee->corrected = view.copies && setup.correct.count && readProcLink(tracee->tid, "exe", program, sizeof program) && isToCorrect(program);
  tracee->inStatus = tracee->filtering = tracee->triedFilter = false;
}

bool isStatusCall(long number) {
  switch (number) {
    case SYS_newfstatat: case SYS_statx: case SYS_fstat:
#if defined(__x86_64__)
    case SYS_stat: case SYS_lstat:
#endif
      return true;
  }
  return false;
}

void beginCorrected(struct tracee *tracee, const struct call *call) {
  tracee->inStatus = isStatusCall(call->number);
  if (tracee->inStatus) tracee->call = *call;
  else if (call->number == SYS_getdents64) judgeReading(tracee, call);
}

// ---- the second filter ----

#define STOP_AT(number) {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, number}, {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_TRACE}

bool beginFilter(struct tracee *tracee, const struct call *call) {
  static const struct sock_filter code[] = {
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, nr)},
    STOP_AT(SYS_newfstatat), STOP_AT(SYS_statx), STOP_AT(SYS_fstat), STOP_AT(SYS_statfs), STOP_AT(SYS_fstatfs), STOP_AT(SYS_getdents64),
#if defined(__x86_64__)
    STOP_AT(SYS_stat), STOP_AT(SYS_lstat),
#endif
    {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
  };
  struct { uint64_t length, at; struct sock_filter code[sizeof code / sizeof *code]; } memory;
  uint64_t at = roomBelowStack(call, sizeof memory);
  memory.length = sizeof code / sizeof *code; // struct sock_fprog
  memory.at = at + 16;
  memcpy(memory.code, code, sizeof code);
  if (!writeBelowStack(tracee->tid, at, &memory, sizeof memory)) return false;
  uint64_t args[6] = {SECCOMP_SET_MODE_FILTER, 0, at, 0, 0, 0};
  tracee->call = *call;
  tracee->filtering = true;
  setCall(tracee->tid, SYS_seccomp, args);
  return true;
}

void endFilter(struct tracee *tracee) {
  tracee->filtering = false;
  tracee->filtered = readResult(tracee->tid) == 0;
  repeatCall(tracee->tid, tracee->call.number, tracee->call.args);
}

static void doubt(struct tracee *tracee, const char *path) {
  static bool sent;
  if (!sent) sendEffect(EFFECT_NOT_REAL_STATUS, groupOf(tracee), path, 0);
  sent = true;
}

// ---- what is really there ----

static int openReal(const char *path) {
  struct open_how how = {.flags = O_PATH | O_NOFOLLOW | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS};
  return (int)syscall(SYS_openat2, view.outerRoot, path[1] ? path + 1 : ".", &how, sizeof how);
}

// The file system that the node is, or would be, on.
bool realFileSystem(const char *path, struct statfs *fs, dev_t *device) {
  char text[PATH_MAX];
  struct stat st;
  snprintf(text, sizeof text, "%s", path);
  for (;;) {
    int node = openReal(text);
    if (node >= 0) {
      bool known = fstatfs(node, fs) == 0 && fstat(node, &st) == 0;
      *device = st.st_dev;
      close(node);
      return known;
    }
    char *slash = strrchr(text, '/');
    if (!slash || !text[1]) return false;
    slash[slash == text ? 1 : 0] = 0;
  }
}

static bool hasNote(int directory, const char *path, const char *note) {
  char name[64], link[64], value[8];
  int node = openat(directory, path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (node < 0) return false;
  snprintf(name, sizeof name, "%s.overlay.%s", view.asRoot ? "trusted" : "user", note);
  snprintf(link, sizeof link, "/proc/self/fd/%d", node);
  bool has = getxattr(link, name, value, sizeof value) >= 0 || errno == ERANGE;
  close(node);
  return has;
}

// Whether the node is the real one, changed, and not another one in its place.
static bool isContinued(const struct part *part, const char *rest, bool directory) {
  char path[PATH_MAX + 64];
  struct stat st;
  if (part->kind != PART_OVERLAY) return true;
  for (uint32_t layer = view.layer + 1; layer-- > 0;) {
    int start = snprintf(path, sizeof path, "u/%u.%u/", part->number, layer);
    snprintf(path + start, sizeof path - (size_t)start, "%s", rest);
    // A replaced directory is opaque, and what is in it is new; a renamed one brought its own along.
    for (char *at = path + start; (at = strchr(at, '/')); *at++ = '/') {
      *at = 0;
      if (hasNote(view.scratch, path, "opaque") || hasNote(view.scratch, path, "redirect")) return false;
    }
    if (directory ? hasNote(view.scratch, path, "opaque") || hasNote(view.scratch, path, "redirect")
                  : fstatat(view.scratch, path, &st, AT_SYMLINK_NOFOLLOW) == 0 && !hasNote(view.scratch, path, "origin")) return false;
  }
  return true;
}

// ---- directories ----

static bool countContents(int node, struct contents *found) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", node);
  *found = noContents();
  DIR *entries = opendir(link);
  if (!entries) return false;
  for (struct dirent *entry; (entry = readdir(entries));)
    if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..")) countEntry(found, entry->d_name, entry->d_type == DT_DIR);
  closedir(entries);
  return true;
}

// Sizes of directories are a matter of each file system. False: what is in it cannot be listed.
static bool correctDirectory(struct tracee *tracee, const char *path, struct stat *st, int node, const struct stat *real, const struct statfs *fs) {
  struct contents found;
  if (!countContents(node, &found)) return false;
  bool sameTime = real && real->st_mtim.tv_sec == st->st_mtim.tv_sec && real->st_mtim.tv_nsec == st->st_mtim.tv_nsec;
  if (sameTime && found.names == 0) { // closed to the user, or really empty
    st->st_nlink = real->st_nlink;
    st->st_size = real->st_size;
    st->st_blocks = real->st_blocks;
    return true;
  }
  st->st_nlink = real && real->st_nlink == 1 ? 1 : (nlink_t)(2 + found.directories);
  if (knownSize(st, real, &found, fs)) return true;
  if (sameTime) { st->st_size = real->st_size; st->st_blocks = real->st_blocks; }
  else if (guessSize(st, real, &found, fs)) tellGuess(groupOf(tracee), path);
  return true;
}

// ---- the answer ----

static void takeOwner(struct tracee *tracee, struct stat *st, const struct stat *real, const char *path) {
  struct stat outside;
  if (view.asRoot) return; // owners are right there, and may have been changed
  st->st_uid = real->st_uid;
  st->st_gid = real->st_gid;
  if (real->st_uid == getuid() && real->st_gid == getgid()) return;
  if (!askOutside(path, &outside)) { doubt(tracee, path); return; }
  st->st_uid = outside.st_uid;
  st->st_gid = outside.st_gid;
  // A directory of another owner that was changed is one of ours, with the bits that the user really has.
  if (S_ISDIR(st->st_mode) && outside.st_uid != getuid()) st->st_mode = outside.st_mode;
}

// In /dev, and of the directories that the view has instead of the real ones, the real ones are shown.
static bool correctOwnTree(struct tracee *tracee, const char *path, struct stat *st) {
  struct stat real;
  int there = openReal(path);
  bool same = there >= 0 && fstat(there, &real) == 0 && (real.st_mode & S_IFMT) == (st->st_mode & S_IFMT) && real.st_rdev == st->st_rdev;
  if (there >= 0) close(there);
  if (!same || (strchr(path + 1, '/') && !S_ISCHR(st->st_mode))) return false;
  *st = real;
  takeOwner(tracee, st, &real, path);
  return true;
}

// An open file whose name went away: an overlay says how many names the real one still has. Nothing to change where it is another one.
static bool correctGone(struct tracee *tracee, const char *path, size_t length, struct stat *st) {
  char name[PATH_MAX];
  struct stat real;
  snprintf(name, sizeof name, "%.*s", (int)length, path);
  int there = openReal(name);
  bool same = there >= 0 && fstat(there, &real) == 0 && S_ISREG(real.st_mode) && real.st_ctim.tv_sec == st->st_ctim.tv_sec && real.st_ctim.tv_nsec == st->st_ctim.tv_nsec;
  if (there >= 0) close(there);
  if (!same) return false;
  *st = real;
  st->st_nlink--;
  clock_gettime(CLOCK_REALTIME_COARSE, &st->st_ctim);
  takeOwner(tracee, st, &real, name);
  return true;
}

// Changes `st`, which is what the view says, to what would be said in reality. False: nothing to change.
static bool correct(struct tracee *tracee, int node, const char *path, struct stat *st) {
  static const char mark[] = " (deleted)"; // of the kernel
  const char *rest;
  struct stat real;
  size_t length = strlen(path);
  if (length > sizeof mark && !strcmp(path + length - sizeof mark + 1, mark) && S_ISREG(st->st_mode)) return correctGone(tracee, path, length - sizeof mark + 1, st);
  struct statfs fs;
  dev_t device;
  if (isOwnTree(path)) return correctOwnTree(tracee, path, st);
  const struct part *part = partOf(path, &rest);
  if (!part || part->kind == PART_HIDDEN) return false;
  int there = openReal(path);
  bool hasReal = there >= 0 && fstat(there, &real) == 0 && (real.st_mode & S_IFMT) == (st->st_mode & S_IFMT);
  if (there >= 0) close(there);
  // A change time cannot be forged: this is the real one, untouched.
  if (hasReal && real.st_mode == st->st_mode && real.st_ctim.tv_sec == st->st_ctim.tv_sec && real.st_ctim.tv_nsec == st->st_ctim.tv_nsec) {
    uid_t uid = st->st_uid;
    gid_t gid = st->st_gid;
    *st = real;
    if (view.asRoot) { st->st_uid = uid; st->st_gid = gid; }
    takeOwner(tracee, st, &real, path);
    return true;
  }
  bool directory = S_ISDIR(st->st_mode);
  if (!realFileSystem(path, &fs, &device)) { doubt(tracee, path); return false; }
  hasReal = hasReal && isContinued(part, rest, directory);
  if (hasReal) {
    st->st_ino = real.st_ino;
    takeOwner(tracee, st, &real, path);
    // A file that is changed leaves its other names behind; those that it got since are counted in the view.
    if (!directory) st->st_nlink += real.st_nlink - 1;
  } else if (setup.flags & FLAG_PERTURB) st->st_ino = otherNumber(st->st_ino);
  st->st_dev = device;
  if ((S_ISREG(st->st_mode) || (S_ISLNK(st->st_mode) && !hasReal)) && guessRoom(st, &fs)) tellGuess(groupOf(tracee), path);
  if (directory && !correctDirectory(tracee, path, st, node, hasReal ? &real : 0, &fs)) doubt(tracee, path);
  return true;
}

static void writeStatus(struct tracee *tracee, uint64_t at, const struct stat *st) {
  struct stat own;
  if (readMemory(tracee->tid, at, &own, sizeof own) != sizeof own) return;
  own.st_dev = st->st_dev;
  own.st_ino = st->st_ino;
  own.st_nlink = st->st_nlink;
  own.st_uid = st->st_uid;
  own.st_gid = st->st_gid;
  own.st_size = st->st_size;
  own.st_blocks = st->st_blocks;
  own.st_mode = st->st_mode;
  own.st_atim = st->st_atim;
  own.st_mtim = st->st_mtim;
  own.st_ctim = st->st_ctim;
  writeMemory(tracee->tid, at, &own, sizeof own);
}

static void writeExtended(struct tracee *tracee, uint64_t at, const struct stat *st) {
  struct statx own;
  if (readMemory(tracee->tid, at, &own, sizeof own) != sizeof own) return;
  fillExtended(&own, st);
  writeMemory(tracee->tid, at, &own, sizeof own);
}

static int openNode(struct tracee *tracee, const struct call *call) {
  static char path[PATH_MAX];
  char link[64];
  bool at = call->number == SYS_newfstatat || call->number == SYS_statx;
  unsigned flags = at ? (unsigned)call->args[call->number == SYS_statx ? 2 : 3] : 0;
  path[0] = 0;
  if (call->number != SYS_fstat && call->args[at ? 1 : 0] && !readText(tracee->tid, call->args[at ? 1 : 0], path, sizeof path)) return -1;
  if (!path[0] && (int)call->args[0] != AT_FDCWD) {
    snprintf(link, sizeof link, "/proc/%d/fd/%d", tracee->tid, (int)call->args[0]);
    return open(link, O_PATH | O_CLOEXEC);
  }
  bool follows = !(flags & AT_SYMLINK_NOFOLLOW);
#if defined(__x86_64__)
  if (call->number == SYS_lstat) follows = false;
#endif
  return openAs(tracee->tid, at ? (int)call->args[0] : AT_FDCWD, path, follows ? 0 : O_NOFOLLOW);
}

void endCorrected(struct tracee *tracee) {
  const struct call *call = &tracee->call;
  char path[PATH_MAX];
  struct stat st;
  if (!tracee->inStatus) return;
  tracee->inStatus = false;
  if (readResult(tracee->tid) != 0) return;
  int node = openNode(tracee, call);
  if (node < 0) return;
  if (fstat(node, &st) == 0 && pathOfDescriptor(node, path, sizeof path) && path[0] == '/' && correct(tracee, node, path, &st)) {
    showTimes(&st);
    if (call->number == SYS_statx) writeExtended(tracee, call->args[4], &st);
    else writeStatus(tracee, call->args[call->number == SYS_newfstatat ? 2 : 1], &st);
  }
  close(node);
}

bool correctNumber(struct tracee *tracee, int directory, const char *name, uint64_t *number) {
  char path[PATH_MAX];
  struct stat st;
  int node = openAs(tracee->tid, directory, name, O_NOFOLLOW);
  if (node < 0) return false;
  bool known = fstat(node, &st) == 0 && pathOfDescriptor(node, path, sizeof path) && path[0] == '/' && correct(tracee, node, path, &st);
  close(node);
  if (known) *number = st.st_ino;
  return known;
}
