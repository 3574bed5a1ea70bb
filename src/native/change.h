// A change of a LIST, between finding (changes.c) and sending (changesSent.c).
#pragma once
#include "changes.h"

enum { NOT_COMPARED = 1, REPLACED = 2, REWRITTEN = 4 };

struct change {
  uint8_t kind, flags;
  bool hasBefore, hasAfter, hasDigest;
  char *path, *from, *targetBefore, *targetAfter;
  struct stat before, after;
  unsigned char digest[32];
};

// A node that was renamed is not also deleted. Returns how many are left.
uint32_t dropMoved(struct change *changes, uint32_t count);
// In the order of their paths; frees them.
void sendChanges(struct change *changes, uint32_t count);
