// attack NAME: a program that is not inert. It first says (in a text that is not in the file) that foreign code runs.
#include "attack.h"

long tell(const char *what, long result) {
  if (result >= 0) printf("HIT %s\n", what);
  else printf("no %s: %s\n", what, strerror(errno));
  fflush(stdout);
  return result;
}

const char *aim(const char *name) {
  const char *value = getenv(name);
  if (value) return value;
  printf("no target: %s\n", name);
  exit(99);
}

long aimNumber(const char *name) { return strtol(aim(name), 0, 10); }

static void sayThatForeignCodeRuns(void) {
  char hidden[] = "GNSDHFO!BNED!S@O";
  for (char *at = hidden; *at; at++) *at ^= 1;
  puts(hidden);
  fflush(stdout);
}

int main(int count, char **arguments) {
  const struct attack *tables[] = {processAttacks, fileAttacks, mountAttacks, kernelAttacks, networkAttacks, memoryAttacks, deviceAttacks};
  sayThatForeignCodeRuns();
  for (unsigned table = 0; table < sizeof tables / sizeof *tables; table++)
    for (const struct attack *attack = tables[table]; attack->name; attack++)
      if (count > 1 && !strcmp(attack->name, arguments[1])) return attack->run(), 0;
  // Started as a hook, pager or filter, with whatever arguments: leave a mark.
  const char *target = getenv("TOUCH");
  if (target) tell("open", open(target, O_WRONLY | O_CREAT | O_APPEND, 0644));
  return 0;
}
