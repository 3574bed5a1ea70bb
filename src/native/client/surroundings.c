#define _GNU_SOURCE
#include "surroundings.h"
#include "../sha256.h"
#include "itself.h"
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const servedVariables[] = {"TZ", "FORETELL_ENGINE", "LD_LIBRARY_PATH", 0};

// Namespaces, in which files, processes and users are counted (namespaces(7)).
static const char *const namespaces[] = {"cgroup", "ipc", "mnt", "net", "pid", "pid_for_children", "time_for_children", "user", "uts", 0};
// Of proc_pid_status(5).
static const char *const kept[] = {"Umask:", "Uid:", "Gid:", "Groups:", "Seccomp", "Cap", "Cpus_allowed:", "Mems_allowed:", "Speculation", "THP_enabled:", 0};
static const char *const files[] = {"/proc/sys/kernel/random/boot_id", "/proc/self/limits", "/proc/self/cgroup", "/proc/self/attr/current", "/proc/self/oom_score_adj", "/proc/self/loginuid", "/proc/self/sessionid", "/proc/self/coredump_filter", 0};

static bool startsWith(const char *line, const char *word) { return !strncmp(line, word, strlen(word)); }

// False where the process gave up rights of which nothing can be read (landlock(7) asks for no_new_privs first).
static bool addStatus(struct text *all) {
  struct text status = {0};
  addFile(&status, "/proc/self/status");
  addBytes(&status, "", 1);
  bool isFree = false;
  for (char *line = strtok(status.bytes, "\n"); line; line = strtok(0, "\n")) {
    if (startsWith(line, "NoNewPrivs:")) isFree = strchr(line, '0') != 0;
    for (int i = 0; kept[i]; i++)
      if (startsWith(line, kept[i])) { addWord(all, line); addWord(all, "\n"); break; }
  }
  free(status.bytes);
  return isFree;
}

bool nameService(char name[NAME_BYTES]) {
  struct text all = {0};
  struct stat root;
  char line[512];
  addBytes(&all, installation.words.bytes, installation.words.length);
  if (!addStatus(&all) || stat("/", &root) != 0) return false;
  for (int i = 0; namespaces[i]; i++) {
    char path[64], target[64];
    snprintf(path, sizeof path, "/proc/self/ns/%s", namespaces[i]);
    ssize_t length = readlink(path, target, sizeof target);
    if (length > 0) addBytes(&all, target, (size_t)length);
  }
  for (int i = 0; files[i]; i++) { addFile(&all, files[i]); addBytes(&all, "", 1); }
  for (int i = 0; servedVariables[i]; i++) {
    const char *value = getenv(servedVariables[i]);
    if (value) addBytes(&all, value, strlen(value));
    addBytes(&all, value ? "=" : "", 1);
  }
  snprintf(line, sizeof line, "%lx %lx %d %d %d", (long)root.st_dev, (long)root.st_ino, getpriority(PRIO_PROCESS, 0), sched_getscheduler(0), personality(0xffffffff));
  addWord(&all, line);
  unsigned char digest[32];
  struct sha256 hash;
  sha256Start(&hash);
  sha256Add(&hash, all.bytes, all.length);
  sha256End(&hash, digest);
  for (int i = 0; i < 16; i++) sprintf(name + 2 * i, "%02x", digest[i]);
  free(all.bytes);
  return true;
}
