#define _GNU_SOURCE
#include "reads.h"
#include "correct.h"
#include "hash.h"
#include "place.h"
#include "setup.h"
#include "view.h"
#include <fcntl.h>
#include <limits.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BUCKETS = 1 << 14, MOST_PATHS = 100000, CHUNK = 48 << 10 };

bool reportsReads(void) { return setup.flags & FLAG_READS; }

// ---- the calls ----

// `directory`: the argument that holds it, -1: none. `flags`: of an opening, the argument that holds them, -1: it has none.
struct namingCall { int number; signed char directory, path, flags; uint8_t how; };

#if !defined(SYS_faccessat2)
#define SYS_faccessat2 439
#endif

static const struct namingCall calls[] = {
  {SYS_openat, 0, 1, 2, READ_OPENED},
  {SYS_execve, -1, 0, -1, READ_OPENED},
  {SYS_execveat, 0, 1, -1, READ_OPENED},
  {SYS_newfstatat, 0, 1, -1, READ_NAMED},
  {SYS_statx, 0, 1, -1, READ_NAMED},
  {SYS_faccessat, 0, 1, -1, READ_NAMED},
  {SYS_faccessat2, 0, 1, -1, READ_NAMED},
  {SYS_readlinkat, 0, 1, -1, READ_NAMED},
  {SYS_chdir, -1, 0, -1, READ_NAMED},
  {SYS_getxattr, -1, 0, -1, READ_ASKED},
  {SYS_lgetxattr, -1, 0, -1, READ_ASKED},
  {SYS_listxattr, -1, 0, -1, READ_ASKED},
  {SYS_llistxattr, -1, 0, -1, READ_ASKED},
  {SYS_setxattr, -1, 0, -1, READ_NAMED},
  {SYS_lsetxattr, -1, 0, -1, READ_NAMED},
  {SYS_removexattr, -1, 0, -1, READ_NAMED},
  {SYS_lremovexattr, -1, 0, -1, READ_NAMED},
  {SYS_inotify_add_watch, -1, 1, -1, READ_NAMED},
  {SYS_name_to_handle_at, 0, 1, -1, READ_NAMED},
  // fchmodat2, setxattrat, getxattrat, listxattrat, removexattrat, file_getattr and file_setattr, newer than the C library's headers
  {452, 0, 1, -1, READ_NAMED},
  {463, 0, 1, -1, READ_NAMED},
  {464, 0, 1, -1, READ_ASKED},
  {465, 0, 1, -1, READ_ASKED},
  {466, 0, 1, -1, READ_NAMED},
  {468, 0, 1, -1, READ_NAMED},
  {469, 0, 1, -1, READ_NAMED},
  {SYS_mkdirat, 0, 1, -1, READ_NAMED},
  {SYS_mknodat, 0, 1, -1, READ_NAMED},
  {SYS_unlinkat, 0, 1, -1, READ_NAMED},
  {SYS_truncate, -1, 0, -1, READ_OPENED},
  {SYS_fchmodat, 0, 1, -1, READ_NAMED},
  {SYS_fchownat, 0, 1, -1, READ_NAMED},
  {SYS_utimensat, 0, 1, -1, READ_NAMED},
  {SYS_symlinkat, 1, 2, -1, READ_NAMED},
  {SYS_linkat, 0, 1, -1, READ_OPENED},
  {SYS_linkat, 2, 3, -1, READ_NAMED},
  {SYS_renameat2, 0, 1, -1, READ_OPENED | READ_MOVED},
  {SYS_renameat2, 2, 3, -1, READ_OPENED | READ_MOVED}, // RENAME_EXCHANGE moves both
  {SYS_statfs, -1, 0, -1, READ_DISK},
  {SYS_fstatfs, 0, -1, -1, READ_DISK},
  {SYS_ioprio_get, -1, -1, -1, READ_UNKNOWN},
#if defined(SYS_renameat)
  {SYS_renameat, 0, 1, -1, READ_OPENED | READ_MOVED},
  {SYS_renameat, 2, 3, -1, READ_NAMED},
#endif
#if defined(__x86_64__)
  {SYS_open, -1, 0, 1, READ_OPENED},
  {SYS_creat, -1, 0, -1, READ_OPENED},
  {SYS_stat, -1, 0, -1, READ_NAMED},
  {SYS_lstat, -1, 0, -1, READ_NAMED},
  {SYS_access, -1, 0, -1, READ_NAMED},
  {SYS_readlink, -1, 0, -1, READ_NAMED},
  {SYS_mkdir, -1, 0, -1, READ_NAMED},
  {SYS_mknod, -1, 0, -1, READ_NAMED},
  {SYS_rmdir, -1, 0, -1, READ_NAMED},
  {SYS_unlink, -1, 0, -1, READ_NAMED},
  {SYS_chmod, -1, 0, -1, READ_NAMED},
  {SYS_chown, -1, 0, -1, READ_NAMED},
  {SYS_lchown, -1, 0, -1, READ_NAMED},
  {SYS_utime, -1, 0, -1, READ_NAMED},
  {SYS_utimes, -1, 0, -1, READ_NAMED},
  {SYS_futimesat, 0, 1, -1, READ_NAMED},
  {SYS_symlink, -1, 1, -1, READ_NAMED},
  {SYS_link, -1, 0, -1, READ_OPENED},
  {SYS_link, -1, 1, -1, READ_NAMED},
  {SYS_rename, -1, 0, -1, READ_OPENED | READ_MOVED},
  {SYS_rename, -1, 1, -1, READ_NAMED},
#endif
};
enum { CALLS = sizeof calls / sizeof *calls };

