// What places look like, who may use them, and how they become nodes of the tree.
#define _GNU_SOURCE
#include "attributes.h"
#include "frame.h"
#include "place.h"
#include "scratch.h"
#include "setup.h"
#include "shared.h"
#include "status.h"
#include "supervise.h"
#include "tracee.h"
#include "view.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// ---- rights ----

static uint64_t powers;
static uid_t user; // that is asked for at every call, and never another one

uid_t ourUser(void) { return user; }

void notePowers(void) {
  user = geteuid();
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct sets[2];
  if (syscall(SYS_capget, &header, sets) == 0) powers = (uint64_t)sets[1].effective << 32 | sets[0].effective;
}

bool hasPower(int capability) { return powers >> capability & 1; }

// path_resolution(7); capabilities(7).
int mayUse(const struct stat *st, int wants) {
  unsigned bits = st->st_mode;
  if (hasPower(CAP_DAC_OVERRIDE) && (!(wants & X_OK) || S_ISDIR(bits) || (bits & 0111))) return 0;
  if (hasPower(CAP_DAC_READ_SEARCH) && (S_ISDIR(bits) ? !(wants & W_OK) : wants == R_OK)) return 0;
  if (st->st_uid == user) bits >>= 6;
  else if (isInGroup(st->st_gid)) bits >>= 3;
  return ((int)bits & wants) == wants ? 0 : EACCES;
}

int mayUseNode(const struct node *node, const struct stat *st, int wants) {
  int listed = hasPower(CAP_DAC_OVERRIDE) ? -1 : mayUseByList(node, st, wants);
  return listed < 0 ? mayUse(st, wants) : listed;
}

int mayUsePlace(const struct place *place, int wants) {
  char path[PATH_MAX];
  struct stat st;
  const struct looks *looks = place->node ? looksOf(place->node, AFTER) : 0;
  if (looks && (looks->own || looks->scratch || !looks->lower)) {
    statusOf(place, AFTER, &st);
    return mayUseNode(place->node, &st, wants);
  }
  // The kernel knows more: access lists, read-only file systems.
  contentPath(place, AFTER, path);
  return faccessat(AT_FDCWD, path, wants, AT_EACCESS | AT_SYMLINK_NOFOLLOW) == 0 ? 0 : errno;
}

int mayChangeDirectory(const struct spot *spot) {
  char path[PATH_MAX];
  struct stat st;
  const struct looks *looks = &spot->base->now;
  if (spot->base->removed) return ENOENT;
  // What the kernel says of names in its own trees only the kernel knows.
  lowerPath(spot, AFTER, path);
  if (isBelow(path, "/proc") || isBelow(path, "/sys") || !strcmp(path, "/proc") || !strcmp(path, "/sys")) return UNKNOWABLE;
  if (!spot->rest[0] && (looks->own & (OWN_MODE | OWN_OWNER | OWN_ATTRIBUTES) || !looks->lower)) {
    statusOfSpot(spot, &st);
    return mayUseNode(spot->base, &st, W_OK | X_OK);
  }
  return faccessat(AT_FDCWD, path, W_OK | X_OK, AT_EACCESS) == 0 ? 0 : errno;
}

// ---- looks ----

static void takeOwnLooks(const struct looks *looks, struct stat *st) {
  if (looks->own & OWN_MODE) st->st_mode = looks->mode & ~lostBits(looks);
  if (looks->own & OWN_OWNER) { st->st_uid = looks->uid; st->st_gid = looks->gid; }
  if (looks->own & OWN_TIMES) { st->st_atim = looks->accessed; st->st_mtim = looks->modified; }
  if (looks->own & OWN_CHANGE_TIME) st->st_ctim = looks->changed;
  st->st_mode = (st->st_mode & 07777) | (looks->mode & S_IFMT);
}

static void count(void *with, const char *name, mode_t type) { countEntry(with, name, S_ISDIR(type)); }

bool showsStatus(pid_t tid) {
  char program[PATH_MAX];
  return setup.correct.count && readProcLink(tid, "exe", program, sizeof program) && isToCorrect(program);
}

void measureNode(pid_t tid, const struct node *node, struct stat *st) {
  bool isNew = !node->now.lower;
  struct statfs fs;
  char path[PATH_MAX];
  struct contents found = noContents();
  if (S_ISREG(node->now.mode) ? node->now.scratch != 0 : S_ISLNK(node->now.mode) && isNew) {
    fileSystemPath(node, path);
    if (statfs(path, &fs) == 0 && guessRoom(st, &fs)) tellGuess(tid, path);
  }
  if (!S_ISDIR(node->now.mode) || (!isNew && !(node->now.own & OWN_TIMES))) return;
  fileSystemPath(node, path);
  if (statfs(path, &fs) != 0 || !listNode(node, AFTER, count, &found)) return;
  if (isNew || st->st_nlink > 1) st->st_nlink = (nlink_t)(2 + found.directories);
  if (knownSize(st, isNew ? 0 : st, &found, &fs)) return;
  struct stat real = *st;
  if (guessSize(st, isNew ? 0 : &real, &found, &fs)) tellGuess(tid, path);
}

