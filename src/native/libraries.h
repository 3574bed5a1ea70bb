// The gate's second half: libraries are programs too. What an inert program makes executable is judged, and every library as a whole
// before anything of it is mapped: also one without instructions makes the loader call what its relocations name.
#pragma once
#include "tracee.h"

struct stat;

// By its name.
bool isSystemPath(const char *path);

// Whether it belongs to the system or to what was installed, and not to somebody's own project.
bool isInstalled(const char *path);
// Only files of the system, which the user cannot write and no confined command has written.
bool isSystemLibrary(const char *path, const struct stat *st);
// At the stop of an mmap(2) of a file. False: held, and handed over.
bool gateMap(struct tracee *tracee, const struct call *call);
// At the stop of an mprotect(2), pkey_mprotect(2) or shmat(2) that makes memory executable.
bool gateMemory(struct tracee *tracee, const struct call *call);
bool isMemoryCall(long number);
