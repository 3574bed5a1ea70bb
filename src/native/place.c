#define _GNU_SOURCE
#include "place.h"
#include "scratch.h"
#include "supervise.h"
#include "tracee.h"
#include "view.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LINKS = 40 }; // path_resolution(7)

// ---- paths ----

void joinPath(char *to, const char *directory, const char *name) {
  size_t length = strlen(directory);
  if (length + strlen(name) + 2 > PATH_MAX) { to[0] = 0; return; }
  memmove(to, directory, length + 1);
  if (!*name) return;
  if (!length || to[length - 1] != '/') to[length++] = '/';
  strcpy(to + length, name);
}

void lowerPath(const struct spot *spot, enum which which, char *to) {
  const char *lower = looksOf(spot->base, which)->lower;
  to[0] = 0;
  if (lower) joinPath(to, lower, spot->rest);
}

static void pathOfNode(const struct node *node, char *to) {
  if (node == node->parent) { strcpy(to, "/"); return; }
  pathOfNode(node->parent, to);
  joinPath(to, to, node->text);
}

void shownPath(const struct spot *spot, char *to) {
  pathOfNode(spot->base, to);
  if (spot->rest[0]) joinPath(to, to, spot->rest);
}

void shownPlace(const struct place *place, char *to) {
  shownPath(&place->parent, to);
  if (!place->isSpot) joinPath(to, to, place->name);
}

// ---- walking ----

struct walk {
  struct spot at;
  enum which which;
  bool native;
  int links;
  pid_t tid;
  char left[PATH_MAX * 2]; // what is still to be walked
};

// Both hold paths, and are made at every call: what is not read is not cleared.
static void startSpot(struct spot *spot, struct node *base) {
  spot->base = base;
  spot->rest[0] = 0;
}

static void copySpot(struct spot *to, const struct spot *from) {
  to->base = from->base;
  strcpy(to->rest, from->rest);
}

void startPlace(struct place *place, struct node *node) {
  startSpot(&place->parent, 0);
  place->name[0] = place->link[0] = 0;
  place->there = true;
  place->isSpot = place->native = place->magic = place->endsInSlash = false;
  place->node = node;
  memset(&place->real, 0, sizeof place->real);
}

static void toParent(struct spot *spot) {
  char *slash = strrchr(spot->rest, '/');
  if (slash) *slash = 0;
  else if (spot->rest[0]) spot->rest[0] = 0;
  else spot->base = spot->base->parent;
}

static void enter(struct spot *spot, const char *name) {
  size_t length = strlen(spot->rest);
  if (length + strlen(name) + 2 > PATH_MAX) return;
  if (length) spot->rest[length++] = '/';
  strcpy(spot->rest + length, name);
}

static void takeName(char *to, const char *from, size_t length) {
  memcpy(to, from, length);
  to[length] = 0;
}

// The real node of a name that nothing is noted of, by the way that the kernel would take. Of a file with several names it may be noted
// under another one, and a directory that the command has opened for itself is closed to the kernel.
static bool mayKernelSee(const struct walk *walk) {
  return walk->native && !tree->several && (walk->at.rest[0] || !(looksOf(walk->at.base, walk->which)->own & OWN_MODE));
}

// Fills the place of one name (not longer than NAME_MAX) of the directory; 0 or an errno.
static int lookUp(struct walk *walk, const char *text, bool kernelSees, struct place *place) {
  char path[PATH_MAX];
  copySpot(&place->parent, &walk->at);
  takeName(place->name, text, strlen(text));
  place->there = place->isSpot = place->magic = false;
  place->node = 0;
  struct name *name = walk->at.rest[0] ? 0 : findName(walk->at.base, text);
  if (name && !meansReal(name, walk->which)) {
    place->node = nodeBehind(name, walk->which);
    place->there = place->node != 0;
    const struct looks *looks = place->node ? looksOf(place->node, walk->which) : 0;
    if (!looks || looks->scratch || looks->own || !looks->lower) walk->native = false;
    else if (walk->native) { // a directory on the way, in its place
      lowerPath(&walk->at, walk->which, path);
      joinPath(path, path, text);
      walk->native = !strcmp(path, looks->lower);
    }
    return 0;
  }
  if (kernelSees && mayKernelSee(walk)) { place->there = true; return 0; }
  lowerPath(&walk->at, walk->which, path);
  if (!path[0]) return 0;
  joinPath(path, path, text);
  if (lstat(path, &place->real) != 0) {
    bool opened = errno == EACCES && !walk->at.rest[0] && looksOf(walk->at.base, walk->which)->own & OWN_MODE;
    return opened ? UNKNOWABLE : errno == ENOENT ? 0 : errno;
  }
  place->there = true;
  if (S_ISREG(place->real.st_mode) && place->real.st_nlink > 1 && (place->node = findReal(&place->real))) walk->native = false;
  return 0;
}

