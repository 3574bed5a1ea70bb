// Supervised mode: the tracer and what it traces stay on one processor.
#pragma once
#include "tracee.h"

void stayOnOneProcessor(void);
bool isOnOneProcessor(void);
// At the stop of sched_getaffinity(2): the command is told what it would really have.
bool answerProcessors(struct tracee *tracee, const struct call *call);
