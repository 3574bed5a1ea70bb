#define _GNU_SOURCE
#include "instead.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// Memory of the process: the two vectors, then the texts. Until the place is known, pointers count from its beginning.
struct instead {
  size_t length, argvAt, envAt;
  unsigned char bytes[];
};

static size_t sizeOf(const struct list *list) {
  size_t size = 8 * ((size_t)list->count + 1);
  for (uint32_t i = 0; i < list->count; i++) size += strlen(list->items[i]) + 1;
  return size;
}

static void addVector(struct instead *instead, size_t at, const struct list *list, size_t *textAt) {
  for (uint32_t i = 0; i < list->count; i++) {
    uint64_t pointer = *textAt;
    size_t length = strlen(list->items[i]) + 1;
    memcpy(instead->bytes + at + 8 * i, &pointer, 8);
    memcpy(instead->bytes + *textAt, list->items[i], length);
    *textAt += length;
  }
}

struct instead *makeInstead(const char *path, const struct list *argv, const struct list *env) {
  size_t length = strlen(path) + 1 + sizeOf(argv) + sizeOf(env);
  struct instead *instead = calloc(1, sizeof *instead + length);
  if (!instead) _exit(122);
  *instead = (struct instead){.length = length, .argvAt = 0, .envAt = 8 * ((size_t)argv->count + 1)};
  size_t textAt = instead->envAt + 8 * ((size_t)env->count + 1);
  addVector(instead, instead->argvAt, argv, &textAt);
  addVector(instead, instead->envAt, env, &textAt);
  strcpy((char *)instead->bytes + textAt, path);
  return instead;
}

void startInstead(struct tracee *tracee, struct instead *instead) {
  uint64_t args[6] = {0, instead->length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, (uint64_t)-1, 0};
  free(tracee->pending);
  tracee->pending = instead;
  tracee->call = (struct call){.number = SYS_mmap};
  tracee->wantsExit = true;
  setCall(tracee->tid, SYS_mmap, args);
}

static void relocate(struct instead *instead, size_t at, uint64_t base) {
  for (uint64_t pointer; memcpy(&pointer, instead->bytes + at, 8), pointer; at += 8) {
    pointer += base;
    memcpy(instead->bytes + at, &pointer, 8);
  }
}

void finishInstead(struct tracee *tracee) {
  struct instead *instead = tracee->pending;
  long base = readResult(tracee->tid);
  tracee->pending = 0;
  // The path is the last text.
  size_t pathAt = instead->length - 1;
  while (pathAt > 0 && instead->bytes[pathAt - 1]) pathAt--;
  relocate(instead, instead->argvAt, (uint64_t)base);
  relocate(instead, instead->envAt, (uint64_t)base);
  uint64_t args[6] = {(uint64_t)base + pathAt, (uint64_t)base + instead->argvAt, (uint64_t)base + instead->envAt, 0, 0, 0};
  bool good = (base > 0 || base < -4095) && writeMemory(tracee->tid, (uint64_t)base, instead->bytes, instead->length);
  if (good) repeatCall(tracee->tid, SYS_execve, args);
  else writeResult(tracee->tid, -12); // ENOMEM
  free(instead);
}
