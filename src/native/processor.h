// The tracer and what stops are on one processor: all of it in supervised mode, else the thread that stops most.
#pragma once
#include "tracee.h"

void stayOnOneProcessor(void);
bool isOnOneProcessor(void);
// At a stop.
void keepNear(struct tracee *tracee, long number);
// It gets its own processors back.
void letGo(void);
void watchNear(void);
void leaveNear(pid_t tid); // it has ended
// A new thread or process has the processors that its maker really has.
void freeBorn(struct tracee *born);
// At the stop of sched_getaffinity(2): the command is told what it would really have.
bool answerProcessors(struct tracee *tracee, const struct call *call);
