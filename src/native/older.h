// What kernels of the last years have and older ones, gVisor and old containers have not, and what does instead.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct tracee;

// The kernel, or a filter of ours or of a container, does not know the call.
bool isMissingCall(int error);
// Closes every descriptor from `first` on. False with errno.
bool closeFrom(int first);
// openat2(2) below a root directory. In look mode the root is the machine's own, so that openat(2) means the same.
int openBelow(int root, const char *path, uint64_t flags, uint64_t resolve);
// gVisor, which does not tell which stop it is, stops at the begin of a call also behind its filter (doSyscallEnter in its task_syscall.go).
bool beginsAgain(struct tracee *tracee);
// In gVisor a folder that was removed lists itself and its parent; Linux lists nothing.
bool listsRemoved(void);
// In gVisor a lock belongs to the name by which a file was opened, on Linux to the file.
bool locksNames(void);
// gVisor asks whether a folder may be changed before it looks whether the name is there, where the other folder is, or what is to be written.
bool asksFolderFirst(void);
// gVisor does not tell which signals wait for a process (proc(5)), and forgets to deliver them to one that was held meanwhile.
bool hidesSignals(void);
// gVisor forbids new names in procfs, in several ways; Linux does not find them.
bool forbidsInProc(void);
