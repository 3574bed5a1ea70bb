// Signals to processes outside of the confinement: answered as the system would, reported, never delivered.
#pragma once
#include "tracee.h"

bool isSignalCall(long number);
// At the stop of a call that sends a signal; false when it waits for its turn (births.h).
bool judgeSignal(struct tracee *tracee, const struct call *call);
// True when the process is one of ours, or was until a moment ago.
bool isConfined(pid_t pid);
// 0, EPERM or ESRCH: what kill(2) would say about a process outside.
int askOuter(pid_t pid);
