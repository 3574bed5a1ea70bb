// Memory that the keeper and its tracers share: what a run changed is still known when its tracer is gone.
#pragma once
#include <stdbool.h>
#include <stddef.h>

// Reserves the space; once, in the keeper. False with errno.
bool startShared(void);
// Zeroed and never freed. Ends the process when the space is used up.
void *allocShared(size_t bytes);
char *copyShared(const char *text);
// The command does not get it.
void keepSharedFromChildren(void);
