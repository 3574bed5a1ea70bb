// File times that the real file system cannot hold: it clamps them, our tmpfs would not.
#pragma once
#include "tracee.h"

bool isTimeCall(long number);
// At the stop of such a call: gives it the times that would really be kept.
void judgeTimes(struct tracee *tracee, const struct call *call);
// At its end: the program finds its own times again.
void finishTimes(struct tracee *tracee);
