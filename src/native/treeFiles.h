// READ, STAT and PUT in supervised mode.
#pragma once
#include "frame.h"
#include "tree.h"

enum putType { PUT_DELETE, PUT_FILE, PUT_DIRECTORY, PUT_SYMLINK };
enum { DEFAULT_MODE = 0xffff };

int openInTree(enum which which, const char *path, uint64_t flags);
int statusInTree(enum which which, const char *path, struct stat *st);
int putInTree(enum putType type, mode_t mode, const char *path, const struct bytes *bytes);
