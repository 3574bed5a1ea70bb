// What the command prints, and what is typed for it.
#pragma once
#include "frame.h"

void watchRelay(void);
void onInput(struct request *request);
// What was printed before the end is still in the pipes.
void relayRest(void);
// What was printed before this moment is sent before what is told next.
void relaySoFar(void);
bool outputWasCut(void);
