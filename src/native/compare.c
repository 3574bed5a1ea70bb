#define _GNU_SOURCE
#include "compare.h"
#include "frame.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  TEXT_SEEN_BY = 8000,       // git's rule: a NUL among the first 8,000 bytes makes a file binary
  MOST_OF_TEXT = 32 << 20,   // so many bytes between the common beginning and the common end are compared line by line
  MOST_LINES = 2 << 20,
};

struct file {
  int descriptor;
  uint64_t size;
};

struct line {
  const char *text;
  size_t length;
};

struct lines {
  struct line *items;
  uint32_t count;
};

static ssize_t readAt(const struct file *file, char *into, size_t length, uint64_t at) {
  size_t got = 0;
  while (got < length) {
    ssize_t n = pread(file->descriptor, into + got, length - got, (off_t)(at + got));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return -1;
    if (n == 0) break;
    got += (size_t)n;
  }
  return (ssize_t)got;
}

// Both pieces from the same place of each file, which must not end before. False: they cannot be read, or no more may be.
static bool readBoth(const struct file *a, uint64_t atA, char *intoA, const struct file *b, uint64_t atB, char *intoB, size_t length, uint64_t *left) {
  if (*left < 2 * length) return false;
  *left -= 2 * length;
  return readAt(a, intoA, length, atA) == (ssize_t)length && readAt(b, intoB, length, atB) == (ssize_t)length;
}

static uint64_t nextData(const struct file *file, uint64_t at) {
  off_t data = lseek(file->descriptor, (off_t)at, SEEK_DATA);
  return data >= 0 ? (uint64_t)data : errno == ENXIO ? file->size : at;
}

static char pieceA[PIECE], pieceB[PIECE];

// How many bytes both have in common from the beginning. Where both have a hole nothing is read.
static bool commonStart(const struct file *a, const struct file *b, uint64_t most, uint64_t *start, uint64_t *left) {
  for (uint64_t at = 0; at < most;) {
    size_t length = most - at < PIECE ? (size_t)(most - at) : PIECE;
    if (!readBoth(a, at, pieceA, b, at, pieceB, length, left)) return false;
    if (memcmp(pieceA, pieceB, length) != 0) {
      size_t same = 0;
      while (pieceA[same] == pieceB[same]) same++;
      *start = at + same;
      return true;
    }
    at += length;
    if (at < most && !pieceA[0] && memcmp(pieceA, pieceA + 1, length - 1) == 0) {
      uint64_t nextA = nextData(a, at), nextB = nextData(b, at), next = nextA < nextB ? nextA : nextB;
      if (next > at) at = next < most ? next : most;
    }
  }
  *start = most;
  return true;
}

static bool commonEnd(const struct file *a, const struct file *b, uint64_t most, uint64_t *end, uint64_t *left) {
  for (uint64_t done = 0; done < most;) {
    size_t length = most - done < PIECE ? (size_t)(most - done) : PIECE;
    if (!readBoth(a, a->size - done - length, pieceA, b, b->size - done - length, pieceB, length, left)) return false;
    size_t same = 0;
    while (same < length && pieceA[length - 1 - same] == pieceB[length - 1 - same]) same++;
    done += same;
    *end = done;
    if (same < length) return true;
  }
  return true;
}

// ---- line by line ----

static bool isText(const struct file *file) {
  char piece[TEXT_SEEN_BY];
  ssize_t n = readAt(file, piece, sizeof piece, 0);
  return n >= 0 && !memchr(piece, 0, (size_t)n);
}

// The number of bytes that whole lines take: `start` goes back to the beginning of its line, `end` to the beginning of the next one.
static bool cutAtLines(const struct file *a, uint64_t *start, uint64_t *end) {
  while (*start > 0) {
    size_t length = *start < PIECE ? (size_t)*start : PIECE;
    if (readAt(a, pieceA, length, *start - length) != (ssize_t)length) return false;
    const char *last = memrchr(pieceA, '\n', length);
    *start -= last ? length - 1 - (size_t)(last - pieceA) : length;
    if (last) break;
  }
  while (*end > 0) {
    size_t length = *end < PIECE ? (size_t)*end : PIECE;
    if (readAt(a, pieceA, length, a->size - *end) != (ssize_t)length) return false;
    const char *first = memchr(pieceA, '\n', length);
    *end -= first ? (size_t)(first - pieceA) + 1 : length;
    if (first) break;
  }
  return true;
}

static char *middleOf(const struct file *file, uint64_t start, uint64_t length, uint64_t *left) {
  char *text = length <= MOST_OF_TEXT && *left >= length ? malloc(length + 1) : 0;
  if (text && readAt(file, text, length, start) == (ssize_t)length) { *left -= length; return text; }
  free(text);
  return 0;
}

