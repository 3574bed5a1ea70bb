// What the command prints, and what is typed for it.
#pragma once
#include "frame.h"

void watchRelay(void);
void onInput(struct request *request);
// What was printed before the end is still in the pipes.
void relayRest(void);
bool outputWasCut(void);
