// What the tree has otherwise than it was before this layer.
#define _GNU_SOURCE
#include "treeChanges.h"
#include "attributes.h"
#include "changes.h"
#include "meanwhile.h"
#include "node.h"
#include "otherNames.h"
#include "place.h"
#include "scratch.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint32_t listing; // how many there were

// One node at one of the two times: of the tree, or (no `node`) the real one.
struct side {
  bool there;
  const struct node *node;
  char real[PATH_MAX]; // of the real one
  struct stat st;
};

static void contentOf(const struct side *side, enum which which, char *to) {
  const struct looks *looks = side->node ? looksOf(side->node, which) : 0;
  if (!looks) strcpy(to, side->real);
  else if (looks->scratch) scratchFile(looks->scratch, to);
  else snprintf(to, PATH_MAX, "%s", looks->lower ? looks->lower : "");
}

static const char *realOf(const struct side *side, enum which which) { return side->node ? looksOf(side->node, which)->lower : side->real; }

static void lookAt(struct side *side, enum which which) {
  if (side->node) statusOfNode(side->node, which, &side->st);
  else side->there = lookAtReal(side->real, &side->st);
}

// One name of a directory at that time.
static void sideOf(const struct side *directory, const char *text, enum which which, struct side *side) {
  const char *lower = realOf(directory, which);
  struct name *name = directory->node ? findName(directory->node, text) : 0;
  side->there = true;
  side->real[0] = 0;
  side->node = name ? nodeBehind(name, which) : 0;
  bool real = lower && (!name || meansReal(name, which));
  if (!side->node && !real) { side->there = false; return; }
  if (!side->node && !nameBelow(side->real, lower, text)) { side->there = false; return; }
  lookAt(side, which);
  // Written through another of its names.
  bool several = !side->node && side->there && S_ISREG(side->st.st_mode) && side->st.st_nlink > 1;
  if (several && (side->node = findReal(&side->st))) lookAt(side, which);
}

static char *targetOf(const struct side *side, enum which which) {
  char path[PATH_MAX];
  if (!side->there || !S_ISLNK(side->st.st_mode)) return 0;
  if (side->node && looksOf(side->node, which)->target) return strdup(looksOf(side->node, which)->target);
  contentOf(side, which, path);
  return readTarget(AT_FDCWD, path);
}

static bool isFileThere(const struct side *side) { return side->there && S_ISREG(side->st.st_mode); }

// A real file under another name.
static bool isMoved(const struct node *node) {
  return node && !node->born && !node->now.scratch && looksOf(node, BEFORE)->links == node->now.links;
}

static enum sameness compareFiles(const struct side *before, const struct side *after);

static void add(enum changeKind kind, const char *path, const char *from, const struct side *before, const struct side *after) {
  char content[PATH_MAX] = "", old[PATH_MAX];
  struct change *change = addChange(kind, path, before->there ? &before->st : 0, after->there ? &after->st : 0);
  if (isFileThere(after)) contentOf(after, AFTER, content);
  bool same = kind == MODE_ONLY;
  if (kind == RENAMED && content[0] && isFileThere(before)) { contentOf(before, BEFORE, old); same = !strcmp(old, content); }
  if (kind == RENAMED && content[0] && isFileThere(before) && !same && compareFiles(before, after) != SAME) markRewritten();
  if (same && !wantsDigest(same)) content[0] = 0; // nobody reads it
  if (content[0] && faccessat(AT_FDCWD, content, R_OK, AT_EACCESS) != 0) { // closed to us, open in the tree
    if (!same && !isMoved(after->node)) incomplete(path);
    content[0] = 0; // it is what it was, whatever that is
  }
  describeChange(change, content, same, from, targetOf(before, BEFORE), targetOf(after, AFTER));
}

// ---- comparing ----

static bool sameOwnerAndMode(const struct stat *a, const struct stat *b) {
  return (a->st_mode & 07777) == (b->st_mode & 07777) && a->st_uid == b->st_uid && a->st_gid == b->st_gid;
}

static enum sameness compareFiles(const struct side *before, const struct side *after) {
  char old[PATH_MAX], new[PATH_MAX];
  contentOf(before, BEFORE, old);
  contentOf(after, AFTER, new);
  if (before->st.st_size != after->st.st_size) return DIFFERENT;
  return !strcmp(old, new) ? SAME : compareContents(AT_FDCWD, old, AT_FDCWD, new, (uint64_t)after->st.st_size);
}

