#define _GNU_SOURCE
#include "landlock.h"
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// linux/landlock.h, which older headers do not have.
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446, RULESET_VERSION = 1, RULE_PATH_BENEATH = 1 };
enum { WRITE_FILE = 1 << 1, TRUNCATE = 1 << 14, IOCTL_DEVICE = 1 << 15 };
enum { MAKING = 0x1ff0 }; // remove, make and so on: bits 4 to 12
enum { REFER = 1 << 13 };
struct ruleset { uint64_t files, network, scoped; };
struct __attribute__((packed)) pathRule { uint64_t access; int32_t parent; };

static int version(void) { return (int)syscall(CREATE_RULESET, 0, 0, RULESET_VERSION); }

bool hasLandlock(void) { return version() >= 1; }

static bool allow(int ruleset, const char *path, uint64_t access) {
  struct stat st;
  int node = open(path, O_PATH | O_CLOEXEC);
  if (node < 0) return true; // what is not there needs no rule
  if (fstat(node, &st) == 0 && !S_ISDIR(st.st_mode)) access &= WRITE_FILE | TRUNCATE;
  struct pathRule rule = {access, node};
  bool good = syscall(ADD_RULE, ruleset, RULE_PATH_BENEATH, &rule, 0) == 0;
  int error = errno;
  close(node);
  errno = error;
  return good;
}

bool confineWrites(const char *scratch) {
  static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/pts", "/dev/ptmx"};
  int known = version();
  uint64_t files = WRITE_FILE | MAKING | (known >= 2 ? REFER : 0) | (known >= 3 ? TRUNCATE : 0);
  struct ruleset all = {files, known >= 4 ? 3 : 0, known >= 6 ? 3 : 0}; // TCP; signals and abstract sockets
  size_t size = known >= 6 ? sizeof all : known >= 4 ? 16 : 8;
  int ruleset = (int)syscall(CREATE_RULESET, &all, size, 0);
  if (ruleset < 0) return false;
  bool good = allow(ruleset, scratch, files);
  for (unsigned i = 0; good && i < sizeof devices / sizeof *devices; i++) good = allow(ruleset, devices[i], WRITE_FILE | (known >= 3 ? TRUNCATE : 0));
  good = good && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(RESTRICT_SELF, ruleset, 0) == 0;
  int error = errno;
  close(ruleset);
  errno = error;
  return good;
}
