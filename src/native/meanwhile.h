// What somebody else changes while a command runs, and what the command itself has just changed.
#pragma once
#include <stdbool.h>
#include <sys/stat.h>

// At the begin of a RUN: what of the machine changes from then on, somebody else changes.
void noteRunStart(void);
// A change time cannot be forged.
bool changedMeanwhile(const struct stat *before);
void tellMeanwhile(const char *path);
// It was not there when the command ran: the command did nothing to it.
bool cameMeanwhile(int directory, const char *name);
// Whether a file has changed since the run began, or just before.
bool isOfTheseRuns(const struct stat *st);
