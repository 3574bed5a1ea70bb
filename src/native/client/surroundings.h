// What a process hands on to those that it starts, and a request cannot say: only a service with the same may predict for it.
#pragma once
#include <stdbool.h>

enum { NAME_BYTES = 33 };

// The variables that the service itself is started with.
extern const char *const servedVariables[];

// The name of the service for this process: a digest. False where no service may stand in for it.
bool nameService(char name[NAME_BYTES]);
