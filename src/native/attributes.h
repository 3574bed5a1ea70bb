// Extended attributes (xattr(7)) and access lists (acl(5)) of nodes of the tree. Nothing of it is stored in a file system: what the
// scratch lies on may not know them.
#pragma once
#include "tree.h"
#include <sys/types.h>

extern const char ACCESS_LIST[], DEFAULT_LIST[];

// As getxattr(2) and listxattr(2) of the node: the length, or -1 with errno.
ssize_t readAttribute(const struct node *node, const char *name, void *to, size_t room);
ssize_t listAttributes(const struct node *node, char *to, size_t room);
// A null value removes it. False with errno: what is there could not be read.
bool changeAttribute(struct node *node, const char *name, const void *value, size_t size);
// Whether `after` has the attributes that `before` had before this layer. Labels of the system are not compared: a new file gets its own.
bool hasSameAttributes(const struct node *before, const struct node *after);
// The same of two files or folders that are open; notes of an overlay are none.
bool haveSameAttributes(int before, int after);

// What a list says for the permission bits; -1: it is none, or not one that the kernel would take.
long modeOfList(const unsigned char *list, size_t size);
// It says more than the permission bits.
bool isExtendedList(size_t size);
// chmod(2) of a node: its list says the same.
bool limitList(struct node *node, mode_t mode);
// What a new node gets from the default list of its folder; its mode as open(2) was asked for it, without the mask. False: there is none.
bool inheritLists(struct node *node, const struct node *folder, mode_t asked);
// Of the list of a node, where it has an extended one: 0, EACCES, or -1: the permission bits decide.
int mayUseByList(const struct node *node, const struct stat *st, int wants);
