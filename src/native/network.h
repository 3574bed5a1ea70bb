// Connections: made only to servers that the command itself started, within the view; else answered as a machine without
// network would, and reported.
#pragma once
#include "tracee.h"

bool isNetworkCall(long number);
// True: the process goes on. False: look mode met a change (`detail` says which) and the run is over.
bool judgeNetwork(struct tracee *tracee, const struct call *call);
