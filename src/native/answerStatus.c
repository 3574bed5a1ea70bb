// The status of files as it would really be: that of the real file, with what was changed.
#define _GNU_SOURCE
#include "answer.h"
#include "jumps.h"
#include "scratch.h"
#include "status.h"
#include "view.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static struct statx extendedOf(const struct stat *st, const struct place *place) {
  struct statx extended = {
    .stx_mask = STATX_BASIC_STATS, .stx_blksize = (uint32_t)st->st_blksize, .stx_rdev_major = major(st->st_rdev), .stx_rdev_minor = minor(st->st_rdev),
  };
  struct statx real;
  fillExtended(&extended, st);
  const char *lower = place->node ? place->node->now.lower : 0;
  if (lower && statx(AT_FDCWD, lower, AT_SYMLINK_NOFOLLOW, STATX_ALL, &real) == 0) {
    extended.stx_mask |= real.stx_mask & STATX_BTIME;
    extended.stx_btime = real.stx_btime;
    extended.stx_attributes = real.stx_attributes;
    extended.stx_attributes_mask = real.stx_attributes_mask;
  } else {
    extended.stx_mask |= STATX_BTIME;
    extended.stx_btime = extended.stx_ctime;
  }
  return extended;
}

// Of what nothing is noted, the kernel says what is there. Only its path tells of a file that it lost its name.
static bool isUntouched(const struct asked *asked, int descriptor) {
  struct stat st;
  return statDescriptor(asked->tracee->tid, descriptor, &st) && !isOnScratch(&st) && !findReal(&st) && !(tree->taken && S_ISREG(st.st_mode));
}

// Of a descriptor, whichever call asks: fstat(2) may be newfstatat(2) with an empty path.
bool asksUntouched(const struct asked *asked) {
  char text[2];
  const uint64_t *args = asked->call->args;
  if (asked->pathAt < 0) return tree->nodes == 1 || isUntouched(asked, (int)args[0]);
  if (!asked->mayBeEmpty || asked->directoryAt < 0 || (int)args[0] == AT_FDCWD) return false;
  return readText(asked->tracee->tid, args[1], text, sizeof text) && !text[0] && isUntouched(asked, (int)args[0]);
}

// A kernel may refuse what is asked for (gVisor does): then it refuses it of everything.
static bool isRefused(const struct call *call) {
  static uint64_t goodFlags = UINT64_MAX, goodMask;
  struct statx real;
  uint64_t flags = call->args[2] & ~(uint64_t)AT_EMPTY_PATH, mask = call->args[3];
  if (flags == goodFlags && mask == goodMask) return false;
  if (syscall(SYS_statx, AT_FDCWD, "/", flags, mask, &real) != 0) return errno == EINVAL;
  goodFlags = flags;
  goodMask = mask;
  return false;
}

bool answerStatus(struct asked *asked) {
  struct place *place = &asked->place;
  const struct call *call = asked->call;
  struct stat st;
  if (asksUntouched(asked)) return true;
  if (asked->follows == LINK_ITSELF) asked->follows = KERNEL_SEES;
  int error = askPlace(asked);
  if (!error && (place->native || (place->magic && !place->node))) return true;
  if (call->number == SYS_statx && isRefused(call)) return giveResult(asked, -EINVAL);
  if (error) return giveResult(asked, -error);
  if (!place->there) return giveResult(asked, -ENOENT);
  statusOf(place, AFTER, &st);
  if (place->node) measureNode(asked->tracee->tid, place->node, &st);
  showTimes(&st);
  bool written;
  if (call->number == SYS_statx) {
    struct statx extended = extendedOf(&st, place);
    written = writeMemory(asked->tracee->tid, call->args[4], &extended, sizeof extended);
  } else written = writeMemory(asked->tracee->tid, call->args[call->number == SYS_newfstatat ? 2 : 1], &st, sizeof st);
  return giveResult(asked, written ? 0 : -EFAULT);
}

