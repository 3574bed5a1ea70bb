#define _GNU_SOURCE
#include "older.h"
#include "tracee.h"
#include "view.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
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
