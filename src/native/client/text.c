#define _GNU_SOURCE
#include "text.h"
#include "itself.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

char *growText(struct text *text, size_t more) {
  if (text->length + more > text->room) {
    text->room = (text->length + more) * 2 + 4096;
    text->bytes = realloc(text->bytes, text->room);
    if (!text->bytes) runItself();
  }
  return text->bytes + text->length;
}

void addBytes(struct text *text, const void *bytes, size_t length) {
  if (length) memcpy(growText(text, length), bytes, length);
  text->length += length;
}

void addWord(struct text *text, const char *word) { addBytes(text, word, strlen(word)); }

void addNumber(struct text *text, uint32_t number) {
  unsigned char bytes[4] = {number & 255, number >> 8 & 255, number >> 16 & 255, number >> 24};
  addBytes(text, bytes, 4);
}

void addField(struct text *text, const void *bytes, size_t length) {
  addNumber(text, (uint32_t)length);
  addBytes(text, bytes, length);
}

uint32_t numberAt(const char *bytes) {
  const unsigned char *b = (const unsigned char *)bytes;
  return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

void addFile(struct text *text, const char *path) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  for (ssize_t n; (n = read(file, growText(text, 8192), 8192)) > 0;) text->length += (size_t)n;
  close(file);
}

int64_t nowMs(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
