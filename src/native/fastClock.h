// Readings of the clock that make no system call (vdso(7)): a runtime reads it a thousand times before its first line, and a stop for
// each would take longer than all else that it does.
#pragma once
#include "tracee.h"

// After execve: such readings stay as they are where they are right, and become system calls where the clock is shifted. Where that
// cannot be had, all of them do.
void keepFastClock(struct tracee *tracee);
// From now on every reading is a system call, in all processes. Nobody runs at this moment.
void slowClocks(void);
