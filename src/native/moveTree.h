// Moves a directory by copying it next to its new place, renaming the copy, and removing the old one. Runs in a child of its own.
#pragma once

// What the copy has otherwise: somebody else's files, or files whose other names stay where they are.
// Unfinished: it is too large, or holds what may not be read or removed here. The renaming itself asks for none of that.
enum moveResult { MOVED, MOVED_OTHER_OWNER = 1, MOVED_OTHER_NAMES = 2, MOVED_OTHERWISE = 3, MOVE_NOT_EMPTY, MOVE_UNFINISHED };

enum moveResult moveTree(const char *from, const char *to);
