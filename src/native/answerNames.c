// Names that come and go: nothing of it is done, it is noted in the tree.
#define _GNU_SOURCE
#include "answer.h"
#include "older.h"
#include "scratch.h"
#include "shared.h"
#include "treeChanges.h"
#include "view.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool isDirectoryAt(const struct place *place) { return S_ISDIR(typeOfPlace(place, AFTER)); }

// What is to be made is not there, and its directory lets it be made: 0 or an errno.
static int mayMake(struct asked *asked, bool directory) {
  int error = askPlace(asked);
  if (error) return error;
  if (asked->place.there) return EEXIST;
  if (asked->place.endsInSlash && !directory) return ENOENT;
  return mayChangeDirectory(&asked->place.parent);
}

bool answerMakeDirectory(struct asked *asked, mode_t mode) {
  int error = mayMake(asked, true);
  if (error) return giveResult(asked, -error);
  return giveResult(asked, makeNode(&asked->place, S_IFDIR | (mode & 01777), maskOf(asked->tracee)) ? 0 : -ENOSPC);
}

// What overlays use as marks anybody may make (vfs_mknod of Linux 5.8).
static bool isMark(mode_t type, dev_t number) { return S_ISCHR(type) && number == 0; }

// Whether the kernel would make it: gVisor makes others as well.
static int tryDevice(mode_t type, dev_t number) {
  char path[96];
  snprintf(path, sizeof path, "%s/device", scratchRoot());
  if (mknod(path, type | 0600, number) != 0) return errno;
  unlink(path);
  return 0;
}

bool answerMakeNode(struct asked *asked, mode_t mode, dev_t number) {
  char path[64];
  int error = mayMake(asked, false);
  if (error) return giveResult(asked, -error);
  mode_t type = mode & S_IFMT ? mode & S_IFMT : S_IFREG;
  bool device = S_ISCHR(type) || S_ISBLK(type);
  if (device && !hasPower(CAP_MKNOD)) {
    error = tryDevice(type, number);
    if (error) return giveResult(asked, -error);
    if (!isMark(type, number)) return stopHere(asked, "mknod");
  }
  struct node *node = makeNode(&asked->place, type | (mode & 07777), maskOf(asked->tracee));
  if (node && device) { // it is not made: nobody can open it
    node->made = number;
    return giveResult(asked, 0);
  }
  if (!node || !(node->now.scratch = addScratchFile(node))) return giveResult(asked, -ENOSPC);
  scratchFile(node->now.scratch, path);
  if (!S_ISREG(type) && (unlink(path) != 0 || mknod(path, type | 0600, 0) != 0)) return giveResult(asked, -errno);
  return giveResult(asked, 0);
}

bool answerSymlink(struct asked *asked, int targetAt) {
  char target[PATH_MAX] = "";
  if (!readText(asked->tracee->tid, asked->call->args[targetAt], target, sizeof target)) return giveResult(asked, strlen(target) >= PATH_MAX - 1 ? -ENAMETOOLONG : -EFAULT);
  if (!target[0]) return giveResult(asked, -ENOENT);
  int error = mayMake(asked, false);
  if (error) return giveResult(asked, -error);
  struct node *node = makeNode(&asked->place, S_IFLNK | 0777, 0);
  if (!node) return giveResult(asked, -ENOSPC);
  node->now.target = copyShared(target);
  makeScratchLink(node);
  return giveResult(asked, 0);
}

// ---- removing ----

// Of others' files in a sticky directory (inode(7)), and of what is immutable: 0 or an errno.
static int mayTake(const struct place *place) {
  struct stat directory, st;
  struct statx real;
  char path[PATH_MAX];
  statusOfSpot(&place->parent, &directory);
  statusOf(place, AFTER, &st);
  if (directory.st_mode & S_ISVTX && st.st_uid != ourUser() && directory.st_uid != ourUser() && !hasPower(CAP_FOWNER)) return EPERM;
  contentPath(place, AFTER, path);
  if (path[0] && statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_TYPE, &real) == 0 && real.stx_attributes & (IMMUTABLE | APPEND_ONLY)) return EPERM;
  return path[0] && mountPointAt(path) ? EBUSY : 0;
}

static bool isSpecialName(const char *path, bool *dot) {
  const char *end = path + strlen(path);
  while (end > path && end[-1] == '/') end--;
  const char *start = end;
  while (start > path && start[-1] != '/') start--;
  *dot = end - start == 1 && *start == '.';
  return *dot || (end - start == 2 && !strncmp(start, "..", 2)) || end == start;
}

static void dropName(struct place *place) {
  struct name *name = noteEntry(place);
  if (!name) return;
  name->now = 0;
  touchDirectory(place->parent.base);
  updateStandIn(place->parent.base, name->text, 0);
}

void takeName(struct place *place) {
  struct node *node = place->node;
  dropName(place);
  if (!node) tree->taken = true;
  if (node && S_ISDIR(node->now.mode)) { node->removed = true; tree->moved++; }
  if (!node || S_ISDIR(node->now.mode)) return;
  keepLooks(node);
  node->now.links--;
  // Who has it open keeps it; what was never there before needs no room any more.
  if (node->now.links || !node->now.scratch || node->born != tree->layer + 1) return;
  char path[64];
  scratchFile(node->now.scratch, path);
  unlink(path);
}

