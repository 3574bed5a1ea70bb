// What root may do to the machine with powers (capabilities(7)) that his command does not have here.
#pragma once
#include "filter.h"
#include "tracee.h"

// Rules for every mode, to stand before any that let such calls go on; none for an ordinary user. Returns how many.
unsigned powerRules(struct rule *rules);
// Whether such a call needs one of these powers: then it has been made for the process (its priority), or refused, and that was said.
bool judgePower(struct tracee *tracee, const struct call *call);
