// How much of a file's old content its new one still has.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { COMPARED_UNKNOWN, COMPARED_SAME, COMPARED_ADDED, COMPARED_GONE, LINES_UNKNOWN = UINT32_MAX };

struct comparison {
  uint8_t how;        // COMPARED_…
  uint32_t linesGone; // of COMPARED_GONE: how many lines of the old text the new one has not; LINES_UNKNOWN where that is not looked for
  uint64_t bytesGone; // of COMPARED_GONE: the bytes of these lines; else of what stands between a common beginning and a common end
};

// Compares two regular files by open descriptors. `left`: how many bytes may still be read, in all; COMPARED_UNKNOWN when they are used up.
struct comparison compareFiles(int before, int after, uint64_t *left);
