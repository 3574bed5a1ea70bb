// A pipe that a program does not wait for takes only a part of a long write. Node keeps the rest and writes it later; where it ends before that
// (`process.exit()`), the rest is lost, and how much of it had arrived was chance: it depends on how fast the other end reads.
#pragma once
#include "filter.h"
#include "tracee.h"

// Rules for writes that are longer than a pipe takes at once, and for the end of a process; returns their number.
unsigned unwrittenRules(struct rule *rules);
// At a long write: asks for its end where it goes to a pipe that is not waited for.
void noteLongWrite(struct tracee *tracee, const struct call *call);
// At its end: notes what is left. False where it is the end of another call.
bool finishLongWrite(struct tracee *tracee);
// At the end of a process: EFFECT 25 where it has not written since what was left. False at any other call.
bool checkUnwritten(struct tracee *tracee, const struct call *call);
