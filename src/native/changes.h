// LIST: what the commands of this layer changed.
#pragma once
#include "frame.h"
#include <sys/stat.h>

enum { LIST_DIGESTS_OF_NEW = 1, LIST_DIGESTS_OF_ALL = 2 };
void listChanges(uint32_t flags);

// renames.c: directories that the launcher moved by copying (`copied`), and where they were moved on to.
void recordRename(const char *from, const char *to, bool copied);
struct renamed { char *from, *to; };
// What was copied in this layer, with where it is now.
struct renamed *readRenames(uint32_t *count);

// For the tree (treeChanges.c): a change is added, then described. `content`: of a file, where it is to be read;
// `same`: it is what it was before.
// STANDS_AGAIN: made anew, and as what was there before; it is not sent.
enum changeKind { CREATED = 1, MODIFIED, DELETED, RENAMED, MODE_ONLY, STANDS_AGAIN };
struct change *addChange(enum changeKind kind, const char *path, const struct stat *before, const struct stat *after);
void describeChange(struct change *change, const char *content, bool same, const char *from, char *targetBefore, char *targetAfter);
// Whether it will be read for its digest.
bool wantsDigest(bool same);
// Of the change that was added last.
void markReplaced(void);
void markNotCompared(void);
void markRewritten(void);
bool isEnough(void);
void incomplete(const char *path);

// deep.c: around a listing.
void raiseStack(void);
void lowerStack(void);
// Around what is listed below a directory. False, and the listing is incomplete: it lies deeper than the stack reaches.
bool goDown(const char *path);
void goUp(void);
// Joins them; false, and the listing is incomplete: the path is longer than any call takes.
bool nameBelow(char *to, const char *directory, const char *name);
