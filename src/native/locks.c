#define _GNU_SOURCE
#include "locks.h"
#include "clock.h"
#include "frame.h"
#include "scan.h"
#include "setup.h"
#include "view.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_LEASES = 256, KNOWN_FOR_NS = 100000000 };

// What was found, in memory that everybody here shares with the process that looks.
static struct found { uint64_t atNs; unsigned count; unsigned long long leases[MOST_LEASES]; } *found; // their inodes
static int looking = -1; // ends when whoever looks is done
static pid_t looker;

struct entry { char kind[16], state[16], access[16]; unsigned major, minor; unsigned long long inode; };

static FILE *openTable(void) {
  int file = openat(view.outerProc, "locks", O_RDONLY | O_CLOEXEC);
  return file < 0 ? 0 : fdopen(file, "r");
}

// "1: FLOCK  ADVISORY  WRITE 708 08:03:1180 0 EOF"; who waits for a lock has an arrow before it.
static bool nextEntry(FILE *table, struct entry *entry) {
  char line[256];
  while (fgets(line, sizeof line, table))
    if (!strstr(line, "->") && scanText(line, "%*s %15s %15s %15s %*d %x:%x:%llu", entry->kind, entry->state, entry->access, &entry->major, &entry->minor, &entry->inode) == 6) return true;
  return false;
}

static bool isLease(const struct entry *entry) { return !strcmp(entry->kind, "LEASE") || !strcmp(entry->kind, "DELEG"); }

static void look(void) {
  struct entry entry;
  FILE *table = openTable();
  found->count = 0;
  while (table && found->count < MOST_LEASES && nextEntry(table, &entry)) {
    // A lease for reading is only broken by who writes, and no real file is written.
    if (!isLease(&entry) || (!strcmp(entry.state, "ACTIVE") && !strcmp(entry.access, "READ"))) continue;
    found->leases[found->count++] = entry.inode;
  }
  if (table) fclose(table);
  found->atNs = nowNs();
}

static bool isKnown(void) { return found->atNs && nowNs() - found->atNs <= KNOWN_FOR_NS; }

// Waits until whoever looks is done.
void awaitLeases(void) {
  char nothing;
  if (looking < 0) return;
  while (read(looking, &nothing, 1) < 0 && errno == EINTR);
  close(looking);
  looking = -1;
  if (!found->atNs) look(); // it was killed
}

static _Noreturn void beLooker(int end) {
  close(hostIn);
  close(hostOut);
  close(2);
  look();
  close(end);
  _exit(0);
}

void startFindingLeases(void) {
  int ends[2];
  if (!found) {
    found = mmap(0, sizeof *found, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (found == MAP_FAILED) _exit(122);
    found->atNs = setup.unleasedAtNs;
  }
  awaitLeases();
  if (isKnown()) return;
  if (looker > 0) waitpid(looker, 0, 0);
  found->atNs = 0;
  if (pipe2(ends, O_CLOEXEC) != 0) { look(); return; }
  looker = fork();
  if (looker == 0) { close(ends[0]); beLooker(ends[1]); }
  close(ends[1]);
  looking = ends[0];
}

bool hasLeases(void) {
  awaitLeases();
  return found->count;
}

bool anyLeases(void) {
  awaitLeases();
  if (!isKnown()) look();
  return found->count;
}

static bool realStatus(const char *path, struct stat *st) { return path[0] == '/' && path[1] && fstatat(view.outerRoot, path + 1, st, AT_SYMLINK_NOFOLLOW) == 0; }

bool isLeasedFile(const struct stat *st) {
  // Some file systems show another device here than stat(2) does, so the number alone counts.
  for (unsigned i = 0; i < found->count; i++)
    if (found->leases[i] == st->st_ino) return true;
  return false;
}

bool isLeased(const char *path) {
  struct stat st;
  return hasLeases() && realStatus(path, &st) && isLeasedFile(&st);
}

bool isLockedOutside(const char *path) {
  struct stat st;
  struct entry entry;
  bool locked = false;
  if (!realStatus(path, &st)) return false;
  FILE *table = openTable();
  while (!locked && table && nextEntry(table, &entry))
    locked = !isLease(&entry) && entry.inode == st.st_ino && entry.major == major(st.st_dev) && entry.minor == minor(st.st_dev);
  if (table) fclose(table);
  return locked;
}
