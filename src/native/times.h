// File times that the real file system cannot hold: it clamps them, our tmpfs would not.
#pragma once
#include <time.h>
#include "tracee.h"

bool isTimeCall(long number);
// At the stop of such a call: gives it the times that would really be kept.
void judgeTimes(struct tracee *tracee, const struct call *call);
// At its end: the program finds its own times again.
void finishTimes(struct tracee *tracee);
// Times as the file system of that real path would keep them. False: that is not known.
bool fitTimes(const char *path, struct timespec times[2]);
