// The service of this user: found, or started for those that come next.
#pragma once
#include <stdint.h>

// A connection to it, with its word in `token`. -1 where there is none; it is being started then.
int connectService(char token[33]);
// The same, and where it is being started waits for it until then (`nowMs`).
int connectUntil(char token[33], int64_t endMs);
