#define _GNU_SOURCE
#include "sort.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int compareTexts(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

// Puts the sorted halves of `from` together in `to`.
static void merge(char *to, const char *from, size_t half, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  size_t left = 0, right = half;
  for (size_t at = 0; at < count; at++) {
    bool takesLeft = right == count || (left < half && compare(from + left * size, from + right * size) <= 0);
    memcpy(to + at * size, from + (takesLeft ? left++ : right++) * size, size);
  }
}

void sortItems(void *items, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  if (count < 2) return;
  char *from = items, *to = malloc(count * size), *own = to;
  if (!to) _exit(122);
  for (size_t width = 1; width < count; width *= 2) {
    for (size_t at = 0; at < count; at += 2 * width) {
      size_t left = count - at;
      size_t whole = left < 2 * width ? left : 2 * width, half = left < width ? left : width;
      merge(to + at * size, from + at * size, half, whole, size, compare);
    }
    char *swapped = from;
    from = to;
    to = swapped;
  }
  if (from != (char *)items) memcpy(items, from, count * size);
  free(own);
}
