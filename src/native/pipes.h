// Whether who reads from a pipe leaves before who writes to it has written all is chance: then the writer is told so, by a signal or an
// error. In one run everybody writes as early as possible, in another as late: what differs then was chance.
#pragma once
#include "filter.h"
#include "tracee.h"
#include "unwritten.h"

// Rules for the calls that read the standard input or write standard output and error; returns their number.
unsigned pipeRules(struct rule *rules);
bool isPipeCall(const struct call *call);
// At such a call: true when it waits for its turn, because the other end of the pipe is the command's own.
bool holdAtPipe(struct tracee *tracee, const struct call *call);
// Whether it waits to read from a pipe in which nothing is yet.
bool isAtEmptyPipe(struct tracee *tracee);
// Whether it need not wait any longer, although others run: all such waits together have a limit.
bool hasWaitedAtPipe(const struct tracee *tracee, uint64_t now);
// When to look again: the longer it has waited, the later.
uint64_t pipePauseNs(const struct tracee *tracee, uint64_t now);
void countPipeWait(const struct tracee *tracee, uint64_t now);