unsigned readRules(struct rule *rules) {
  unsigned count = 0;
  if (!reportsReads()) return 0;
  for (size_t i = 0; i < CALLS; i++)
    if (i == 0 || calls[i].number != calls[i - 1].number) rules[count++] = (struct rule){calls[i].number, SECCOMP_RET_TRACE, ALWAYS, 0, 0};
  return count;
}

// ---- the paths ----

struct entry { struct entry *next; uint32_t hash; uint8_t how; char path[]; };
static struct entry *buckets[BUCKETS];
static uint32_t count;
static bool incomplete;

static void keep(const char *path, uint8_t how) {
  uint32_t hash = hashOf(path);
  struct entry **place = &buckets[hash % BUCKETS];
  for (struct entry *entry = *place; entry; entry = entry->next)
    if (entry->hash == hash && !strcmp(entry->path, path)) { entry->how |= how; return; }
  struct entry *entry = count < MOST_PATHS ? malloc(sizeof *entry + strlen(path) + 1) : 0;
  if (!entry) { incomplete = true; return; }
  if (faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0) how |= READ_THERE;
  *entry = (struct entry){.next = *place, .hash = hash, .how = how};
  strcpy(entry->path, path);
  *place = entry;
  count++;
}

// The directory that a name begins in, as the command sees it.
static bool baseOf(struct tracee *tracee, int directory, char *to) {
  return readProcDescriptor(tracee->tid, directory, to, PATH_MAX) && to[0] == '/';
}

// `./name` and `name` are one: what the command has made by one of them was not there before.
static void collapse(char *path) {
  char *to = path;
  for (const char *from = path; *from;) {
    if (from[0] == '/' && from[1] == '/') from++;
    else if (from[0] == '/' && from[1] == '.' && from[2] == '/') from += 2;
    else *to++ = *from++;
  }
  *to = 0;
}

static void keepAt(struct tracee *tracee, int directory, const char *path, uint8_t how) {
  static char whole[2 * PATH_MAX + 2], base[PATH_MAX];
  base[0] = 0;
  // A directory that is no more, or a descriptor that is none: the call fails, or says nothing of the machine.
  if (path[0] != '/' && !baseOf(tracee, directory, base)) return;
  snprintf(whole, sizeof whole, "%s/%s", base, path);
  collapse(whole);
  keep(whole, how);
}

static void noteCall(struct tracee *tracee, const struct call *call, const struct namingCall *naming) {
  static char path[PATH_MAX];
  int directory = naming->directory < 0 ? AT_FDCWD : (int)call->args[naming->directory];
  uint8_t how = naming->how;
  path[0] = 0;
  if (naming->path >= 0) {
    if (!call->args[naming->path]) return;
    if (!readText(tracee->tid, call->args[naming->path], path, sizeof path)) return; // EFAULT or ENAMETOOLONG
    if (!path[0]) return; // of the descriptor itself, which was opened by its name
  }
  if (naming->flags >= 0 && (call->args[naming->flags] & O_PATH)) how = READ_NAMED;
  if (naming->path >= 0) keepAt(tracee, directory, path, how);
  else keepAt(tracee, directory, ".", how);
}

// What a symbolic link leads to can be read by its name from now on.
static void noteTarget(struct tracee *tracee, const struct call *call, bool at) {
  static char target[PATH_MAX], path[PATH_MAX], whole[2 * PATH_MAX + 8];
  if (!readText(tracee->tid, call->args[0], target, sizeof target) || !readText(tracee->tid, call->args[at ? 2 : 1], path, sizeof path)) return;
  char *name = strrchr(path, '/');
  if (target[0] == '/' || !name) snprintf(whole, sizeof whole, "%s", target);
  else snprintf(whole, sizeof whole, "%.*s/%s", (int)(name - path), path, target);
  keepAt(tracee, at ? (int)call->args[1] : AT_FDCWD, whole, READ_LINKED | READ_OPENED);
}

bool noteReads(struct tracee *tracee, const struct call *call) {
  bool isNaming = false;
  for (size_t i = 0; i < CALLS; i++)
    if (calls[i].number == call->number) { noteCall(tracee, call, &calls[i]); isNaming = true; }
#if defined(__x86_64__)
  if (call->number == SYS_symlink) noteTarget(tracee, call, false);
#endif
  if (call->number == SYS_symlinkat) noteTarget(tracee, call, true);
  // The stat family is looked at for other reasons too, by a filter of its own.
  return isNaming && view.copies && !view.supervised && !isStatusCall(call->number) && !isStoppedAnyway(call);
}

void noteProgram(struct tracee *tracee) {
  char path[64], line[PATH_MAX + 128];
  snprintf(path, sizeof path, "/proc/%d/maps", tracee->tid);
  FILE *maps = fopen(path, "re");
  if (!maps) { incomplete = true; return; }
  while (fgets(line, sizeof line, maps)) {
    char *file = strchr(line, '/');
    if (!file) continue;
    file[strcspn(file, "\n")] = 0;
    if (view.supervised) showScratchPath(file, sizeof line - (size_t)(file - line));
    keep(file, READ_OPENED);
  }
  fclose(maps);
}

void sendReads(void) {
  if (!reportsReads()) return;
  struct entry *entry = 0;
  size_t bucket = 0;
  bool more = true;
  while (more) {
    beginEvent(EV_READS);
    size_t at = eventLength();
    uint32_t items = 0;
    putU32(0);
    if (incomplete) { putU8(READ_UNKNOWN); putText(""); items++; incomplete = false; }
    while (eventLength() - at < CHUNK) {
      while (!entry && bucket < BUCKETS) entry = buckets[bucket++];
      if (!entry) { more = false; break; }
      putU8(entry->how);
      putText(entry->path);
      items++;
      entry = entry->next;
    }
    patchU32(at, items);
    sendEvent();
  }
}
