// Programs that an answer let in for the form of their words (ANSWER 5): what they load and start is judged, and their code is the system's.
#pragma once
#include "tracee.h"

// At the answer: the program that is about to start, and the endings of files that it runs as code. Takes the list.
void letInAsKnown(struct tracee *tracee, struct list code);
// The first such program that it comes from, or it is; 0: none.
pid_t knownAbove(struct tracee *tracee);
// At the stop of a call: true where it would open code that is not the system's. Then it is held, and handed over.
bool stopsAtCode(struct tracee *tracee, const struct call *call);
