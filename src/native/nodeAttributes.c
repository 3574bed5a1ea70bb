// Apply and restore: the extended attributes (xattr(7)) and access lists (acl(5)) of a node, which the host can neither read nor give.
// Paths may begin at descriptor 3 (/proc/self/fd/3/NAME). Symbolic links are not followed.
#define _GNU_SOURCE
#include "nodeAttributes.h"
#include "scan.h"
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>

enum { LONGEST = 65536, LONGEST_NAME = 256 }; // XATTR_SIZE_MAX and XATTR_LIST_MAX, XATTR_NAME_MAX and its end

static void printHex(const char *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) printf("%02x", (unsigned char)bytes[i]);
}

static int readAll(const char *path) {
  static char names[LONGEST], value[LONGEST];
  ssize_t length = llistxattr(path, names, sizeof names);
  if (length < 0 && errno != EOPNOTSUPP) return errno;
  putchar('r');
  for (char *name = names; name < names + length; name += strlen(name) + 1) {
    ssize_t size = lgetxattr(path, name, value, sizeof value);
    if (size < 0) continue; // of others, or gone meanwhile
    putchar(' ');
    printHex(name, strlen(name));
    putchar(':');
    printHex(value, (size_t)size);
  }
  putchar('\n');
  return 0;
}

// Bytes up to `end`, or -1.
static ssize_t parseHex(const char **text, char end, char *to, size_t room) {
  size_t size = 0;
  for (; **text && **text != end; *text += 2, size++) {
    unsigned byte;
    if (size == room || scanText(*text, "%2x", &byte) != 1 || !(*text)[1]) return -1;
    to[size] = (char)byte;
  }
  return (ssize_t)size;
}

static int giveAll(const char *path, const char *pairs) {
  static char value[LONGEST];
  char name[LONGEST_NAME];
  struct stat before, after;
  int error = 0;
  if (lstat(path, &before) != 0) return errno;
  while (*pairs == ' ') {
    pairs++;
    ssize_t length = parseHex(&pairs, ':', name, sizeof name - 1);
    if (length <= 0 || *pairs++ != ':') return EINVAL;
    name[length] = 0;
    ssize_t size = parseHex(&pairs, ' ', value, sizeof value);
    if (size < 0) return EINVAL;
    // Some are the system's or root's to give.
    if (lsetxattr(path, name, value, (size_t)size, 0) != 0 && errno != EPERM && errno != EOPNOTSUPP) error = errno;
  }
  // An access list gives the permission bits that it was made with.
  if (lstat(path, &after) != 0 || (after.st_mode != before.st_mode && chmod(path, before.st_mode & 07777) != 0)) return errno;
  return error;
}

int serveAttributes(void) {
  char *texts[2] = {NULL};
  size_t rooms[2] = {0};
  for (;;) {
    for (int i = 0; i < 2; i++)
      if (getdelim(&texts[i], &rooms[i], 0, stdin) < 0) return fflush(stdout) == 0 ? 0 : 1;
    bool gives = texts[1][0] == 'g';
    int error = gives ? giveAll(texts[0], texts[1] + 1) : readAll(texts[0]);
    if (error) printf("f %d\n", error);
    else if (gives) printf("g\n");
  }
}
