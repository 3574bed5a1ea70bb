// Calls whose answer in a copy differs from the real one: the order of a changed directory, and who a file may be given to.
#pragma once
#include "tracee.h"

bool isReadingCall(long number);
// At the stop of such a call: asks for its end.
void judgeReading(struct tracee *tracee, const struct call *call);
void finishReading(struct tracee *tracee);
