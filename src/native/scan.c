#define _GNU_SOURCE
#include "scan.h"
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\n";

// One piece of a format behind its %.
struct piece { bool dropped; size_t width; int longs; char kind; };

static struct piece pieceAt(const char **format) {
  struct piece piece = {.dropped = **format == '*'};
  char *rest;
  if (piece.dropped) ++*format;
  piece.width = strtoul(*format, &rest, 10);
  if (!piece.width) piece.width = SIZE_MAX;
  for (; *rest == 'l'; rest++) piece.longs++;
  piece.kind = *rest;
  *format = rest;
  return piece;
}

static int digitOf(char letter) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  letter |= 32;
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : 16;
}

// False: there is no number.
static bool readNumber(const char **text, const struct piece *piece, uint64_t *value) {
  int base = piece->kind == 'x' ? 16 : piece->kind == 'o' ? 8 : 10;
  bool negative = **text == '-';
  const char *at = *text + negative;
  if (base == 16 && piece->width > 2 && at[0] == '0' && at[1] == 'x') at += 2;
  const char *from = at;
  for (*value = 0; (size_t)(at - from) < piece->width && digitOf(*at) < base; at++) *value = *value * (uint64_t)base + (uint64_t)digitOf(*at);
  if (negative) *value = -*value;
  *text = at;
  return at > from;
}

// What one piece reads; false where the text has no such thing.
static bool readPiece(const char **text, const struct piece *piece, va_list *to) {
  uint64_t value;
  if (piece->kind == 'c') {
    if (!**text) return false;
    if (!piece->dropped) *va_arg(*to, char *) = **text;
    ++*text;
    return true;
  }
  *text += strspn(*text, blanks);
  if (piece->kind != 's') {
    if (!readNumber(text, piece, &value)) return false;
    if (!piece->dropped && piece->longs) *va_arg(*to, uint64_t *) = value;
    else if (!piece->dropped) *va_arg(*to, uint32_t *) = (uint32_t)value;
    return true;
  }
  size_t length = strcspn(*text, blanks);
  if (length > piece->width) length = piece->width;
  if (!piece->dropped) {
    char *word = va_arg(*to, char *);
    memcpy(word, *text, length);
    word[length] = 0;
  }
  *text += length;
  return length > 0;
}

int scanText(const char *text, const char *format, ...) {
  const char *at = text;
  int count = 0;
  va_list to;
  va_start(to, format);
  for (; *format; format++) {
    if (strchr(blanks, *format)) { at += strspn(at, blanks); continue; }
    if (*format != '%') {
      if (*at++ != *format) break;
      continue;
    }
    format++;
    struct piece piece = pieceAt(&format);
    if (piece.kind == 'n') { *va_arg(to, int *) = (int)(at - text); continue; }
    if (!readPiece(&at, &piece, &to)) break;
    count += !piece.dropped;
  }
  va_end(to);
  return count;
}
