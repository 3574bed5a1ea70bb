// Locks and leases of others (proc_locks(5)).
#pragma once
#include <stdbool.h>
#include <sys/stat.h>

// Looks which files are leased now. False: none.
bool findLeases(void);
bool hasLeases(void);
// The same, where thousands of files are read in a row: it looks again after some milliseconds, not for each.
bool anyLeases(void);
// Opening the real file behind this path of the view would ask the holder of its lease to give it up, and wait for that (fcntl(2)).
bool isLeased(const char *path);
// The same of a real file that was looked at.
bool isLeasedFile(const struct stat *st);
// Somebody outside holds a lock on the real file behind this path.
bool isLockedOutside(const char *path);
