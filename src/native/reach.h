// Look mode, where the user consented to it: the one program that is run there reaches servers of this machine at one port, or the network.
#pragma once
#include "network.h"
#include "tracee.h"

// Makes connect(2), or bind(2) of a port of the machine's choice, where SETUP lets it; `answer`: its result. False: it is judged as any other.
bool reachOutside(struct tracee *tracee, const struct call *call, const union address *to, int type, int *answer);
