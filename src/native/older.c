#define _GNU_SOURCE
#include "older.h"
#include "tracee.h"
#include "view.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { MOST_DESCRIPTORS = 1 << 20 }; // fs.nr_open, where nobody changed it

// libseccomp before 2.5 made containers answer EPERM to calls that it did not know.
bool isMissingCall(int error) { return error == ENOSYS || error == EPERM; }

bool closeFrom(int first) {
  if (syscall(SYS_close_range, first, INT32_MAX, 0) == 0) return true; // Linux 5.9; gVisor refuses numbers that no descriptor can have
  if (!isMissingCall(errno) && errno != EINVAL) return false;
  DIR *open = opendir("/proc/self/fd");
  if (open) {
    // What is closed is not listed again, so going on reading is safe.
    for (struct dirent *entry; (entry = readdir(open));) {
      int number = atoi(entry->d_name);
      if (entry->d_name[0] != '.' && number >= first && number != dirfd(open)) close(number);
    }
    return closedir(open) == 0;
  }
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return false;
  // A hard limit that was lowered leaves open what is above it.
  long last = limit.rlim_max < MOST_DESCRIPTORS ? MOST_DESCRIPTORS : (long)limit.rlim_max;
  for (long number = first; number < last && number <= INT32_MAX; number++) close((int)number);
  return true;
}

int openBelow(int root, const char *path, uint64_t flags, uint64_t resolve) {
  struct open_how how = {.flags = flags | O_CLOEXEC, .resolve = resolve};
  int result = (int)syscall(SYS_openat2, root, *path ? path : ".", &how, sizeof how); // Linux 5.6
  if (result >= 0 || view.copies || !isMissingCall(errno)) return result;
  if (resolve & RESOLVE_NO_SYMLINKS) { errno = ENOSYS; return -1; }
  while (*path == '/') path++;
  return openat(root, *path ? path : ".", (int)flags | O_CLOEXEC);
}

bool beginsAgain(struct tracee *tracee) {
  static bool asked, twice;
  struct call call;
  if (!asked) twice = readStage(tracee->tid, &call) == STAGE_FILTER;
  asked = true;
  tracee->begun = twice && !tracee->begun;
  return tracee->begun;
}

bool listsRemoved(void) {
  static int known = -1;
  if (known >= 0) return known;
  mkdirat(view.scratch, "removed", 0700);
  int folder = openat(view.scratch, "removed", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  unlinkat(view.scratch, "removed", AT_REMOVEDIR);
  DIR *entries = folder < 0 ? 0 : fdopendir(folder);
  known = entries && readdir(entries);
  if (entries) closedir(entries);
  return known;
}

bool asksFolderFirst(void) {
  static int known = -1;
  char longer[NAME_MAX + 3] = "/"; // than any name that can be there
  if (known >= 0) return known;
  memset(longer + 1, 'x', NAME_MAX + 1);
  known = unlink(longer) != 0 && errno == EACCES;
  return known;
}

bool forbidsInProc(void) {
  static int known = -1;
  struct statfs fs;
  if (known >= 0) return known;
  // Nowhere can it be made.
  known = statfs("/proc", &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC && mkdir("/proc/none", 0) != 0 && errno != ENOENT;
  return known;
}

bool locksNames(void) {
  static int known = -1;
  if (known >= 0) return known;
  int first = openat(view.scratch, "first", O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  int second = linkat(view.scratch, "first", view.scratch, "second", 0) == 0 ? openat(view.scratch, "second", O_RDONLY | O_CLOEXEC) : -1;
  known = first >= 0 && second >= 0 && flock(first, LOCK_EX | LOCK_NB) == 0 && flock(second, LOCK_EX | LOCK_NB) == 0;
  if (first >= 0) close(first);
  if (second >= 0) close(second);
  unlinkat(view.scratch, "first", 0);
  unlinkat(view.scratch, "second", 0);
  return known;
}

bool hidesSignals(void) {
  static int known = -1;
  char status[4096];
  if (known >= 0) return known;
  int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? 0 : read(file, status, sizeof status - 1);
  if (file >= 0) close(file);
  status[length > 0 ? length : 0] = 0;
  known = !strstr(status, "\nSigPnd:");
  return known;
}