static enum sameness compareSides(const struct side *before, const struct side *after) {
  if (S_ISREG(after->st.st_mode)) return compareFiles(before, after);
  if (!S_ISLNK(after->st.st_mode)) return before->st.st_rdev == after->st.st_rdev ? SAME : DIFFERENT;
  char *old = targetOf(before, BEFORE), *new = targetOf(after, AFTER);
  bool same = old && new && !strcmp(old, new);
  free(old);
  free(new);
  return same ? SAME : DIFFERENT;
}

// ---- files with several names ----

struct names { enum changeKind kind; const struct side *before, *after; };

// All that is in a directory which was moved, or is in one, is told with it.
static bool isToldAnyway(const struct node *directory) {
  for (; directory != directory->parent; directory = directory->parent)
    if (directory->movedLayer == tree->layer + 1) return true;
  return false;
}

static void addOtherName(void *with, const char *real) {
  static struct place place;
  const struct names *names = with;
  char path[PATH_MAX];
  static struct spot spot;
  if (spotOfRealPath(real, &spot) != 0 || !spot.rest[0] || strchr(spot.rest, '/') == spot.rest || isToldAnyway(spot.base)) return;
  shownPath(&spot, path);
  // A name that is noted comes by itself.
  if (findPlace((struct from){0, AT_FDCWD}, path, LINK_ITSELF, AFTER, &place) != 0 || place.node != names->after->node) return;
  if (!place.parent.rest[0] && findName(place.parent.base, place.name)) return;
  add(names->kind, path, 0, names->before, names->after);
}

// What is written through one name is written under all of them.
static void addOtherNames(enum changeKind kind, const char *path, const struct side *before, const struct side *after) {
  struct node *node = (struct node *)after->node;
  const char *lower = node ? node->now.lower : 0;
  struct stat real;
  // Of most files the tree knows that they have one name.
  if (!lower || (before->st.st_nlink < 2 && after->st.st_nlink < 2) || before->st.st_ino != after->st.st_ino || lstat(lower, &real) != 0 || real.st_nlink < 2 || node->listed == listing) return;
  node->listed = listing;
  struct names names = {kind, before, after};
  if (!findOtherNames(lower, &real, addOtherName, &names)) sendEffect(EFFECT_HARD_LINKS, 0, path, (int64_t)real.st_nlink);
}

// The same of a file whose name is gone, or another file's by now: what was written through it stays under the others.
static void addStaying(const char *path, const struct side *before) {
  struct side after = {.there = true, .node = before->node ? before->node : findReal(&before->st)};
  if (!after.node || !S_ISREG(before->st.st_mode)) return;
  statusOfNode(after.node, AFTER, &after.st);
  enum sameness contents = compareFiles(before, &after);
  if (contents != SAME || !sameOwnerAndMode(&before->st, &after.st)) addOtherNames(contents == SAME ? MODE_ONLY : MODIFIED, path, before, &after);
}

// ---- directories ----

typedef void (*visitName)(const struct side *directory, const char *text, const char *path, void *with);

struct visit { const struct side *directory; const char *path; visitName each; void *with; };

static void tellVisit(void *with, const char *text, mode_t type) {
  const struct visit *visit = with;
  char path[PATH_MAX];
  (void)type;
  if (isEnough() || !nameBelow(path, visit->path, text)) return;
  visit->each(visit->directory, text, path, visit->with);
}

static void forEach(const struct side *directory, enum which which, const char *path, visitName each, void *with) {
  struct visit visit = {directory, path, each, with};
  if (!goDown(path)) return;
  DIR *entries = directory->node ? 0 : opendir(directory->real);
  bool listed = directory->node ? listNode(directory->node, which, tellVisit, &visit) : entries != 0;
  if (!listed) incomplete(path);
  for (struct dirent *entry; entries && (entry = readdir(entries));)
    if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..")) tellVisit(&visit, entry->d_name, 0);
  if (entries) closedir(entries);
  goUp();
}

static struct side nothing; // without const it takes no room in the file

static void addDeleted(const struct side *side, const char *path);

static void addGone(const struct side *side, const char *path) {
  if (!side->node && changedMeanwhile(&side->st) && cameMeanwhile(AT_FDCWD, side->real)) tellMeanwhile(path);
  else addDeleted(side, path);
}

