// LIST in supervised mode: what is in the tree becomes changes (changes.h).
#pragma once
#include "tree.h"

void addTreeChanges(void);
// Where a node was before this layer; false: it was not there.
bool formerPath(const struct node *node, char *to);
