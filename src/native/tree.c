#define _GNU_SOURCE
#include "tree.h"
#include "hash.h"
#include "shared.h"
#include <string.h>

struct tree *tree;
enum { REAL_BUCKETS = 8192 };
static struct node **byInode, **byLower;

void startTree(void) {
  tree = allocShared(sizeof *tree);
  byInode = allocShared(sizeof *byInode * REAL_BUCKETS);
  byLower = allocShared(sizeof *byLower * REAL_BUCKETS);
  tree->root = addNode(S_IFDIR);
  tree->root->now.lower = "/";
  tree->root->before = tree->root->now;
  tree->root->parent = tree->root;
  tree->root->text = "";
  struct stat st;
  if (stat("/", &st) == 0) { tree->root->device = st.st_dev; tree->root->inode = st.st_ino; }
  noteReal(tree->root);
}

struct node *nodeOfNumber(uint32_t number) { return number < tree->nodes ? tree->byNumber[number] : 0; }

struct node *addNode(mode_t type) {
  if (tree->nodes == tree->byNumberRoom) {
    uint32_t room = tree->byNumberRoom * 2 + 64;
    struct node **more = allocShared(sizeof *more * room);
    if (tree->nodes) memcpy(more, tree->byNumber, sizeof *more * tree->nodes);
    tree->byNumber = more;
    tree->byNumberRoom = room;
  }
  struct node *node = allocShared(sizeof *node);
  node->number = tree->nodes;
  node->now.mode = node->before.mode = type;
  node->layer = tree->layer;
  tree->byNumber[tree->nodes++] = node;
  return node;
}

// ---- names ----

struct name *findName(const struct node *directory, const char *text) {
  if (!directory->nameRoom) return 0;
  uint32_t hash = hashOf(text);
  struct name *name = directory->names[hash & (directory->nameRoom - 1)];
  while (name && (name->hash != hash || strcmp(name->text, text) != 0)) name = name->next;
  return name;
}

static void growNames(struct node *directory) {
  uint32_t room = directory->nameRoom ? directory->nameRoom * 4 : 8;
  struct name **names = allocShared(sizeof *names * room);
  for (uint32_t i = 0; i < directory->nameRoom; i++)
    for (struct name *name = directory->names[i], *next; name; name = next) {
      next = name->next;
      name->next = names[name->hash & (room - 1)];
      names[name->hash & (room - 1)] = name;
    }
  directory->names = names;
  directory->nameRoom = room;
}

struct name *noteName(struct node *directory, const char *text, const struct stat *real) {
  struct name *name = findName(directory, text);
  if (name) return name;
  if (directory->nameCount >= directory->nameRoom) growNames(directory);
  name = allocShared(sizeof *name);
  name->text = copyShared(text);
  name->hash = hashOf(text);
  name->layer = tree->layer;
  name->lowerBefore = real != 0;
  name->lowerDirectory = real && S_ISDIR(real->st_mode);
  struct name **bucket = &directory->names[name->hash & (directory->nameRoom - 1)];
  name->next = *bucket;
  *bucket = name;
  directory->nameCount++;
  return name;
}

void keepName(struct name *name) {
  if (name->layer == tree->layer) return;
  name->before = name->now;
  name->lowerBefore = false;
  name->layer = tree->layer;
}

void keepLooks(struct node *node) {
  if (node->layer == tree->layer) return;
  node->before = node->now;
  node->layer = tree->layer;
}

const struct looks *looksOf(const struct node *node, enum which which) {
  return which == BEFORE && node->layer == tree->layer ? &node->before : &node->now;
}

struct node *nodeBehind(const struct name *name, enum which which) {
  return which == BEFORE && name->layer == tree->layer ? name->before : name->now;
}

bool meansReal(const struct name *name, enum which which) {
  return which == BEFORE && name->layer == tree->layer && name->lowerBefore && !name->before;
}

// ---- nodes of what is real ----

static struct node **bucketOf(dev_t device, uint64_t inode) { return &byInode[(inode ^ device) % REAL_BUCKETS]; }

struct node *findReal(const struct stat *real) {
  struct node *node = *bucketOf(real->st_dev, real->st_ino);
  while (node && (node->device != real->st_dev || node->inode != real->st_ino)) node = node->nextInode;
  return node;
}

static bool isLower(const struct node *node, const char *path, size_t length) {
  return !strncmp(node->now.lower, path, length) && !node->now.lower[length];
}

struct node *findRealDirectory(const char *path, size_t length) {
  struct node *node = byLower[hashOfPiece(path, length) % REAL_BUCKETS];
  while (node && !isLower(node, path, length)) node = node->nextLower;
  return node;
}

void noteReal(struct node *node) {
  struct node **bucket = bucketOf(node->device, node->inode);
  node->nextInode = *bucket;
  *bucket = node;
  if (!S_ISDIR(node->now.mode)) return;
  bucket = &byLower[hashOf(node->now.lower) % REAL_BUCKETS];
  node->nextLower = *bucket;
  *bucket = node;
}
