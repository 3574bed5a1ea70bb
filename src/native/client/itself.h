// What is done without the service: the same program of Node that the service runs, in this process's place.
#pragma once
#include "text.h"
#include <stdbool.h>

// Where Node and the program are, as `foretell hooks install` or the extension wrote it beside this binary.
struct installation {
  struct text words; // the whole file, NUL for newline
  const char *node, *dist, *environment;
};

extern struct installation installation;
// As which program it was called. For AS_HOOK an agent waits, and any exit status but 0 would be taken for a denial or a failure;
// for AS_ENTER a shell waits, for a fraction of a second (start.h).
enum role { AS_FORETELL, AS_HOOK, AS_ENTER };
extern enum role role;
// What was read of standard input, which is given back before another program takes this one's place.
extern struct text input;
extern bool inputWasRead;

// To be called first. Ends where nothing is installed.
void beginAs(int count, char **words);
// The path of a file of the installation; of a static buffer.
const char *inDist(const char *name);
// At Enter there is no time for it: that the line was not asked is all that is told.
_Noreturn void runItself(void);
