#define _GNU_SOURCE
#include "reading.h"
#include "correct.h"
#include "place.h"
#include "setup.h"
#include "view.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_ENTRIES = 1 << 20 }; // bytes of one getdents64

bool isReadingCall(long number) {
  switch (number) {
    case SYS_getdents64: case SYS_fchownat: case SYS_fchown:
#if defined(__x86_64__)
    case SYS_chown: case SYS_lchown:
#endif
      return true;
  }
  return false;
}

static bool isMapped(uint32_t id, uint32_t own) { return id == UINT32_MAX || id == own; }

// Every number that it gives has a number in the user namespace: what the kernel says is right.
static bool keepsOwner(const struct call *call) {
  int at = call->number == SYS_fchownat ? 2 : 1;
  return isMapped((uint32_t)call->args[at], getuid()) && isMapped((uint32_t)call->args[at + 1], getgid());
}

void judgeReading(struct tracee *tracee, const struct call *call) {
  if (call->number != SYS_getdents64 && keepsOwner(call)) return;
  tracee->call = *call;
  tracee->wantsExit = true;
}

// ---- the order of a directory ----

// It holds names that the real directory has not, so the file system would have put them elsewhere.
static bool hasNewNames(int directory, const char *path) {
  int real = openat(view.outerRoot, path[1] ? path + 1 : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (real < 0) return true;
  bool found = false;
  DIR *entries = fdopendir(directory);
  for (struct dirent *entry; !found && entries && (entry = readdir(entries));)
    found = faccessat(real, entry->d_name, F_OK, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT;
  if (entries) closedir(entries);
  else close(directory);
  close(real);
  return found;
}

// Its path and where it lies, of one that the command may have changed; most directories of the machine are not touched at all.
static bool isTouched(struct tracee *tracee, int descriptor, char path[PATH_MAX]) {
  const char *rest;
  struct stat st;
  if (!readProcDescriptor(tracee->tid, descriptor, path, PATH_MAX) || path[0] != '/' || isBelow(path, "/proc") || isBelow(path, "/sys") || !strcmp(path, "/proc")) return false;
  const struct part *part = partOf(path, &rest);
  if (!part || (part->kind != PART_OVERLAY && part->kind != PART_PLAIN)) return false;
  return view.layer != 0 || part->kind != PART_OVERLAY || fstatat(part->upper, rest, &st, AT_SYMLINK_NOFOLLOW) == 0 || fstatat(view.outerRoot, path + 1, &st, 0) != 0;
}

static bool isReordered(struct tracee *tracee, int descriptor) {
  char link[64], path[PATH_MAX];
  if (view.supervised) return true; // asked for of a changed one only
  if (!isTouched(tracee, descriptor, path)) return false;
  snprintf(link, sizeof link, "/proc/%d/fd/%d", tracee->tid, descriptor);
  int directory = open(link, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return directory >= 0 && hasNewNames(directory, path);
}

// struct linux_dirent64 of getdents(2): d_ino and d_off (8 bytes each), d_reclen (2), d_type, d_name.
enum { OFFSET_AT = 8, LENGTH_AT = 16, NAME_AT = 19 };

static void reverseEntries(struct tracee *tracee, size_t length) {
  static unsigned char from[MOST_ENTRIES], to[MOST_ENTRIES];
  uint64_t at = tracee->call.args[1];
  if (length > sizeof from || readMemory(tracee->tid, at, from, length) != (ssize_t)length) return;
  size_t end = length, position = 0;
  uint16_t size = 0;
  for (; position < length; position += size) {
    memcpy(&size, from + position + LENGTH_AT, sizeof size);
    if (size < LENGTH_AT + 3 || size > length - position) return;
    end -= size;
    memcpy(to + end, from + position, size);
  }
  // The offsets stay in their order: the last one says where the next call goes on.
  size_t source = 0;
  for (position = 0; position < length; position += size) {
    memcpy(to + position + OFFSET_AT, from + source + OFFSET_AT, 8);
    uint16_t sourceSize;
    memcpy(&sourceSize, from + source + LENGTH_AT, sizeof sourceSize);
    source += sourceSize;
    memcpy(&size, to + position + LENGTH_AT, sizeof size);
  }
  writeMemory(tracee->tid, at, to, length);
}

// ---- numbers of nodes ----

static bool numberOf(struct tracee *tracee, int directory, const char *name, uint64_t *number) {
  static struct place place;
  struct stat st;
  if (!view.supervised) return correctNumber(tracee, directory, name, number);
  if (findPlace((struct from){tracee->tid, directory}, name, LINK_ITSELF, AFTER, &place) != 0 || !place.there) return false;
  statusOf(&place, AFTER, &st);
  *number = st.st_ino;
  return true;
}

// Of what nobody changed, overlayfs may say in the upper bits which of its file systems it is on (ovl_map_dev_ino).
enum { NUMBER_BITS = 62 };

// find(1) and ls(1) show and compare them without asking for the status of the nodes.
static void correctNumbers(struct tracee *tracee, size_t length) {
  static unsigned char entries[MOST_ENTRIES];
  char path[PATH_MAX];
  uint64_t at = tracee->call.args[1], number;
  bool touched = view.supervised || isTouched(tracee, (int)tracee->call.args[0], path), changed = touched;
  if (length > sizeof entries || readMemory(tracee->tid, at, entries, length) != (ssize_t)length) return;
  uint16_t size = 0;
  for (size_t position = 0; position < length; position += size) {
    memcpy(&size, entries + position + LENGTH_AT, sizeof size);
    if (size < NAME_AT + 1 || size > length - position || !memchr(entries + position + NAME_AT, 0, size - NAME_AT)) return;
    const char *name = (const char *)entries + position + NAME_AT;
    memcpy(&number, entries + position, sizeof number);
    bool coded = !touched && number >> NUMBER_BITS;
    if (coded) number &= (1ull << NUMBER_BITS) - 1;
    if (coded || (touched && numberOf(tracee, (int)tracee->call.args[0], name, &number))) memcpy(entries + position, &number, sizeof number);
    changed = changed || coded;
  }
  if (changed) writeMemory(tracee->tid, at, entries, length);
}

// ---- giving files away ----

// What a user namespace shows for every group that it does not know (user_namespaces(7); /proc/sys/kernel/overflowgid).
enum { UNKNOWN_GROUP = 65534 };

// A number that the user namespace does not know gives EINVAL; outside, a user may not give files away: EPERM.
static void correctOwnership(struct tracee *tracee) {
  const struct call *call = &tracee->call;
  char path[PATH_MAX] = "";
  bool at = call->number == SYS_fchownat;
  uint32_t user = (uint32_t)call->args[at ? 2 : 1], group = (uint32_t)call->args[at ? 3 : 2];
  if (readResult(tracee->tid) != -EINVAL) return;
  if (at && ((unsigned)call->args[4] & ~(unsigned)(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH))) return;
  writeResult(tracee->tid, -EPERM);
  if (!isMapped(user, getuid())) return;
  for (int i = 0; i < view.groupCount; i++) {
    // Who copies the group of another file saw only that it is not known: it may be any of them.
    if (view.groups[i] != group && (group != UNKNOWN_GROUP || view.groups[i] == getgid())) continue;
    if (call->number != SYS_fchown) readText(tracee->tid, call->args[at ? 1 : 0], path, sizeof path);
    sendEffect(EFFECT_OTHER_OWNER, groupOf(tracee), path, 0);
    return;
  }
}

void finishReading(struct tracee *tracee) {
  if (tracee->call.number != SYS_getdents64) { correctOwnership(tracee); return; }
  long length = readResult(tracee->tid);
  if (length <= 0) return;
  if (view.supervised ? showsStatus(tracee->tid) : tracee->corrected) correctNumbers(tracee, (size_t)length);
  if (setup.flags & FLAG_PERTURB && isReordered(tracee, (int)tracee->call.args[0])) reverseEntries(tracee, (size_t)length);
}
