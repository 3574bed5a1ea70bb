#define _GNU_SOURCE
#include "rename.h"
#include "changes.h"
#include "gate.h"
#include "moveTree.h"
#include "older.h"
#include "openings.h"
#include "supervise.h"
#include "view.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// A directory that a child of ours moves while the process that asked for it is stopped.
struct copy { struct copy *next; pid_t child, tid; char *from, *to; };
static struct copy *copies;

// `apart`: their directories lie on two mounts of the view, where the kernel says EXDEV; `across`: and on one of the machine.
struct paths { char from[PATH_MAX], to[PATH_MAX]; bool apart, across; };

bool isRenameCall(long number) {
#if defined(__x86_64__)
  if (number == SYS_rename) return true;
#endif
#if defined(SYS_renameat)
  if (number == SYS_renameat) return true;
#endif
  return number == SYS_renameat2;
}

static bool isDirectory(struct tracee *tracee, int directory, const char *path) {
  struct stat st;
  int node = openAs(tracee->tid, directory, path, O_NOFOLLOW);
  bool is = node >= 0 && fstat(node, &st) == 0 && S_ISDIR(st.st_mode);
  if (node >= 0) close(node);
  return is;
}

// Of a link or a renaming. False: they cannot be read.
static bool readPaths(struct tracee *tracee, const struct call *call, struct paths *paths, int *fromDirectory, int *toDirectory) {
  bool at = true;
#if defined(__x86_64__)
  at = call->number != SYS_rename && call->number != SYS_link;
#endif
  *fromDirectory = at ? (int)call->args[0] : AT_FDCWD;
  *toDirectory = at ? (int)call->args[2] : AT_FDCWD;
  return readText(tracee->tid, call->args[at ? 1 : 0], paths->from, PATH_MAX) && readText(tracee->tid, call->args[at ? 3 : 1], paths->to, PATH_MAX);
}

// Replaces the paths by real ones: the directories resolved, the last components as they are.
static bool resolve(struct tracee *tracee, struct paths *paths, int fromDirectory, int toDirectory) {
  char parent[PATH_MAX], name[NAME_MAX + 1];
  char *texts[2] = {paths->from, paths->to};
  int directories[2] = {fromDirectory, toDirectory};
  const struct part *parts[2];
  const struct mountPoint *mounts[2];
  for (int i = 0; i < 2; i++) {
    size_t length = strlen(texts[i]);
    while (length > 1 && texts[i][length - 1] == '/') texts[i][--length] = 0;
    const char *slash = strrchr(texts[i], '/');
    snprintf(name, sizeof name, "%s", slash ? slash + 1 : texts[i]);
    int node = openParentAs(tracee->tid, directories[i], texts[i]);
    bool good = node >= 0 && pathOfDescriptor(node, parent, sizeof parent);
    if (node >= 0) close(node);
    if (!good || strlen(parent) + strlen(name) + 2 > PATH_MAX) return false;
    path2(texts[i], parent, name);
    parts[i] = partOf(parent, 0);
    mounts[i] = mountPointOf(parent);
  }
  paths->apart = parts[0] != parts[1];
  paths->across = paths->apart && mounts[0] == mounts[1];
  return true;
}

static void reportRename(enum effectKind kind, struct tracee *tracee, const char *from, const char *to) {
  static char text[2 * PATH_MAX + 16];
  snprintf(text, sizeof text, "%s%s → %s", kind == EFFECT_REFUSED ? "rename " : "", from, to);
  sendEffect(kind, tracee ? groupOf(tracee) : 0, text, 0);
}

void judgeRename(struct tracee *tracee, const struct call *call) {
  static struct paths paths;
  int from, to;
  if (!readPaths(tracee, call, &paths, &from, &to)) return;
  bool directory = isDirectory(tracee, from, paths.from);
  if (!resolve(tracee, &paths, from, to)) return;
  if (paths.across) reportRename(EFFECT_ACROSS, tracee, paths.from, paths.to);
  bool exchanges = call->number == SYS_renameat2 && (call->args[4] & 2 /* RENAME_EXCHANGE */);
  if (paths.apart || !directory || exchanges || !isRenameCall(call->number)) return;
  struct paths *kept = malloc(sizeof *kept);
  if (!kept) _exit(122);
  *kept = paths;
  free(tracee->pending);
  tracee->pending = kept;
  tracee->call = *call;
  tracee->wantsExit = true;
}

