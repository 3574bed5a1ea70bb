#define _GNU_SOURCE
#include "locks.h"
#include "clock.h"
#include "supervise.h"
#include "view.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { MOST_LEASES = 256 };
static struct { unsigned major, minor; unsigned long long inode; } leases[MOST_LEASES];
static unsigned count;

struct entry { char kind[16], state[16], access[16]; unsigned major, minor; unsigned long long inode; };

static FILE *openTable(void) {
  int file = openat(view.outerProc, "locks", O_RDONLY | O_CLOEXEC);
  return file < 0 ? 0 : fdopen(file, "r");
}

// "1: FLOCK  ADVISORY  WRITE 708 08:03:1180 0 EOF"; who waits for a lock has an arrow before it.
static bool nextEntry(FILE *table, struct entry *entry) {
  char line[256];
  while (fgets(line, sizeof line, table))
    if (!strstr(line, "->") && sscanf(line, "%*s %15s %15s %15s %*d %x:%x:%llu", entry->kind, entry->state, entry->access, &entry->major, &entry->minor, &entry->inode) == 6) return true;
  return false;
}

static bool isLease(const struct entry *entry) { return !strcmp(entry->kind, "LEASE") || !strcmp(entry->kind, "DELEG"); }

bool findLeases(void) {
  struct entry entry;
  FILE *table = openTable();
  count = 0;
  while (table && count < MOST_LEASES && nextEntry(table, &entry)) {
    // A lease for reading is only broken by who writes, and no real file is written.
    if (!isLease(&entry) || (!strcmp(entry.state, "ACTIVE") && !strcmp(entry.access, "READ"))) continue;
    leases[count].major = entry.major;
    leases[count].minor = entry.minor;
    leases[count++].inode = entry.inode;
  }
  if (table) fclose(table);
  return count;
}

bool hasLeases(void) { return count; }

bool anyLeases(void) {
  enum { KNOWN_FOR_NS = 5000000 };
  static uint64_t knownAtNs;
  uint64_t now = nowNs();
  if (knownAtNs && now - knownAtNs <= KNOWN_FOR_NS) return count;
  knownAtNs = now;
  return findLeases();
}

static bool realStatus(const char *path, struct stat *st) { return path[0] == '/' && path[1] && fstatat(view.outerRoot, path + 1, st, AT_SYMLINK_NOFOLLOW) == 0; }

bool isLeasedFile(const struct stat *st) {
  // Some file systems show another device here than stat(2) does, so the number alone counts.
  for (unsigned i = 0; i < count; i++)
    if (leases[i].inode == st->st_ino) return true;
  return false;
}

bool isLeased(const char *path) {
  struct stat st;
  return count && realStatus(path, &st) && isLeasedFile(&st);
}

bool isLockedOutside(const char *path) {
  struct stat st;
  struct entry entry;
  bool found = false;
  if (!realStatus(path, &st)) return false;
  FILE *table = openTable();
  while (!found && table && nextEntry(table, &entry))
    found = !isLease(&entry) && entry.inode == st.st_ino && entry.major == major(st.st_dev) && entry.minor == minor(st.st_dev);
  if (table) fclose(table);
  return found;
}
