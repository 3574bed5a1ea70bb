#define _GNU_SOURCE
#include "attributes.h"
#include "place.h"
#include "shared.h"
#include "view.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

const char ACCESS_LIST[] = "system.posix_acl_access", DEFAULT_LIST[] = "system.posix_acl_default";
enum { LONGEST = 65536 }; // XATTR_SIZE_MAX, XATTR_LIST_MAX

// Of a node with attributes of its own. A list is made anew for each change: that of before is still read.
struct attribute { struct attribute *next; const char *name; const void *value; size_t size; };

static const struct attribute *findAttribute(const struct node *node, const char *name) {
  const struct attribute *one = node->now.attributes;
  while (one && strcmp(one->name, name)) one = one->next;
  return one;
}

// Who writes a file takes its capabilities away (capabilities(7)).
static bool isLost(const struct node *node, const char *name) { return node->now.scratch && !strcmp(name, "security.capability"); }

static ssize_t give(const void *from, size_t size, void *to, size_t room) {
  if (room && size > room) { errno = ERANGE; return -1; }
  if (room) memcpy(to, from, size);
  return (ssize_t)size;
}

ssize_t readAttribute(const struct node *node, const char *name, void *to, size_t room) {
  char path[PATH_MAX];
  if (!(node->now.own & OWN_ATTRIBUTES)) {
    if (node->now.lower && !isLost(node, name)) return lgetxattr(node->now.lower, name, to, room);
    fileSystemPath(node, path);
    if (lgetxattr(path, name, 0, 0) >= 0 || errno != EOPNOTSUPP) errno = ENODATA;
    return -1;
  }
  const struct attribute *found = findAttribute(node, name);
  if (found) return give(found->value, found->size, to, room);
  errno = ENODATA;
  return -1;
}

static ssize_t listReal(const struct node *node, char *to, size_t room) { return node->now.lower ? llistxattr(node->now.lower, to, room) : 0; }

ssize_t listAttributes(const struct node *node, char *to, size_t room) {
  static char names[LONGEST];
  size_t length = 0;
  if (!(node->now.own & OWN_ATTRIBUTES)) return listReal(node, to, room);
  for (const struct attribute *one = node->now.attributes; one; one = one->next) {
    size_t size = strlen(one->name) + 1;
    if (length + size > sizeof names) { errno = E2BIG; return -1; }
    memcpy(names + length, one->name, size);
    length += size;
  }
  return give(names, length, to, room);
}

static void add(struct node *node, const char *name, const void *value, size_t size) {
  struct attribute *one = allocShared(sizeof *one), **end = &node->now.attributes;
  *one = (struct attribute){0, copyShared(name), memcpy(allocShared(size ? size : 1), value, size), size};
  while (*end) end = &(*end)->next;
  *end = one;
}

static bool takeReal(struct node *node) {
  static char names[LONGEST], value[LONGEST];
  ssize_t length = listReal(node, names, sizeof names);
  if (length < 0 && errno != EOPNOTSUPP) return false;
  for (ssize_t at = 0; at < length; at += (ssize_t)strlen(names + at) + 1) {
    if (isLost(node, names + at)) continue;
    ssize_t size = lgetxattr(node->now.lower, names + at, value, sizeof value);
    if (size < 0) return false;
    add(node, names + at, value, (size_t)size);
  }
  return true;
}

bool changeAttribute(struct node *node, const char *name, const void *value, size_t size) {
  keepLooks(node);
  if (!(node->now.own & OWN_ATTRIBUTES) && !takeReal(node)) return false;
  node->now.own |= OWN_ATTRIBUTES;
  const struct attribute *old = node->now.attributes;
  node->now.attributes = 0;
  for (; old; old = old->next)
    if (strcmp(old->name, name)) add(node, old->name, old->value, old->size);
  if (value) add(node, name, value, size);
  return true;
}

static bool isCompared(const char *name) {
  if (!strncmp(name, "user.", 5)) return strncmp(name, "user.overlay.", 13);
  if (!strncmp(name, "trusted.", 8)) return strncmp(name, "trusted.overlay.", 16);
  return !strcmp(name, ACCESS_LIST) || !strcmp(name, DEFAULT_LIST) || !strcmp(name, "security.capability");
}

// Where attributes are read from: a node, or what is open.
struct bearer { const struct node *node; int descriptor; };

static ssize_t valueFrom(const struct bearer *from, const char *name, char *to) {
  return from->node ? readAttribute(from->node, name, to, LONGEST) : fgetxattr(from->descriptor, name, to, LONGEST);
}

// All that `one` has, `other` has with the same value.
static bool areAllIn(const struct bearer *one, const struct bearer *other) {
  static char names[LONGEST], value[LONGEST], same[LONGEST];
  ssize_t length = one->node ? listAttributes(one->node, names, sizeof names) : flistxattr(one->descriptor, names, sizeof names);
  for (char *name = names; name < names + length; name += strlen(name) + 1) {
    ssize_t size = isCompared(name) ? valueFrom(one, name, value) : -1;
    if (size >= 0 && (valueFrom(other, name, same) != size || memcmp(value, same, (size_t)size))) return false;
  }
  return true;
}

