#pragma once
#include "setup.h"
#include <sys/stat.h>

// Makes the directories of other owners above what the command is going to write.
void prepareParents(const struct run *run);
// The same for the directory that holds what the path leads to, if the user may write there.
void preparePath(const char *path);
// The directory was made by prepareParents and still looks the same.
bool isPrepared(const char *path, const struct stat *st);