static bool isAtOrBelow(const char *path, const char *folder) { return !strcmp(path, folder) || isBelow(path, folder); }

static bool leadsInto(void *folder, struct holder holder, int links, const char *name) {
  char path[PATH_MAX];
  ssize_t length = readlinkat(links, name, path, sizeof path - 1);
  (void)holder;
  path[length < 0 ? 0 : length] = 0;
  return isAtOrBelow(path, folder);
}

// By the folder where it is, or by what it has open.
static bool someoneIsIn(const char *path) {
  char cwd[PATH_MAX];
  for (struct tracee *tracee = nextTracee(0); tracee; tracee = nextTracee(tracee))
    if (readProcLink(tracee->tid, "cwd", cwd, sizeof cwd) && isAtOrBelow(cwd, path)) return true;
  return anyDescriptor(leadsInto, (void *)path);
}

static bool startCopy(struct tracee *tracee, const struct paths *paths) {
  pid_t child = fork();
  if (child == 0) {
    signal(SIGCHLD, SIG_DFL);
    closeFrom(3);
    _exit(moveTree(paths->from, paths->to));
  }
  if (child < 0) return false;
  struct copy *copy = malloc(sizeof *copy);
  if (!copy) _exit(122);
  *copy = (struct copy){copies, child, tracee->tid, strdup(paths->from), strdup(paths->to)};
  copies = copy;
  tracee->held = HELD_RENAME;
  return true;
}

bool finishRename(struct tracee *tracee) {
  struct paths *paths = tracee->pending;
  long result = readResult(tracee->tid);
  tracee->pending = 0;
  bool goOn = true;
  const struct part *from = partOf(paths->from, 0), *to = partOf(paths->to, 0);
  if (result == 0) recordRename(paths->from, paths->to, false);
  else if (result == -EXDEV && from && from == to && from->kind == PART_OVERLAY) {
    // A process inside would be left in a directory that is gone, or with a file of it.
    if (someoneIsIn(paths->from) || !startCopy(tracee, paths)) { reportRename(EFFECT_RENAME_UNFINISHED, tracee, paths->from, paths->to); writeResult(tracee->tid, 0); }
    else goOn = false;
  }
  else if (result == -EBUSY && (isOurMount(paths->from) || isOurMount(paths->to))) reportRename(EFFECT_REFUSED, tracee, paths->from, paths->to);
  free(paths);
  return goOn;
}

static void freeCopy(struct copy *gone) {
  for (struct copy **at = &copies; *at; at = &(*at)->next)
    if (*at == gone) { *at = gone->next; break; }
  free(gone->from);
  free(gone->to);
  free(gone);
}

bool onCopyEnded(pid_t pid, int status) {
  struct copy *copy = copies;
  while (copy && copy->child != pid) copy = copy->next;
  if (!copy) return false;
  struct tracee *tracee = findTracee(copy->tid);
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : MOVE_UNFINISHED;
  if (code <= (int)MOVED_OTHERWISE) {
    recordRename(copy->from, copy->to, true);
    reportRename(EFFECT_RENAMED, tracee, copy->from, copy->to);
    if (code & MOVED_OTHER_OWNER) sendEffect(EFFECT_OTHER_OWNER, tracee ? groupOf(tracee) : 0, copy->to, 0);
    if (code & MOVED_OTHER_NAMES) sendEffect(EFFECT_HARD_LINKS, tracee ? groupOf(tracee) : 0, copy->to, 0);
  } else if (code == MOVE_UNFINISHED) reportRename(EFFECT_RENAME_UNFINISHED, tracee, copy->from, copy->to);
  if (tracee && tracee->held == HELD_RENAME) {
    tracee->held = NOT_HELD;
    writeResult(tracee->tid, code == MOVE_NOT_EMPTY ? -ENOTEMPTY : 0);
    resume(tracee, 0);
  }
  freeCopy(copy);
  return true;
}

bool anyCopyRuns(void) { return copies != 0; }