static bool areSame(const struct bearer *one, const struct bearer *other) { return areAllIn(one, other) && areAllIn(other, one); }

bool hasSameAttributes(const struct node *before, const struct node *after) {
  struct node former = *before;
  former.now = *looksOf(before, BEFORE);
  if (before == after && !(after->now.own & OWN_ATTRIBUTES)) return true;
  return areSame(&(struct bearer){&former, -1}, &(struct bearer){after, -1});
}

bool haveSameAttributes(int before, int after) { return areSame(&(struct bearer){0, before}, &(struct bearer){0, after}); }

// ---- access lists (linux/posix_acl_xattr.h) ----

enum { OWNER = 0x01, NAMED_USER = 0x02, OWNING_GROUP = 0x04, NAMED_GROUP = 0x08, MASK = 0x10, OTHERS = 0x20 };
enum { HEAD = 4, PLAIN = HEAD + 3 * 8, LONGEST_LIST = HEAD + 512 * 8 };
struct entry { uint16_t tag, bits; uint32_t id; };

static struct entry *entriesOf(unsigned char *list) { return (struct entry *)(list + HEAD); }

static struct entry *find(struct entry *entries, size_t count, unsigned tag) {
  for (size_t i = 0; i < count; i++)
    if (entries[i].tag == tag) return &entries[i];
  return 0;
}

bool isExtendedList(size_t size) { return size > PLAIN; }

long modeOfList(const unsigned char *list, size_t size) {
  struct entry *entries = entriesOf((unsigned char *)list);
  size_t count = size < HEAD ? 0 : (size - HEAD) / 8;
  struct entry *owner = find(entries, count, OWNER), *group = find(entries, count, OWNING_GROUP), *mask = find(entries, count, MASK), *others = find(entries, count, OTHERS);
  if (size < PLAIN || size > LONGEST_LIST || list[0] != 2 || !owner || !group || !others || (!mask && isExtendedList(size))) return -1;
  return (owner->bits & 7) << 6 | ((mask ? mask : group)->bits & 7) << 3 | (others->bits & 7);
}

static ssize_t readList(const struct node *node, const char *name, unsigned char list[LONGEST_LIST]) {
  ssize_t size = readAttribute(node, name, list, LONGEST_LIST);
  return size >= PLAIN ? size : 0;
}

static _Alignas(8) unsigned char list[LONGEST_LIST];

bool limitList(struct node *node, mode_t mode) {
  size_t size = (size_t)readList(node, ACCESS_LIST, list), count = (size - HEAD) / 8;
  if (!isExtendedList(size)) return true;
  struct entry *mask = find(entriesOf(list), count, MASK), *owner = find(entriesOf(list), count, OWNER), *others = find(entriesOf(list), count, OTHERS);
  if (!mask || !owner || !others) return true;
  owner->bits = mode >> 6 & 7;
  mask->bits = mode >> 3 & 7;
  others->bits = mode & 7;
  return changeAttribute(node, ACCESS_LIST, list, size);
}

// posix_acl_create (fs/posix_acl.c): the list is cut down to what was asked for.
bool inheritLists(struct node *node, const struct node *folder, mode_t asked) {
  size_t size = (size_t)readList(folder, DEFAULT_LIST, list), count = (size - HEAD) / 8;
  if (!size || S_ISLNK(node->now.mode)) return false;
  if (S_ISDIR(node->now.mode)) changeAttribute(node, DEFAULT_LIST, list, size);
  for (size_t i = 0; i < count; i++) {
    struct entry *one = &entriesOf(list)[i];
    bool isGroup = one->tag == MASK || (one->tag == OWNING_GROUP && !isExtendedList(size));
    if (one->tag == OWNER) one->bits &= asked >> 6 & 7;
    else if (one->tag == OTHERS) one->bits &= asked & 7;
    else if (isGroup) one->bits &= asked >> 3 & 7;
  }
  node->now.mode = (node->now.mode & ~(mode_t)0777) | (mode_t)modeOfList(list, size);
  if (isExtendedList(size)) changeAttribute(node, ACCESS_LIST, list, size);
  return true;
}

// posix_acl_permission (fs/posix_acl.c).
int mayUseByList(const struct node *node, const struct stat *st, int wants) {
  if (st->st_uid == ourUser() || !(st->st_mode & 070)) return -1;
  size_t size = (size_t)readList(node, ACCESS_LIST, list), count = (size - HEAD) / 8;
  if (!isExtendedList(size)) return -1;
  const struct entry *mask = find(entriesOf(list), count, MASK);
  unsigned limit = mask ? mask->bits : 7, wanted = (unsigned)wants & 7;
  bool inGroup = false;
  for (size_t i = 0; i < count; i++) {
    const struct entry *one = &entriesOf(list)[i];
    if (one->tag == NAMED_USER && one->id == ourUser()) return (one->bits & limit & wanted) == wanted ? 0 : EACCES;
    bool group = (one->tag == OWNING_GROUP && isInGroup(st->st_gid)) || (one->tag == NAMED_GROUP && isInGroup(one->id));
    if (group && (one->bits & limit & wanted) == wanted) return 0;
    inGroup = inGroup || group;
  }
  return inGroup ? EACCES : -1;
}
