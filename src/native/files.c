// LIST, READ, STAT and PUT: they work between the runs (in the keeper) and during one (in the tracer), by descriptors of the roots.
#define _GNU_SOURCE
#include "changes.h"
#include "compare.h"
#include "locks.h"
#include "node.h"
#include "older.h"
#include "parents.h"
#include "supervise.h"
#include "treeFiles.h"
#include "view.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// openat2(2): symlinks are followed as if `root` were the root directory; there is no way out of it.
static int openIn(int root, const char *path, uint64_t flags, uint64_t resolve) {
  return openBelow(root, path, flags, resolve);
}

static int openWhich(enum which which, const char *path, uint64_t flags) {
  if (view.supervised) return openInTree(which, path, flags);
  // Opening it would ask the holder of the lease to give it up.
  if (!(flags & O_PATH) && anyLeases() && isLeased(path)) { errno = EAGAIN; return -1; }
  if (which == AFTER) return openIn(view.root, path, flags, RESOLVE_IN_ROOT);
  if (view.layer == 0) return openIn(view.outerRoot, path, flags, RESOLVE_IN_ROOT);
  const char *rest;
  const struct part *part = partOf(path, &rest);
  if (!part || part->before < 0) { errno = ENOENT; return -1; }
  if (part->kind == PART_FILE || part->kind == PART_NODE) return openIn(view.outerRoot, path, flags, RESOLVE_IN_ROOT);
  return openIn(part->before, rest, flags, RESOLVE_IN_ROOT);
}

// ---- READ and STAT ----

static void sendData(uint32_t id, bool end, int error, const void *bytes, size_t length) {
  beginEvent(EV_DATA);
  putU32(id);
  putU8(end);
  putU32((uint32_t)error);
  putBytes(bytes, length);
  sendEvent();
}

static void readFile(uint32_t id, enum which which, const char *path, uint64_t left) {
  static char piece[PIECE];
  uint64_t offset = 0;
  struct stat st;
  int file = openWhich(which, path, O_RDONLY | O_NONBLOCK | O_NOCTTY), error = file < 0 ? errno : 0;
  if (!error && fstat(file, &st) != 0) error = errno;
  if (!error && !S_ISREG(st.st_mode)) error = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
  bool ended = false;
  while (!error && !ended && left > 0) {
    ssize_t n = pread(file, piece, left < PIECE ? left : PIECE, (off_t)offset);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) error = errno;
    if (n <= 0) break;
    offset += (uint64_t)n;
    left -= (uint64_t)n;
    ended = left == 0 || offset == (uint64_t)st.st_size; // a small file takes one call and one frame
    sendData(id, ended, 0, piece, (size_t)n);
  }
  if (!ended) sendData(id, true, error, "", 0);
  if (file >= 0) close(file);
}

static void onRead(struct request *request) {
  for (uint32_t left = getU32(request); left > 0 && !request->bad; left--) {
    uint32_t id = getU32(request);
    enum which which = getU8(request);
    char *path = getText(request);
    uint64_t maxBytes = getU64(request);
    readFile(id, which, path, maxBytes);
    free(path);
  }
}

enum { NOT_TEXT = UINT32_MAX, TEXT_SEEN_BY = 8000 }; // git's rule: a NUL among the first 8,000 bytes makes a file binary

