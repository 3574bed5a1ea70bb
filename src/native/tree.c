#define _GNU_SOURCE
#include "tree.h"
#include "shared.h"
#include <string.h>

struct tree *tree;
enum { LINK_BUCKETS = 4096 };
static struct node **linked;

void startTree(void) {
  tree = allocShared(sizeof *tree);
  linked = allocShared(sizeof *linked * LINK_BUCKETS);
  tree->root = addNode(S_IFDIR);
  tree->root->now.lower = "/";
  tree->root->before = tree->root->now;
  tree->root->parent = tree->root;
  tree->root->text = "";
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

static uint32_t hashOf(const char *text) {
  uint32_t hash = 2166136261u; // FNV-1a
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 16777619u;
  return hash;
}

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

// ---- files with several names ----

static struct node **bucketOf(dev_t device, uint64_t inode) { return &linked[(inode ^ device) % LINK_BUCKETS]; }

struct node *findLinked(const struct stat *real) {
  struct node *node = *bucketOf(real->st_dev, real->st_ino);
  while (node && (node->device != real->st_dev || node->inode != real->st_ino)) node = node->next;
  return node;
}

void noteLinked(struct node *node) {
  struct node **bucket = bucketOf(node->device, node->inode);
  node->next = *bucket;
  *bucket = node;
}
