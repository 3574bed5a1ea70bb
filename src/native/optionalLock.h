// Locks that git takes only if it can.
#pragma once
#include "tracee.h"

// Is this open(2) git's lock for refreshing its index, without which it goes on silently and says the same?
bool isOptionalLock(pid_t tid, const char *path, unsigned flags);
