// How much memory the processes of a run hold together, what they share counted once.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// A process made a file in memory (memfd_create(2)): from now on these are looked for.
void noteMemoryFile(void);
// Bytes. At or below `limit` (0: none) it is an upper bound, which is cheap to get; above it is measured.
uint64_t usedMemory(uint64_t limit);
