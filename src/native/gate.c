#define _GNU_SOURCE
#include "gate.h"
#include "answer.h"
#include "handover.h"
#include "libraries.h"
#include "look.h"
#include "meanwhile.h"
#include "setup.h"
#include "system.h"
#include "view.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { KEPT_ARGV = 64 << 10, MAX_INTERPRETERS = 5 }; // the kernel's limit of nested #! lines (fs/exec.c)

bool pathOfDescriptor(int descriptor, char *to, size_t room) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, to, room - 1);
  to[length > 0 ? length : 0] = 0;
  return length > 0;
}

// What is "self" to the process is not what is "self" to us.
static void othersSelf(pid_t tid, const char *path, char *to, size_t room) {
  static const char *const prefixes[][2] = {
    {"/proc/self/", ""}, {"/proc/thread-self/", ""}, {"/dev/fd/", "fd/"}, {"/dev/stdin", "fd/0"}, {"/dev/stdout", "fd/1"}, {"/dev/stderr", "fd/2"},
  };
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
    size_t length = strlen(prefixes[i][0]);
    if (!strncmp(path, prefixes[i][0], length)) { snprintf(to, room, "/proc/%d/%s%s", tid, prefixes[i][1], path + length); return; }
  }
  snprintf(to, room, "%s", path);
}

int openAs(pid_t tid, int directory, const char *path, int flags) {
  char from[64], own[PATH_MAX + 64], whole[PATH_MAX];
  othersSelf(tid, path, own, sizeof own);
  if (own[0] == '/') return openat(AT_FDCWD, own, flags | O_PATH | O_CLOEXEC);
  if (directory == AT_FDCWD) snprintf(from, sizeof from, "/proc/%d/cwd", tid);
  else snprintf(from, sizeof from, "/proc/%d/fd/%d", tid, directory);
  // One call instead of three, where the path has room.
  if (own[0] && snprintf(whole, sizeof whole, "%s/%s", from, own) < (int)sizeof whole) return openat(AT_FDCWD, whole, flags | O_PATH | O_CLOEXEC);
  int base = open(from, O_PATH | O_CLOEXEC);
  if (base < 0) return -1;
  if (!own[0]) return base;
  int result = openat(base, own, flags | O_PATH | O_CLOEXEC);
  int error = errno;
  close(base);
  errno = error;
  return result;
}

int openParentAs(pid_t tid, int directory, const char *path) {
  char parent[PATH_MAX];
  snprintf(parent, sizeof parent, "%s", path);
  size_t length = strlen(parent);
  while (length > 1 && parent[length - 1] == '/') parent[--length] = 0;
  char *slash = strrchr(parent, '/');
  if (!slash) strcpy(parent, ".");
  else if (slash == parent) strcpy(parent, "/");
  else *slash = 0;
  return openAs(tid, directory, parent, O_DIRECTORY);
}

// A change time cannot be forged, so the same size, times and mode mean the same file; a file that was copied up has a new one.
bool isUnchanged(const char *realPath, const struct stat *st) {
  if (view.supervised) {
    // What was written is a file of the scratch, whatever it is called.
    struct stat now;
    return stat(realPath, &now) == 0 && now.st_dev == st->st_dev && now.st_ino == st->st_ino;
  }
  if (!view.copies) return true;
  const char *rest;
  const struct part *part = partOf(realPath, &rest);
  struct stat real;
  if (part && part->kind == PART_OVERLAY && fstatat(part->upper, rest, &real, AT_SYMLINK_NOFOLLOW) == 0) return false;
  if (fstatat(view.outerRoot, realPath + 1, &real, AT_SYMLINK_NOFOLLOW) != 0) return false;
  return real.st_size == st->st_size && real.st_mode == st->st_mode && real.st_mtim.tv_sec == st->st_mtim.tv_sec && real.st_mtim.tv_nsec == st->st_mtim.tv_nsec &&
    real.st_ctim.tv_sec == st->st_ctim.tv_sec && real.st_ctim.tv_nsec == st->st_ctim.tv_nsec;
}

static bool isPrivileged(const char *path, const struct stat *st) {
  if (st->st_mode & S_ISUID) return true;
  if ((st->st_mode & S_ISGID) && (st->st_mode & S_IXGRP)) return true; // without it, it means locking (inode(7))
  return getxattr(path, "security.capability", 0, 0) > 0;
}

