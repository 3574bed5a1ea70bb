// Of names, for tables in memory: FNV-1a.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t hashOfPiece(const char *text, size_t length) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)text[i]) * 16777619u;
  return hash;
}

static inline uint32_t hashOf(const char *text) { return hashOfPiece(text, strlen(text)); }
