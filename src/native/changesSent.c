// The changes of a LIST as a whole: what belongs together in them, and how they are sent.
#include "change.h"
#include "node.h"
#include "sort.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int comparePaths(const void *a, const void *b) { return strcmp((*(struct change *const *)a)->path, (*(struct change *const *)b)->path); }

static const char *orEmpty(const char *text) { return text ? text : ""; }

static void sendChange(const struct change *change) {
  beginEvent(EV_CHANGE);
  putU8(change->kind);
  putU8(change->flags);
  putText(change->path);
  putText(orEmpty(change->from));
  putNode(change->hasBefore ? &change->before : 0);
  putNode(change->hasAfter ? &change->after : 0);
  putText(orEmpty(change->targetBefore));
  putText(orEmpty(change->targetAfter));
  putBytes(change->digest, change->hasDigest ? 32 : 0);
  sendEvent();
}

static void freeChange(struct change *change) { free(change->path); free(change->from); free(change->targetBefore); free(change->targetAfter); }

uint32_t dropMoved(struct change *changes, uint32_t count) {
  char **froms = malloc(sizeof *froms * (count + 1));
  uint32_t moved = 0, kept = 0;
  if (!froms) _exit(122);
  for (uint32_t i = 0; i < count; i++)
    if (changes[i].kind == RENAMED && changes[i].from) froms[moved++] = changes[i].from;
  sortItems(froms, moved, sizeof *froms, compareTexts);
  for (uint32_t i = 0; i < count; i++) {
    bool drop = changes[i].kind == DELETED && moved && bsearch(&changes[i].path, froms, moved, sizeof *froms, compareTexts);
    if (drop) freeChange(&changes[i]);
    else changes[kept++] = changes[i];
  }
  free(froms);
  return kept;
}

void sendChanges(struct change *changes, uint32_t count) {
  struct change **sorted = malloc(sizeof *sorted * (count + 1));
  if (!sorted) _exit(122);
  for (uint32_t i = 0; i < count; i++) sorted[i] = &changes[i];
  sortItems(sorted, count, sizeof *sorted, comparePaths);
  for (uint32_t i = 0; i < count; i++) {
    sendChange(sorted[i]);
    freeChange(sorted[i]);
  }
  free(sorted);
}
