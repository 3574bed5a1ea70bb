// Whether descriptors came of the same open(2), or of dup(2) and fork(2) of it: then they share their locks.
#pragma once
#include "tracee.h"
#include <stdbool.h>
#include <sys/stat.h>

struct holder { pid_t process; int descriptor; };
// Asked of every descriptor of the confined processes, with its link in their folder of procfs, until it says true.
typedef bool (*judgeDescriptor)(void *with, struct holder holder, int folder, const char *name);
bool anyDescriptor(judgeDescriptor is, void *with);
// Told every descriptor of a file in the confined processes, until it says false.
typedef bool (*tellHolder)(void *with, struct holder holder);
void forHolders(const struct stat *file, tellHolder tell, void *with);
// A number of what is open, by its name in proc_pid_fdinfo(5); -1 when nobody tells it.
long fieldOf(struct holder holder, const char *name, int base);
bool holdsOpen(struct holder holder, const struct stat *file);

// 0: they did; above: they did not; below: nobody knows.
long compareOpenings(struct holder one, struct holder other);

// Where kcmp(2) is refused, as in containers, who asks finds out at the stop of its call: O_NONBLOCK, which means nothing on files and
// folders, is turned round through its descriptor for a moment, and turns round with all that came of the same open(2). True: not known
// yet; the call goes on, and stops here again.
bool findOpenings(struct tracee *tracee, const struct call *call, const struct stat *file);
// The result of the call. Turns the flag back where it was turned.
void giveLockResult(struct tracee *tracee, long result);
// At the end of such a call.
void finishOpenings(struct tracee *tracee);