// binfmt_misc(5) hands files of any look to an interpreter of its own.
static bool hasMiscFormats(void) {
  static int known = -1;
  if (known >= 0) return known;
  known = 0;
  int directory = openat(view.outerProc, "sys/fs/binfmt_misc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *entries = directory >= 0 ? fdopendir(directory) : 0;
  for (struct dirent *entry; entries && (entry = readdir(entries));)
    if (entry->d_name[0] != '.' && strcmp(entry->d_name, "register") && strcmp(entry->d_name, "status")) known = 1;
  if (entries) closedir(entries);
  return known;
}

// Judges an opened file. `real` is set to its path; MAY_RUN also means that the kernel will refuse by itself. `isLetIn`: whoever
// starts it was let in, and so is what it starts.
static enum reason judge(int file, char *real, int depth, bool isLetIn) {
  char link[64], head[256] = "";
  struct stat st;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  if (!pathOfDescriptor(file, real, PATH_MAX) || fstat(file, &st) != 0) return NOT_JUDGED;
  // access(2) asks for the user without our capabilities: what may not be executed gets the kernel's own error.
  if (!S_ISREG(st.st_mode) || access(link, X_OK) != 0) return MAY_RUN;
  bool privileged = isPrivileged(link, &st);
  if (isInert(real) && isUnchanged(real, &st)) return privileged ? PRIVILEGED : isAsked(real) ? ON_ASK_LIST : MAY_RUN;
  if (isAsked(real)) return ON_ASK_LIST;
  if (isLetIn || (setup.flags & FLAG_OPEN_GATE)) return MAY_RUN;
  if (privileged) return PRIVILEGED;
  int content = open(link, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a lease would hold us as well
  if (content < 0) return NOT_JUDGED;
  ssize_t length = read(content, head, sizeof head - 1);
  close(content);
  if (length < 0) return NOT_JUDGED;
  head[length] = 0;
  if (strncmp(head, "#!", 2) != 0) {
    if (length >= 4 && !memcmp(head, "\177ELF", 4)) return NOT_INERT;
    return hasMiscFormats() ? NOT_INERT : MAY_RUN; // ENOEXEC: the shell reads it itself
  }
  char *name = head + 2 + strspn(head + 2, " \t");
  name[strcspn(name, " \t\r\n")] = 0;
  int interpreter = depth < MAX_INTERPRETERS && name[0] == '/' ? open(name, O_PATH | O_CLOEXEC) : -1;
  if (interpreter < 0) return name[0] == '/' && depth < MAX_INTERPRETERS ? MAY_RUN : NOT_JUDGED; // a missing interpreter: ENOENT
  char interpreterPath[PATH_MAX];
  enum reason reason = judge(interpreter, interpreterPath, depth + 1, isLetIn);
  close(interpreter);
  return reason;
}

// Something stands in it, or somebody may write to it yet. make(1) gives all jobs but one a pipe that nobody writes to.
static bool isFedPipe(const char *path) {
  struct pollfd entry = {open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), POLLIN, 0};
  if (entry.fd < 0) return true;
  bool isFed = poll(&entry, 1, 0) <= 0 || entry.revents & POLLIN;
  close(entry.fd);
  return isFed;
}

// What the program reads: 1 a file that this run, or one before it, has made or changed, 2 a fed pipe, 0 anything else.
static uint8_t kindOfInput(pid_t tid) {
  char path[64];
  struct stat st;
  snprintf(path, sizeof path, "/proc/%d/fd/0", tid);
  if (stat(path, &st) != 0) return 0;
  if (S_ISFIFO(st.st_mode)) return isFedPipe(path) ? 2 : 0;
  return S_ISREG(st.st_mode) && isOfTheseRuns(&st);
}

static void keepExec(struct tracee *tracee, const char *real, uint64_t argv) {
  char cwd[PATH_MAX];
  if (!readProcLink(tracee->tid, "cwd", cwd, sizeof cwd)) cwd[0] = 0;
  beginEvent(EV_EXEC);
  putU32((uint32_t)groupOf(tracee));
  putU32((uint32_t)starterOf(tracee));
  putText(real);
  putVector(tracee->tid, argv, KEPT_ARGV);
  putText(cwd);
  putU8(kindOfInput(tracee->tid));
  putU32((uint32_t)parentOf(tracee));
  free(tracee->exec.bytes);
  tracee->exec = keepEvent();
  reportProcessTable(tracee, (const char *)tracee->exec.bytes, tracee->exec.length);
}

bool gateExec(struct tracee *tracee, const struct call *call) {
  static char path[PATH_MAX], real[PATH_MAX], shown[PATH_MAX];
  bool at = call->number == SYS_execveat;
  int directory = at ? (int)call->args[0] : AT_FDCWD;
  uint64_t argv = call->args[at ? 2 : 1], environment = call->args[at ? 3 : 2];
  tracee->permitted = tracee->asKnown = false;
  if (!readText(tracee->tid, call->args[at ? 1 : 0], path, sizeof path)) return true; // EFAULT or ENAMETOOLONG
  bool native = true;
  int file = view.supervised && path[0] ? openProgram(tracee, directory, path, shown, &native) : openAs(tracee->tid, directory, path, 0);
  if (file < 0 && view.supervised) skipCall(tracee->tid, -errno);
  if (file < 0) return true; // the kernel gives its own error
  bool isLetIn = isOpen(tracee) && mayRunForeign();
  enum reason reason = judge(file, real, 0, isLetIn);
  if (reason == MAY_RUN && !isLetIn && mayRunForeign() && mayBeLetIn(real)) reason = MAY_BE_LET_IN;
  const char *name = native ? real : shown;
  keepExec(tracee, name, argv);
  bool goOn = reason == MAY_RUN;
  tracee->permitted = goOn && isLetIn;
  if (goOn && !native) goOn = executeContent(tracee, call, path, file);
  else if (goOn) goOn = view.copies || view.supervised || judgeArguments(tracee, argv);
  else {
    struct stat st;
    handOver(tracee, reason, name, fstat(file, &st) == 0 && isUnchanged(real, &st), argv, environment);
  }
  close(file);
  return goOn;
}

void startHanded(struct tracee *tracee) {
  static char path[PATH_MAX], shown[PATH_MAX];
  struct call call;
  bool native = true;
  if (!view.supervised || !readCall(tracee->tid, &call)) return;
  bool at = call.number == SYS_execveat;
  if (!readText(tracee->tid, call.args[at ? 1 : 0], path, sizeof path) || !path[0]) return;
  int file = openProgram(tracee, at ? (int)call.args[0] : AT_FDCWD, path, shown, &native);
  if (file < 0) { skipCall(tracee->tid, -errno); return; }
  if (!native) executeContent(tracee, &call, path, file);
  close(file);
}

// As root a confined command can replace the program loader in its view, and the kernel maps that without asking.
static bool checkMappings(pid_t tid) {
  char path[64], line[PATH_MAX + 128];
  snprintf(path, sizeof path, "/proc/%d/maps", tid);
  FILE *maps = fopen(path, "re");
  if (!maps) return false;
  bool good = true;
  while (good && fgets(line, sizeof line, maps)) {
    char *file = strchr(line, '/');
    struct stat st;
    if (!file) continue;
    file[strcspn(file, "\n")] = 0;
    good = stat(file, &st) == 0 && isSystemLibrary(file, &st);
  }
  fclose(maps);
  return good;
}

bool checkExec(struct tracee *tracee) {
  char real[PATH_MAX], link[64];
  struct stat st;
  tracee->onlyTouches = false;
  if (setup.flags & FLAG_OPEN_GATE) return true;
  if (tracee->permitted && !tracee->asKnown) return true;
  snprintf(link, sizeof link, "/proc/%d/exe", tracee->tid);
  bool good = readProcLink(tracee->tid, "exe", real, sizeof real) && (tracee->asKnown ? isSystemPath(real) : isInert(real));
  good = good && stat(link, &st) == 0 && isUnchanged(real, &st);
  const char *slash = good ? strrchr(real, '/') : 0;
  tracee->onlyTouches = slash && !tracee->asKnown && !strcmp(slash + 1, "touch");
  return good && (getuid() != 0 || !view.copies || checkMappings(tracee->tid));
}
