#define _GNU_SOURCE
#include "service.h"
#include "itself.h"
#include "surroundings.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOCK_AT = 3, MOST_FOLDER = 3800, AGAIN_MS = 10 };

static char folder[4096];
static char name[NAME_BYTES];

// With the user's state (XDG Base Directory Specification), as `hookFolder` has it.
static bool findFolder(void) {
  const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
  bool isState = state && state[0] == '/';
  if (!isState && (!home || home[0] != '/')) return false;
  int length = snprintf(folder, sizeof folder, "%s%s/foretell/service", isState ? state : home, isState ? "" : "/.local/state");
  return length > 0 && length < MOST_FOLDER;
}

static bool makeFolder(void) {
  for (char *slash = folder + 1; (slash = strchr(slash, '/')); slash++) {
    *slash = 0;
    bool isThere = mkdir(folder, 0700) == 0 || errno == EEXIST;
    *slash = '/';
    if (!isThere) return false;
  }
  return mkdir(folder, 0700) == 0 || errno == EEXIST;
}

// Goes there: paths of sockets may be 107 bytes long. False where it is not this user's alone.
static bool enterFolder(void) {
  struct stat status;
  int it = open(folder, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  bool isOwn = it >= 0 && fstat(it, &status) == 0 && status.st_uid == geteuid() && !(status.st_mode & 077) && fchdir(it) == 0;
  if (it >= 0) close(it);
  return isOwn;
}

// What the service wrote for those who may read it.
static bool readToken(char token[33]) {
  char file[64];
  snprintf(file, sizeof file, "%s.token", name);
  struct text read = {0};
  addFile(&read, file);
  bool isWhole = read.length == 32;
  if (isWhole) { memcpy(token, read.bytes, 32); token[32] = 0; }
  free(read.bytes);
  return isWhole;
}

static int tryToConnect(char token[33]) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s.socket", name);
  int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connection < 0) return -1;
  struct ucred other;
  socklen_t length = sizeof other;
  bool isService = connect(connection, (struct sockaddr *)&address, sizeof address) == 0 &&
                   getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &other, &length) == 0 && other.uid == geteuid() && readToken(token);
  if (isService) return connection;
  close(connection);
  return -1;
}

_Noreturn static void beService(int lock) {
  char *environment[8] = {0}, *idle = getenv("FORETELL_SERVICE_IDLE");
  int count = 0;
  char pairs[3][4096];
  for (int i = 0; servedVariables[i]; i++) {
    const char *value = getenv(servedVariables[i]);
    if (!value) continue;
    if (snprintf(pairs[i], sizeof pairs[i], "%s=%s", servedVariables[i], value) >= (int)sizeof pairs[i]) _exit(1);
    environment[count++] = pairs[i];
  }
  if (*installation.environment) environment[count++] = (char *)installation.environment;
  int nothing = open("/dev/null", O_RDWR);
  if (nothing < 0) _exit(1);
  for (int i = 0; i < 3; i++) dup2(nothing, i);
  if (lock != LOCK_AT) dup2(lock, LOCK_AT);
  else fcntl(lock, F_SETFD, 0);
  // An agent waits until nobody holds its pipes any more.
  for (int other = LOCK_AT + 1; other < 1024; other++) close(other);
  signal(SIGPIPE, SIG_DFL);
  if (chdir("/") != 0) _exit(1);
  char *words[] = {(char *)installation.node, (char *)inDist("cli.js"), "service", "run", "--folder", folder, "--name", name, "--lock", "3", idle ? "--idle" : 0, idle, 0};
  execve(installation.node, words, environment);
  _exit(1);
}

// Whoever holds the lock starts it; the lock is free again when it listens, or has failed.
static void startService(void) {
  char file[64], token[33];
  snprintf(file, sizeof file, "%s.lock", name);
  int lock = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (lock < 0 || flock(lock, LOCK_EX | LOCK_NB) != 0) return;
  int other = tryToConnect(token);
  if (other >= 0) { close(other); close(lock); return; }
  pid_t child = fork();
  if (child == 0) {
    setsid();
    if (fork() == 0) beService(lock);
    _exit(0);
  }
  if (child > 0) while (waitpid(child, 0, 0) < 0 && errno == EINTR);
  close(lock);
}

int connectService(char token[33]) {
  const char *wish = getenv("FORETELL_SERVICE");
  if (wish && !strcmp(wish, "off")) return -1;
  if (getuid() != geteuid() || getgid() != getegid() || !findFolder() || !nameService(name)) return -1;
  bool isThere = enterFolder();
  int connection = isThere ? tryToConnect(token) : -1;
  if (connection < 0 && (isThere || (makeFolder() && enterFolder()))) startService();
  return connection;
}

static bool isBeingStarted(void) {
  char file[64];
  snprintf(file, sizeof file, "%s.lock", name);
  int lock = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  bool isHeld = lock >= 0 && flock(lock, LOCK_SH | LOCK_NB) != 0;
  if (lock >= 0) close(lock);
  return isHeld;
}

int connectUntil(char token[33], int64_t endMs) {
  int connection = connectService(token);
  // Without a name there is no service, and none was started.
  while (connection < 0 && *name && isBeingStarted() && nowMs() + AGAIN_MS < endMs) {
    usleep(AGAIN_MS * 1000);
    connection = tryToConnect(token);
  }
  return connection < 0 && *name ? tryToConnect(token) : connection;
}
