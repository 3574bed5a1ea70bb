// Moves a directory by copying it next to its new place, renaming the copy, and removing the old one. Runs in a child of its own.
#pragma once

enum moveResult { MOVED, MOVED_OTHER_OWNER, MOVE_TOO_LARGE, MOVE_NOT_EMPTY, MOVE_FAILED };

enum moveResult moveTree(const char *from, const char *to);
