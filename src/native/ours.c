#define _GNU_SOURCE
#include "ours.h"
#include "scan.h"
#include "setup.h"
#include "tracee.h"
#include "view.h"
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { DEEPEST = 64 };
static pid_t host;
static char ownName[17];

void noteHost(void) {
  host = getppid();
  prctl(PR_GET_NAME, ownName, 0, 0, 0);
}

// Name and parent, as the machine numbers processes. False when it is gone.
static bool readOuterStat(pid_t pid, char name[17], pid_t *parent, char *state) {
  char path[64], text[512];
  snprintf(path, sizeof path, "%d/stat", pid);
  int file = openat(view.outerProc, path, O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? 0 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  text[length > 0 ? length : 0] = 0;
  char *open = strchr(text, '('), *close = strrchr(text, ')'); // proc_pid_stat(5): the name may hold anything
  if (!open || !close || scanText(close, ") %c %d", state, parent) != 2) return false;
  *close = 0;
  snprintf(name, 17, "%s", open + 1);
  return true;
}

bool isOurs(pid_t pid) {
  static pid_t lastAsked;
  static bool lastAnswer;
  if (pid == lastAsked && pid) return lastAnswer;
  if (findTracee(pid)) return false; // of this run
  lastAsked = pid;
  lastAnswer = (setup.flags & FLAG_OWN_HOST) && (pid == host || (uint32_t)pid == setup.caller);
  for (int depth = 0; !lastAnswer && pid > 1 && depth < DEEPEST; depth++) {
    char name[17], state;
    pid_t parent;
    if (!readOuterStat(pid, name, &parent, &state)) break;
    // Its keeper is gone already, and who takes it over has not looked yet.
    if (depth == 0 && state == 'Z' && !strcmp(name, ownName)) { lastAnswer = true; break; }
    if (parent == host) { lastAnswer = !strcmp(name, ownName); break; }
    pid = parent;
  }
  return lastAnswer;
}

void judgeParent(struct tracee *tracee) {
  if (parentOf(tracee) == getpid()) skipCall(tracee->tid, host);
}

// Others meet it when they go through all processes.
static bool namesParent(pid_t tid) {
  char name[32], words[PATH_MAX];
  snprintf(name, sizeof name, "/proc/%d/cmdline", tid);
  int file = open(name, O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? 0 : read(file, words, sizeof words);
  if (file >= 0) close(file);
  int digits = snprintf(name, sizeof name, "%d", getpid());
  return length > 0 && (memmem(words, (size_t)length, name, (size_t)digits) || memmem(words, (size_t)length, "PPID", 4));
}

enum ours isInOurs(pid_t tid, int directory, const char *path) {
  char start[64], name[32];
  // killall(1) opens the directory first, and the files in it by that.
  if (path[0] != '/') {
    if (directory == AT_FDCWD) snprintf(name, sizeof name, "cwd");
    else snprintf(name, sizeof name, "fd/%d", directory);
    if (!readProcLink(tid, name, start, sizeof start)) return NOT_OURS;
    path = start;
  }
  if (strncmp(path, "/proc/", 6) != 0) return NOT_OURS;
  char *rest;
  long pid = strtol(path + 6, &rest, 10);
  if (rest == path + 6 || (*rest && *rest != '/')) return NOT_OURS;
  // The parent of the command is really another one.
  if (pid == getpid() && namesParent(tid)) return IN_PLACE_OF_PARENT;
  return isOurs((pid_t)pid) ? OURS : NOT_OURS;
}