static void takeContent(const struct stat *own, struct stat *st) {
  st->st_size = own->st_size;
  st->st_blocks = own->st_blocks;
  st->st_atim = own->st_atim;
  st->st_mtim = own->st_mtim;
  st->st_ctim = own->st_ctim;
}

static struct { bool is; char path[PATH_MAX]; struct stat st; } kept;

void keepReal(bool is) {
  kept.is = is;
  kept.path[0] = 0;
}

bool lookAtReal(const char *path, struct stat *st) {
  if (!kept.is || strcmp(kept.path, path)) {
    kept.path[0] = 0;
    if (lstat(path, &kept.st) != 0) return false;
    strcpy(kept.path, path);
  }
  *st = kept.st;
  return true;
}

static void takeBacking(const struct node *node, const struct looks *looks, struct stat *st) {
  char path[64];
  struct stat real;
  bool hasReal = looks->lower && lookAtReal(looks->lower, &real);
  *st = (struct stat){.st_blksize = 4096, .st_nlink = 1};
  if (hasReal) *st = real;
  else { st->st_dev = node->device; st->st_ino = node->inode; st->st_rdev = node->made; }
  if (looks->scratch) {
    struct stat own;
    scratchFile(looks->scratch, path);
    if (lstat(path, &own) == 0) takeContent(&own, st);
  }
  if (looks->target) st->st_size = (off_t)strlen(looks->target);
  if (!S_ISDIR(looks->mode)) st->st_nlink = looks->links;
}

void statusOfNode(const struct node *node, enum which which, struct stat *st) {
  const struct looks *looks = looksOf(node, which);
  takeBacking(node, looks, st);
  takeOwnLooks(looks, st);
  if (!looks->lower && (setup.flags & FLAG_PERTURB)) st->st_ino = otherNumber(st->st_ino);
}

mode_t typeOfPlace(const struct place *place, enum which which) {
  return (place->node ? looksOf(place->node, which)->mode : place->real.st_mode) & S_IFMT;
}

bool isNameless(const struct place *place) { return place->magic && place->node && place->node->now.scratch && !place->node->now.links; }

void statusOf(const struct place *place, enum which which, struct stat *st) {
  if (!place->node) { *st = place->real; return; }
  statusOfNode(place->node, which, st);
  // Its file of the scratch may be gone as well.
  if (which == AFTER && isNameless(place)) takeContent(&place->real, st);
}

void statusOfSpot(const struct spot *spot, struct stat *st) {
  char path[PATH_MAX];
  if (!spot->rest[0]) { statusOfNode(spot->base, AFTER, st); return; }
  lowerPath(spot, AFTER, path);
  if (lstat(path, st) != 0) *st = (struct stat){0};
}

// ---- what the kernel can open ----

void contentPath(const struct place *place, enum which which, char *to) {
  to[0] = 0;
  if (!place->node && !place->parent.base) return; // what is open has no place
  if (place->node) {
    const struct looks *looks = looksOf(place->node, which);
    if (looks->scratch) scratchFile(looks->scratch, to);
    else if (looks->lower) snprintf(to, PATH_MAX, "%s", looks->lower);
    return;
  }
  lowerPath(&place->parent, which, to);
  if (to[0] && !place->isSpot) joinPath(to, to, place->name);
}

bool backingPath(struct place *place, enum which which, char *to) {
  struct node *node = place->node;
  bool folder = node && S_ISDIR(node->now.mode) && (!node->now.lower || isChangedListing(node));
  if (!folder) { contentPath(place, which, to); return to[0] != 0; }
  if (!makeStandIn(node)) return false;
  standInPath(node, to);
  return true;
}

// ---- listing ----

