#define _GNU_SOURCE
#include "frame.h"
#include "shared.h"
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// Address space, not memory: pages come with their first use.
static const size_t RESERVED = 1ull << 30;
static unsigned char *space;

bool startShared(void) {
  space = mmap(0, RESERVED, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (space == MAP_FAILED) return false;
  *(size_t *)space = 64; // how much is used stands at its beginning, for all of us
  return true;
}

void *allocShared(size_t bytes) {
  size_t *used = (size_t *)space, at = *used;
  *used = (at + bytes + 15) & ~(size_t)15;
  if (*used > RESERVED) _exit(122);
  return space + at;
}

char *copyShared(const char *text) {
  size_t length = strlen(text) + 1;
  return memcpy(allocShared(length), text, length);
}

void keepSharedFromChildren(void) { madvise(space, RESERVED, MADV_DONTFORK); }
