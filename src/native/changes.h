// LIST: what the commands of this layer changed.
#pragma once
#include "frame.h"

enum { LIST_WITH_DIGESTS = 1 };
// At the begin of a RUN: what of the machine changes from then on, somebody else changes.
void noteRunStart(void);
void listChanges(uint32_t flags);

// renames.c: directories that the launcher moved by copying (`copied`), and where they were moved on to.
void recordRename(const char *from, const char *to, bool copied);
struct renamed { char *from, *to; };
// What was copied in this layer, with where it is now.
struct renamed *readRenames(uint32_t *count);
