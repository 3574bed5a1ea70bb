#define _GNU_SOURCE
#include "moveTree.h"
#include "node.h"
#include "view.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { MAX_ENTRIES = 20000, MAX_BYTES = 256 << 20 };

static uint64_t entries, bytes;
static bool otherOwner;

// Files with several names, to keep them together.
static struct linked { dev_t device; ino_t inode; nlink_t names, found; char *path; } *links;
static unsigned linkCount;

typedef bool (*visitor)(int directory, const char *name, const struct stat *st, const char *path);

static bool forEach(int directory, const char *name, const char *path, visitor visit) {
  int own = openDirectory(directory, name);
  DIR *stream = own < 0 ? 0 : fdopendir(own);
  if (!stream) return false;
  bool good = true;
  for (struct dirent *entry; good && (entry = readdir(stream));) {
    char below[PATH_MAX];
    struct stat st;
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
    if (strlen(path) + strlen(entry->d_name) + 2 > PATH_MAX) good = false;
    else {
      path2(below, path, entry->d_name);
      good = fstatat(own, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && visit(own, entry->d_name, &st, below);
    }
  }
  closedir(stream);
  return good;
}

static bool measure(int directory, const char *name, const struct stat *st, const char *path) {
  entries++;
  if (S_ISREG(st->st_mode)) bytes += (uint64_t)st->st_size;
  if (entries > MAX_ENTRIES || bytes > MAX_BYTES) return false;
  return !S_ISDIR(st->st_mode) || forEach(directory, name, path, measure);
}

static const char *knownLink(const struct stat *st, const char *path) {
  for (unsigned i = 0; i < linkCount; i++)
    if (links[i].device == st->st_dev && links[i].inode == st->st_ino) { links[i].found++; return links[i].path; }
  links = realloc(links, (linkCount + 1) * sizeof *links);
  if (links) links[linkCount++] = (struct linked){st->st_dev, st->st_ino, st->st_nlink, 1, strdup(path)};
  return 0;
}

static bool leavesNames(void) {
  for (unsigned i = 0; i < linkCount; i++)
    if (links[i].found < links[i].names) return true;
  return false;
}

static void copyNotes(int directory, const char *name, const char *to) {
  char from[64], names[4096], value[65536];
  int node = openat(directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (node < 0) return;
  snprintf(from, sizeof from, "/proc/self/fd/%d", node);
  ssize_t length = listxattr(from, names, sizeof names);
  for (char *at = names; length > 0 && at < names + length; at += strlen(at) + 1) {
    ssize_t size = getxattr(from, at, value, sizeof value);
    // What may not be set (security.*, trusted.*) could not be changed by the user either.
    if (size >= 0 && lsetxattr(to, at, value, (size_t)size, 0) != 0) continue;
  }
  close(node);
}

static void copyLooks(const char *to, const struct stat *st) {
  struct timespec times[2] = {st->st_atim, st->st_mtim};
  if (fchownat(AT_FDCWD, to, st->st_uid, st->st_gid, AT_SYMLINK_NOFOLLOW) != 0) otherOwner = true;
  if (!S_ISLNK(st->st_mode)) chmod(to, st->st_mode & 07777);
  utimensat(AT_FDCWD, to, times, AT_SYMLINK_NOFOLLOW);
}

static char copyRoot[PATH_MAX], sourceRoot[PATH_MAX];

static bool copyNode(int directory, const char *name, const struct stat *st, const char *path) {
  char to[PATH_MAX];
  if (strlen(copyRoot) + strlen(path) - strlen(sourceRoot) + 1 > PATH_MAX) return false;
  snprintf(to, sizeof to, "%s%s", copyRoot, path + strlen(sourceRoot));
  if (!S_ISDIR(st->st_mode) && st->st_nlink > 1) {
    const char *first = knownLink(st, to);
    if (first) return link(first, to) == 0;
  }
  bool good;
  if (S_ISDIR(st->st_mode)) good = mkdir(to, 0700) == 0 && forEach(directory, name, path, copyNode);
  else if (S_ISREG(st->st_mode)) good = copyFile(directory, name, AT_FDCWD, to);
  else if (S_ISLNK(st->st_mode)) {
    char *target = readTarget(directory, name);
    good = symlink(target, to) == 0;
    free(target);
  } else good = mknod(to, st->st_mode & (S_IFMT | 0777), st->st_rdev) == 0;
  if (!good) return false;
  if (!S_ISLNK(st->st_mode)) copyNotes(directory, name, to);
  copyLooks(to, st);
  return true;
}

static bool removeNode(int directory, const char *name, const struct stat *st, const char *path) {
  if (!S_ISDIR(st->st_mode)) return unlinkat(directory, name, 0) == 0;
  return forEach(directory, name, path, removeNode) && unlinkat(directory, name, AT_REMOVEDIR) == 0;
}

static bool removePath(const char *path) {
  struct stat st;
  return lstat(path, &st) == 0 && removeNode(AT_FDCWD, path, &st, path);
}

enum moveResult moveTree(const char *from, const char *to) {
  struct stat st;
  umask(0);
  if (lstat(from, &st) != 0 || !measure(AT_FDCWD, from, &st, from)) return MOVE_UNFINISHED;
  snprintf(sourceRoot, sizeof sourceRoot, "%s", from);
  if (snprintf(copyRoot, sizeof copyRoot, "%s.%d.moving", to, getpid()) >= (int)sizeof copyRoot) return MOVE_UNFINISHED;
  char *name = strrchr(copyRoot, '/') + 1;
  memmove(name + 1, name, strlen(name) + 1);
  name[0] = '.';
  if (!copyNode(AT_FDCWD, from, &st, from) || rename(copyRoot, to) != 0) {
    enum moveResult result = errno == ENOTEMPTY || errno == EEXIST ? MOVE_NOT_EMPTY : MOVE_UNFINISHED;
    removePath(copyRoot);
    return result;
  }
  if (!removePath(from)) return MOVE_UNFINISHED;
  return (otherOwner ? MOVED_OTHER_OWNER : MOVED) | (leavesNames() ? MOVED_OTHER_NAMES : MOVED);
}