// Links of /proc/<number> lead to what is open, whatever its name is by now (proc_pid_fd(5)).
static bool isMagic(const struct place *place) {
  char parent[PATH_MAX];
  if (place->parent.base != tree->root && strcmp(place->parent.base->now.lower ? place->parent.base->now.lower : "", "/proc")) return false;
  lowerPath(&place->parent, AFTER, parent);
  if (strncmp(parent, "/proc/", 6) != 0) return false;
  const char *name = strrchr(parent, '/') + 1;
  return !strcmp(name, "fd") || !strcmp(place->name, "cwd") || !strcmp(place->name, "root") || !strcmp(place->name, "exe");
}

static int readLink(const struct walk *walk, const struct place *place, char *target) {
  char path[PATH_MAX];
  if (place->node && looksOf(place->node, walk->which)->target) { snprintf(target, PATH_MAX, "%s", looksOf(place->node, walk->which)->target); return 0; }
  contentPath(place, walk->which, path);
  if (!strcmp(path, "/proc/self") && walk->tid) { snprintf(target, PATH_MAX, "%d", walk->tid); return 0; }
  if (!strcmp(path, "/proc/thread-self") && walk->tid) { snprintf(target, PATH_MAX, "%d/task/%d", walk->tid, walk->tid); return 0; }
  ssize_t length = readlink(path, target, PATH_MAX - 1);
  if (length < 0) return errno;
  target[length] = 0;
  return 0;
}

// May the user pass through? Of real directories lstat(2) of what is in them says it.
static int mayPass(const struct walk *walk) {
  if (walk->at.rest[0]) return 0;
  const struct looks *looks = looksOf(walk->at.base, walk->which);
  if (!looks->own && looks->lower) return 0;
  // Who gave it a mode of its own noted its owner as well (`noteChange`).
  struct stat st = {.st_mode = looks->mode, .st_uid = looks->uid, .st_gid = looks->gid};
  if (!(looks->own & OWN_MODE)) statusOfNode(walk->at.base, walk->which, &st);
  return mayUseNode(walk->at.base, &st, X_OK);
}

static int followLink(struct walk *walk, const struct place *place, const char *rest) {
  char target[PATH_MAX], path[PATH_MAX * 2];
  if (++walk->links > MOST_LINKS) return ELOOP;
  int error = readLink(walk, place, target);
  if (error) return error;
  if (isMagic(place)) {
    if (target[0] != '/') return rest[0] ? ENOTDIR : 0;
    error = spotOfRealPath(target, &walk->at);
    if (error) return error;
    walk->native = false;
    snprintf(walk->left, sizeof walk->left, "%s", rest);
    return 0;
  }
  if (strlen(target) + strlen(rest) + 2 > PATH_MAX) return ENAMETOOLONG;
  snprintf(path, sizeof path, "%s%s%s", target, rest[0] ? "/" : "", rest);
  strcpy(walk->left, path);
  if (target[0] == '/') startSpot(&walk->at, tree->root);
  return 0;
}

// A directory that is not in the tree may be gone by now. Costs a call: every name that is looked up in it says the same.
static bool isThere(const struct spot *spot, enum which which, struct stat *real) {
  char path[PATH_MAX];
  if (!spot->rest[0]) return true;
  lowerPath(spot, which, path);
  return lstat(path, real) == 0;
}

static void spotIsPlace(const struct walk *walk, struct place *place) {
  copySpot(&place->parent, &walk->at);
  place->name[0] = 0;
  place->isSpot = true;
  place->magic = false;
  place->node = walk->at.rest[0] ? 0 : walk->at.base;
  place->there = isThere(&walk->at, walk->which, &place->real);
}

