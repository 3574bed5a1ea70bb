#pragma once
#include "filter.h"
#include "tracee.h"

// Before the launcher gives up anything itself.
void notePrivileges(void);
unsigned privilegeRules(struct rule *rules);
// At the stop of prctl(2); false for any other call.
bool judgePrivilege(struct tracee *tracee, const struct call *call);