bool answerAccess(struct asked *asked, int wants) {
  int error = askPlace(asked);
  if (error) return giveResult(asked, -error);
  if (asked->place.native || (asked->place.magic && !asked->place.node)) return true;
  if (!asked->place.there) return giveResult(asked, -ENOENT);
  return giveResult(asked, wants == F_OK ? 0 : -mayUsePlace(&asked->place, wants));
}

static void showNode(const struct node *node, const char *rest, bool gone, char *target, size_t room) {
  static struct spot spot;
  char shown[PATH_MAX];
  spot.base = (struct node *)node;
  snprintf(spot.rest, sizeof spot.rest, "%s", rest);
  shownPath(&spot, shown);
  snprintf(target, room, "%s%s", shown, gone ? " (deleted)" : "");
}

// What the link of an open file says, as it would if its name had really come or gone. False: only the kernel would know.
static bool showOpened(char *target, size_t room) {
  const struct node *node = nodeOfScratchPath(target);
  struct stat real;
  if (node || (target[0] == '/' && lstat(target, &real) == 0)) {
    if (!node) node = findReal(&real);
    bool directory = node && S_ISDIR(node->now.mode);
    // A file has one name, which it takes along, and keeps when it is gone. Of several nobody knows by which it was opened, where it was not
    // a real one that nobody touched.
    if (node && (directory || !node->several)) { showNode(node, "", directory ? node->removed : !node->now.links, target, room); return true; }
    if (node && node->now.scratch) return false;
    const char *slash = strrchr(target, '/');
    const struct node *folder = findRealDirectory(target, slash == target ? 1 : (size_t)(slash - target));
    if (folder && findName(folder, slash + 1)) {
      if (node) return false;
      showNode(folder, slash + 1, true, target, room);
      return true;
    }
  }
  showScratchPath(target, room);
  return true;
}

bool answerLinkText(struct asked *asked, uint64_t to, size_t room) {
  char target[PATH_MAX], path[PATH_MAX];
  struct place *place = &asked->place;
  int error = askPlace(asked);
  if (error) return giveResult(asked, -error);
  if (!place->there) return giveResult(asked, -ENOENT);
  contentPath(place, AFTER, path);
  bool ofProcess = !strncmp(path, "/proc/", 6);
  if (place->native && !ofProcess) return true;
  if (!S_ISLNK(typeOfPlace(place, AFTER))) return giveResult(asked, -EINVAL);
  if (place->node && place->node->now.target) snprintf(target, sizeof target, "%s", place->node->now.target);
  else {
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length < 0) return giveResult(asked, -errno);
    target[length] = 0;
    if (!strcmp(path, "/proc/self") || !strcmp(path, "/proc/thread-self")) return true;
    if (ofProcess && !showOpened(target, sizeof target)) return stopHere(asked, "readlink");
  }
  size_t length = strlen(target);
  if (length > room) length = room;
  return giveResult(asked, writeMemory(asked->tracee->tid, to, target, length) ? (long)length : -EFAULT);
}

bool answerWorkingDirectory(struct asked *asked) {
  char path[PATH_MAX];
  static struct spot spot;
  readRawDescriptor(asked->tracee->tid, AT_FDCWD, path, sizeof path);
  if (spotOfRealPath(path, &spot) != 0) return giveResult(asked, -ENOENT);
  // A directory that was removed has no path any more.
  const struct node *node = spot.base;
  for (; node != node->parent; node = node->parent) {
    struct name *name = findName(node->parent, node->text);
    if (!name || name->now != node) return giveResult(asked, -ENOENT);
  }
  shownPath(&spot, path);
  size_t size = strlen(path) + 1;
  if (size > asked->call->args[1]) return giveResult(asked, -ERANGE);
  return giveResult(asked, writeMemory(asked->tracee->tid, asked->call->args[0], path, size) ? (long)size : -EFAULT);
}