int placeOfOpened(const char *link, const char *real, struct place *place) {
  int error = placeOfRealPath(real, &place->real, place);
  if (error || !isNameless(place)) return error;
  return stat(link, &place->real) == 0 ? 0 : errno;
}

// A magic link at the end of a path: what is open behind it is meant. Pipes and terminals have no place; the kernel knows them.
static int openedPlace(struct walk *walk, struct place *place) {
  char target[PATH_MAX], link[PATH_MAX];
  contentPath(place, walk->which, link);
  int error = readLink(walk, place, target);
  if (error) return error;
  place->magic = true;
  if (nodeOfScratchPath(target)) error = placeOfOpened(link, target, place);
  else if (stat(link, &place->real) != 0) return errno;
  else if (target[0] == '/' && (S_ISREG(place->real.st_mode) || S_ISDIR(place->real.st_mode)) && !strstr(target, " (deleted)"))
    error = placeOfRealPath(target, &place->real, place);
  snprintf(place->link, sizeof place->link, "%s", walk->native ? "" : link);
  return error;
}

// Paths of descriptors may be longer than any call takes; we have to name them.
static bool isTooLong(const struct spot *spot, enum which which, const char *name) {
  const char *lower = looksOf(spot->base, which)->lower;
  return (lower ? strlen(lower) : 0) + strlen(spot->rest) + strlen(name) + 3 > PATH_MAX;
}

// Takes one name from what is left; false at the end.
static bool nextName(struct walk *walk, char *name, char **rest, bool *slash) {
  char *at = walk->left + strspn(walk->left, "/");
  size_t length = strcspn(at, "/");
  if (!length) return false;
  *slash = at[length] == '/';
  takeName(name, at, length < PATH_MAX - 1 ? length : PATH_MAX - 1);
  *rest = at + length + strspn(at + length, "/");
  return true;
}

static int walkOn(struct walk *walk, enum follows follows, struct place *place) {
  char name[PATH_MAX], *rest;
  bool slash;
  while (nextName(walk, name, &rest, &slash)) {
    int error = mayPass(walk);
    if (error) return error;
    if (strlen(name) > NAME_MAX) return ENAMETOOLONG;
    memmove(walk->left, rest, strlen(rest) + 1);
    bool last = !walk->left[0];
    if (!strcmp(name, ".") || !strcmp(name, "..")) {
      if (name[1]) toParent(&walk->at);
      if (!last && !isThere(&walk->at, walk->which, &place->real)) return ENOENT;
      continue;
    }
    if (isTooLong(&walk->at, walk->which, name)) return UNKNOWABLE;
    if ((error = lookUp(walk, name, last && !slash && follows == KERNEL_SEES, place))) return error;
    place->endsInSlash = last && slash;
    if (!place->there) return last ? 0 : ENOENT;
    bool passes = !last || follows == THROUGH_LINK || (slash && follows != NAME_ALONE);
    if (S_ISLNK(typeOfPlace(place, walk->which)) && passes) {
      if (last && isMagic(place)) return openedPlace(walk, place);
      char after[PATH_MAX];
      snprintf(after, sizeof after, "%s%s", walk->left, last && slash ? "." : "");
      if ((error = followLink(walk, place, last && slash ? "." : after))) return error;
      continue;
    }
    if (last && (!slash || follows == NAME_ALONE)) return 0;
    if (!S_ISDIR(typeOfPlace(place, walk->which))) return ENOTDIR;
    if (last) return 0;
    if (place->node) startSpot(&walk->at, place->node);
    else enter(&walk->at, name);
  }
  // Nothing is left to be looked up: it was "/", or the last name "." or "..".
  spotIsPlace(walk, place);
  if (place->node && (place->node->now.own || !place->node->now.lower)) walk->native = false;
  return place->there ? 0 : ENOENT;
}

static int startAt(struct walk *walk, struct from from) {
  char path[PATH_MAX];
  if (!from.tid) return 0;
  ssize_t length = readRawDescriptor(from.tid, from.directory, path, sizeof path);
  if (length >= PATH_MAX - 1 || (length < 0 && errno == ENAMETOOLONG)) return UNKNOWABLE;
  if (length < 0) return from.directory == AT_FDCWD ? ENOENT : EBADF;
  int error = spotOfRealPath(path, &walk->at);
  if (error) return error;
  char lower[PATH_MAX], shown[PATH_MAX];
  lowerPath(&walk->at, AFTER, lower);
  shownPath(&walk->at, shown);
  walk->native = !strcmp(lower, shown) && !strcmp(lower, path);
  return 0;
}

