#define _GNU_SOURCE
#include "itself.h"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FAILED = 3 };

static const struct {
  const char *name;
  enum role role;
} names[] = {{"foretell-hook", AS_HOOK}, {"foretell-enter", AS_ENTER}};

struct installation installation;
enum role role;
struct text input;
bool inputWasRead;

static char **ownWords;
static int ownFolder = -1;
static struct sigaction oldPipe;

_Noreturn static void giveUp(const char *why) {
  if (role == AS_FORETELL) fprintf(stderr, "foretell: %s; install Foretell again.\n", why);
  _exit(role == AS_HOOK ? 0 : FAILED);
}

// Lines: "foretell 1", path of Node, folder of the program, a variable that Node needs (or nothing), what tells builds apart.
static void readInstallation(void) {
  char path[4096 + 32];
  ssize_t length = readlink("/proc/self/exe", path, 4096);
  if (length <= 0 || length >= 4096) giveUp("Its own place cannot be found");
  path[length] = 0;
  strcpy(strrchr(path, '/') + 1, "installation");
  addFile(&installation.words, path);
  addBytes(&installation.words, "", 1);
  char *line[4] = {0}, *at = installation.words.bytes;
  for (int i = 0; i < 4 && (line[i] = at); i++) {
    at = strchr(at, '\n');
    if (!at) break;
    *at++ = 0;
  }
  if (!line[3] || strcmp(line[0], "foretell 1") != 0) giveUp("The file beside this program that says where it is installed cannot be read");
  installation.node = line[1];
  installation.dist = line[2];
  installation.environment = line[3];
}

void beginAs(int count, char **words) {
  const char *slash = count > 0 ? strrchr(words[0], '/') : 0;
  const char *name = slash ? slash + 1 : count > 0 ? words[0] : "";
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(name, names[i].name)) role = names[i].role;
  ownWords = words;
  ownFolder = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  sigaction(SIGPIPE, &(struct sigaction){.sa_handler = SIG_IGN}, &oldPipe);
  readInstallation();
}

const char *inDist(const char *name) {
  static char path[4096 + 32];
  snprintf(path, sizeof path, "%s/%s", installation.dist, name);
  return path;
}

static void giveInputBack(void) {
  if (!inputWasRead) return;
  int file = memfd_create("input", 0);
  if (file < 0) giveUp("Memory ran out");
  for (size_t done = 0; done < input.length;) {
    ssize_t n = write(file, input.bytes + done, input.length - done);
    if (n <= 0) giveUp("Memory ran out");
    done += (size_t)n;
  }
  if (lseek(file, 0, SEEK_SET) != 0 || dup2(file, 0) != 0) giveUp("Memory ran out");
  close(file);
}

void runItself(void) {
  static bool isTried;
  if (role == AS_ENTER) _exit(FAILED);
  if (isTried) giveUp("Memory ran out");
  isTried = true;
  int count = 0;
  while (ownWords[count]) count++;
  char **words = calloc((size_t)count + 3, sizeof *words);
  if (!words) giveUp("Memory ran out");
  words[0] = (char *)installation.node;
  words[1] = (char *)inDist(role == AS_HOOK ? "hook.js" : "cli.js");
  for (int i = 1; i < count; i++) words[i + 1] = ownWords[i];
  giveInputBack();
  if (*installation.environment) putenv((char *)installation.environment);
  if (ownFolder >= 0) fchdir(ownFolder);
  sigaction(SIGPIPE, &oldPipe, 0);
  if (access(words[1], R_OK) == 0) execv(installation.node, words);
  giveUp("Its program is not there any more");
}