static uint32_t linesIn(int file, uint64_t size) {
  static char piece[PIECE];
  uint32_t lines = 0;
  char last = '\n';
  for (uint64_t at = 0; at < size;) {
    ssize_t n = pread(file, piece, size - at < PIECE ? (size_t)(size - at) : PIECE, (off_t)at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return NOT_TEXT;
    if (n == 0) break;
    if (at == 0 && memchr(piece, 0, n < TEXT_SEEN_BY ? (size_t)n : TEXT_SEEN_BY)) return NOT_TEXT;
    for (const char *from = piece; (from = memchr(from, '\n', (size_t)(piece + n - from))); from++) lines++;
    last = piece[n - 1];
    at += (uint64_t)n;
  }
  return lines + (last != '\n');
}

static uint32_t countLines(enum which which, const char *path, uint32_t maxBytes) {
  struct stat st;
  int file = openWhich(which, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  bool fits = file >= 0 && fstat(file, &st) == 0 && S_ISREG(st.st_mode) && (uint64_t)st.st_size <= maxBytes;
  uint32_t lines = fits ? linesIn(file, (uint64_t)st.st_size) : NOT_TEXT;
  if (file >= 0) close(file);
  return lines;
}

static void onCountLines(struct request *request) {
  uint32_t id = getU32(request);
  enum which which = getU8(request);
  uint32_t maxBytes = getU32(request);
  struct list paths = getList(request);
  uint32_t *counts = calloc(paths.count + 1, sizeof *counts);
  if (!counts) _exit(122);
  for (uint32_t i = 0; i < paths.count; i++) counts[i] = countLines(which, paths.items[i], maxBytes);
  sendData(id, true, request->bad ? EPROTO : 0, counts, paths.count * sizeof *counts);
  free(counts);
  freeList(&paths);
}

static struct comparison compare(const char *beforePath, const char *afterPath, uint64_t *left) {
  struct comparison found = {COMPARED_UNKNOWN, LINES_UNKNOWN, 0};
  int before = openWhich(BEFORE, beforePath, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  int after = before < 0 ? -1 : openWhich(AFTER, afterPath, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  if (after >= 0) found = compareFiles(before, after, left);
  if (before >= 0) close(before);
  if (after >= 0) close(after);
  return found;
}

static void onCompare(struct request *request) {
  enum { ANSWER = 1 + 4 + 8 };
  uint32_t id = getU32(request);
  uint64_t left = getU64(request);
  struct list paths = getList(request);
  uint32_t pairs = paths.count / 2;
  char *answers = malloc(pairs * ANSWER + 1), *at = answers;
  if (!answers) _exit(122);
  for (uint32_t i = 0; i < pairs; i++, at += ANSWER) {
    struct comparison found = compare(paths.items[2 * i], paths.items[2 * i + 1], &left);
    memcpy(at, &found.how, 1);
    memcpy(at + 1, &found.linesGone, 4);
    memcpy(at + 5, &found.bytesGone, 8);
  }
  sendData(id, true, request->bad ? EPROTO : 0, answers, pairs * ANSWER);
  free(answers);
  freeList(&paths);
}

static void onStat(struct request *request) {
  uint32_t id = getU32(request);
  enum which which = getU8(request);
  char *path = getText(request);
  struct stat st;
  int file = view.supervised ? -1 : openWhich(which, path, O_PATH | O_NOFOLLOW), error = view.supervised ? statusInTree(which, path, &st) : file < 0 ? errno : 0;
  if (file >= 0 && fstat(file, &st) != 0) error = errno;
  beginEvent(EV_STATUS);
  putU32(id);
  putU32((uint32_t)error);
  putNode(error ? 0 : &st);
  sendEvent();
  if (file >= 0) close(file);
  free(path);
}

// ---- PUT ----

static int writeFile(const char *path, int parent, const char *name, mode_t mode, const struct bytes *bytes) {
  // An existing file keeps its mode, and a symlink leads to what is written, as for any program.
  int file = openIn(view.root, path, O_WRONLY | O_TRUNC | O_NONBLOCK | O_NOCTTY, RESOLVE_IN_ROOT);
  if (file < 0 && errno == ENOENT) file = openat(parent, name, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (file < 0) return -1;
  int result = 0;
  for (size_t at = 0; result == 0 && at < bytes->length;) {
    ssize_t n = write(file, bytes->text + at, bytes->length - at);
    if (n > 0) at += (size_t)n;
    else if (n < 0 && errno != EINTR) result = -1;
  }
  if (result == 0 && mode != DEFAULT_MODE) result = fchmod(file, mode & 07777);
  int error = errno;
  close(file);
  errno = error;
  return result;
}

static int put(enum putType type, mode_t mode, const char *path, const struct bytes *bytes) {
  char parentPath[PATH_MAX];
  if (view.supervised) return putInTree(type, mode, path, bytes);
  if (!view.copies) { errno = EROFS; return -1; }
  if (strlen(path) >= PATH_MAX) { errno = ENAMETOOLONG; return -1; }
  strcpy(parentPath, path);
  char *slash = strrchr(parentPath, '/');
  if (!slash || !slash[1]) { errno = EINVAL; return -1; }
  *slash = 0;
  const char *name = path + (slash - parentPath) + 1;
  preparePath(parentPath);
  int parent = openIn(view.root, parentPath, O_RDONLY | O_DIRECTORY, RESOLVE_IN_ROOT);
  if (parent < 0) return -1;
  int result = -1;
  switch (type) {
    case PUT_DELETE: result = removeTree(parent, name); break;
    case PUT_FILE: result = writeFile(path, parent, name, mode, bytes); break;
    case PUT_DIRECTORY:
      result = mkdirat(parent, name, 0777);
      if (result == 0 && mode != DEFAULT_MODE) result = fchmodat(parent, name, mode & 07777, 0);
      break;
    case PUT_SYMLINK: result = symlinkat(bytes->text, parent, name); break;
    default: errno = EINVAL;
  }
  int error = errno;
  close(parent);
  errno = error;
  return result;
}

static void onPut(struct request *request) {
  uint32_t id = getU32(request);
  enum putType type = getU8(request);
  mode_t mode = getU16(request);
  char *path = getText(request);
  struct bytes bytes = getBytes(request);
  int error = request->bad ? EPROTO : put(type, mode, path, &bytes) == 0 ? 0 : errno;
  beginEvent(EV_DONE);
  putU32(id);
  putU32((uint32_t)error);
  sendEvent();
  free(bytes.text);
  free(path);
}

bool serveFiles(struct request *request) {
  switch (request->type) {
    case REQ_LIST: listChanges(getU32(request)); return true;
    case REQ_READ: onRead(request); return true;
    case REQ_STAT: onStat(request); return true;
    case REQ_COUNT_LINES: onCountLines(request); return true;
    case REQ_COMPARE: onCompare(request); return true;
    case REQ_PUT: onPut(request); return true;
    default: return false;
  }
}
