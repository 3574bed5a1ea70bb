#define _GNU_SOURCE
#include "known.h"
#include "gate.h"
#include "handover.h"
#include "libraries.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct known { pid_t first; struct list code; };

void letInAsKnown(struct tracee *tracee, struct list code) {
  // Processes that it starts look at it as long as the run lasts.
  struct known *known = malloc(sizeof *known);
  if (!known) _exit(122);
  *known = (struct known){.first = knownAbove(tracee), .code = code};
  if (!known->first) known->first = groupOf(tracee);
  tracee->known = known;
  tracee->permitted = tracee->asKnown = true;
}

pid_t knownAbove(struct tracee *tracee) {
  findOrigin(tracee);
  return tracee->known ? tracee->known->first : 0;
}

static bool isCode(const struct list *endings, const char *path) {
  size_t length = strlen(path);
  for (uint32_t i = 0; i < endings->count; i++) {
    size_t ending = strlen(endings->items[i]);
    if (length >= ending && !strcmp(path + length - ending, endings->items[i])) return true;
  }
  return false;
}

// A runtime asks for a module by an absolute path, also where it is not there: then it has found the module's source.
bool stopsAtCode(struct tracee *tracee, const struct call *call) {
  static char path[PATH_MAX];
  bool at = call->number == SYS_openat;
#if defined(__x86_64__)
  if (!at && call->number != SYS_open) return false;
#else
  if (!at) return false;
#endif
  if (!runsKnown(tracee) || !readText(tracee->tid, call->args[at ? 1 : 0], path, sizeof path)) return false;
  if (!isCode(&tracee->known->code, path) || (isSystemPath(path) && !strstr(path, "/../"))) return false;
  handOver(tracee, FOREIGN_LIBRARY, path, false, 0, 0);
  return true;
}
