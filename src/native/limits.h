// Limits of a run that nobody else enforces: processes, memory, disk.
#pragma once
#include <stdbool.h>
#include <stdint.h>

void startLimits(void);
void watchLimits(void);
// A process or thread was born.
void checkProcessLimit(void);
// What was there at the end, when the run was too short to be looked at.
void checkDisk(void);
uint64_t peakMemory(void);
