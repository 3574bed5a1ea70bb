// Reads the changes from the upper directories (Documentation/filesystems/overlayfs.rst): a whiteout is a deletion, an opaque
// directory replaces the one below, a redirect names the directory that was renamed; everything else is new or copied up.
#define _GNU_SOURCE
#include "changes.h"
#include "change.h"
#include "attributes.h"
#include "meanwhile.h"
#include "node.h"
#include "parents.h"
#include "tree.h"
#include "treeChanges.h"
#include "view.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

static struct change *changes;
enum { MOST_CHANGES = 200000 }; // more would take the reader minutes: they are counted, and the listing is incomplete
static uint32_t count, changesRoom, notListed;
// Counting on through a whole disk would take minutes.
enum { COUNTING_SECONDS = 5 };
static struct timespec countingSince;
static bool countingEnded;
static uint32_t listFlags;
static bool complete;
static char why[256];

// One place in two trees: the same name below two directories. A directory of -1 means that nothing is there.
struct place {
  int after, before;
  const char *name, *beforeName;
  bool copied;      // `from` was copied here: what is not here was deleted since
  const char *path, *from; // `from`: where the launcher or the overlay renamed it from; null otherwise
  const char *parentFrom;  // the same of its directory
};

void incomplete(const char *path) {
  if (complete) snprintf(why, sizeof why, "%s: %.160s%s", strerror(errno), path, strlen(path) > 160 ? "…" : "");
  complete = false;
}

// The listing ends here: nobody wants it any more, or only counting is left and takes too long.
bool isEnough(void) {
  if (isCancelled() || countingEnded) return true;
  struct timespec now;
  if (!notListed || notListed % 256) return false;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return countingEnded = now.tv_sec - countingSince.tv_sec >= COUNTING_SECONDS;
}

struct change *addChange(enum changeKind kind, const char *path, const struct stat *before, const struct stat *after) {
  if (count + 1 >= changesRoom) { // the last place is for what is only counted
    changesRoom = changesRoom * 2 + 256;
    changes = realloc(changes, changesRoom * sizeof *changes);
    if (!changes) _exit(122);
  }
  struct change *change = &changes[count];
  bool listed = count < MOST_CHANGES;
  if (listed) count++;
  else if (!notListed++) clock_gettime(CLOCK_MONOTONIC, &countingSince);
  if (before && !S_ISDIR(before->st_mode) && changedMeanwhile(before)) tellMeanwhile(path);
  *change = (struct change){.kind = (uint8_t)kind, .path = listed ? strdup(path) : 0, .hasBefore = before, .hasAfter = after};
  if (before) change->before = *before;
  if (after) change->after = *after;
  return change;
}

bool wantsDigest(bool same) { return listFlags & (same ? LIST_DIGESTS_OF_ALL : LIST_DIGESTS_OF_ALL | LIST_DIGESTS_OF_NEW); }

// `same`: the content is what it was before.
static void addLooks(struct change *change, const struct place *place, bool same) {
  if (!change->path) return;
  if (change->hasBefore && S_ISLNK(change->before.st_mode)) change->targetBefore = readTarget(place->before, place->beforeName);
  if (change->hasAfter && S_ISLNK(change->after.st_mode)) change->targetAfter = readTarget(place->after, place->name);
  if (change->hasAfter && S_ISREG(change->after.st_mode) && wantsDigest(same)) {
    change->hasDigest = digestOf(place->after, place->name, (uint64_t)change->after.st_size, change->digest);
    if (!change->hasDigest) change->flags |= NOT_COMPARED;
  }
  if (place->from) change->from = strdup(place->from);
}

void describeChange(struct change *change, const char *content, bool same, const char *from, char *targetBefore, char *targetAfter) {
  if (!change->path) { free(targetBefore); free(targetAfter); return; }
  change->targetBefore = targetBefore;
  change->targetAfter = targetAfter;
  if (from) change->from = strdup(from);
  if (!content[0] || !wantsDigest(same)) return;
  change->hasDigest = digestOf(AT_FDCWD, content, (uint64_t)change->after.st_size, change->digest);
  if (!change->hasDigest) change->flags |= NOT_COMPARED;
}

