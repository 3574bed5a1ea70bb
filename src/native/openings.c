#define _GNU_SOURCE
#include "openings.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SAME_FILE = 0 /* KCMP_FILE */, MOST_OPENED = 256 };

struct openings {
  struct call call;    // of who asks, whose first argument is the descriptor
  long flags, result;
  bool turned;
  unsigned count;      // 0: nobody knows
  struct opened { struct holder holder; long flags; bool same; } opened[MOST_OPENED];
};
// Of the call that is being answered, while it is.
static const struct openings *known;

bool holdsOpen(struct holder holder, const struct stat *file) {
  struct stat st;
  return statDescriptor(holder.process, holder.descriptor, &st) && st.st_dev == file->st_dev && st.st_ino == file->st_ino;
}

bool anyDescriptor(judgeDescriptor is, void *with) {
  char path[64];
  bool found = false;
  for (struct tracee *one = nextTracee(0); one && !found; one = nextTracee(one)) {
    snprintf(path, sizeof path, "/proc/%d/fd", one->tid);
    DIR *entries = one->tid == groupOf(one) ? opendir(path) : 0;
    for (struct dirent *entry; !found && entries && (entry = readdir(entries));)
      found = entry->d_name[0] != '.' && is(with, (struct holder){one->tid, atoi(entry->d_name)}, dirfd(entries), entry->d_name);
    if (entries) closedir(entries);
  }
  return found;
}

struct telling { const struct stat *file; tellHolder tell; void *with; };

static bool isTold(void *with, struct holder holder, int folder, const char *name) {
  const struct telling *telling = with;
  (void)folder, (void)name;
  return holdsOpen(holder, telling->file) && !telling->tell(telling->with, holder);
}

void forHolders(const struct stat *file, tellHolder tell, void *with) {
  anyDescriptor(isTold, &(struct telling){file, tell, with});
}

static bool isSame(struct holder one, struct holder other) { return one.process == other.process && one.descriptor == other.descriptor; }

static const struct opened *findOpened(struct holder holder) {
  for (unsigned i = 0; known && i < known->count; i++)
    if (isSame(known->opened[i].holder, holder)) return &known->opened[i];
  return 0;
}

long compareOpenings(struct holder one, struct holder other) {
  if (isSame(one, other)) return 0;
  long order = syscall(SYS_kcmp, one.process, other.process, SAME_FILE, one.descriptor, other.descriptor);
  if (order >= 0) return order;
  const struct opened *first = findOpened(one), *second = findOpened(other);
  return first && second && (first->same || second->same) ? first->same != second->same : -1;
}

long fieldOf(struct holder holder, const char *name, int base) {
  char path[64], text[256];
  snprintf(path, sizeof path, "/proc/%d/fdinfo/%d", holder.process, holder.descriptor);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? 0 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  text[length > 0 ? length : 0] = 0;
  const char *field = strstr(text, name);
  return field ? strtol(field + strlen(name), 0, base) : -1;
}

static bool noteOpened(void *with, struct holder holder) {
  struct openings *openings = with;
  long flags = fieldOf(holder, "flags:", 8);
  if (flags < 0 || openings->count == MOST_OPENED) { openings->count = 0; return false; }
  openings->opened[openings->count++] = (struct opened){holder, flags, false};
  return true;
}

// The call that turns the flag round is made in the place of that which is answered.
static void turnFlag(struct tracee *tracee, const struct openings *openings, long flags) {
  uint64_t args[6] = {openings->call.args[0], F_SETFL, (uint64_t)flags};
  setCall(tracee->tid, SYS_fcntl, args);
  tracee->call = openings->call;
  tracee->wantsExit = true;
}

bool findOpenings(struct tracee *tracee, const struct call *call, const struct stat *file) {
  struct holder asker = {groupOf(tracee), (int)call->args[0]};
  struct openings *openings = tracee->pending;
  known = openings && !memcmp(&openings->call, call, sizeof *call) ? openings : 0;
  // Of a pipe or a terminal it would be felt.
  if (known || !(S_ISREG(file->st_mode) || S_ISDIR(file->st_mode))) return false;
  if (syscall(SYS_kcmp, asker.process, asker.process, SAME_FILE, asker.descriptor, asker.descriptor) == 0) return false;
  free(openings);
  tracee->pending = openings = calloc(1, sizeof *openings);
  if (!openings) _exit(122);
  openings->call = *call;
  openings->flags = fieldOf(asker, "flags:", 8);
  forHolders(file, noteOpened, openings);
  if (!openings->count) return false;
  turnFlag(tracee, openings, openings->flags ^ O_NONBLOCK);
  return true;
}

void giveLockResult(struct tracee *tracee, long result) {
  struct openings *openings = tracee->pending;
  bool turned = known;
  known = 0;
  if (!turned) { skipCall(tracee->tid, result); return; }
  openings->result = result;
  turnFlag(tracee, openings, openings->flags);
}

void finishOpenings(struct tracee *tracee) {
  struct openings *openings = tracee->pending;
  if (!openings) return;
  if (openings->turned) {
    setCall(tracee->tid, openings->call.number, openings->call.args); // what it had in its registers
    writeResult(tracee->tid, openings->result);
    free(openings);
    tracee->pending = 0;
    return;
  }
  bool found = false;
  for (unsigned i = 0; i < openings->count; i++) {
    struct opened *one = &openings->opened[i];
    one->same = (fieldOf(one->holder, "flags:", 8) ^ one->flags) & O_NONBLOCK;
    found = found || (one->same && isSame(one->holder, (struct holder){groupOf(tracee), (int)openings->call.args[0]}));
  }
  if (!found) openings->count = 0;
  openings->turned = true;
  repeatCall(tracee->tid, openings->call.number, openings->call.args);
}
