// A new layer: what the commands have changed so far becomes the "before" of the next one.
#define _GNU_SOURCE
#include "frame.h"
#include "view.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

static void place(char *to, const char *kind, uint32_t number, uint32_t layer) { snprintf(to, 64, SCRATCH "/%s/%u.%u", kind, number, layer); }

static void mountPointOfPart(char *to, const struct part *part) { path2(to, VIEW_ROOT, part->path + 1); }

// Files and symlinks as they are now; what is a mount or stands for one is left out.
static void snapshot(int from, int to, const char *path) {
  int own = openat(from, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *entries = own < 0 ? 0 : fdopendir(own);
  for (struct dirent *entry; entries && (entry = readdir(entries));) {
    char below[PATH_MAX], target[PATH_MAX];
    struct stat st;
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
    path2(below, path, entry->d_name);
    if (isPartRoot(below) || fstatat(own, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0) continue;
    struct timespec times[2] = {st.st_atim, st.st_mtim};
    if (S_ISREG(st.st_mode)) copyFile(own, entry->d_name, to, entry->d_name);
    else if (S_ISLNK(st.st_mode)) {
      ssize_t length = readlinkat(own, entry->d_name, target, sizeof target - 1);
      target[length > 0 ? length : 0] = 0;
      if (symlinkat(target, to, entry->d_name) == 0) utimensat(to, entry->d_name, times, AT_SYMLINK_NOFOLLOW);
    } else if (!S_ISDIR(st.st_mode)) {
      if (mknodat(to, entry->d_name, st.st_mode, 0) == 0) utimensat(to, entry->d_name, times, AT_SYMLINK_NOFOLLOW);
    } else if (mkdirat(to, entry->d_name, 0700) == 0) {
      int in = openat(own, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), out = openat(to, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      if (in >= 0 && out >= 0) snapshot(in, out, below);
      if (in >= 0) close(in);
      if (out >= 0) { if (fchown(out, st.st_uid, st.st_gid) == 0) fchmod(out, st.st_mode & 07777); futimens(out, times); close(out); }
    }
  }
  if (entries) closedir(entries);
}

static bool snapshotPart(struct part *part) {
  char to[64];
  place(to, "b", part->number, view.layer);
  if (part->kind == PART_FILE) {
    char copy[64];
    snprintf(copy, sizeof copy, "u/%u.0", part->number);
    return copyFile(view.scratch, copy, AT_FDCWD, to);
  }
  if (mkdir(to, 0700) != 0) return false;
  int before = open(to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (before < 0) return false;
  snapshot(part->upper, before, part->path);
  if (part->before >= 0) close(part->before);
  part->before = before;
  return true;
}

static void lowerDirectories(const struct part *part, char *to) {
  char *at = to + sprintf(to, "lowerdir=");
  for (uint32_t layer = view.layer; layer-- > 0;) at += sprintf(at, SCRATCH "/u/%u.%u:", part->number, layer);
  escapeOption(part->path, at);
}

static void sameLooks(const struct part *part, const char *upper) {
  struct stat st;
  if (fstat(part->upper, &st) != 0) return;
  if (chown(upper, st.st_uid, st.st_gid) != 0 && errno != EPERM) return;
  chmod(upper, st.st_mode & 07777);
  struct timespec times[2] = {st.st_atim, st.st_mtim};
  utimensat(AT_FDCWD, upper, times, 0);
}

static bool layPart(struct part *part) {
  static char lower[3 * PATH_MAX], options[4 * PATH_MAX];
  char upper[64], work[64], before[64], to[PATH_MAX];
  place(upper, "u", part->number, view.layer);
  place(work, "w", part->number, view.layer);
  place(before, "b", part->number, view.layer);
  mountPointOfPart(to, part);
  if (mkdir(upper, 0755) != 0 || mkdir(work, 0755) != 0 || mkdir(before, 0755) != 0) return false;
  sameLooks(part, upper);
  lowerDirectories(part, lower);
  if (!mountOverlay(before, MS_RDONLY, lower)) return false;
  snprintf(options, sizeof options, "%s,upperdir=%s,workdir=%s", lower, upper, work);
  if (!mountOverlay(to, part->mountFlags, options)) return false;
  close(part->before);
  close(part->upper);
  part->before = open(before, O_PATH | O_CLOEXEC);
  part->upper = open(upper, O_PATH | O_CLOEXEC);
  return part->before >= 0 && part->upper >= 0;
}

static void takeDown(void) {
  char to[PATH_MAX];
  close(view.root);
  for (uint32_t i = view.count; i-- > 0;) {
    struct part *part = &view.parts[i];
    if (part->kind != PART_OVERLAY) continue;
    // An upper directory can be a lower one only after its overlay is gone; the "before" of the last layer holds it too.
    if (view.layer > 1) { place(to, "b", part->number, view.layer - 1); close(part->before); part->before = -1; umount2(to, MNT_DETACH); }
    mountPointOfPart(to, part);
    umount2(to, MNT_DETACH);
  }
}

static bool layAll(void) {
  bool rootIsOverlay = view.count && view.parts[0].kind == PART_OVERLAY && !strcmp(view.parts[0].path, "/");
  for (uint32_t i = 0; i < view.count; i++) {
    struct part *part = &view.parts[i];
    char to[PATH_MAX], copy[64];
    mountPointOfPart(to, part);
    if (part->kind == PART_OVERLAY) { if (!layPart(part)) return false; }
    else if (part->kind == PART_READ_ONLY) { if (rootIsOverlay && (!bindReadOnly(part->path, to, true) || !coverFifos(to))) return false; }
    else if (part->kind != PART_NODE && part->upper >= 0) {
      place(copy, "u", part->number, 0);
      if (!snapshotPart(part)) return false;
      if (part->kind == PART_FILE && rootIsOverlay && mount(copy, to, 0, MS_BIND, 0) != 0) return false;
    }
    if (part->upper >= 0) fstat(part->upper, &part->looks);
  }
  if (rootIsOverlay || view.overlaysDevices) buildDevices();
  return true;
}

bool addLayer(void) {
  mode_t mask = umask(0);
  view.layer++;
  takeDown();
  bool good = layAll();
  int error = errno;
  view.root = open(VIEW_ROOT, O_PATH | O_DIRECTORY | O_CLOEXEC);
  umask(mask);
  errno = error;
  return good && view.root >= 0;
}