static void deleteName(const struct side *directory, const char *text, const char *path, void *with) {
  struct side side;
  (void)with;
  sideOf(directory, text, BEFORE, &side);
  if (side.there) addGone(&side, path);
}

// Of a directory that was moved: what nothing is noted of came along, and is told where it is now.
static void deleteNoted(const struct side *directory, const char *text, const char *path, void *with) {
  if (findName(directory->node, text)) deleteName(directory, text, path, with);
}

static bool isThere(const char *path, enum which which) {
  static struct place place;
  return findPlace((struct from){0, AT_FDCWD}, path, LINK_ITSELF, which, &place) == 0 && place.there;
}

// Where something else stood in its new place, the two are compared, and it is told neither as moved nor all that came along.
static bool isMovedAway(struct node *node) {
  static struct spot spot;
  char path[PATH_MAX];
  if (!node || node->movedLayer != tree->layer + 1 || node->removed) return false;
  spot.base = node;
  shownPath(&spot, path);
  return !isThere(path, BEFORE);
}

// What somebody else has done to the real file since: changed it, or deleted it (nothing real has no change time).
static void judgeMeanwhile(const struct side *before, const char *path) {
  const struct looks *looks = before->node ? looksOf(before->node, BEFORE) : 0;
  if (S_ISDIR(before->st.st_mode) || (looks && (looks->scratch || !looks->lower))) return;
  if (!before->st.st_ctim.tv_sec || changedMeanwhile(&before->st)) tellMeanwhile(path);
}

static void addDeleted(const struct side *side, const char *path) {
  judgeMeanwhile(side, path);
  add(DELETED, path, 0, side, &nothing);
  addStaying(path, side);
  if (!S_ISDIR(side->st.st_mode)) return;
  struct side moved = {.node = side->node ? side->node : findReal(&side->st)}; // it became known when it was moved
  if (isMovedAway((struct node *)moved.node)) forEach(&moved, BEFORE, path, deleteNoted, 0);
  else forEach(side, BEFORE, path, deleteName, 0);
}

static void addCreated(const struct side *side, const char *path);

static void createName(const struct side *directory, const char *text, const char *path, void *with) {
  struct side side;
  (void)with;
  sideOf(directory, text, AFTER, &side);
  if (side.there) addCreated(&side, path);
}

// Where a directory was before this layer; false: it was not there.
bool formerPath(const struct node *node, char *to) {
  if (node == node->parent) { strcpy(to, "/"); return true; }
  if (node->born == tree->layer + 1) return false;
  if (node->movedLayer == tree->layer + 1) { snprintf(to, PATH_MAX, "%s", node->movedFrom); return true; }
  if (!node->parent || !formerPath(node->parent, to)) return false;
  joinPath(to, to, node->text);
  return to[0] != 0;
}

// False: what has this name is the real thing at both times.
static bool isNoted(const struct side *directory, const char *text) {
  if (!directory->node) return false;
  const char *old = realOf(directory, BEFORE), *new = realOf(directory, AFTER);
  return findName(directory->node, text) || !old || !new || strcmp(old, new);
}

static void renameName(const struct side *directory, const char *text, const char *path, void *with) {
  struct side other, after;
  const struct side *before = &after;
  char from[PATH_MAX];
  sideOf(directory, text, AFTER, &after);
  if (!after.there) return;
  if (after.node || isNoted(directory, text)) { sideOf(directory, text, BEFORE, &other); before = &other; }
  // Another file under its name is the same one, written anew.
  bool came = before->there && (before->node == after.node || S_ISREG(after.st.st_mode)) && (before->st.st_mode & S_IFMT) == (after.st.st_mode & S_IFMT);
  if (!came) { addCreated(&after, path); return; }
  if (!nameBelow(from, with, text)) return;
  add(RENAMED, path, from, before, &after);
  addStaying(path, before);
  if (S_ISDIR(after.st.st_mode)) forEach(&after, AFTER, path, renameName, from);
}

static bool hasMoved(const struct node *node) { return node->movedLayer == tree->layer + 1 && !node->several; }

static void addCreated(const struct side *side, const char *path) {
  char from[PATH_MAX];
  bool directory = S_ISDIR(side->st.st_mode);
  // Where something else stands in its old place, it is not told as a move.
  if (side->node && (directory || hasMoved(side->node)) && formerPath(side->node, from) && !isThere(from, AFTER)) {
    struct side before = {.there = true, .node = side->node};
    statusOfNode(side->node, BEFORE, &before.st);
    add(RENAMED, path, from, &before, side);
    if (directory) forEach(side, AFTER, path, renameName, from);
    return;
  }
  add(CREATED, path, 0, &nothing, side);
  if (directory) forEach(side, AFTER, path, createName, 0);
}

