// Locks and leases of others (proc_locks(5)).
#pragma once
#include <stdbool.h>
#include <sys/stat.h>

// Begins to look which files are leased, unless that is known already: whoever reads /proc/locks waits for a grace period of RCU, some
// milliseconds in which a small command starts and ends. Before the namespaces of a view, and before each run.
void startFindingLeases(void);
// Waits until they are known; else whoever asks first does.
void awaitLeases(void);
// What was found for this run.
bool hasLeases(void);
// What is so now: it looks again where the last look is a tenth of a second ago.
bool anyLeases(void);
// Opening the real file behind this path of the view would ask the holder of its lease to give it up, and wait for that (fcntl(2)).
bool isLeased(const char *path);
// The same of a real file that was looked at.
bool isLeasedFile(const struct stat *st);
// Somebody outside holds a lock on the real file behind this path.
bool isLockedOutside(const char *path);
