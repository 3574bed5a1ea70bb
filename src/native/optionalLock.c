// `git status`, `git diff` and `git describe --dirty` refresh the index when they are done reading. They ask for the lock with
// repo_hold_locked_index(…, 0) (builtin/commit.c, diff.c, describe.c of git): where that fails, nothing is said and nothing else differs.
#define _GNU_SOURCE
#include "optionalLock.h"
#include "tracee.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool endsWith(const char *text, const char *end) {
  size_t length = strlen(text), tail = strlen(end);
  return length >= tail && !strcmp(text + length - tail, end);
}

static bool isGit(pid_t tid) {
  char file[4096];
  return readRawLink(tid, "exe", file, sizeof file) >= 0 && endsWith(file, "/git");
}

static bool takesNext(const char *option) {
  static const char *const taking[] = {"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env", "--super-prefix"};
  for (unsigned i = 0; i < sizeof taking / sizeof *taking; i++) if (!strcmp(option, taking[i])) return true;
  return false;
}

static bool goesOnWithout(const char *subcommand) {
  return !strcmp(subcommand, "status") || !strcmp(subcommand, "diff") || !strcmp(subcommand, "describe");
}

bool isOptionalLock(pid_t tid, const char *path, unsigned flags) {
  char name[64], words[4096];
  if (!(flags & O_CREAT) || !(flags & O_EXCL) || !endsWith(path, "/index.lock") || !isGit(tid)) return false;
  snprintf(name, sizeof name, "/proc/%d/cmdline", tid);
  int file = open(name, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  ssize_t length = read(file, words, sizeof words - 1);
  close(file);
  if (length <= 0) return false;
  words[length] = 0;
  bool skips = true; // the name of the program
  for (const char *word = words; word < words + length; word += strlen(word) + 1) {
    if (skips) { skips = false; continue; }
    if (word[0] != '-') return goesOnWithout(word);
    skips = takesNext(word);
  }
  return false;
}
