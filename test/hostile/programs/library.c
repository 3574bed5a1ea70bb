// A foreign library: loaded by LD_PRELOAD and the like, it says that foreign code runs and leaves a mark.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((constructor)) static void loaded(void) {
  char hidden[] = "GNSDHFO!BNED!S@O\v";
  const char *target = getenv("TOUCH");
  for (char *at = hidden; *at; at++) *at ^= 1;
  if (write(1, hidden, sizeof hidden - 1) < 0 && write(2, hidden, sizeof hidden - 1) < 0) return;
  if (target) close(open(target, O_WRONLY | O_CREAT, 0644));
}

// What gawk, bash, make, sqlite3 and the audit interface of ld.so ask for.
int plugin_is_GPL_compatible;
unsigned la_version(unsigned version) { return version; }
int sqlite3_extension_init(void) { return 0; }
int library_gmk_setup(void) { return 1; }
