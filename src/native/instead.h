// Another program in the place of a stopped one: `npm run build` becomes the `sh -c …` that it would start.
#pragma once
#include "tracee.h"

struct instead; // path, argument and environment texts, ready to be written into the process
struct instead *makeInstead(const char *path, const struct list *argv, const struct list *env);
// The process is stopped at execve(2): makes it ask for memory first. Takes `instead` over.
void startInstead(struct tracee *tracee, struct instead *instead);
// It has the memory: fills it and makes it execute the other program, which is gated in its turn.
void finishInstead(struct tracee *tracee);
