// Locks: on what was written they are taken on the scratch. One on a real file would be the machine's, and is only noted.
#define _GNU_SOURCE
#include "answer.h"
#include "locks.h"
#include "look.h"
#include "older.h"
#include "openings.h"
#include "scratch.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_LOCKS = 64 };
// Who holds it: a descriptor that came of the same open(2).
static struct lock { dev_t device; ino_t inode; struct holder holder; bool exclusive; } noted[MOST_LOCKS];
static unsigned count;

static bool isFile(const struct lock *lock, dev_t device, ino_t inode) { return lock->device == device && lock->inode == inode; }

struct search { struct holder asker, found; bool another; };

static bool isSought(void *with, struct holder holder) {
  struct search *search = with;
  bool same = compareOpenings(search->asker, holder) == 0;
  if (search->another ? !same : same && holder.process != search->asker.process) search->found = holder;
  return !search->found.process;
}

static bool isOpenElsewhere(struct holder asker, const struct stat *file) {
  struct search search = {asker, {0, 0}, true};
  forHolders(file, isSought, &search);
  return search.found.process;
}

// flock(1) locks what its shell has opened, and ends.
static struct holder lastingHolder(struct holder asker, const struct stat *file) {
  struct search search = {asker, {0, 0}, false};
  forHolders(file, isSought, &search);
  return search.found.process ? search.found : asker;
}

// What a lock that was noted before means to who asks now: 0: nothing, EWOULDBLOCK, or UNKNOWABLE.
static int conflictWith(const struct lock *lock, struct holder asker, const struct stat *file, bool exclusive, bool *over) {
  *over = !holdsOpen(lock->holder, file);
  if (*over) return isOpenElsewhere(asker, file) ? UNKNOWABLE : 0;
  long same = compareOpenings(lock->holder, asker);
  *over = same == 0; // it changes its own
  if (same < 0) return UNKNOWABLE;
  return same == 0 || !(lock->exclusive || exclusive) ? 0 : EWOULDBLOCK;
}

// flock(2) on a real file or folder.
static bool noteLock(struct asked *asked, const struct stat *st, int operation) {
  if (findOpenings(asked->tracee, asked->call, st)) return true;
  struct holder asker = {groupOf(asked->tracee), (int)asked->call->args[0]};
  struct node *node = findReal(st);
  bool releases = operation & LOCK_UN, exclusive = operation & LOCK_EX, over;
  bool named = st->st_nlink > 1 || (node && node->several); // by more names than one
  bool elsewhere = node && (node->now.scratch || node->standIn); // where others would take it
  if (!releases && (elsewhere || isLockedOutside(asked->path) || count == MOST_LOCKS)) return stopHere(asked, "flock");
  for (unsigned i = count; i-- > 0;) {
    if (!isFile(&noted[i], st->st_dev, st->st_ino)) continue;
    int error = conflictWith(&noted[i], asker, st, exclusive, &over);
    bool unclear = error != EWOULDBLOCK || !(operation & LOCK_NB) || (named && locksNames());
    if (error && !releases && unclear) return stopHere(asked, "flock");
    if (error && !releases) { giveLockResult(asked->tracee, -EWOULDBLOCK); return true; }
    if (over) noted[i] = noted[--count];
  }
  if (!releases) noted[count++] = (struct lock){st->st_dev, st->st_ino, lastingHolder(asker, st), exclusive};
  giveLockResult(asked->tracee, 0);
  return true;
}

// What is locked on the scratch may be locked on the real file, by us or by others.
static bool isTakenElsewhere(const struct node *node, bool exclusive) {
  struct stat file;
  if (!node || !node->now.lower || lstat(node->now.lower, &file) != 0) return false;
  for (unsigned i = count; i-- > 0;) {
    if (!isFile(&noted[i], file.st_dev, file.st_ino) || !(exclusive || noted[i].exclusive)) continue;
    if (isOpenElsewhere((struct holder){0, 0}, &file)) return true;
    noted[i] = noted[--count];
  }
  return isLockedOutside(node->now.lower);
}

bool answerLock(struct asked *asked) {
  struct stat st;
  const struct call *call = asked->call;
  int descriptor = (int)call->args[0], operation = (int)call->args[1];
  if (readRawDescriptor(asked->tracee->tid, descriptor, asked->path, sizeof asked->path) < 0 || asked->path[0] != '/') return true;
  bool flocks = call->number == SYS_flock;
  bool releases = flocks && operation & LOCK_UN;
  if (isInScratch(asked->path)) {
    const struct node *node = nodeOfScratchPath(asked->path);
    bool unclear = node && node->several && locksNames();
    if (releases || (!unclear && !isTakenElsewhere(node, !flocks || operation & LOCK_EX))) return true;
    showScratchPath(asked->path, sizeof asked->path);
    return stopHere(asked, "lock");
  }
  if (!flocks) return judgeLook(asked->tracee, call);
  if (!statDescriptor(asked->tracee->tid, descriptor, &st)) return true;
  if (releases || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)) return noteLock(asked, &st, operation);
  return stopHere(asked, "flock");
}
