// Whether a new process begins, or its parent goes on, is chance. In one run it is always the child, in another always the parent, which
// turns the order of its children round: what differs then was chance.
#pragma once
#include "tracee.h"

// So soon is looked again whether anybody still runs.
extern const uint64_t lookAgainNs;

// At a new program. The threads of a runtime of the system are many, and what it prints hardly depends on which begins first.
void noteOwn(struct tracee *tracee);
// At the first stop of a new process or of a thread of the user's own program, or at the program of one that its parent has waited for: true when it waits for its turn.
bool holdChild(struct tracee *tracee);
// At the stop of a parent that tells of a child, or of a thread: true when it waits for its turn.
bool holdParent(struct tracee *tracee, bool ofThread);
// At a signal to another process of the command: true when it waits for its turn, so that whoever gets it comes as far as it can before.
bool holdSender(struct tracee *tracee);
// Its parent tells of it, perhaps before its first stop. `isWaitedFor`: until it executes a program; its turn comes then.
void noteBirth(struct tracee *tracee, bool isWaitedFor);
// Lets one of those that are held, also at a pipe (pipes.h), go on when nobody else can run. True while somebody waits for his turn.
bool watchTurns(void);