// ---- differences ----

static bool sameAttributes(const struct side *before, const struct side *after) {
  static struct node real;
  if (!after->node || S_ISLNK(after->st.st_mode)) return true;
  if (before->node) return hasSameAttributes(before->node, after->node);
  real.now.lower = real.before.lower = before->real;
  return hasSameAttributes(&real, after->node);
}

static void compareNames(const struct side *before, const struct side *after, const char *path);

static void compareThings(const struct side *before, const struct side *after, const char *path) {
  judgeMeanwhile(before, path);
  bool directory = S_ISDIR(after->st.st_mode);
  if (before->st.st_ino != after->st.st_ino) addStaying(path, before);
  if ((before->st.st_mode & S_IFMT) != (after->st.st_mode & S_IFMT)) {
    add(MODIFIED, path, 0, before, after);
    markReplaced();
    if (S_ISDIR(before->st.st_mode)) forEach(before, BEFORE, path, deleteName, 0);
    if (directory) forEach(after, AFTER, path, createName, 0);
    return;
  }
  if (!sameAttributes(before, after)) sendEffect(EFFECT_ATTRIBUTES, 0, path, 0);
  bool looks = sameOwnerAndMode(&before->st, &after->st);
  if (directory) {
    if (!looks) add(MODE_ONLY, path, 0, before, after);
    compareNames(before, after, path);
    return;
  }
  enum sameness contents = compareSides(before, after);
  if (contents == SAME && looks) {
    if (before->st.st_mtim.tv_sec != after->st.st_mtim.tv_sec || before->st.st_mtim.tv_nsec != after->st.st_mtim.tv_nsec) sendEffect(EFFECT_TIME_ONLY, 0, path, 0);
    return;
  }
  enum changeKind kind = contents == SAME ? MODE_ONLY : MODIFIED;
  add(kind, path, 0, before, after);
  if (contents == UNKNOWN) markNotCompared();
  if (S_ISREG(after->st.st_mode)) addOtherNames(kind, path, before, after);
}

struct pair { const struct side *before, *after; };

static void compareName(const struct side *directory, const char *text, const char *path, void *with) {
  const struct pair *pair = with;
  struct side before, after;
  (void)directory;
  sideOf(pair->before, text, BEFORE, &before);
  sideOf(pair->after, text, AFTER, &after);
  if (before.there && after.there) {
    // A real directory that nobody looked into, or the same file under the same name.
    const char *old = realOf(&before, BEFORE), *new = realOf(&after, AFTER);
    bool same = old && new && !strcmp(old, new);
    if (same && !before.node && !after.node) return;
    if (same && !before.node) before.node = after.node; // it knows what it was before
    compareThings(&before, &after, path);
  } else if (before.there) addGone(&before, path);
  else if (after.there) addCreated(&after, path);
  else if (before.real[0]) tellMeanwhile(path); // it was there
}

static void compareOnlyAfter(const struct side *directory, const char *text, const char *path, void *with) {
  const struct pair *pair = with;
  struct side before;
  sideOf(pair->before, text, BEFORE, &before);
  if (!before.there) compareName(directory, text, path, with);
}

static void compareNames(const struct side *before, const struct side *after, const char *path) {
  struct pair pair = {before, after};
  if (before->node != after->node) {
    forEach(before, BEFORE, path, compareName, &pair);
    forEach(after, AFTER, path, compareOnlyAfter, &pair);
    return;
  }
  // Nothing but the noted names can differ.
  if (!goDown(path)) return;
  FOR_NAMES(after->node, name) {
    char below[PATH_MAX];
    if (isEnough()) break;
    if (nameBelow(below, path, name->text)) compareName(after, name->text, below, &pair);
  }
  goUp();
}

void addTreeChanges(void) {
  listing++;
  keepReal(true);
  struct side before = {.there = true, .node = tree->root}, after = before;
  statusOfNode(tree->root, BEFORE, &before.st);
  statusOfNode(tree->root, AFTER, &after.st);
  compareThings(&before, &after, "/");
  keepReal(false);
}
