// What statfs(2) says in a copy, made what it says of the file system that the copy stands for: its kind, its size, what is free.
#pragma once
#include "filter.h"
#include "tracee.h"

bool isDiskCall(long number);
// Rules for the filter of a copy; programs that are corrected stop there anyway. Returns how many.
unsigned diskRules(struct rule *rules);
// Rules for what every file system does in its own way, so that those of the copies say nothing about it: how long a file may be, and its
// flags (chattr(1)), extents and generation. Returns how many.
unsigned storageRules(struct rule *rules);
// Whether a call is one of these: then it has been judged, and refused where nobody knows its answer.
bool judgeStorage(struct tracee *tracee, const struct call *call);
void judgeDisk(struct tracee *tracee, const struct call *call);