// A file with several real names: the others lose a link.
static void noteOtherNames(struct place *place) {
  if (!place->node && S_ISREG(place->real.st_mode) && place->real.st_nlink > 1) notePlace(place);
}

// A name that is not there.
static int missing(const struct place *place) {
  return asksFolderFirst() && mayChangeDirectory(&place->parent) == EACCES ? EACCES : ENOENT;
}

static int mayRemove(struct asked *asked, bool directory) {
  struct place *place = &asked->place;
  bool dot;
  if (isSpecialName(asked->path, &dot)) return !directory ? EISDIR : dot ? EINVAL : place->isSpot && !strcmp(asked->path, "/") ? EBUSY : ENOTEMPTY;
  if (!place->there) return missing(place);
  bool isDirectory = isDirectoryAt(place);
  if (place->endsInSlash && !isDirectory) return ENOTDIR;
  int error = mayChangeDirectory(&place->parent);
  if (!error) error = mayTake(place);
  if (error) return error;
  if (directory && !isDirectory) return ENOTDIR;
  return !directory && isDirectory ? EISDIR : 0;
}

bool answerRemove(struct asked *asked, bool directory) {
  struct place *place = &asked->place;
  int error = askPlace(asked);
  if (!error) error = mayRemove(asked, directory);
  if (error) return giveResult(asked, -error);
  if (directory) {
    struct node *node = notePlace(place);
    if (!node) return giveResult(asked, -EIO);
    error = emptinessOf(node);
    if (error) return giveResult(asked, -error);
  }
  noteOtherNames(place);
  takeName(place);
  return giveResult(asked, 0);
}

// ---- renaming and linking ----

static bool isBelowNode(const struct node *node, const struct node *above) {
  for (;; node = node->parent) {
    if (node == above) return true;
    if (node == node->parent) return false;
  }
}

// rename(2) does not cross mounts, not even of one file system.
static bool crosses(const struct place *from, const struct place *to) {
  const struct place *const places[] = {from, to};
  struct statx found[2];
  for (int i = 0; i < 2; i++) {
    char path[PATH_MAX];
    const struct spot *spot = &places[i]->parent;
    bool opened = places[i]->magic && places[i]->node; // by its descriptor
    const struct node *node = opened ? places[i]->node->parent : spot->base;
    if (opened) path[0] = 0;
    else lowerPath(spot, AFTER, path);
    if (!path[0]) fileSystemPath(node, path);
    if (statx(AT_FDCWD, path, 0, STATX_TYPE | 0x1000 /* STATX_MNT_ID, Linux 5.8 */, &found[i]) != 0) return false;
  }
  if (found[0].stx_dev_major != found[1].stx_dev_major || found[0].stx_dev_minor != found[1].stx_dev_minor) return true;
  uint64_t mounts[2]; // stx_mnt_id, which older headers do not have
  for (int i = 0; i < 2; i++) memcpy(&mounts[i], (const char *)&found[i] + 0x90, sizeof mounts[i]);
  return (found[0].stx_mask & found[1].stx_mask & 0x1000) && mounts[0] != mounts[1];
}

static int mayReplace(const struct place *from, struct place *to) {
  if (!to->there) return 0;
  bool directory = isDirectoryAt(from);
  int error = mayTake(to);
  if (error == EPERM && asksFolderFirst()) return UNKNOWABLE; // gVisor lets others' files be replaced in sticky directories
  if (error) return error;
  if (directory && !isDirectoryAt(to)) return ENOTDIR;
  if (!directory && isDirectoryAt(to)) return EISDIR;
  if (!directory) return 0;
  struct node *node = notePlace(to);
  return node ? emptinessOf(node) : 0;
}

static int mayMove(const struct place *from, struct place *to, unsigned flags) {
  if (!from->there) return missing(from);
  if (from->isSpot || to->isSpot) return EBUSY;
  if ((flags & RENAME_NOREPLACE) && to->there) return EEXIST;
  bool directory = isDirectoryAt(from);
  if (!directory && (from->endsInSlash || to->endsInSlash)) return ENOTDIR;
  int error = mayChangeDirectory(&from->parent);
  if (!error) error = mayTake(from);
  if (!error) error = mayChangeDirectory(&to->parent);
  if (error) return error;
  if ((flags & RENAME_EXCHANGE) && !to->there) return ENOENT;
  // Moving a directory elsewhere rewrites its "..".
  if (directory && noteSpot((struct spot *)&from->parent) != noteSpot(&to->parent)) error = mayUsePlace(from, W_OK);
  return error ? error : flags & RENAME_EXCHANGE ? 0 : mayReplace(from, to);
}

