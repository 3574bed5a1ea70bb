// What statfs(2) says in a copy, made what it says of the file system that the copy stands for: its kind, its size, what is free.
#pragma once
#include "filter.h"
#include "tracee.h"

bool isDiskCall(long number);
// Rules for the filter of a copy; programs that are corrected stop there anyway. Returns how many.
unsigned diskRules(struct rule *rules);
void judgeDisk(struct tracee *tracee, const struct call *call);
