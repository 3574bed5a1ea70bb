// What the command sees in supervised mode, where nothing is mounted: names that were changed, and the nodes behind them. What is not in
// here is the machine's, untouched. Every name and node also keeps what it was before the current layer.
#pragma once
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <time.h>

// linux/stat.h: attributes of statx(2).
enum { IMMUTABLE = 0x10, APPEND_ONLY = 0x20 };

enum which { BEFORE, AFTER };

// What a node owns instead of what its real file says.
enum { OWN_MODE = 1, OWN_OWNER = 2, OWN_TIMES = 4, OWN_CHANGE_TIME = 8, OWN_ATTRIBUTES = 16 };

struct looks {
  const char *lower;    // the real file that it is or was made from; null: a new one
  uint32_t scratch;     // its own content in the scratch; 0: that of `lower`
  uint8_t own;
  mode_t mode;          // the type always holds
  uid_t uid;
  gid_t gid;
  nlink_t links;        // of what is not a directory
  struct timespec accessed, modified, changed;
  const char *target;   // of a new symlink
  struct attribute *attributes;
};

struct node {
  struct looks now, before;
  uint32_t layer;       // in which `before` was kept
  uint32_t number;
  dev_t device;         // of the file system that it is on
  uint64_t inode;
  const char *bound;    // the address that a socket was bound to, as it was given
  dev_t made;           // the number of a device node that the command made
  // Of a directory:
  struct node *parent;
  const char *text;     // its name there
  struct name **names;  // those that are not as in `lower`, and directories on the way to them
  uint32_t nameCount, nameRoom;
  bool removed;         // somebody may still be in it
  bool unnamed;         // made by O_TMPFILE: it may get a name yet
  bool several;         // has or had more names than one, or none
  bool standIn;         // the scratch has a folder that lists it
  uint32_t listed;      // the listing that has told its other names
  uint32_t born;        // the layer that made it, + 1; 0: it is a real one
  uint32_t movedLayer;  // the layer in which it was renamed last, + 1
  const char *movedFrom; // where it was before that layer
  struct node *nextInode, *nextLower; // in the same bucket
};

struct name {
  const char *text;
  uint32_t hash, layer; // `layer`: in which `before` was kept
  struct node *now, *before;
  bool lowerBefore;     // before this layer the real node of this name stood here, untouched
  bool lowerDirectory;  // the real node of this name is a directory
  struct name *next;
};

struct tree {
  struct node *root;
  uint32_t layer, nodes;
  struct node **byNumber;
  uint32_t byNumberRoom;
  bool several;         // a real file with several names is noted
  bool taken;           // names of real files were taken away of which nothing is noted
  uint32_t moved;       // directories that were renamed, or whose place another took: real paths may mean something else
};

extern struct tree *tree;

void startTree(void);
struct node *addNode(mode_t type);
struct node *nodeOfNumber(uint32_t number);
// Of a directory; null when nothing is noted of that name.
struct name *findName(const struct node *directory, const char *text);
// Finds or makes it. A new one means the real node, untouched (`lowerBefore`) or nothing, as `real` says (null: nothing is there).
struct name *noteName(struct node *directory, const char *text, const struct stat *real);
// To be called before a change: keeps what was there before this layer.
void keepName(struct name *name);
void keepLooks(struct node *node);
const struct looks *looksOf(const struct node *node, enum which which);
struct node *nodeBehind(const struct name *name, enum which which);
// Whether a name means the real node, untouched: never true AFTER, when something is noted.
bool meansReal(const struct name *name, enum which which);
// The node of what is real, whatever its name; null when nothing is noted of it: it is as it really is.
struct node *findReal(const struct stat *real);
// Of a directory, by the path (its first `length` bytes) that it really has; the kernel tells it of what is open.
struct node *findRealDirectory(const char *path, size_t length);
// To be called once, with `lower`, device and inode set.
void noteReal(struct node *node);
// Walks over all names of a directory.
#define FOR_NAMES(directory, name) \
  for (uint32_t bucket_ = 0; bucket_ < (directory)->nameRoom; bucket_++) \
    for (struct name *name = (directory)->names[bucket_]; name; name = name->next)
