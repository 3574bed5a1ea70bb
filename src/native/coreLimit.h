// How large a core dump may be (getrlimit(2), core(5)). A dump would be written by the kernel, or given to the machine's handler of
// crashes, whatever a filter says: the real limit of a process stays as it is, and what it sets and asks is answered.
#pragma once
#include "filter.h"
#include "tracee.h"

bool isCoreLimitCall(const struct call *call);
// Rules for every mode, to stand before any that let such calls go on. Returns how many.
unsigned coreLimitRules(struct rule *rules);
void judgeCoreLimit(struct tracee *tracee, const struct call *call);
// Whether the end of a process would really leave a core dump.
bool wouldDump(struct tracee *tracee, int status);