static void putName(struct place *place, struct node *node) {
  struct name *name = noteEntry(place);
  if (!name) return;
  name->now = node;
  node->text = name->text;
  node->parent = place->parent.base;
  keepLooks(node);
  clock_gettime(CLOCK_REALTIME_COARSE, &node->now.changed);
  node->now.own |= OWN_CHANGE_TIME;
  touchDirectory(place->parent.base);
  updateStandIn(place->parent.base, name->text, node->now.mode & S_IFMT);
}

// Where something was before this layer. A file with several names has no place of its own.
static void noteFormer(struct node *node, const struct place *place) {
  char path[PATH_MAX];
  bool directory = S_ISDIR(node->now.mode);
  if (node->movedLayer == tree->layer + 1 || node->born == tree->layer + 1 || (!directory && node->several)) return;
  if (!formerPath(directory ? node : place->parent.base, path)) return;
  if (!directory) {
    joinPath(path, path, place->parent.rest);
    joinPath(path, path, place->name);
    if (!path[0]) return;
  }
  node->movedFrom = copyShared(path);
  node->movedLayer = tree->layer + 1;
}

bool answerRename(struct asked *asked, int secondPathAt, int secondDirectoryAt, unsigned flags) {
  static struct place from, to;
  if (flags & ~(unsigned)(RENAME_NOREPLACE | RENAME_EXCHANGE)) return giveResult(asked, -EINVAL);
  bool dot;
  int error = askPlace(asked);
  if (error) return giveResult(asked, -error);
  bool special = isSpecialName(asked->path, &dot);
  from = asked->place;
  error = askPath(asked, secondPathAt, secondDirectoryAt, NAME_ALONE, &to);
  if (error) return giveResult(asked, -error);
  if (crosses(&from, &to)) return giveResult(asked, -EXDEV); // before anything else is looked at
  if (special || isSpecialName(asked->path, &dot)) return giveResult(asked, -EBUSY);
  error = mayMove(&from, &to, flags);
  if (error) return giveResult(asked, -error);
  struct node *node = notePlace(&from), *other = to.there ? notePlace(&to) : 0;
  if (!node) return giveResult(asked, -EIO);
  if (node == other) return giveResult(asked, 0); // two names of one file
  if (S_ISDIR(node->now.mode) && isBelowNode(noteSpot(&to.parent), node)) return giveResult(asked, -EINVAL);
  if (other && S_ISDIR(other->now.mode) && isBelowNode(noteSpot(&from.parent), other)) return giveResult(asked, flags & RENAME_EXCHANGE ? -EINVAL : -ENOTEMPTY);
  if (S_ISDIR(node->now.mode) || (other && S_ISDIR(other->now.mode))) tree->moved++;
  noteFormer(node, &from);
  if (flags & RENAME_EXCHANGE) noteFormer(other, &to);
  if (other && !(flags & RENAME_EXCHANGE)) takeName(&to);
  dropName(&from);
  putName(&to, node);
  if (flags & RENAME_EXCHANGE) putName(&from, other);
  return giveResult(asked, 0);
}

// fs.protected_hardlinks: only files that one owns or may read and write.
static bool mayLinkTo(const struct place *place) {
  struct stat st;
  char text[2] = "1";
  statusOf(place, AFTER, &st);
  if (st.st_uid == ourUser() || hasPower(CAP_FOWNER)) return true;
  int file = open("/proc/sys/fs/protected_hardlinks", O_RDONLY | O_CLOEXEC);
  if (file >= 0) { if (read(file, text, 1) != 1) text[0] = '1'; close(file); }
  if (text[0] == '0') return true;
  return S_ISREG(st.st_mode) && !(st.st_mode & S_ISUID) && (st.st_mode & (S_ISGID | S_IXGRP)) != (S_ISGID | S_IXGRP) && mayUsePlace(place, R_OK | W_OK) == 0;
}

bool answerLink(struct asked *asked, int secondPathAt, int secondDirectoryAt) {
  static struct place from, to;
  int error = askPlace(asked);
  if (error) return giveResult(asked, -error);
  from = asked->place;
  if (!from.there) return giveResult(asked, -ENOENT);
  if (from.magic && !from.node) return stopHere(asked, "link");
  if (from.node && !S_ISDIR(from.node->now.mode) && !from.node->now.links && !from.node->unnamed) return giveResult(asked, -ENOENT);
  error = askPath(asked, secondPathAt, secondDirectoryAt, NAME_ALONE, &to);
  if (error) return giveResult(asked, -error);
  if (to.there) return giveResult(asked, -EEXIST);
  if (to.endsInSlash) return giveResult(asked, -ENOENT);
  error = mayChangeDirectory(&to.parent);
  // The directory comes after the mounts, but for those of the kernel (procfs says ENOENT to every new name).
  bool first = error == EACCES && asksFolderFirst();
  if (error != UNKNOWABLE && !first && crosses(&from, &to)) return giveResult(asked, -EXDEV);
  if (error) return giveResult(asked, -error);
  if (isDirectoryAt(&from) || !mayLinkTo(&from)) return giveResult(asked, -EPERM);
  struct node *node = notePlace(&from);
  if (!node) return giveResult(asked, -EIO);
  keepLooks(node);
  node->now.links++;
  node->several = true;
  putName(&to, node);
  return giveResult(asked, 0);
}
