// Sorts in place and keeps the order of what is equal. Used instead of qsort(3), which takes 7 kB in our C library.
#pragma once
#include <stddef.h>

void sortItems(void *items, size_t count, size_t size, int (*compare)(const void *, const void *));
// Two pointers to texts, by their bytes.
int compareTexts(const void *a, const void *b);
