// Bytes that grow. Whoever runs out of memory ends as if there were no service.
#pragma once
#include <stddef.h>
#include <stdint.h>

struct text {
  char *bytes;
  size_t length, room;
};

// Makes room for so many more bytes; gives where they go.
char *growText(struct text *text, size_t more);
void addBytes(struct text *text, const void *bytes, size_t length);
void addWord(struct text *text, const char *word);
// A number of four bytes, the least first.
void addNumber(struct text *text, uint32_t number);
// With its length before it.
void addField(struct text *text, const void *bytes, size_t length);
uint32_t numberAt(const char *bytes);
// The content of a small file; nothing is added where it cannot be read.
void addFile(struct text *text, const char *path);
// Milliseconds of a clock that only goes forward.
int64_t nowMs(void);
