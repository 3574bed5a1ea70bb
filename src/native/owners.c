#define _GNU_SOURCE
#include "owners.h"
#include "callNames.h"
#include "doors.h"
#include "gate.h"
#include "rename.h"
#include "supervise.h"
#include "view.h"
#include <fcntl.h>
#include <limits.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TRACE SECCOMP_RET_TRACE
enum { MAKING = O_CREAT | O_TRUNC };

static const long ownCalls[] = {
  SYS_mkdirat, SYS_mknodat, SYS_symlinkat, SYS_unlinkat, SYS_truncate,
#if defined(__x86_64__)
  SYS_mkdir, SYS_mknod, SYS_symlink, SYS_unlink, SYS_rmdir,
#endif
};

static bool applies(void) { return view.copies && !view.supervised && !view.asRoot && setup.flags & (FLAG_OPEN_GATE | FLAG_LETS_IN); }

unsigned ownerRules(struct rule *rules) {
  unsigned count = 0;
  if (!applies()) return 0;
  for (size_t i = 0; i < sizeof ownCalls / sizeof *ownCalls; i++) rules[count++] = (struct rule){ownCalls[i], TRACE, ALWAYS, 0, 0};
  // Openings for writing are stopped anyway.
  rules[count++] = (struct rule){SYS_openat, TRACE, BITS_SET, 2, MAKING};
#if defined(__x86_64__)
  rules[count++] = (struct rule){SYS_open, TRACE, BITS_SET, 1, MAKING};
#endif
  return count;
}

static bool isOwn(long number) {
  for (size_t i = 0; i < sizeof ownCalls / sizeof *ownCalls; i++)
    if (ownCalls[i] == number) return true;
  return false;
}

bool isOwnerCall(long number) {
  bool removes = number == SYS_unlinkat;
#if defined(__x86_64__)
  removes |= number == SYS_rmdir;
#endif
  return applies() && isOwn(number) && !(removes && view.hasPieces);
}

// ---- who owns what ----

static bool said;

// Whether the rights of others include this user is not asked: where they do not, the real file system refuses as the copy does, and only
// time is lost.
static bool cannotBeCopied(const struct stat *st, bool writes) {
  if (st->st_uid == getuid() && st->st_gid == getgid()) return false;
  return st->st_uid == getuid() ? !writes || (st->st_mode & 0200) : (st->st_mode & 0022) != 0;
}

// Takes the descriptor; true when there was one.
static bool look(struct tracee *tracee, int node, bool writes) {
  static char path[PATH_MAX];
  const char *rest;
  struct stat st;
  if (node < 0) return false;
  bool foreign = fstat(node, &st) == 0 && !S_ISLNK(st.st_mode) && cannotBeCopied(&st, writes) && pathOfDescriptor(node, path, sizeof path);
  close(node);
  const struct part *part = foreign ? partOf(path, &rest) : 0;
  if (!part || part->kind != PART_OVERLAY) return true;
  said = true;
  sendEffect(EFFECT_OTHER_OWNER, groupOf(tracee), path, 0);
  return true;
}

struct place { int directory; const char *path; };

static bool readPlace(struct tracee *tracee, const struct call *call, int at, bool hasDirectory, char text[PATH_MAX], struct place *place) {
  if (!readText(tracee->tid, call->args[at], text, PATH_MAX)) return false;
  *place = (struct place){hasDirectory ? (int)call->args[at - 1] : AT_FDCWD, text};
  return true;
}

static void lookAbove(struct tracee *tracee, const struct place *place) {
  if (!said) look(tracee, openParentAs(tracee->tid, place->directory, place->path), true);
}

// ---- calls ----

static bool isLink(long number) {
#if defined(__x86_64__)
  if (number == SYS_link) return true;
#endif
  return number == SYS_linkat;
}

// Of a link or a renaming both paths, and what has the name now.
static void noteTwo(struct tracee *tracee, const struct call *call, bool at) {
  static char from[PATH_MAX], to[PATH_MAX];
  struct place source, target;
  if (readPlace(tracee, call, at ? 1 : 0, at, from, &source)) {
    look(tracee, openAs(tracee->tid, source.directory, from, O_NOFOLLOW), false);
    lookAbove(tracee, &source);
  }
  if (readPlace(tracee, call, at ? 3 : 1, at, to, &target)) lookAbove(tracee, &target);
}

static void noteOpening(struct tracee *tracee, const struct call *call, const struct callName *name) {
  static char path[PATH_MAX];
  struct place place;
  unsigned flags = name->opens < 0 ? O_WRONLY | MAKING : (unsigned)call->args[name->opens];
  if ((flags & O_PATH) || !((flags & ACCESS_MODE) != O_RDONLY || (flags & MAKING))) return;
  if (!readPlace(tracee, call, name->path, name->at, path, &place)) return;
  bool isThere = look(tracee, openAs(tracee->tid, place.directory, path, (int)(flags & O_NOFOLLOW)), true);
  if (!isThere && (flags & O_CREAT)) lookAbove(tracee, &place);
}

void noteOwners(struct tracee *tracee, const struct call *call) {
  static char path[PATH_MAX];
  struct place place;
  if (said || !applies()) return;
  if (isMetadataCall(call->number)) { look(tracee, openTarget(tracee, call), false); return; }
  const struct callName *name = nameOfCall(call->number);
  if (!name || name->path < 0) return;
  if (name->opens) noteOpening(tracee, call, name);
  else if (isLink(call->number) || isRenameCall(call->number)) noteTwo(tracee, call, name->at);
  else if (isOwn(call->number) && readPlace(tracee, call, name->path, name->at, path, &place)) {
    if (name->makes || name->removes) lookAbove(tracee, &place);
    else look(tracee, openAs(tracee->tid, place.directory, path, 0), true);
  }
}
