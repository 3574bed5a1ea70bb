// The gate: which programs and libraries may run.
#pragma once
#include "tracee.h"

struct stat;

enum reason { MAY_RUN, NOT_INERT = 1, FOREIGN_LIBRARY, PRIVILEGED, ON_ASK_LIST, SLIPPED, NOT_JUDGED, MAY_BE_LET_IN };

// At the stop of execve(2) or execveat(2): goes on, or holds the process and hands it over. False: held.
bool gateExec(struct tracee *tracee, const struct call *call);
// What was handed over is executed after all: from the scratch, where the tree has its content there.
void startHanded(struct tracee *tracee);
// Before the first instruction of the new program. False: something else than decided is there; it must be killed.
bool checkExec(struct tracee *tracee);
// Opens a path as the process would, as O_PATH; -1 with errno.
int openAs(pid_t tid, int directory, const char *path, int flags);
// The directory that holds the last component of the path; -1 with errno.
int openParentAs(pid_t tid, int directory, const char *path);
bool pathOfDescriptor(int descriptor, char *to, size_t room);
// The file in the view is the machine's own, not changed by a confined command.
bool isUnchanged(const char *realPath, const struct stat *st);
