// Programs that were stopped at the gate: the host decides what becomes of each, the others go on meanwhile.
#pragma once
#include "gate.h"

void handOver(struct tracee *tracee, enum reason reason, const char *real, bool unchanged, uint64_t argv, uint64_t environment);
// A program that was killed because something else was executed than decided.
void reportSlip(struct tracee *tracee);
void onAnswer(struct request *request);
void onWrite(struct request *request);
void onReadStdin(struct request *request);
void watchHands(void);
void forgetHandsOf(pid_t tid);
bool anyHandWaits(void);
