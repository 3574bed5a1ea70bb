// What must not be reached in parts of the machine that are only bound: FIFOs, whose readers and writers are real, and files of the
// kernel that are emptied by reading. In the view each is covered by a FIFO of its own that nobody serves.
#define _GNU_SOURCE
#include "view.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_ENTRIES = 200000, DEEPEST = 64 };
static unsigned seen;

static bool cover(const char *path, mode_t mode) {
  char own[64];
  static unsigned number;
  snprintf(own, sizeof own, SCRATCH "/c%u", number++);
  if (mknod(own, S_IFIFO | (mode & 0777), 0) != 0) return false;
  if (mount(own, path, 0, MS_BIND, 0) == 0) return true;
  unlink(own);
  return false;
}

// ---- FIFOs ----

static bool coverBelow(int directory, const char *path, int depth) {
  DIR *entries = fdopendir(directory);
  bool good = entries && depth < DEEPEST;
  for (struct dirent *entry; good && (entry = readdir(entries));) {
    char below[PATH_MAX];
    struct stat st;
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
    if (++seen > MOST_ENTRIES || strlen(path) + strlen(entry->d_name) + 2 > PATH_MAX) { good = false; break; }
    path2(below, path, entry->d_name);
    bool fifo = entry->d_type == DT_FIFO, inside = entry->d_type == DT_DIR;
    if ((fifo || entry->d_type == DT_UNKNOWN) && fstatat(dirfd(entries), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
      fifo = S_ISFIFO(st.st_mode);
      inside = S_ISDIR(st.st_mode);
    }
    if (fifo) good = cover(below, st.st_mode);
    int next = inside ? openat(dirfd(entries), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    if (next >= 0) good = coverBelow(next, below, depth + 1); // closed to us, it is closed to the command
  }
  if (entries) closedir(entries);
  else close(directory);
  return good;
}

bool coverFifos(const char *path) {
  struct stat st;
  if (lstat(path, &st) != 0) return false;
  if (S_ISFIFO(st.st_mode)) return cover(path, st.st_mode);
  if (!S_ISDIR(st.st_mode)) return true;
  int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return directory < 0 || coverBelow(directory, path, 0);
}

// ---- traces ----

bool takesFromKernel(const char *path) {
  static const char *const names[] = {"/trace_pipe", "/trace_pipe_raw", "/snapshot_raw"};
  const char *name = strrchr(path, '/');
  if (!strcmp(path, "/proc/kmsg") || !strcmp(path, "/dev/kmsg")) return true;
  if (!name || !isBelow(path, "/sys")) return false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(name, names[i])) return true;
  return false;
}

static bool holdsTraces(const char *name) { return !strcmp(name, "per_cpu") || !strcmp(name, "instances"); }

// Of tracefs: here, below per_cpu/cpuN, and the same for every instance.
static void coverTracesIn(const char *path, const char *to, int depth) {
  char below[PATH_MAX], target[PATH_MAX];
  DIR *entries = opendir(to);
  for (struct dirent *entry; entries && (entry = readdir(entries));) {
    if (entry->d_name[0] == '.') continue;
    path2(below, path, entry->d_name);
    path2(target, to, entry->d_name);
    if (takesFromKernel(below)) cover(target, 0600);
    else if (entry->d_type == DT_DIR && depth < 5 && (holdsTraces(entry->d_name) || depth % 2 == 1)) coverTracesIn(below, target, depth + 1);
  }
  if (entries) closedir(entries);
}

// Mostly root's alone (mode 0700): whoever may not go through the root of such a file system reaches nothing in it.
bool hasTraceFiles(void) {
  for (uint32_t i = 0; i < mountPointCount; i++) {
    bool traces = !strcmp(mountPoints[i].type, "tracefs") || !strcmp(mountPoints[i].type, "debugfs");
    if (traces && access(mountPoints[i].path, X_OK) == 0) return true;
  }
  return false;
}

void coverTraces(void) {
  char to[PATH_MAX], below[PATH_MAX];
  for (uint32_t i = 0; i < mountPointCount; i++) {
    const struct mountPoint *mounted = &mountPoints[i];
    bool debug = !strcmp(mounted->type, "debugfs");
    if (!isBelow(mounted->path, "/sys") || (!debug && strcmp(mounted->type, "tracefs") != 0)) continue;
    if (debug) path2(below, mounted->path, "tracing"); // a tracefs that is mounted by looking at it
    path2(to, VIEW_ROOT, (debug ? below : mounted->path) + 1);
    coverTracesIn(debug ? below : mounted->path, to, 0);
  }
}
