// What the command prints, and what is typed for it.
#pragma once
#include "filter.h"
#include "frame.h"

void watchRelay(void);
void onInput(struct request *request);
// What was printed before the end is still in the pipes.
void relayRest(void);
// What was printed before this moment is sent before what is told next.
void relaySoFar(void);
bool outputWasCut(void);
// What was printed as output before errors that come now is sent before them.
void relayOutputBeforeErrors(void);
// The calls by which a program turns from output to errors.
unsigned printRules(struct rule *rules);
bool isPrintCall(long number);