static mode_t typeOfEntry(int directory, const struct dirent *entry) {
  struct stat st;
  if (entry->d_type != DT_UNKNOWN) return DTTOIF(entry->d_type);
  return fstatat(directory, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 ? st.st_mode & S_IFMT : S_IFREG;
}

bool listNode(const struct node *directory, enum which which, tellName tell, void *with) {
  const char *lower = looksOf(directory, which)->lower;
  DIR *entries = lower ? opendir(lower) : 0;
  for (struct dirent *entry; entries && (entry = readdir(entries));) {
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
    struct name *name = findName(directory, entry->d_name);
    struct node *node = name ? nodeBehind(name, which) : 0;
    if (!name || meansReal(name, which)) {
      if (!isOtherScratch(dirfd(entries), entry->d_name)) tell(with, entry->d_name, typeOfEntry(dirfd(entries), entry));
    }
    else if (node) tell(with, entry->d_name, looksOf(node, which)->mode & S_IFMT);
  }
  int below = entries ? dirfd(entries) : -1;
  FOR_NAMES(directory, name) {
    struct node *node = nodeBehind(name, which);
    if (node && !(below >= 0 && faccessat(below, name->text, F_OK, AT_SYMLINK_NOFOLLOW) == 0)) tell(with, name->text, looksOf(node, which)->mode & S_IFMT);
  }
  if (entries) closedir(entries);
  return !lower || entries;
}

bool isChangedListing(const struct node *directory) {
  FOR_NAMES(directory, name) {
    if (!name->now || name->now->text != name->text || !name->now->now.lower || !directory->now.lower) return true;
    size_t length = strlen(directory->now.lower);
    const char *lower = name->now->now.lower, *slash = strrchr(lower, '/');
    bool inPlace = slash && !strcmp(slash + 1, name->text) && ((size_t)(slash - lower) == length || length == 1) && !strncmp(lower, directory->now.lower, length == 1 ? 0 : length);
    if (!inPlace) return true;
  }
  return false;
}

static void noteEntryThere(void *with, const char *name, mode_t type) {
  (void)name;
  (void)type;
  *(bool *)with = false;
}

int emptinessOf(const struct node *directory) {
  bool empty = true;
  bool listed = listNode(directory, AFTER, noteEntryThere, &empty);
  return !empty ? ENOTEMPTY : listed ? 0 : UNKNOWABLE;
}

// ---- becoming nodes ----

static struct node *addReal(struct node *parent, struct name *name, const char *path, const struct stat *real) {
  struct node *node = addNode(real->st_mode & S_IFMT);
  node->now.lower = copyShared(path);
  node->now.links = real->st_nlink;
  node->several = real->st_nlink > 1;
  if (node->several && S_ISREG(real->st_mode)) tree->several = true;
  node->device = real->st_dev;
  node->inode = real->st_ino;
  node->before = node->now;
  if (name) { node->parent = parent; node->text = name->text; }
  noteReal(node);
  return node;
}

struct node *noteSpot(struct spot *spot) {
  char rest[PATH_MAX], whole[PATH_MAX], *saved;
  struct stat real;
  snprintf(rest, sizeof rest, "%s", spot->rest);
  for (char *word = strtok_r(rest, "/", &saved); word; word = strtok_r(0, "/", &saved)) {
    spot->rest[0] = 0;
    joinPath(whole, spot->base->now.lower ? spot->base->now.lower : "", word);
    if (lstat(whole, &real) != 0) return 0;
    struct name *name = noteName(spot->base, word, &real);
    if (!name->now) name->now = addReal(spot->base, name, whole, &real);
    spot->base = name->now;
  }
  spot->rest[0] = 0;
  return spot->base;
}

struct name *noteEntry(struct place *place) {
  struct node *parent = noteSpot(&place->parent);
  if (!parent) return 0;
  bool real = place->there && !findName(parent, place->name) && (!place->node || place->node->now.lower);
  char path[PATH_MAX];
  struct stat st = place->real;
  if (real && place->node) { // another name of a file of the tree: is it a real name?
    lowerPath(&place->parent, AFTER, path);
    joinPath(path, path, place->name);
    real = lstat(path, &st) == 0;
  }
  struct name *name = noteName(parent, place->name, real ? &st : 0);
  if (real && place->node && !name->now) name->now = place->node;
  keepName(name);
  return name;
}

struct node *notePlace(struct place *place) {
  char path[PATH_MAX];
  if (place->node) return place->node;
  if (!place->there) return 0;
  if (place->isSpot) return place->node = noteSpot(&place->parent);
  struct name *name = noteEntry(place);
  if (!name) return 0;
  contentPath(place, AFTER, path);
  // Of two names of one file the first was noted since we looked.
  if (!name->now && S_ISREG(place->real.st_mode) && place->real.st_nlink > 1) name->now = findReal(&place->real);
  if (!name->now) name->now = addReal(place->parent.base, name, path, &place->real);
  return place->node = name->now;
}

struct node *noteGone(const char *path, const struct stat *real) {
  struct node *node = findReal(real);
  if (node) return node;
  const char *slash = strrchr(path, '/');
  struct node *folder = findRealDirectory(path, slash == path ? 1 : (size_t)(slash - path));
  struct name *name = folder ? findName(folder, slash + 1) : 0;
  if (!name) return 0;
  node = addReal(folder, name, path, real);
  node->now.links = 0;
  clock_gettime(CLOCK_REALTIME_COARSE, &node->now.changed);
  node->now.own |= OWN_CHANGE_TIME;
  return node;
}

const char *realDirectory(const char *path) {
  static struct place place;
  static char real[PATH_MAX];
  if (findPlace((struct from){0, AT_FDCWD}, path, THROUGH_LINK, AFTER, &place) != 0 || !place.there || !backingPath(&place, AFTER, real)) return path;
  return real;
}

void fileSystemPath(const struct node *node, char *to) {
  while (!node->now.lower && node->parent && node->parent != node) node = node->parent;
  snprintf(to, PATH_MAX, "%s", node->now.lower ? node->now.lower : "/");
}
