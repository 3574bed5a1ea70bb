// What still runs when a run is over.
#pragma once
#include <stdbool.h>
#include <sys/types.h>

// Puts these processes and their words into the event that is being built. `isNobody`: what there is counts for nothing. `ours`: a
// child that has not become the command; 0: it has.
void putLeftRunning(bool isNobody, pid_t ours);
