// Look mode: the real machine, and only calls that change nothing.
#pragma once
#include "tracee.h"

// At the stop of a call that is not on the list of harmless ones. True: the process goes on (the call was harmless after all, or was
// answered with the error that it would get); false: it would change something, and the run is over.
bool judgeLook(struct tracee *tracee, const struct call *call);
// What a call needs of the machine ends the run: the name of the call, and of what it asks, or nothing. False.
bool stopAt(const char *name, const char *detail);
// Before a program starts: reading a FIFO or a device that it is given would take data from its real reader.
bool judgeArguments(struct tracee *tracee, uint64_t argv);
