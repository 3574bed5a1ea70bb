// LIST goes down as far as the stack and the length of a path allow, and says where it had to end.
#define _GNU_SOURCE
#include "changes.h"
#include "view.h"
#include <errno.h>
#include <sys/resource.h>

enum { STACK_BYTES = 96 << 20, BYTES_A_LEVEL = 32 << 10 };
static uint32_t depth, deepest;
static struct rlimit before;

// The stack of the first thread grows as far as the limit says when it grows (setrlimit(2)). Commands keep theirs.
void raiseStack(void) {
  getrlimit(RLIMIT_STACK, &before);
  struct rlimit more = before;
  if (more.rlim_cur < STACK_BYTES) more.rlim_cur = more.rlim_max < STACK_BYTES ? more.rlim_max : STACK_BYTES;
  if (setrlimit(RLIMIT_STACK, &more) != 0) more = before;
  depth = 0;
  deepest = (uint32_t)((more.rlim_cur < STACK_BYTES ? more.rlim_cur : STACK_BYTES) / BYTES_A_LEVEL);
}

void lowerStack(void) { setrlimit(RLIMIT_STACK, &before); }

bool goDown(const char *path) {
  if (depth < deepest) { depth++; return true; }
  errno = ENAMETOOLONG;
  incomplete(path);
  return false;
}

void goUp(void) { depth--; }

// Longer paths than any call takes cannot be told: half of one would name something else.
bool nameBelow(char *to, const char *directory, const char *name) {
  if (path2(to, directory, name)) return true;
  errno = ENAMETOOLONG;
  incomplete(directory);
  return false;
}
