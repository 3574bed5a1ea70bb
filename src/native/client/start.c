#define _GNU_SOURCE
#include "start.h"
#include "itself.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { USUAL_MS = 300, MOST_MS = 10000 };

bool isStart(char **words) {
  static const char *const shells[] = {"bash", "zsh", "fish", 0};
  if (!words[1] || strcmp(words[1], "enter") || !words[2] || words[3]) return false;
  for (int i = 0; shells[i]; i++)
    if (!strcmp(words[2], shells[i])) return true;
  return false;
}

// As src/cli/enter/enter.ts says them.
void printStart(const char *shell) {
  char name[32], program[4096 + 32];
  struct text script = {0};
  snprintf(name, sizeof name, "enter/enter.%s", shell);
  addFile(&script, inDist(name));
  ssize_t length = readlink("/proc/self/exe", program, 4096);
  if (length <= 0 || length >= 4096 || script.length == 0) return;
  program[length] = 0;
  strcpy(strrchr(program, '/') + 1, "foretell-enter");
  // A quotation mark would end the word.
  if (strchr(program, '\'') || strchr(program, '\\') || access(program, X_OK) != 0) return;
  printf(strcmp(shell, "fish") ? "__foretell_client='%s'\n" : "set -g __foretell_client '%s'\n", program);
  fwrite(script.bytes, 1, script.length, stdout);
  exit(fflush(stdout) == 0 ? 0 : 3);
}

int64_t enterMs(char **words) {
  for (int i = 1; i <= 3; i++)
    if (!words[i]) return USUAL_MS;
  int64_t wish = atoll(words[3]);
  return wish > 0 && wish <= MOST_MS ? wish : USUAL_MS;
}
