// The changes of a LIST as a whole: what belongs together in them, and how they are sent.
#include "change.h"
#include "node.h"
#include "sort.h"
#include "view.h"
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

// Of some changes the paths, or where they were before; sorted.
static char **textsOf(const struct change *changes, uint32_t count, enum changeKind kind, bool from, uint32_t *found) {
  char **texts = malloc(sizeof *texts * (count + 1));
  if (!texts) _exit(122);
  *found = 0;
  for (uint32_t i = 0; i < count; i++) {
    char *text = from ? changes[i].from : changes[i].path;
    if (changes[i].kind == kind && text) texts[(*found)++] = text;
  }
  sortItems(texts, *found, sizeof *texts, compareTexts);
  return texts;
}

static bool isAmong(char *const *texts, uint32_t count, char *const *text) {
  return count && *text && bsearch(text, texts, count, sizeof *texts, compareTexts);
}

static bool looksAlike(const struct stat *a, const struct stat *b) {
  return a->st_mode == b->st_mode && a->st_uid == b->st_uid && a->st_gid == b->st_gid;
}

static void digestMoved(struct change *change) {
  const char *rest;
  const struct part *part = partOf(change->from, &rest);
  if (!S_ISREG(change->after.st_mode) || change->hasDigest || !wantsDigest(false)) return;
  change->hasDigest = digestOf(part->before, rest, (uint64_t)change->after.st_size, change->digest);
  if (!change->hasDigest) change->flags |= NOT_COMPARED;
}

// Not renamed, but new, with what came along. Where a directory was that is gone, this one stands in its place.
static void tellAsNew(struct change *change, struct change *changes, uint32_t count) {
  digestMoved(change);
  free(change->from);
  change->from = 0;
  change->hasBefore = false;
  change->kind = CREATED;
  for (uint32_t i = 0; S_ISDIR(change->after.st_mode) && i < count; i++) {
    if (changes[i].kind != DELETED || !S_ISDIR(changes[i].before.st_mode) || strcmp(changes[i].path, change->path) != 0) continue;
    change->hasBefore = true;
    change->before = changes[i].before;
    change->kind = looksAlike(&change->before, &change->after) ? STANDS_AGAIN : MODE_ONLY;
    changes[i].kind = STANDS_AGAIN;
    return;
  }
}

// Who has its old name now is another one, which is not told where it is as what was there before. True: one more is not told.
static bool leaveNames(struct change *changes, uint32_t count) {
  uint32_t again;
  bool more = false;
  char **stand = textsOf(changes, count, STANDS_AGAIN, false, &again);
  for (uint32_t i = 0; i < count; i++) {
    if (changes[i].kind != RENAMED || !isAmong(stand, again, &changes[i].from)) continue;
    tellAsNew(&changes[i], changes, count);
    more |= changes[i].kind == STANDS_AGAIN;
  }
  free(stand);
  return more;
}

uint32_t dropMoved(struct change *changes, uint32_t count) {
  uint32_t moved, kept = 0;
  while (leaveNames(changes, count));
  char **froms = textsOf(changes, count, RENAMED, true, &moved);
  for (uint32_t i = 0; i < count; i++) {
    bool drop = changes[i].kind == STANDS_AGAIN || (changes[i].kind == DELETED && isAmong(froms, moved, &changes[i].path));
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
