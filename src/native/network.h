// Connections: made only to servers that the command itself started, within the view; else answered as a machine without
// network would, and reported.
#pragma once
#include "filter.h"
#include "tracee.h"

// Rules for what a view's own network would answer otherwise; returns their number.
unsigned networkRules(struct rule *rules);
bool isNetworkCall(const struct call *call);
// True: the process goes on. False: look mode met a change (`detail` says which) and the run is over.
bool judgeNetwork(struct tracee *tracee, const struct call *call);

// answerSockets.c, supervised mode: sockets with a path. False when the run is over.
bool bindInTree(struct tracee *tracee, const struct call *call, const char *name, bool isBound);
// The tree says what is there, or that nothing is.
bool isInTree(struct tracee *tracee, const char *name);
bool reachInTree(struct tracee *tracee, const struct call *call, const char *name);
