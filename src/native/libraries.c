#define _GNU_SOURCE
#include "libraries.h"
#include "gate.h"
#include "handover.h"
#include "scan.h"
#include "setup.h"
#include "view.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// hier(7), and where Go is installed. Containers keep projects in /usr/app and /usr/src/app, where all belongs to root, too.
static bool isHierarchy(const char *path) {
  static const char *const directories[] = {"/bin", "/sbin", "/lib", "/lib64", "/lib32", "/libx32", "/libexec", "/games", "/share", 0};
  const char *rest = isBelow(path, "/usr/local") ? path + strlen("/usr/local") : isBelow(path, "/usr") ? path + strlen("/usr") : path;
  for (int i = 0; directories[i]; i++)
    if (isBelow(rest, directories[i])) return true;
  return isBelow(path, "/usr/local/go") || isBelow(path, "/nix/store") || isBelow(path, "/gnu/store");
}

bool isSystemPath(const char *path) {
  if (isHierarchy(path)) return true;
  // Where Flatpak keeps its programs; elsewhere people keep their project there.
  if (isBelow(path, "/app")) return faccessat(view.outerRoot, ".flatpak-info", F_OK, 0) == 0;
  return view.asRoot || getuid() == 0 ? false : isBelow(path, "/opt") || isBelow(path, "/snap");
}

// As `isInstalled` of order.ts: below folders that package managers and installers of languages fill.
bool isInstalled(const char *path) {
  static const char *const folders[] = {"/node_modules/", "/site-packages/", "/.venv/", "/venv/", "/pkg/mod/", "/go/bin/", "/.cargo/", "/.rustup/", "/.nvm/", "/.volta/", "/.asdf/", "/.pyenv/", "/.rbenv/", "/.sdkman/", "/.deno/", "/.bun/", "/.dotnet/", "/.local/", "/.linuxbrew/", "conda3/", "/opt/", 0};
  for (int i = 0; folders[i]; i++)
    if (strstr(path, folders[i])) return true;
  return isSystemPath(path);
}

bool isSystemLibrary(const char *path, const struct stat *st) {
  if (isInert(path)) return isUnchanged(path, st);
  if (!isSystemPath(path) || (st->st_mode & 022)) return false;
  if (getuid() != 0 && st->st_uid == getuid()) return false;
  return isUnchanged(path, st);
}

// The GNU loader says MAP_DENYWRITE, which nobody else does and the kernel ignores. The loader of musl cannot be told from a program that
// reads the file by its flags, but it maps whole pages, and readers the length of the file.
static bool isLoaded(const char *link, const struct call *call) {
  char magic[4] = "";
  if (call->args[3] & MAP_DENYWRITE) return true;
  if (call->args[1] & 4095) return false;
  int file = open(link, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false; // it could not be mapped either
  bool isElf = read(file, magic, sizeof magic) == sizeof magic && !memcmp(magic, "\177ELF", 4);
  close(file);
  return isElf;
}

// A compiler of regular expressions (PCRE2 where SELinux forbids memory that is written and executed) maps a file without a name twice.
static bool isOwnInstructions(const struct call *call, const struct stat *st) {
  return (call->args[3] & MAP_TYPE) == MAP_SHARED && S_ISREG(st->st_mode) && st->st_nlink == 0;
}

static bool mayLoadAnything(struct tracee *tracee) { return isOpen(tracee) || (setup.flags & FLAG_OPEN_GATE); }

bool gateMap(struct tracee *tracee, const struct call *call) {
  char link[64];
  static char real[PATH_MAX];
  struct stat st;
  if (mayLoadAnything(tracee)) return true;
  if (!readProcDescriptor(tracee->tid, (int)call->args[4], real, sizeof real)) return true; // EBADF
  snprintf(link, sizeof link, "/proc/%d/fd/%d", tracee->tid, (int)call->args[4]);
  bool known = stat(link, &st) == 0;
  if (known && isSystemLibrary(real, &st)) return true;
  if (known && (call->args[2] & PROT_EXEC ? isOwnInstructions(call, &st) : !isLoaded(link, call))) return true;
  handOver(tracee, FOREIGN_LIBRARY, real, false, 0, 0);
  return false;
}

bool isMemoryCall(long number) { return number == SYS_mprotect || number == SYS_pkey_mprotect || number == SYS_shmat; }

// The first file that is no library of the system among what lies in [from, to); false when there is none. Memory without a file holds what
// the program itself made (regular expressions that were compiled), for whatever could make it for others was stopped when it was mapped.
static bool findForeign(pid_t tid, uint64_t from, uint64_t to, char *path) {
  char maps[64];
  static char line[PATH_MAX + 128];
  snprintf(maps, sizeof maps, "/proc/%d/maps", tid);
  FILE *file = fopen(maps, "re");
  bool found = !file; // unread means unjudged
  *path = 0;
  while (!found && fgets(line, sizeof line, file)) {
    unsigned long long start, end, inode;
    struct stat st;
    int at = 0;
    if (scanText(line, "%llx-%llx %*s %*s %*s %llu %n", &start, &end, &inode, &at) < 3 || start >= to || end <= from || !inode) continue;
    line[strcspn(line, "\n")] = 0;
    snprintf(path, PATH_MAX, "%s", line + at);
    found = stat(path, &st) != 0 || !isSystemLibrary(path, &st);
  }
  if (file) fclose(file);
  return found;
}

bool gateMemory(struct tracee *tracee, const struct call *call) {
  static char path[PATH_MAX];
  if (mayLoadAnything(tracee)) return true;
  bool foreign = call->number != SYS_shmat ? findForeign(tracee->tid, call->args[0], call->args[0] + call->args[1], path)
                                           : snprintf(path, sizeof path, "shared memory %d", (int)call->args[0]) > 0;
  if (foreign) handOver(tracee, FOREIGN_LIBRARY, path, false, 0, 0);
  return !foreign;
}
