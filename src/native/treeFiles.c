#define _GNU_SOURCE
#include "treeFiles.h"
#include "answer.h"
#include "locks.h"
#include "scratch.h"
#include "shared.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct from nobody = {0, AT_FDCWD};

int openInTree(enum which which, const char *path, uint64_t flags) {
  static struct place place;
  char content[PATH_MAX];
  int error = findPlace(nobody, path, flags & O_NOFOLLOW ? LINK_ITSELF : THROUGH_LINK, which, &place);
  if (!error && !place.there) error = ENOENT;
  if (!error) {
    contentPath(&place, which, content);
    if (!content[0]) error = S_ISDIR(looksOf(place.node, which)->mode) ? EISDIR : EINVAL;
    else if (anyLeases() && isLeased(content)) error = EAGAIN; // opening it would ask the holder of the lease to give it up
  }
  if (error) { errno = error; return -1; }
  return open(content, (int)flags | O_CLOEXEC);
}

int statusInTree(enum which which, const char *path, struct stat *st) {
  static struct place place;
  int error = findPlace(nobody, path, LINK_ITSELF, which, &place);
  if (error || !place.there) return error ? error : ENOENT;
  statusOf(&place, which, st);
  return 0;
}

static int writeAll(const struct node *node, const struct bytes *bytes) {
  char path[64];
  scratchFile(node->now.scratch, path);
  int file = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC), error = file < 0 ? errno : 0;
  for (size_t at = 0; !error && at < bytes->length;) {
    ssize_t n = write(file, bytes->text + at, bytes->length - at);
    if (n > 0) at += (size_t)n;
    else if (n < 0 && errno != EINTR) error = errno;
  }
  if (file >= 0) close(file);
  return error;
}

static int putFile(struct place *place, mode_t mode, const struct bytes *bytes) {
  bool isNew = !place->there;
  mode_t mask = umask(0);
  umask(mask);
  struct node *node = isNew ? makeNode(place, S_IFREG | 0666, mask) : notePlace(place);
  if (!node) return EIO;
  if (!S_ISREG(node->now.mode)) return S_ISDIR(node->now.mode) ? EISDIR : EINVAL;
  if (isNew) node->now.scratch = addScratchFile(node);
  else if (!ownContent(node, true)) return errno;
  if (!node->now.scratch) return ENOSPC;
  if (mode != DEFAULT_MODE) { node->now.mode = S_IFREG | (mode & 07777); node->now.own |= OWN_MODE; }
  allowExecution(node);
  return writeAll(node, bytes);
}

static int putNew(enum putType type, mode_t mode, struct place *place, const struct bytes *bytes) {
  if (place->there) return EEXIST;
  mode_t mask = umask(0);
  umask(mask);
  bool directory = type == PUT_DIRECTORY;
  struct node *node = makeNode(place, directory ? S_IFDIR | (mode != DEFAULT_MODE ? mode & 07777u : 0777u) : S_IFLNK | 0777u, directory && mode == DEFAULT_MODE ? mask : 0);
  if (!node) return EIO;
  if (directory) return 0;
  node->now.target = copyShared(bytes->text);
  makeScratchLink(node);
  return 0;
}

int putInTree(enum putType type, mode_t mode, const char *path, const struct bytes *bytes) {
  static struct place place;
  int error = findPlace(nobody, path, type == PUT_FILE ? THROUGH_LINK : LINK_ITSELF, AFTER, &place);
  if (!error && place.isSpot) error = EINVAL;
  if (!error && type == PUT_DELETE && !place.there) error = ENOENT;
  if (!error && type == PUT_DELETE) takeName(&place);
  else if (!error && type == PUT_FILE) error = putFile(&place, mode, bytes);
  else if (!error) error = putNew(type, mode, &place, bytes);
  errno = error;
  return error ? -1 : 0;
}
