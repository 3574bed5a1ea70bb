// Asks who really owns a file.
#pragma once
#include <stdbool.h>
#include <sys/stat.h>

// Before the namespaces are made. Without it (no process left) owners stay unknown.
void startOutside(void);
// The status of a path of the machine; symlinks are not followed.
bool askOutside(const char *path, struct stat *st);
