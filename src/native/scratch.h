// The private folder of supervised mode: files `f<number>` hold what was written, folders `d<number>` stand for directories of the tree
// where a program needs a real one. Modes and owners are the tree's; here everything is the user's.
#pragma once
#include "tree.h"

// Makes it and cleans up after launchers that were killed. Refuses when there is no place for it.
void startScratch(void);
// Nobody but us sees it.
void hideScratch(void);
bool isOtherScratch(int directory, const char *name);
void removeScratch(void);
const char *scratchRoot(void);
// Of a path in the scratch: the node behind it; null when it is none (any more).
struct node *nodeOfScratchPath(const char *path);
bool isInScratch(const char *path);
// It may be in there: it is on the same file system.
bool isOnScratch(const struct stat *st);
void scratchFile(uint32_t number, char to[64]);
void standInPath(const struct node *directory, char to[64]);
// A symlink can be opened as such (O_PATH).
void makeScratchLink(struct node *node);
// A new empty file. 0 with errno.
uint32_t addScratchFile(struct node *node);
// Whoever has the real file open reads on in it, and would not see what is written into the copy.
bool isBeingRead(const struct stat *file);
// Gives the node content of its own, to be changed in this layer: a copy, or nothing when it is to be `emptied`. False with errno.
bool ownContent(struct node *node, bool emptied);
// A folder that lists what the directory holds now. False with errno.
bool makeStandIn(struct node *directory);
// A name in it came (`type` of its node) or went (0).
void updateStandIn(const struct node *directory, const char *name, mode_t type);
// What was written may be executed.
void allowExecution(const struct node *node);
// Whoever writes without CAP_FSETID takes set-user-id and set-group-id away (file_remove_privs in fs/inode.c): from the copy, which has
// them for that. The bits that are gone.
mode_t lostBits(const struct looks *looks);
