// The clock of the confined processes: it jumps over waits (virtual time) and may be shifted (to find volatile output).
#pragma once
#include "tracee.h"

// A clock of its own: it is off, or slow.
bool hasOwnClock(void);
// The run is killed when the virtual clock has gone so far on from now; 0: never. Time in which the run was held does not count.
void setKillTime(uint32_t ms);
uint64_t putOffKill(uint64_t ns);
void watchKill(void);
// The machine's own clock, which nothing shifts: since some time in the past.
uint64_t nowNs(void);
// How long to wait for the next look at somebody who has waited so long: a look takes time that others could use.
uint64_t pauseAfter(uint64_t waitedNs, uint64_t leastNs, uint64_t longestNs);
bool isClockCall(long number);
// At the stop of such a call. False: the process is held until its time has come.
bool judgeClock(struct tracee *tracee, const struct call *call);
// The clock has jumped over a wait: no reading of the machine's is right any more.
bool hasSkipped(void);
// Wakes whoever is due; asks for the next round in time.
void watchClock(void);
// Nobody can run on: jumps to the next wake-up. False when nobody waits for a time.
bool skipToNext(void);
// Wakes those that wait for a time and have a signal, which a held process does not see by itself; whether there are any.
bool interruptHeld(void);
void forgetTimersOf(pid_t pid);
// Where the kernel does not tell which signals wait: a signal goes to a process, or with a number below zero to a group; and it was shown.
void noteSent(pid_t target, int signal);
void noteShown(const struct tracee *shown, int signal);
