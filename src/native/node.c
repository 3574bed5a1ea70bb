#define _GNU_SOURCE
#include "node.h"
#include "locks.h"
#include "sha256.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Of one file, and of all files of one LIST together: about 5 s of reading.
enum { TOO_LARGE = 1 << 28 };
static const int64_t MOST_OF_ALL = 1ll << 30;
static int64_t allowance;

void startComparing(void) { allowance = MOST_OF_ALL; }

static bool mayRead(uint64_t sizeBytes) {
  if (sizeBytes > TOO_LARGE || (int64_t)sizeBytes > allowance || isCancelled()) return false;
  allowance -= (int64_t)sizeBytes;
  return true;
}

static unsigned typeOf(mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFREG: return 1;
    case S_IFDIR: return 2;
    case S_IFLNK: return 3;
    case S_IFIFO: return 4;
    case S_IFSOCK: return 5;
    default: return 6;
  }
}

void putNode(const struct stat *st) {
  static const struct stat nothing;
  unsigned type = st ? typeOf(st->st_mode) : 0;
  if (!st) st = &nothing;
  putU8(type);
  putU32(st->st_mode & 07777);
  putU32(st->st_uid);
  putU32(st->st_gid);
  putU64((uint64_t)st->st_size);
  putU64((uint64_t)st->st_mtim.tv_sec * 1000000000ull + (uint64_t)st->st_mtim.tv_nsec);
  putU32((uint32_t)st->st_nlink);
}

char *readTarget(int directory, const char *name) {
  char text[PATH_MAX];
  ssize_t length = readlinkat(directory, name, text, sizeof text - 1);
  text[length > 0 ? length : 0] = 0;
  return strdup(text);
}

int openDirectory(int directory, const char *name) {
  return openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

int removeTree(int directory, const char *name) {
  if (unlinkat(directory, name, 0) == 0) return 0;
  if (errno != EISDIR && errno != EPERM) return -1; // EPERM: POSIX's word for a directory
  int own = openDirectory(directory, name), error = own < 0 ? errno : 0;
  DIR *entries = own < 0 ? 0 : fdopendir(own);
  for (struct dirent *entry; entries && (entry = readdir(entries));)
    if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") && removeTree(own, entry->d_name) != 0 && !error) error = errno;
  if (entries) closedir(entries);
  if (unlinkat(directory, name, AT_REMOVEDIR) == 0) return 0;
  if (error) errno = error;
  return -1;
}

static int openContent(int directory, const char *name) {
  struct stat st;
  if (anyLeases() && fstatat(directory, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && isLeasedFile(&st)) { errno = EAGAIN; return -1; }
  return openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

// Exactly so much, or less at the end of the file; -1: an error. Nobody asks for the end of a file whose size is known: of
// thousands of small ones that is every second call.
static ssize_t readPiece(int file, char *to, size_t wanted) {
  size_t got = 0;
  while (got < wanted) {
    ssize_t n = read(file, to + got, wanted - got);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return -1;
    if (n == 0) break;
    got += (size_t)n;
  }
  return (ssize_t)got;
}

// Both have this size.
enum sameness compareContents(int a, const char *aName, int b, const char *bName, uint64_t sizeBytes) {
  static char ours[PIECE], theirs[PIECE];
  if (!sizeBytes) return SAME;
  if (!mayRead(sizeBytes)) return UNKNOWN;
  int one = openContent(a, aName), other = openContent(b, bName);
  enum sameness result = one < 0 || other < 0 ? UNKNOWN : SAME;
  for (uint64_t left = sizeBytes; left > 0 && result == SAME;) {
    size_t wanted = left < PIECE ? (size_t)left : PIECE;
    ssize_t n = readPiece(one, ours, wanted), m = readPiece(other, theirs, wanted);
    if (n < 0 || m < 0 || isCancelled()) result = UNKNOWN;
    else if (n != m || memcmp(ours, theirs, (size_t)n) != 0) result = DIFFERENT;
    else if ((size_t)n < wanted) break; // both were cut short meanwhile
    left -= wanted;
  }
  if (one >= 0) close(one);
  if (other >= 0) close(other);
  return result;
}

bool digestOf(int directory, const char *name, uint64_t sizeBytes, unsigned char digest[32]) {
  static char piece[PIECE];
  struct sha256 sha;
  if (!mayRead(sizeBytes)) return false; // a sparse file of 8 TB takes hours
  int file = openContent(directory, name);
  if (file < 0) return false;
  sha256Start(&sha);
  bool whole = true;
  for (uint64_t left = sizeBytes; left > 0 && whole;) {
    size_t wanted = left < PIECE ? (size_t)left : PIECE;
    ssize_t n = readPiece(file, piece, wanted);
    whole = n == (ssize_t)wanted && !isCancelled();
    if (whole) sha256Add(&sha, piece, wanted);
    left -= wanted;
  }
  close(file);
  sha256End(&sha, digest);
  return whole;
}
