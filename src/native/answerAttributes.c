// Extended attributes and access lists: nothing of them is set, they are noted in the tree.
#define _GNU_SOURCE
#include "answer.h"
#include "attributes.h"
#include "place.h"
#include "view.h"
#include <errno.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

// What a file system holds beside the content of a file differs (ext4: one block): beyond this nobody knows.
enum { SURELY_FITS = 2000 };

static _Alignas(8) unsigned char value[65536];

static bool isOfUser(const char *name) { return !strncmp(name, "user.", 5); }

// Of attributes that only files and folders have (xattr(7)).
static bool mayHave(const struct stat *st) { return S_ISREG(st->st_mode) || S_ISDIR(st->st_mode); }

bool answerAttributeLook(struct asked *asked) {
  char name[256];
  struct stat st;
  const struct call *call = asked->call;
  const struct place *place = &asked->place;
  bool lists = call->number == SYS_listxattr || call->number == SYS_llistxattr || call->number == SYS_flistxattr;
  if (asksUntouched(asked)) return true;
  int error = askPlace(asked);
  if (error) return giveResult(asked, -error);
  if (place->native || (place->magic && !place->node)) return true;
  if (!place->there) return giveResult(asked, -ENOENT);
  if (!place->node) return usePlace(asked);
  if (!lists && !readText(asked->tracee->tid, call->args[1], name, sizeof name)) return giveResult(asked, -ERANGE);
  statusOf(place, AFTER, &st);
  if (!lists && isOfUser(name)) {
    if (!mayHave(&st)) return giveResult(asked, -ENODATA);
    if ((error = mayUsePlace(place, R_OK))) return giveResult(asked, -error);
  }
  size_t room = (size_t)call->args[lists ? 2 : 3];
  if (room > sizeof value) room = sizeof value;
  ssize_t size = lists ? listAttributes(place->node, (char *)value, room) : readAttribute(place->node, name, value, room);
  if (size < 0) return giveResult(asked, -errno);
  bool written = !room || writeMemory(asked->tracee->tid, call->args[lists ? 1 : 2], value, (size_t)size);
  return giveResult(asked, written ? size : -EFAULT);
}

// ---- changing ----

static int mayChangeList(struct asked *asked, const struct stat *st, bool isDefault, bool removes) {
  if (S_ISLNK(st->st_mode)) return EOPNOTSUPP;
  if (!owns(st)) return EPERM;
  if (isDefault && !S_ISDIR(st->st_mode)) return removes ? OF_ITS_OWN : EACCES;
  return notePlace(&asked->place) ? 0 : EIO;
}

static bool change(struct asked *asked, const struct stat *st, const char *name, const void *to, size_t size) {
  struct node *node = noteChange(asked, st);
  if (!node) return giveResult(asked, -EIO);
  return changeAttribute(node, name, to, size) ? giveResult(asked, 0) : stopHere(asked, "setxattr");
}

static bool answerList(struct asked *asked, const struct stat *st, size_t size, bool isDefault, bool removes) {
  const char *name = isDefault ? DEFAULT_LIST : ACCESS_LIST;
  int error = mayChangeList(asked, st, isDefault, removes);
  if (error) return giveResult(asked, error == OF_ITS_OWN ? 0 : -error);
  bool empty = removes || size <= 4;
  long mode = empty ? 0 : modeOfList(value, size);
  if (mode < 0) return stopHere(asked, "setxattr");
  bool isThere = readAttribute(asked->place.node, name, 0, 0) >= 0;
  if (!isThere && errno == EOPNOTSUPP) return giveResult(asked, -EOPNOTSUPP);
  if (!isThere && empty) return giveResult(asked, 0);
  if (empty || isDefault) return change(asked, st, name, empty ? 0 : value, size);
  bool extended = isExtendedList(size);
  if ((extended || isThere) && !change(asked, st, name, extended ? value : 0, size)) return false;
  return answerMode(asked, (st->st_mode & 07000) | (mode_t)mode);
}

static bool answerUsers(struct asked *asked, const struct stat *st, const char *name, size_t size, bool removes) {
  const struct call *call = asked->call;
  if (!mayHave(st)) return giveResult(asked, -EPERM);
  if (S_ISDIR(st->st_mode) && st->st_mode & S_ISVTX && !owns(st)) return giveResult(asked, -EPERM);
  int error = mayUsePlace(&asked->place, W_OK);
  if (error) return giveResult(asked, -error);
  struct node *node = notePlace(&asked->place);
  if (!node) return giveResult(asked, -EIO);
  bool isThere = readAttribute(node, name, 0, 0) >= 0;
  if (!isThere && errno != ENODATA) return giveResult(asked, -errno);
  int flags = removes ? XATTR_REPLACE : (int)call->args[4];
  if (isThere && flags & XATTR_CREATE) return giveResult(asked, -EEXIST);
  if (!isThere && flags & XATTR_REPLACE) return giveResult(asked, -ENODATA);
  if (size > SURELY_FITS) return stopHere(asked, "setxattr");
  return change(asked, st, name, removes ? 0 : value, size);
}

bool answerAttribute(struct asked *asked) {
  char name[256];
  struct stat st;
  const struct call *call = asked->call;
  bool removes = call->number == SYS_removexattr || call->number == SYS_lremovexattr || call->number == SYS_fremovexattr;
  size_t size = removes ? 0 : (size_t)call->args[3];
  int error = askChange(asked, &st);
  if (error == OF_ITS_OWN) return true;
  if (!error && !readText(asked->tracee->tid, call->args[1], name, sizeof name)) error = ERANGE;
  if (!error && (size > sizeof value || (size && readMemory(asked->tracee->tid, call->args[2], value, size) != (ssize_t)size))) error = E2BIG;
  if (error) return giveResult(asked, -error);
  if (isMachines(asked)) return stopHere(asked, "setxattr");
  bool isDefault = !strcmp(name, DEFAULT_LIST);
  if (isDefault || !strcmp(name, ACCESS_LIST)) return answerList(asked, &st, size, isDefault, removes);
  if (isOfUser(name)) return answerUsers(asked, &st, name, size, removes);
  bool privileged = !strncmp(name, "security.", 9) || !strncmp(name, "trusted.", 8);
  if (privileged && geteuid() == 0) return stopHere(asked, "setxattr");
  return giveResult(asked, privileged ? -EPERM : -EOPNOTSUPP);
}
