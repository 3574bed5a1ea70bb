// The clock of the confined processes: it jumps over waits (virtual time) and may be shifted (to find volatile output).
#pragma once
#include "tracee.h"

// The machine's own clock, which nothing shifts: since some time in the past.
uint64_t nowNs(void);
bool isClockCall(long number);
// At the stop of such a call. False: the process is held until its time has come.
bool judgeClock(struct tracee *tracee, const struct call *call);
// After execve: hides the vDSO, whose clock readings make no system call.
void hideFastClock(struct tracee *tracee);
// Wakes whoever is due; asks for the next round in time.
void watchClock(void);
// Nobody can run on: jumps to the next wake-up. False when nobody waits for a time.
bool skipToNext(void);
void forgetTimersOf(pid_t pid);
