// Notices that nobody can run on: then a wait is skipped, or the command asks at its terminal, or it waits for ever.
#pragma once
#include "command.h"

void noteActivity(void);
// INPUT was typed: it may ask again.
void noteInput(void);
// A question waits for its answer and nobody runs: time does not count.
bool questionWaits(void);
// False when somebody runs or can run. The fingerprint changes when anybody ran meanwhile: it counts their changes of context.
bool nobodyRuns(uint64_t *fingerprint);
void watchQuiet(const struct command *command);
