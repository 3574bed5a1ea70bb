// rename(2) of a directory gives EXDEV on the overlays of a user namespace (overlayfs.rst, redirect_dir); here it is completed.
#pragma once
#include "tracee.h"

bool isRenameCall(long number);
// Also of a link: says so where only the view has two mounts.
void judgeRename(struct tracee *tracee, const struct call *call);
// At the end of the call. False: the process is held while the directory is copied.
bool finishRename(struct tracee *tracee);
// A child of ours ended: true when it was a copy.
bool onCopyEnded(pid_t pid, int status);
bool anyCopyRuns(void);
