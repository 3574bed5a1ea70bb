// Programs: what the tree has in the place of a real file is executed from the scratch, under its own name.
#define _GNU_SOURCE
#include "answer.h"
#include "instead.h"
#include "scratch.h"
#include "supervise.h"
#include "view.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_WORDS = 1 << 20, LONGEST_WORD = 131072 }; // MAX_ARG_STRLEN

int openProgram(struct tracee *tracee, int directory, const char *path, char *shown, bool *native) {
  static struct place place;
  char content[PATH_MAX];
  int error = findPlace((struct from){tracee->tid, directory}, path, THROUGH_LINK, AFTER, &place);
  if (!error && !place.there) error = ENOENT;
  if (!error && !place.native && !place.magic) error = mayUsePlace(&place, X_OK);
  if (error) { errno = error; return -1; }
  *native = place.native || (place.magic && !place.node);
  // What may be executed since its mode was changed cannot be where it is.
  if (place.node && place.node->now.own & OWN_MODE && S_ISREG(place.node->now.mode) && !ownContent(place.node, false)) return -1;
  contentPath(&place, AFTER, content);
  if (place.node && place.node->now.scratch) shownPlace(&place, shown);
  else snprintf(shown, PATH_MAX, "%s", content);
  if (place.magic) showScratchPath(strcpy(shown, content), PATH_MAX);
  return open(content, O_PATH | O_CLOEXEC);
}

static struct list readVector(pid_t tid, uint64_t at) {
  static char text[LONGEST_WORD + 1];
  struct list list = {0};
  uint64_t pointer;
  for (; at && list.count < MOST_WORDS && readMemory(tid, at, &pointer, 8) == 8 && pointer; at += 8) {
    if (!readText(tid, pointer, text, sizeof text)) break;
    char **more = realloc(list.items, sizeof *more * (list.count + 2));
    if (!more) _exit(122);
    list.items = more;
    list.items[list.count++] = strdup(text);
    list.items[list.count] = 0;
  }
  if (!list.items) list.items = calloc(1, sizeof *list.items);
  return list;
}

static void release(struct list *list) {
  for (uint32_t i = 0; i < list->count; i++) free(list->items[i]);
  free(list->items);
}

// As the kernel does it (fs/binfmt_script.c): the interpreter, its one argument, the path as it was given, the other arguments.
static void startInterpreter(struct tracee *tracee, char *line, const char *path, const struct list *given, const struct list *environment) {
  char *name = line + strspn(line, " \t"), *end = name + strcspn(name, " \t\n"), *argument = end + strspn(end, " \t");
  argument[strcspn(argument, "\n")] = 0;
  for (char *last = argument + strlen(argument); last > argument && (last[-1] == ' ' || last[-1] == '\t');) *--last = 0;
  *end = 0;
  struct list words = {calloc(given->count + 4, sizeof(char *)), 0};
  if (!words.items) _exit(122);
  words.items[words.count++] = name;
  if (argument > end && argument[0]) words.items[words.count++] = argument;
  words.items[words.count++] = (char *)path;
  for (uint32_t i = 1; i < given->count; i++) words.items[words.count++] = given->items[i];
  startInstead(tracee, makeInstead(name, &words, environment));
  free(words.items);
}

bool executeContent(struct tracee *tracee, const struct call *call, const char *path, int file) {
  char link[64], head[256] = "", content[PATH_MAX];
  bool at = call->number == SYS_execveat;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  int opened = open(link, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  ssize_t length = opened < 0 ? 0 : read(opened, head, sizeof head - 1), named = readlink(link, content, sizeof content - 1);
  if (opened >= 0) close(opened);
  head[length > 0 ? length : 0] = 0;
  content[named > 0 ? named : 0] = 0;
  if (!strncmp(head, "#!", 2)) {
    struct list words = readVector(tracee->tid, call->args[at ? 2 : 1]), environment = readVector(tracee->tid, call->args[at ? 3 : 2]);
    head[2 + strcspn(head + 2, "\n")] = 0;
    startInterpreter(tracee, head + 2, path, &words, &environment);
    release(&words);
    release(&environment);
    return true;
  }
  struct asked asked = {.tracee = tracee, .call = call, .pathAt = at ? 1 : 0, .directoryAt = at ? 0 : -1};
  return usePath(&asked, content);
}
