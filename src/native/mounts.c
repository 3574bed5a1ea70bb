// The mount table of the machine, as it was before we changed ours.
#define _GNU_SOURCE
#include "frame.h"
#include "scan.h"
#include "sort.h"
#include "view.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>

struct mountPoint *mountPoints;
uint32_t mountPointCount;

// proc_pid_mountinfo(5): space, tab, newline and backslash are written as three octal digits.
static void unescape(char *path) {
  char *to = path;
  for (char *from = path; *from;) {
    if (from[0] == '\\' && from[1] && from[2] && from[3]) {
      *to++ = (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + (from[3] - '0'));
      from += 4;
    } else *to++ = *from++;
  }
  *to = 0;
}

static unsigned long readFlags(char *options) {
  static const struct { const char *name; unsigned long flag; } known[] = {
    {"ro", MS_RDONLY}, {"nosuid", MS_NOSUID}, {"nodev", MS_NODEV}, {"noexec", MS_NOEXEC}, {"noatime", MS_NOATIME}, {"relatime", MS_RELATIME},
  };
  unsigned long flags = 0;
  for (char *rest, *word = strtok_r(options, ",", &rest); word; word = strtok_r(0, ",", &rest))
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
      if (!strcmp(word, known[i].name)) flags |= known[i].flag;
  return flags;
}

static int compareMounts(const void *a, const void *b) {
  return strcmp(((const struct mountPoint *)a)->path, ((const struct mountPoint *)b)->path);
}

static void addMountPoint(const char *path, const char *type, unsigned long flags) {
  for (uint32_t i = 0; i < mountPointCount; i++)
    if (!strcmp(mountPoints[i].path, path)) { // a later mount covers the earlier one
      free(mountPoints[i].type);
      mountPoints[i].type = strdup(type);
      mountPoints[i].flags = flags;
      return;
    }
  mountPoints = realloc(mountPoints, sizeof *mountPoints * (mountPointCount + 1));
  mountPoints[mountPointCount++] = (struct mountPoint){strdup(path), strdup(type), flags};
}

void readMountPoints(void) {
  FILE *file = fopen("/proc/self/mountinfo", "re");
  if (!file) refuse("mountinfo", errno, "The mount table cannot be read; is /proc mounted?");
  char *line = 0;
  size_t size = 0;
  while (getline(&line, &size, file) > 0) {
    // id, parent, device, root, mount point, options, optional fields, "-", type, source, options of the file system
    static char path[PATH_MAX], options[4096], type[64], superOptions[4096];
    if (scanText(line, "%*s %*s %*s %*s %4095s %4095s", path, options) != 2) continue;
    const char *tail = strstr(line, " - ");
    if (!tail || scanText(tail, " - %63s %*s %4095s", type, superOptions) != 2) continue;
    unescape(path);
    addMountPoint(path, type, readFlags(options) | (readFlags(superOptions) & MS_RDONLY));
  }
  fclose(file);
  free(line);
  sortItems(mountPoints, mountPointCount, sizeof *mountPoints, compareMounts);
}

bool isBelow(const char *path, const char *directory) {
  size_t length = strlen(directory);
  if (length == 1) return path[0] == '/' && path[1]; // "/"
  return !strncmp(path, directory, length) && path[length] == '/';
}

const struct mountPoint *mountPointAt(const char *path) {
  struct mountPoint key = {.path = (char *)path};
  return bsearch(&key, mountPoints, mountPointCount, sizeof *mountPoints, compareMounts);
}

const struct mountPoint *mountPointOf(const char *path) {
  const struct mountPoint *best = 0;
  for (uint32_t i = 0; i < mountPointCount; i++)
    if (!strcmp(mountPoints[i].path, path) || isBelow(path, mountPoints[i].path))
      if (!best || strlen(mountPoints[i].path) > strlen(best->path)) best = &mountPoints[i];
  return best;
}

bool hasMountBelow(const char *directory) {
  for (uint32_t i = 0; i < mountPointCount; i++)
    if (isBelow(mountPoints[i].path, directory)) return true;
  return false;
}
