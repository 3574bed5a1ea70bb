// File systems give times of the machine's clock, which does not jump with that of the confined processes: what shows the status of a file shows
// theirs.
#pragma once
#include <stdint.h>
#include <sys/stat.h>

// To be called when a run begins: what is older is the machine's.
void startJumps(void);
// To be called before the clock jumps so far.
void noteJump(uint64_t ns);
void showTimes(struct stat *st);
