// Which of the machine's processes are there only because something is predicted. A command that looks for processes does not find them:
// when it is really run, they are gone.
#pragma once
#include "tracee.h"
#include <stdbool.h>
#include <sys/types.h>

// To be called by the keeper: its parent is the host.
void noteHost(void);
// The process is a launcher of our host, or came from one, and is none of this run; or is the host itself or its caller, where that was said in SETUP.
bool isOurs(pid_t pid);
// At the stop of getppid(2) in the checker's run: whose parent is the tracer gets the host's number, so that what depends on it differs.
void judgeParent(struct tracee *tracee);
// Whether the path, as a process of this run would open it, is in the directory of one of ours in /proc. The last one: the command named its own
// parent, which is really another.
enum ours { NOT_OURS, OURS, IN_PLACE_OF_PARENT };
enum ours isInOurs(pid_t tid, int directory, const char *path);
