// Which of two new processes begins is chance. In one run the eldest begins, in another the youngest: what differs then was chance.
#pragma once
#include "tracee.h"

// At the first stop of a new process, or at the program of one that its parent has waited for: true when it waits for its turn.
bool holdBirth(struct tracee *tracee);
// Its parent tells of it, perhaps before its first stop. `isWaitedFor`: until it executes a program; its turn comes then.
void noteBirth(struct tracee *tracee, bool isWaitedFor);
// Lets the next one begin when nobody else can run on. True while somebody waits for his turn.
bool watchBirths(void);