int findPlace(struct from from, const char *path, enum follows follows, enum which which, struct place *place) {
  static struct walk walks[3]; // a magic link walks once more
  static int depth;
  if (!path[0]) return ENOENT;
  if (strlen(path) >= PATH_MAX) return ENAMETOOLONG;
  if (depth == 3) return ELOOP;
  struct walk *walk = &walks[depth++];
  startSpot(&walk->at, tree->root);
  walk->which = which;
  walk->native = true;
  walk->links = 0;
  walk->tid = from.tid;
  strcpy(walk->left, path);
  place->endsInSlash = false;
  int error = path[0] == '/' ? 0 : startAt(walk, from);
  if (!error) error = walkOn(walk, follows, place);
  place->native = walk->native && !place->magic;
  depth--;
  return error;
}

// ---- what the kernel tells ----


int spotOfRealPath(const char *path, struct spot *spot) {
  char name[NAME_MAX + 1];
  startSpot(spot, tree->root);
  if (path[0] != '/') return ENOTDIR;
  if (isInScratch(path)) {
    struct node *node = nodeOfScratchPath(path);
    if (!node) return ENOENT;
    spot->base = node;
    return 0;
  }
  if (strstr(path, " (deleted)")) return ENOENT;
  for (const char *at = path + 1; *at;) {
    size_t length = strcspn(at, "/");
    if (!length) { at++; continue; }
    if (length > NAME_MAX) return ENAMETOOLONG;
    takeName(name, at, length);
    struct name *noted = spot->rest[0] ? 0 : findName(spot->base, name);
    if (!noted) enter(spot, name);
    else {
      struct node *node = nodeBehind(noted, AFTER);
      size_t whole = (size_t)(at + length - path);
      // A directory that was renamed keeps the real path of what it was.
      bool here = node && node->now.lower && !strncmp(node->now.lower, path, whole) && !node->now.lower[whole];
      if (!here) node = tree->moved ? findRealDirectory(path, whole) : 0;
      if (!node) return ENOENT;
      startSpot(spot, node);
    }
    at += length;
  }
  return 0;
}

int placeOfRealPath(const char *path, const struct stat *real, struct place *place) {
  struct node *node = nodeOfScratchPath(path);
  struct stat status = *real;
  startPlace(place, node);
  if (node) {
    startSpot(&place->parent, S_ISDIR(node->now.mode) ? node : tree->root);
    place->isSpot = S_ISDIR(node->now.mode);
    place->magic = !place->isSpot;
    return 0;
  }
  struct spot *spot = &place->parent;
  int error = spotOfRealPath(path, spot);
  if (error == ENOENT && S_ISREG(status.st_mode) && (node = noteGone(path, &status))) {
    startPlace(place, node);
    startSpot(spot, tree->root);
    place->magic = true;
    return 0;
  }
  if (error) return error;
  place->real = status;
  if (!spot->rest[0]) { place->node = spot->base; place->isSpot = true; return 0; }
  char *slash = strrchr(spot->rest, '/');
  snprintf(place->name, sizeof place->name, "%s", slash ? slash + 1 : spot->rest);
  if (slash) *slash = 0;
  else spot->rest[0] = 0;
  if (S_ISREG(place->real.st_mode) && place->real.st_nlink > 1) place->node = findReal(&place->real);
  return 0;
}

void showScratchPath(char *path, size_t room) {
  static struct spot spot;
  char shown[PATH_MAX];
  if (!tree || path[0] != '/') return;
  struct node *node = nodeOfScratchPath(path);
  if (node && !S_ISDIR(node->now.mode)) { if (node->parent) { pathOfNode(node, shown); snprintf(path, room, "%s", shown); } return; }
  if (!node && !tree->moved) return;
  if (spotOfRealPath(path, &spot) != 0) return;
  shownPath(&spot, shown);
  snprintf(path, room, "%s", shown);
}
