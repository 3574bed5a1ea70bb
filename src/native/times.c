#define _GNU_SOURCE
#include "times.h"
#include "gate.h"
#include "status.h"
#include "view.h"
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>


// The two times of the call, as seconds and the smaller unit; their place in memory and what stood there.
struct times { int64_t of[2][2]; };
struct range { int64_t least, most; bool known; };

static const struct range always = {INT32_MIN, INT32_MAX, true}; // what every file system of today holds
static const struct range unlimited = {INT64_MIN, INT64_MAX, true};
static const struct range unknown = {INT32_MIN, INT32_MAX, false};
static const struct range extended = {INT32_MIN, (1ll << 34) - 1 + INT32_MIN, true}; // EXT4_EXTRA_TIMESTAMP_MAX of fs/ext4/ext4.h

bool isTimeCall(long number) {
  switch (number) {
    case SYS_utimensat:
#if defined(__x86_64__)
    case SYS_utime: case SYS_utimes: case SYS_futimesat:
#endif
      return true;
  }
  return false;
}

static int argumentOf(long number) {
#if defined(__x86_64__)
  if (number == SYS_utime || number == SYS_utimes) return 1;
#endif
  (void)number;
  return 2;
}

static bool isShort(long number) {
#if defined(__x86_64__)
  if (number == SYS_utime) return true; // struct utimbuf: seconds alone
#endif
  (void)number;
  return false;
}

// ---- what the real file system holds ----

// ext4 keeps more bits, and when a file was made, where its inodes have room for both.
static bool hasWideInodes(int node) {
  struct statx st;
  return statx(node, "", AT_EMPTY_PATH, STATX_BTIME, &st) == 0 && (st.stx_mask & STATX_BTIME);
}

static struct range rangeOf(const char *path) {
  char text[PATH_MAX];
  struct statfs fs;
  snprintf(text, sizeof text, "%s", path);
  for (;;) {
    int node = openat(view.outerRoot, text[1] ? text + 1 : ".", O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (node >= 0) {
      struct range range = unknown;
      if (fstatfs(node, &fs) == 0) {
        if (fs.f_type == EXT_MAGIC) range = hasWideInodes(node) ? extended : always;
        else if (fs.f_type == TMPFS_MAGIC || (long)fs.f_type == BTRFS_MAGIC) range = unlimited;
      }
      close(node);
      return range;
    }
    char *slash = strrchr(text, '/');
    if (!slash || !text[1]) return unknown;
    slash[slash == text ? 1 : 0] = 0;
  }
}

static bool pathOfCall(struct tracee *tracee, const struct call *call, char *real, size_t room) {
  static char path[PATH_MAX];
  bool at = call->number == SYS_utimensat;
#if defined(__x86_64__)
  at |= call->number == SYS_futimesat;
#endif
  int directory = at ? (int)call->args[0] : AT_FDCWD;
  path[0] = 0;
  if (call->args[at ? 1 : 0] && !readText(tracee->tid, call->args[at ? 1 : 0], path, sizeof path)) return false;
  if (!path[0] && directory != AT_FDCWD) return readProcDescriptor(tracee->tid, directory, real, room) && real[0] == '/'; // futimens(3)
  bool link = call->number == SYS_utimensat && (call->args[3] & AT_SYMLINK_NOFOLLOW);
  int node = openAs(tracee->tid, directory, path, link ? O_NOFOLLOW : 0);
  if (node < 0) return false;
  bool found = pathOfDescriptor(node, real, room) && real[0] == '/';
  close(node);
  return found;
}

// ---- the call ----

static bool readTimes(struct tracee *tracee, const struct call *call, struct times *times) {
  uint64_t at = call->args[argumentOf(call->number)];
  if (!isShort(call->number)) return readMemory(tracee->tid, at, times, sizeof *times) == sizeof *times;
  int64_t seconds[2];
  if (readMemory(tracee->tid, at, seconds, sizeof seconds) != sizeof seconds) return false;
  *times = (struct times){{{seconds[0], 0}, {seconds[1], 0}}};
  return true;
}

static void writeTimes(struct tracee *tracee, const struct call *call, const struct times *times) {
  uint64_t at = call->args[argumentOf(call->number)];
  int64_t seconds[2] = {times->of[0][0], times->of[1][0]};
  if (isShort(call->number)) writeMemory(tracee->tid, at, seconds, sizeof seconds);
  else writeMemory(tracee->tid, at, times, sizeof *times);
}

static bool isWithin(const int64_t time[2], struct range range) {
  bool given = time[1] != UTIME_NOW && time[1] != UTIME_OMIT;
  return !given || (time[0] >= range.least && time[0] <= range.most);
}

// timestamp_truncate() of fs/inode.c: the limit, to the second.
static void clamp(int64_t time[2], struct range range) {
  if (isWithin(time, range)) return;
  time[0] = time[0] < range.least ? range.least : range.most;
  time[1] = 0;
}

bool fitTimes(const char *path, struct timespec times[2]) {
  for (int i = 0; i < 2; i++) {
    int64_t time[2] = {times[i].tv_sec, times[i].tv_nsec};
    if (isWithin(time, always)) continue;
    struct range range = rangeOf(path);
    if (!range.known) return false;
    clamp(time, range);
    times[i] = (struct timespec){time[0], time[1]};
  }
  return true;
}

void judgeTimes(struct tracee *tracee, const struct call *call) {
  static char path[PATH_MAX];
  struct times times;
  if (!readTimes(tracee, call, &times) || (isWithin(times.of[0], always) && isWithin(times.of[1], always))) return;
  if (!pathOfCall(tracee, call, path, sizeof path)) return;
  struct range range = rangeOf(path);
  if (!range.known) sendEffect(EFFECT_NOT_REAL_STATUS, groupOf(tracee), path, 0);
  if (!range.known || (isWithin(times.of[0], range) && isWithin(times.of[1], range))) return;
  struct times clamped = times;
  clamp(clamped.of[0], range);
  clamp(clamped.of[1], range);
  struct times *given = malloc(sizeof *given);
  if (!given) _exit(122);
  *given = times;
  writeTimes(tracee, call, &clamped);
  free(tracee->pending);
  tracee->pending = given; // as the program gave them
  tracee->call = *call;
  tracee->wantsExit = true;
}

void finishTimes(struct tracee *tracee) {
  struct times *given = tracee->pending;
  if (given) writeTimes(tracee, &tracee->call, given);
  free(given);
  tracee->pending = 0;
}