void markReplaced(void) { if (count && changes[count - 1].path) changes[count - 1].flags |= REPLACED; }
void markRewritten(void) { if (count && changes[count - 1].path) changes[count - 1].flags |= REWRITTEN; }
void markNotCompared(void) { if (count && changes[count - 1].path) changes[count - 1].flags |= NOT_COMPARED; }

// ---- what is gone ----

static void addDeletedBelow(int directory, const char *name, const char *path);

static void addDeleted(int directory, const char *name, const char *path, const struct stat *st) {
  struct change *change = addChange(DELETED, path, st, 0);
  if (S_ISLNK(st->st_mode) && change->path) change->targetBefore = readTarget(directory, name);
  if (S_ISDIR(st->st_mode)) addDeletedBelow(directory, name, path);
}

static void addDeletedBelow(int directory, const char *name, const char *path) {
  int own = openDirectory(directory, name);
  DIR *entries = own < 0 ? 0 : fdopendir(own);
  if (!entries) { incomplete(path); return; }
  if (!goDown(path)) { closedir(entries); return; }
  for (struct dirent *entry; !isEnough() && (entry = readdir(entries));) {
    char below[PATH_MAX];
    struct stat st;
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
    if (!nameBelow(below, path, entry->d_name)) continue;
    if (fstatat(own, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (changedMeanwhile(&st) && cameMeanwhile(own, entry->d_name)) tellMeanwhile(below);
    else addDeleted(own, entry->d_name, below, &st);
  }
  goUp();
  closedir(entries);
}

// ---- what is there ----

static bool isWhiteout(const struct stat *st) { return S_ISCHR(st->st_mode) && st->st_rdev == 0; }

static ssize_t readNote(int directory, const char *note, char *to, size_t room) {
  char name[64];
  snprintf(name, sizeof name, "%s.overlay.%s", view.asRoot ? "trusted" : "user", note);
  ssize_t length = fgetxattr(directory, name, to, room - 1);
  to[length > 0 ? length : 0] = 0;
  return length;
}

// A symlink has no mode of its own (symlink(7)).
static bool sameLooks(const struct stat *a, const struct stat *b) {
  return ((a->st_mode & 07777) == (b->st_mode & 07777) || S_ISLNK(a->st_mode)) && a->st_uid == b->st_uid && a->st_gid == b->st_gid;
}

static bool sameTime(const struct timespec *a, const struct timespec *b) { return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec; }

// Of a file that is a mount, as long as it is listed: the copy in its place belongs to us from the beginning.
static const struct stat *copyLooks;

// Of what may not be read nothing is known.
static void compareAttributes(const struct place *place) {
  enum { AS_IT_IS = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC };
  int before = view.keepsAttributes && !place->from ? openat(place->before, place->beforeName, AS_IT_IS) : -1;
  int after = before < 0 ? -1 : openat(place->after, place->name, AS_IT_IS);
  if (after >= 0 && !haveSameAttributes(before, after)) sendEffect(EFFECT_ATTRIBUTES, 0, place->path, 0);
  if (after >= 0) close(after);
  if (before >= 0) close(before);
}

// `again`: what was there before was gone.
static void compareNodes(const struct place *place, const struct stat *before, const struct stat *after, bool again) {
  char *targetBefore = 0, *targetAfter = 0;
  enum sameness contents = SAME;
  bool isReal = before->st_dev == after->st_dev && before->st_ino == after->st_ino; // a bind of the real one
  if (S_ISREG(after->st_mode)) {
    if (!isReal) compareAttributes(place);
    if (before->st_size != after->st_size) contents = DIFFERENT;
    else if (isReal) contents = SAME;
    else contents = compareContents(place->before, place->beforeName, place->after, place->name, (uint64_t)after->st_size);
  } else if (S_ISLNK(after->st_mode)) {
    targetBefore = readTarget(place->before, place->beforeName);
    targetAfter = readTarget(place->after, place->name);
    if (strcmp(targetBefore, targetAfter) != 0) contents = DIFFERENT;
    free(targetBefore), free(targetAfter);
  } else if (before->st_rdev != after->st_rdev) contents = DIFFERENT;
  // In a user namespace the view's own symlinks, as /bin, belong to the user, who can give none of his away.
  bool looks = (S_ISLNK(after->st_mode) && !view.asRoot) || sameLooks(before, after) || (copyLooks && sameLooks(copyLooks, after));
  if (contents == SAME && looks && !place->from) {
    if (again) addChange(STANDS_AGAIN, place->path, before, after);
    if (S_ISREG(before->st_mode) && before->st_nlink > 1 && after->st_nlink > 1) sendEffect(EFFECT_HARD_LINKS, 0, place->path, 0); // got another name
    if (before->st_mtim.tv_sec != after->st_mtim.tv_sec || before->st_mtim.tv_nsec != after->st_mtim.tv_nsec) sendEffect(EFFECT_TIME_ONLY, 0, place->path, 0);
    return;
  }
  enum changeKind kind = place->from ? RENAMED : contents == SAME ? MODE_ONLY : MODIFIED;
  struct change *change = addChange(kind, place->path, before, after);
  if (contents == UNKNOWN) change->flags |= NOT_COMPARED;
  if (contents != SAME && place->from) change->flags |= REWRITTEN;
  addLooks(change, place, contents == SAME);
  // A copied-up file is a file of its own: its other names still show what was before.
  if (S_ISREG(before->st_mode) && before->st_nlink > 1 && !(contents == SAME && looks)) sendEffect(EFFECT_HARD_LINKS, 0, place->path, (int64_t)before->st_nlink);
}

static void walkUpper(const struct place *directory, bool whole);

static bool isOpaque(int upper) {
  char note[8];
  return readNote(upper, "opaque", note, sizeof note) == 1 && note[0] == 'y';
}

static void visitDirectory(const struct place *place, const struct stat *before, const struct stat *after, bool whole) {
  int upper = openDirectory(place->after, place->name);
  if (upper >= 0) whole |= isOpaque(upper);
  if (before && !place->from && whole) addChange(STANDS_AGAIN, place->path, before, after);
  if (!before) addLooks(addChange(CREATED, place->path, 0, after), place, false);
  else if (place->from) addLooks(addChange(RENAMED, place->path, before, after), place, true);
  else if (!sameLooks(before, after) && !isPrepared(place->path, after)) addLooks(addChange(MODE_ONLY, place->path, before, after), place, true);
  if (before && !isPrepared(place->path, after)) compareAttributes(place);
  if (upper < 0) { incomplete(place->path); return; }
  struct place inside = {.after = upper, .before = before ? openDirectory(place->before, place->beforeName) : -1, .path = place->path, .from = place->from, .copied = place->copied};
  if (before && inside.before < 0) incomplete(place->path);
  walkUpper(&inside, whole);
  close(upper);
  if (inside.before >= 0) close(inside.before);
}

// A directory that the overlay renamed itself says where it was (redirect_dir): from the root of its part, or within its parent.
static bool followRedirect(const struct place *place, char *from, int *origin) {
  char note[PATH_MAX], parent[PATH_MAX];
  int upper = openDirectory(place->after, place->name);
  if (upper < 0) return false;
  bool found = readNote(upper, "redirect", note, sizeof note) > 0;
  close(upper);
  if (!found) return false;
  const char *rest;
  const struct part *part = partOf(place->path, &rest);
  if (note[0] == '/') path2(from, part->path, note + 1);
  else {
    snprintf(parent, sizeof parent, "%s", place->parentFrom ? place->parentFrom : place->path);
    if (!place->parentFrom) *strrchr(parent, '/') = 0;
    path2(from, parent[0] ? parent : "/", note);
  }
  partOf(from, &rest);
  *origin = openat(part->before, rest, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  return *origin >= 0;
}

static struct renamed *renames;
static uint32_t renameCount;

// A directory that the launcher moved by copying.
static bool followCopy(const struct place *place, char *from, int *origin) {
  const char *rest;
  for (uint32_t i = 0; i < renameCount; i++) {
    if (strcmp(renames[i].to, place->path) != 0) continue;
    snprintf(from, PATH_MAX, "%s", renames[i].from);
    const struct part *part = partOf(from, &rest);
    *origin = openat(part->before, rest, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    return *origin >= 0;
  }
  return false;
}

static void visit(const struct place *given, bool whole) {
  struct place place = *given;
  struct stat before, after;
  char from[PATH_MAX];
  bool wasThere = place.before >= 0 && fstatat(place.before, place.beforeName, &before, AT_SYMLINK_NOFOLLOW) == 0;
  if (fstatat(place.after, place.name, &after, AT_SYMLINK_NOFOLLOW) != 0) { incomplete(place.path); return; }
  if (isWhiteout(&after)) {
    // Below the first layer a whiteout covers what was there when it was made.
    if (!wasThere && place.before >= 0 && !place.from && view.layer == 0) tellMeanwhile(place.path);
    if (wasThere && !place.from) addDeleted(place.before, place.beforeName, place.path, &before);
    return;
  }
  int origin = -1;
  bool copied = S_ISDIR(after.st_mode) && renameCount && followCopy(&place, from, &origin);
  if (copied || (S_ISDIR(after.st_mode) && view.asRoot && followRedirect(&place, from, &origin))) {
    place.copied = copied;
    whole = false; // what was in it came along
    if (wasThere) addDeleted(place.before, place.beforeName, place.path, &before);
    place.from = from;
    place.before = origin;
    place.beforeName = ".";
    wasThere = fstat(origin, &before) == 0;
  }
  bool other = wasThere && (before.st_mode & S_IFMT) != (after.st_mode & S_IFMT);
  if (other && place.from) { // it did not come along: it is told where it was, and this is new
    place.from = 0;
    place.before = -1;
    wasThere = other = false;
  }
  if (other) {
    struct change *change = addChange(MODIFIED, place.path, &before, &after);
    change->flags |= REPLACED;
    addLooks(change, &place, false);
    if (S_ISDIR(before.st_mode)) addDeletedBelow(place.before, place.beforeName, place.path);
    place.before = -1;
    if (S_ISDIR(after.st_mode)) { // what is in it is new
      int upper = openDirectory(place.after, place.name);
      struct place inside = {.after = upper, .before = -1, .path = place.path};
      if (upper >= 0) { walkUpper(&inside, true); close(upper); }
    }
  } else if (S_ISDIR(after.st_mode)) visitDirectory(&place, wasThere ? &before : 0, &after, whole);
  else if (wasThere) compareNodes(&place, &before, &after, whole);
  else addLooks(addChange(CREATED, place.path, 0, &after), &place, false);
  if (origin >= 0) close(origin);
}

// What was below and is not covered by the upper directory: gone when the upper one replaces it, moved along when it was renamed.
static void walkBelow(const struct place *directory, bool whole) {
  int own = openDirectory(directory->before, ".");
  DIR *entries = own < 0 ? 0 : fdopendir(own);
  if (!entries) { incomplete(directory->path); return; }
  if (!goDown(directory->path)) { closedir(entries); return; }
  for (struct dirent *entry; !isEnough() && (entry = readdir(entries));) {
    char path[PATH_MAX], from[PATH_MAX];
    struct stat st;
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
    if (faccessat(directory->after, entry->d_name, F_OK, AT_SYMLINK_NOFOLLOW) == 0) continue; // in the upper directory
    if (!nameBelow(path, directory->path, entry->d_name)) continue;
    if (isPartRoot(path) || fstatat(own, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (changedMeanwhile(&st) && cameMeanwhile(own, entry->d_name)) { tellMeanwhile(path); continue; }
    if (whole) {
      if (!directory->from) addDeleted(own, entry->d_name, path, &st); // else it is told where it was
      continue;
    }
    if (!nameBelow(from, directory->from, entry->d_name)) continue;
    struct place place = {.after = own, .before = own, .name = entry->d_name, .beforeName = entry->d_name, .path = path, .from = from};
    if (S_ISDIR(st.st_mode)) {
      addLooks(addChange(RENAMED, path, &st, &st), &place, true);
      int below = openDirectory(own, entry->d_name), empty = view.scratch >= 0 ? openat(view.scratch, "b", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
      struct place inside = {.after = empty, .before = below, .path = path, .from = from};
      if (below >= 0) { walkBelow(&inside, false); close(below); }
      if (empty >= 0) close(empty);
    } else addLooks(addChange(RENAMED, path, &st, &st), &place, true);
  }
  goUp();
  closedir(entries);
}

// `whole`: the directory replaces the one before, it does not lie over it.
static void walkUpper(const struct place *directory, bool whole) {
  int own = openDirectory(directory->after, ".");
  DIR *entries = own < 0 ? 0 : fdopendir(own);
  if (!entries) { incomplete(directory->path); return; }
  if (!goDown(directory->path)) { closedir(entries); return; }
  for (struct dirent *entry; !isEnough() && (entry = readdir(entries));) {
    char path[PATH_MAX], from[PATH_MAX];
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
    if (!nameBelow(path, directory->path, entry->d_name)) continue;
    if (isPartRoot(path)) continue;
    if (directory->from && !nameBelow(from, directory->from, entry->d_name)) continue;
    struct stat below;
    bool moved = directory->from && fstatat(directory->before, entry->d_name, &below, AT_SYMLINK_NOFOLLOW) == 0;
    struct place place = {.after = own, .before = directory->before, .name = entry->d_name, .beforeName = entry->d_name, .path = path, .from = moved ? from : 0, .parentFrom = directory->from, .copied = directory->copied};
    visit(&place, whole);
  }
  goUp();
  closedir(entries);
  if (directory->before >= 0 && !directory->copied && (whole || directory->from)) walkBelow(directory, whole);
}

// ---- parts ----

// A device node is compared with what it was made like: the machine's own may have been used by somebody else meanwhile.
static void visitNode(const struct part *part) {
  struct stat after;
  const struct stat *before = &part->looks;
  if (part->upper < 0 || fstat(part->upper, &after) != 0) return;
  if (!sameLooks(before, &after)) { addChange(MODE_ONLY, part->path, before, &after); return; }
  // A terminal notes when it was used (drivers/tty/tty_io.c); that is not worth a word.
  bool terminal = major(after.st_rdev) == 5, sameTimes = sameTime(&before->st_mtim, &after.st_mtim) && sameTime(&before->st_atim, &after.st_atim);
  if (!terminal && !sameTimes) sendEffect(EFFECT_TIME_ONLY, 0, part->path, 0);
}

static void visitPart(const struct part *part) {
  struct stat before, after;
  if (part->kind == PART_NODE) { visitNode(part); return; }
  if (part->kind == PART_FILE) {
    char copy[64], old[64];
    snprintf(copy, sizeof copy, "u/%u.0", part->number);
    snprintf(old, sizeof old, "b/%u.%u", part->number, view.layer);
    struct place place = {.after = view.scratch, .before = view.layer ? view.scratch : view.outerRoot, .name = copy, .beforeName = view.layer ? old : part->path + 1, .path = part->path};
    copyLooks = &part->looks;
    visit(&place, false);
    copyLooks = 0;
    return;
  }
  if (part->upper < 0) return;
  if (part->before >= 0 && fstat(part->upper, &after) == 0 && fstat(part->before, &before) == 0 &&
      !sameLooks(&after, &part->looks))
    addChange(MODE_ONLY, part->path, &before, &after);
  int upper = openDirectory(part->upper, "."), below = part->before < 0 ? -1 : openDirectory(part->before, ".");
  struct place place = {.after = upper, .before = below, .path = part->path};
  if (upper >= 0) walkUpper(&place, part->kind != PART_OVERLAY);
  else incomplete(part->path);
  if (upper >= 0) close(upper);
  if (below >= 0) close(below);
}

// ---- the whole ----

void listChanges(uint32_t flags) {
  count = notListed = 0;
  countingEnded = false;
  listFlags = flags;
  complete = true;
  why[0] = 0;
  startComparing();
  startCancelling();
  holdEvents(true); // of thousands of files each has an effect of its own
  renames = view.copies ? readRenames(&renameCount) : 0;
  raiseStack();
  if (tree) addTreeChanges();
  for (uint32_t i = 0; i < view.count; i++) visitPart(&view.parts[i]);
  lowerStack();
  if (notListed) {
    complete = false;
    if (countingEnded) snprintf(why, sizeof why, "there are more than %u, of which %u are listed", count + notListed, count);
    else snprintf(why, sizeof why, "%u of %u were only counted", notListed, count + notListed);
  }
  count = dropMoved(changes, count);
  if (isCancelled()) { complete = false; snprintf(why, sizeof why, "cancelled"); }
  sendChanges(changes, count);
  for (uint32_t i = 0; i < renameCount; i++) { free(renames[i].from); free(renames[i].to); }
  free(renames);
  renameCount = 0;
  beginEvent(EV_LISTED);
  putU32(count);
  putU8(complete);
  putText(why);
  sendEvent();
  holdEvents(false);
}