// Lines without their ends, `\n` or `\r\n`. False: too many.
static bool linesIn(const char *text, size_t length, struct lines *lines) {
  uint32_t count = 0;
  for (const char *at = text; (at = memchr(at, '\n', (size_t)(text + length - at))); at++) if (++count > MOST_LINES) return false;
  lines->items = malloc((count + 1) * sizeof *lines->items);
  if (!lines->items) return false;
  lines->count = 0;
  for (const char *at = text, *past = text + length; at < past;) {
    const char *end = memchr(at, '\n', (size_t)(past - at));
    const char *next = end ? end + 1 : past;
    if (!end) end = past;
    lines->items[lines->count++] = (struct line){at, (size_t)(end - at) - (end > at && end[-1] == '\r')};
    at = next;
  }
  return true;
}

static bool areEqual(const struct line *a, const struct line *b) {
  return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

// Whether all old lines are there in their order, with others between them.
static bool isWithin(const struct lines *old, const struct lines *new) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < new->count && found < old->count; i++) found += areEqual(&old->items[found], &new->items[i]);
  return found == old->count;
}

static uint32_t hashOf(const struct line *line, uint64_t seed) {
  uint64_t hash = seed;
  for (size_t i = 0; i < line->length; i++) hash = (hash ^ (unsigned char)line->text[i]) * 0x100000001b3;
  return (uint32_t)(hash ^ hash >> 32);
}

// Takes every new line away from the old ones once; what is left of these is gone.
static void countGone(const struct lines *old, const struct lines *new, struct comparison *found) {
  struct slot { const struct line *line; uint32_t left; } *slots;
  uint64_t seed = 0;
  uint32_t mask = 1;
  while (mask < 2 * old->count) mask = mask * 2 + 1;
  if (getrandom(&seed, sizeof seed, 0) != sizeof seed || !(slots = calloc((size_t)mask + 1, sizeof *slots))) return;
  found->linesGone = 0;
  found->bytesGone = 0;
  for (uint32_t i = 0; i < old->count; i++) {
    uint32_t at = hashOf(&old->items[i], seed) & mask;
    while (slots[at].line && !areEqual(slots[at].line, &old->items[i])) at = (at + 1) & mask;
    slots[at].line = &old->items[i];
    slots[at].left++;
    found->linesGone++;
    found->bytesGone += old->items[i].length + 1;
  }
  for (uint32_t i = 0; i < new->count; i++) {
    uint32_t at = hashOf(&new->items[i], seed) & mask;
    while (slots[at].line && !areEqual(slots[at].line, &new->items[i])) at = (at + 1) & mask;
    if (slots[at].left == 0) continue;
    slots[at].left--;
    found->linesGone--;
    found->bytesGone -= new->items[i].length + 1;
  }
  free(slots);
}

static void compareLines(const struct file *a, const struct file *b, uint64_t start, uint64_t end, struct comparison *found, uint64_t *left) {
  struct lines old = {0}, new = {0};
  if (!isText(a) || !isText(b) || !cutAtLines(a, &start, &end)) return;
  uint64_t oldLength = a->size - start - end, newLength = b->size - start - end;
  char *oldText = middleOf(a, start, oldLength, left), *newText = oldText ? middleOf(b, start, newLength, left) : 0;
  if (newText && linesIn(oldText, oldLength, &old) && linesIn(newText, newLength, &new)) {
    if (isWithin(&old, &new)) found->how = COMPARED_ADDED;
    else countGone(&old, &new, found);
  }
  free(old.items);
  free(new.items);
  free(oldText);
  free(newText);
}

struct comparison compareFiles(int before, int after, uint64_t *left) {
  struct comparison found = {COMPARED_UNKNOWN, LINES_UNKNOWN, 0};
  struct stat of[2];
  if (fstat(before, &of[0]) != 0 || fstat(after, &of[1]) != 0 || !S_ISREG(of[0].st_mode) || !S_ISREG(of[1].st_mode)) return found;
  struct file a = {before, (uint64_t)of[0].st_size}, b = {after, (uint64_t)of[1].st_size};
  uint64_t most = a.size < b.size ? a.size : b.size, start = 0, end = 0;
  if (!commonStart(&a, &b, most, &start, left)) return found;
  if (start == a.size) {
    found.how = a.size == b.size ? COMPARED_SAME : COMPARED_ADDED;
    return found;
  }
  if (!commonEnd(&a, &b, most - start, &end, left)) return found;
  if (start + end == a.size) {
    found.how = COMPARED_ADDED;
    return found;
  }
  found.how = COMPARED_GONE;
  found.bytesGone = a.size - start - end;
  compareLines(&a, &b, start, end, &found, left);
  return found;
}
