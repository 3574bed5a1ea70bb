// What is known about renamed directories: a file in the scratch space, so that the keeper and all tracers share it.
#define _GNU_SOURCE
#include "changes.h"
#include "view.h"
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void recordRename(const char *from, const char *to, bool copied) {
  if (!copied && faccessat(view.scratch, "renames", F_OK, 0) != 0) return; // nothing yet that could have moved on
  int file = openat(view.scratch, "renames", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) return;
  // Paths hold no NUL.
  dprintf(file, "%u%c%s%c%s%c", view.layer * 2 + (copied ? 1 : 0), 0, from, 0, to, 0);
  close(file);
}

static char *movedAlong(const char *path, const char *from, const char *to) {
  char moved[2 * PATH_MAX];
  if (strcmp(path, from) != 0 && !isBelow(path, from)) return 0;
  snprintf(moved, sizeof moved, "%s%s", to, path + strlen(from));
  return strdup(moved);
}

struct renamed *readRenames(uint32_t *count) {
  struct renamed *all = 0;
  *count = 0;
  int file = openat(view.scratch, "renames", O_RDONLY | O_CLOEXEC);
  FILE *stream = file < 0 ? 0 : fdopen(file, "r");
  if (!stream) return 0;
  char *number = 0, *from = 0, *to = 0;
  size_t a = 0, b = 0, c = 0;
  while (getdelim(&number, &a, 0, stream) > 0 && getdelim(&from, &b, 0, stream) > 0 && getdelim(&to, &c, 0, stream) > 0) {
    unsigned kind = (unsigned)atoi(number);
    if (kind / 2 != view.layer) continue;
    for (uint32_t i = 0; i < *count; i++) {
      char *moved = movedAlong(all[i].to, from, to);
      if (moved) { free(all[i].to); all[i].to = moved; }
    }
    if (!(kind & 1)) continue;
    all = realloc(all, (*count + 1) * sizeof *all);
    if (!all) _exit(122);
    all[(*count)++] = (struct renamed){strdup(from), strdup(to)};
  }
  free(number);
  free(from);
  free(to);
  fclose(stream);
  return all;
}
