// Calls that concern the machine: refused, or answered without being done.
#pragma once
#include "tracee.h"

// At the stop of a call that no other part knows, in copy mode. The process goes on afterwards in any case.
void judgeSystem(struct tracee *tracee, const struct call *call);
// Words of the arguments that name the process or the mount table, which is not the machine's in copy mode, or the status of a process of
// its own, which nowhere is what it would be.
void reportProcessTable(struct tracee *tracee, const char *arguments, size_t length);
