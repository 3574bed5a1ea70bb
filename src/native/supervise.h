// The event loop of one run: host frames, output, stopped processes, deadlines.
#pragma once
#include "frame.h"
#include "setup.h"
#include "tracee.h"

enum how { EXITED = 1, SIGNALLED, CHANGED, TIME_LIMIT, CANCELLED, NOT_STARTED, DISK_QUOTA, MEMORY_LIMIT, PROCESS_LIMIT, GATE_SLIPPED };

// Runs the command to its end and sends FINISHED. Returns false when the host is gone.
bool supervise(const struct run *run);

// For the parts of the loop; both hold for one round only.
typedef void (*readiness)(void *with, short events);
void watch(int descriptor, short events, readiness ready, void *with);
void wakeBy(uint64_t atNs);

// The device of the terminal that the command was given; 0 when it has none.
dev_t ownTerminalDevice(void);

// Lets a stopped process go on, to the end of its system call when it `wantsExit`.
void resume(struct tracee *tracee, int signal);
// Ends the run, once; the first reason stands.
void endRun(enum how how, int code, const char *detail);
// Nobody runs any more: what the command left behind only waits, so the run is over. False while its first process lives.
bool endIfFirstEnded(void);
// Answers requests that may come at any time (LIST, READ, STAT, PUT). False: not one of those.
bool serveFiles(struct request *request);
