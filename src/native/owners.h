// Owners that a copy cannot have. In a user namespace overlayfs cannot copy up a node whose owner or group has no number there, nor a
// directory in which a name is made or taken away (EOVERFLOW), where the real file system refuses nothing.
#pragma once
#include "filter.h"
#include "tracee.h"

// Rules for the calls that nothing else stops at, to be put before the others; returns their number.
unsigned ownerRules(struct rule *rules);
// Nothing else is to be done about such a call.
bool isOwnerCall(long number);
// At the stop of a call: says, once, that it would touch such a node.
void noteOwners(struct tracee *tracee, const struct call *call);
