// What stat(2) says in a copy, made what it would really say: sizes, blocks and link counts of directories, owners, inodes, devices.
#pragma once
#include <sys/types.h>
#include <sys/vfs.h>
#include "tracee.h"

bool isStatusCall(long number);
// Gives the program, in the place of its first call, a second filter that stops at these calls; false: it cannot be.
bool beginFilter(struct tracee *tracee, const struct call *call);
// At the end of that call: makes the first one after all.
void endFilter(struct tracee *tracee);
// At execve: only programs of the SETUP list are corrected.
void noteCorrected(struct tracee *tracee);
// At a stop of such a program at the begin of a call, and at its end.
void beginCorrected(struct tracee *tracee, const struct call *call);
void endCorrected(struct tracee *tracee);
// The file system that a path of the view is really on, or would be. False: that cannot be told.
bool realFileSystem(const char *path, struct statfs *fs, dev_t *device);
// The inode number that a program is told of a name in one of its open directories.
bool correctNumber(struct tracee *tracee, int directory, const char *name, uint64_t *number);
