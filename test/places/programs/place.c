// place NAME [options] -- COMMAND...: runs a command where something is refused; `place --list` names the places.
//   --as USER:GROUP     numbers of who runs it; only root can become somebody
//   --tree FOLDER       in a tree of its own, made in this empty folder; root's only
//   --show FOLDER       a folder of another file system, or below /tmp, that is to be there in the tree
//   --folder FOLDER     a folder of the tree that lies on the real disk, empty at first
// The exit code is the command's; 125 when the place cannot be made, 127 when there is no such command.
#define _GNU_SOURCE
#include "place.h"
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LAST_CAPABILITY = 63 };

_Noreturn void giveUp(const char *step) {
  fprintf(stderr, "This place cannot be made here: %s: %s.\n", step, strerror(errno));
  exit(125);
}

static bool writeFile(const char *path, const char *text) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  ssize_t written = write(file, text, strlen(text));
  close(file);
  return written == (ssize_t)strlen(text);
}

// user_namespaces(7): the limit is counted in each namespace.
static void enterLastNamespace(void) {
  char map[64];
  uid_t uid = getuid();
  gid_t gid = getgid();
  if (unshare(CLONE_NEWUSER)) giveUp("unshare");
  snprintf(map, sizeof map, "%u %u 1", uid, uid);
  if (!writeFile("/proc/self/uid_map", map) || !writeFile("/proc/self/setgroups", "deny")) giveUp("uid_map");
  snprintf(map, sizeof map, "%u %u 1", gid, gid);
  if (!writeFile("/proc/self/gid_map", map)) giveUp("gid_map");
  if (!writeFile("/proc/sys/user/max_user_namespaces", "0")) giveUp("max_user_namespaces");
}

// What execve(2) gives to root is bounded; an ordinary user has nothing that could be taken.
static void boundCapabilities(uint64_t left) {
  for (int capability = 0; capability <= LAST_CAPABILITY; capability++)
    if (!(left >> capability & 1)) prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
}

static void setCapabilities(uint64_t left) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct data[2] = {{(uint32_t)left, (uint32_t)left, 0}, {(uint32_t)(left >> 32), (uint32_t)(left >> 32), 0}};
  if (syscall(SYS_capset, &header, data)) giveUp("capset");
}

static void become(const struct identity *identity) {
  if (setgroups(0, 0) || setresgid(identity->group, identity->group, identity->group)) giveUp("setgid");
  if (setresuid(identity->user, identity->user, identity->user)) giveUp("setuid");
}

_Noreturn static void runCommand(const struct place *place, const struct identity *identity, char **command) {
  bool isRoot = geteuid() == 0;
  if (place->dropsCapabilities && isRoot) boundCapabilities(place->capabilities);
  if (place->isLastNamespace) {
    if (isRoot && identity->user != 0) become(identity); // who is not mapped cannot be become in there
    enterLastNamespace();
    isRoot = false;
  }
  if (isRoot && (place->rules || place->moreRules) && !installFilter(place->rules, place->moreRules)) giveUp("seccomp");
  if (isRoot && identity->user != 0) become(identity);
  else if (isRoot && place->dropsCapabilities) setCapabilities(place->capabilities);
  if (!isRoot && (place->rules || place->moreRules) && !installFilter(place->rules, place->moreRules)) giveUp("seccomp");
  execvp(command[0], command);
  perror(command[0]);
  exit(127);
}

static int exitCodeOf(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

// Process 1 of the tree, as `docker run --init` has it: waits for everybody, ends with the command.
static void becomeFirstProcess(void) {
  int status;
  pid_t command = fork(), ended;
  if (command < 0) giveUp("fork");
  if (command == 0) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); // another user's number has cleared it
  do ended = wait(&status); while (ended != command && (ended > 0 || errno == EINTR));
  exit(exitCodeOf(status));
}

// Only a child is in the new process namespace. When this process dies, everything in there dies.
static void startInTree(const struct tree *tree) {
  int status;
  if (tree->mapsIds) makeUserNamespace();
  if (unshare(CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS)) giveUp("unshare");
  pid_t first = fork();
  if (first < 0) giveUp("fork");
  if (first == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    enterTree(tree);
    becomeFirstProcess();
    return;
  }
  signal(SIGINT, SIG_IGN); // the terminal tells the command too
  while (waitpid(first, &status, 0) < 0 && errno == EINTR);
  exit(exitCodeOf(status));
}

static _Noreturn void explain(void) {
  fputs("place NAME [--as USER:GROUP] [--tree FOLDER [--show FOLDER] [--folder FOLDER]] -- COMMAND...; place --list\n", stderr);
  exit(125);
}

int main(int count, char **arguments) {
  if (count == 2 && !strcmp(arguments[1], "--list")) { listPlaces(); return 0; }
  const struct place *place = count > 2 ? findPlace(arguments[1]) : 0;
  if (!place) explain();
  struct tree tree = {.identity = {getuid(), getgid()}, .mapsIds = place->mapsIds};
  int at = 2;
  for (; at + 1 < count && strcmp(arguments[at], "--"); at += 2) {
    const char *value = arguments[at + 1];
    if (!strcmp(arguments[at], "--as") && sscanf(value, "%u:%u", &tree.identity.user, &tree.identity.group) == 2) continue;
    if (!strcmp(arguments[at], "--tree")) tree.base = value;
    else if (!strcmp(arguments[at], "--show") && tree.shownCount < 8) tree.shown[tree.shownCount++] = value;
    else if (!strcmp(arguments[at], "--folder") && tree.folderCount < 8) tree.folders[tree.folderCount++] = value;
    else explain();
  }
  if (at + 1 >= count) explain();
  if (tree.base) startInTree(&tree);
  runCommand(place, &tree.identity, arguments + at + 1);
}
