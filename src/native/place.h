// Where a path leads in the tree: names of the tree first, the machine's behind them, symlinks of both.
#pragma once
#include "tree.h"
#include <sys/types.h>

// A directory: a node of the tree, and from there a way through real directories that nobody changed ("" for the node itself).
struct spot { struct node *base; char rest[PATH_MAX]; };

struct place {
  struct spot parent;     // the directory that holds the name; of "/" and of what ends in ".." the directory itself, and no name
  char name[NAME_MAX + 1];
  bool there;
  bool isSpot;            // the parent itself is meant
  struct node *node;      // null: the real node, untouched
  struct stat real;       // of the untouched real node
  bool native;            // the kernel would come to the same real node by the same words
  bool magic;             // a link of procfs that leads to an open file, not to a path
  char link[64];          // that link, where the kernel would not come to it by the same words
  bool endsInSlash;
};

// Where paths start that do not begin with "/": a process, or (0) nobody.
struct from { pid_t tid; int directory; };

// A symlink at the end: it is meant (with a slash behind it, what it leads to), or what it leads to, or, of what makes and removes names,
// always the name, or, like the link itself, what only the kernel has to see where it would come to the same real node.
enum follows { LINK_ITSELF, THROUGH_LINK, NAME_ALONE, KERNEL_SEES };
// What the user's own rights to the real file do not let us know, and the command's would.
enum { UNKNOWABLE = 4000 };

// 0, or the errno of walking there: ENOENT only where a directory on the way is missing (else `there` says it).
int findPlace(struct from from, const char *path, enum follows follows, enum which which, struct place *place);
// Something that is there and has no name yet; `node` may be null.
void startPlace(struct place *place, struct node *node);
// Of a real path that the kernel told: of a descriptor, a working directory.
int spotOfRealPath(const char *path, struct spot *spot);
// `real`: the status of what is there; it may be that of the place.
int placeOfRealPath(const char *path, const struct stat *real, struct place *place);
// Of a file of the scratch that is open behind a link of procfs; what has no name any more keeps the status of the open file in `real`.
int placeOfOpened(const char *link, const char *real, struct place *place);
bool isNameless(const struct place *place);

// `to` may be `directory`; "" when it is too long. An empty name means the directory.
void joinPath(char *to, const char *directory, const char *name);
void lowerPath(const struct spot *spot, enum which which, char *to); // "": there is none
void shownPath(const struct spot *spot, char *to);
void shownPlace(const struct place *place, char *to);
// What the kernel can open: the real node, a file of the scratch, or a folder that stands for a directory. False with errno.
bool backingPath(struct place *place, enum which which, char *to);
// The real path of what is not in the tree; of what is, that of its content. "" when it has none.
void contentPath(const struct place *place, enum which which, char *to);
// Makes nodes of the way to it and of itself.
struct node *noteSpot(struct spot *spot);
struct node *notePlace(struct place *place);
// A real file that is open, and whose name (`path`) went away or leads to another one by now; null where nothing is noted of that name.
struct node *noteGone(const char *path, const struct stat *real);
// The name in its parent, kept as it was before.
struct name *noteEntry(struct place *place);
// The type of what is there, as of stat(2).
mode_t typeOfPlace(const struct place *place, enum which which);
void statusOf(const struct place *place, enum which which, struct stat *st);
// While the tree is compared with what it was: a real file is asked once for what it looked like before and what it looks like after.
void keepReal(bool is);
bool lookAtReal(const char *path, struct stat *st);
void statusOfNode(const struct node *node, enum which which, struct stat *st);
// Only who shows a status can be wrong about it.
bool showsStatus(pid_t tid);
// Links and size of a directory with changed names, which takes as long as listing it, and the room that a new content takes.
void measureNode(pid_t tid, const struct node *node, struct stat *st);
void statusOfSpot(const struct spot *spot, struct stat *st);
// Tells all names of a directory as it is at that time, in the order of the real one; new ones behind them.
typedef void (*tellName)(void *with, const char *name, mode_t type);
bool listNode(const struct node *directory, enum which which, tellName tell, void *with);
// 0, ENOTEMPTY, or UNKNOWABLE where the user may not list it.
int emptinessOf(const struct node *directory);
// The directory does not list what the real one lists.
bool isChangedListing(const struct node *directory);

// What the user may, by the looks of the tree: 0 or the errno. `wants` as of access(2).
int mayUse(const struct stat *st, int wants);
int mayUseNode(const struct node *node, const struct stat *st, int wants);
int mayUsePlace(const struct place *place, int wants);
int mayChangeDirectory(const struct spot *spot);
bool hasPower(int capability);
uid_t ourUser(void);
void notePowers(void);
// Maps a path of the scratch, as procfs shows it, to what the command sees.
void showScratchPath(char *path, size_t room);
// What stands for a directory of the view, for chdir(2).
const char *realDirectory(const char *path);
// A real path on the file system that the node is, or would be, on.
void fileSystemPath(const struct node *node, char *to);
