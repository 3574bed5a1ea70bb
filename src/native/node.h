// Nodes of the file system, as the protocol and the listing see them.
#pragma once
#include "frame.h"
#include <sys/stat.h>

void putNode(const struct stat *st); // null: nothing is there
char *readTarget(int directory, const char *name); // of a symlink; "" when it is none; to be freed
enum sameness { SAME, DIFFERENT, UNKNOWN };
// Compares two files of the same size. UNKNOWN: unreadable, or too large to be read.
enum sameness compareContents(int a, const char *aName, int b, const char *bName, uint64_t sizeBytes);
// To be called before the comparisons of one LIST: together they read only so much.
void startComparing(void);
bool digestOf(int directory, const char *name, uint64_t sizeBytes, unsigned char digest[32]);
int openDirectory(int directory, const char *name);
// A file or a directory with all that is in it. What cannot be removed stays, and the rest goes: -1 with the first errno.
int removeTree(int directory, const char *name);
