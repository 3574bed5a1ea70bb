#define _GNU_SOURCE
#include "answer.h"
#include "look.h"
#include "older.h"
#include "openings.h"
#include "scratch.h"
#include "supervise.h"
#include "view.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FCHMODAT2 = 452, SETXATTRAT = 463, GETXATTRAT = 464, LISTXATTRAT = 465, REMOVEXATTRAT = 466, FILE_SETATTR = 469 };

static const long answered[] = {
  SYS_openat, SYS_newfstatat, SYS_fstat, SYS_statx, SYS_faccessat, SYS_faccessat2, SYS_readlinkat, SYS_getcwd, SYS_chdir, SYS_statfs, SYS_fstatfs,
  SYS_mkdirat, SYS_mknodat, SYS_unlinkat, SYS_renameat2, SYS_linkat, SYS_symlinkat, SYS_fchmod, SYS_fchmodat, FCHMODAT2, SYS_fchown,
  SYS_fchownat, SYS_utimensat, SYS_truncate, SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr,
  SYS_getxattr, SYS_lgetxattr, SYS_fgetxattr, SYS_listxattr, SYS_llistxattr, SYS_flistxattr, SYS_inotify_add_watch, SYS_umask, SYS_flock, SYS_sync, SYS_getsockname, SYS_getpeername, SYS_accept, SYS_accept4, SYS_getdents64,
  SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid, SYS_setresuid, SYS_setresgid, SYS_setfsuid, SYS_setfsgid,
#if defined(SYS_renameat)
  SYS_renameat,
#endif
#if defined(__x86_64__)
  SYS_open, SYS_creat, SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_mkdir, SYS_mknod, SYS_unlink, SYS_rmdir, SYS_rename, SYS_link, SYS_symlink,
  SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat,
#endif
};

// Calls that a look does not need, and that reach only what is open for writing: files of the scratch.
static const long onOwnFiles[] = {SYS_fsync, SYS_fdatasync, SYS_sync_file_range};

bool isAnsweredCall(long number) {
  for (size_t i = 0; i < sizeof answered / sizeof *answered; i++)
    if (answered[i] == number) return true;
  return number == SYS_fcntl;
}

unsigned answerRules(struct rule *rules) {
  static const uint32_t locks[] = {F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW};
  static const long missing[] = {SYS_openat2, SETXATTRAT, GETXATTRAT, LISTXATTRAT, REMOVEXATTRAT, FILE_SETATTR};
  static const uint32_t clones[] = {0x40049409, 0x4020940d}; // FICLONE, FICLONERANGE: between two file systems
  unsigned count = 0;
  static const uint32_t tapes[] = {0x40086d01, 0x80306d02}; // MTIOCTOP, MTIOCGET: tar asks every archive whether it is one
  for (int i = 0; i < 2; i++) rules[count++] = (struct rule){SYS_ioctl, SECCOMP_RET_ERRNO | ENOTTY, EQUALS, 1, tapes[i]};
  for (int i = 0; i < 2; i++) rules[count++] = (struct rule){SYS_ioctl, SECCOMP_RET_ERRNO | EOPNOTSUPP, EQUALS, 1, clones[i]};
  for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) rules[count++] = (struct rule){missing[i], SECCOMP_RET_ERRNO | ENOSYS, ALWAYS, 0, 0};
  for (size_t i = 0; i < sizeof answered / sizeof *answered; i++) rules[count++] = (struct rule){answered[i], SECCOMP_RET_TRACE, ALWAYS, 0, 0};
  for (size_t i = 0; i < sizeof locks / sizeof *locks; i++) rules[count++] = (struct rule){SYS_fcntl, SECCOMP_RET_TRACE, EQUALS, 1, locks[i]};
  rules[count++] = (struct rule){SYS_sched_getaffinity, SECCOMP_RET_TRACE, ALWAYS, 0, 0};
  for (size_t i = 0; i < sizeof onOwnFiles / sizeof *onOwnFiles; i++) rules[count++] = (struct rule){onOwnFiles[i], SECCOMP_RET_ALLOW, ALWAYS, 0, 0};
  rules[count++] = (struct rule){SYS_fallocate, SECCOMP_RET_ALLOW, BITS_CLEAR, 1, ~(uint32_t)ALLOCATES_ANYWHERE};
  return count;
}

// ---- for the parts ----

bool giveResult(struct asked *asked, long result) {
  if (result == -UNKNOWABLE) return stopHere(asked, "open");
  skipCall(asked->tracee->tid, result);
  return true;
}

bool stopHere(struct asked *asked, const char *call) { return stopAt(call, asked->path); }

bool usePath(struct asked *asked, const char *path) {
  uint64_t at = placeText(asked->tracee->tid, asked->call, path);
  if (!at) return giveResult(asked, -EFAULT);
  setArgument(asked->tracee->tid, asked->pathAt, at);
  if (asked->directoryAt >= 0) setArgument(asked->tracee->tid, asked->directoryAt, (uint64_t)AT_FDCWD);
  return true;
}

int askPath(struct asked *asked, int pathAt, int directoryAt, enum follows follows, struct place *place) {
  struct from from = {asked->tracee->tid, directoryAt >= 0 ? (int)asked->call->args[directoryAt] : AT_FDCWD};
  if (!readText(asked->tracee->tid, asked->call->args[pathAt], asked->path, sizeof asked->path)) return strlen(asked->path) >= PATH_MAX - 1 ? ENAMETOOLONG : EFAULT;
  asked->from = from;
  int error = findPlace(from, asked->path, follows, AFTER, place);
  if (error || !place->magic || !place->link[0]) return error;
  // By a symlink of the tree to a link of procfs: the kernel is led to the latter.
  strcpy(asked->path, place->link);
  uint64_t at = placeText(asked->tracee->tid, asked->call, place->link);
  if (!at) return EFAULT;
  setArgument(asked->tracee->tid, pathAt, at);
  if (directoryAt >= 0) setArgument(asked->tracee->tid, directoryAt, (uint64_t)AT_FDCWD);
  return 0;
}

static int askDescriptor(struct asked *asked, int descriptor) {
  char link[64], target[PATH_MAX];
  struct place *place = &asked->place;
  if (readRawDescriptor(asked->tracee->tid, descriptor, target, sizeof target) < 0) return EBADF;
  snprintf(link, sizeof link, "/proc/%d/fd/%d", asked->tracee->tid, descriptor);
  snprintf(asked->path, sizeof asked->path, "%s", target);
  startPlace(place, 0);
  if (nodeOfScratchPath(target)) return placeOfOpened(link, target, place);
  if (!statDescriptor(asked->tracee->tid, descriptor, &place->real)) return errno;
  place->magic = place->native = true;
  mode_t type = place->real.st_mode;
  bool device = S_ISCHR(type) || S_ISBLK(type);
  if (target[0] != '/' || strstr(target, " (deleted)") || !(S_ISREG(type) || S_ISDIR(type) || device)) return 0;
  // A real file that was opened before it was changed.
  struct place found;
  struct stat named;
  if (device && (lstat(target, &named) != 0 || named.st_ino != place->real.st_ino || named.st_dev != place->real.st_dev)) return 0;
  if (placeOfRealPath(target, &place->real, &found) != 0) return 0;
  *place = found;
  place->native = !place->node;
  return 0;
}

int askPlace(struct asked *asked) {
  if (asked->pathAt < 0) return askDescriptor(asked, (int)asked->call->args[0]);
  int error = askPath(asked, asked->pathAt, asked->directoryAt, asked->follows, &asked->place);
  // AT_EMPTY_PATH: the descriptor itself.
  if (error == ENOENT && !asked->path[0] && asked->mayBeEmpty && asked->directoryAt >= 0) {
    if ((int)asked->call->args[asked->directoryAt] != AT_FDCWD) return askDescriptor(asked, (int)asked->call->args[asked->directoryAt]);
    strcpy(asked->path, ".");
    return findPlace(asked->from, ".", THROUGH_LINK, AFTER, &asked->place);
  }
  return error;
}

void touchDirectory(struct node *directory) {
  struct stat st;
  if (!(directory->now.own & OWN_TIMES)) statusOfNode(directory, AFTER, &st);
  keepLooks(directory);
  if (!(directory->now.own & OWN_TIMES)) directory->now.accessed = st.st_atim;
  clock_gettime(CLOCK_REALTIME_COARSE, &directory->now.modified);
  directory->now.changed = directory->now.modified;
  directory->now.own |= OWN_TIMES | OWN_CHANGE_TIME;
}

mode_t maskOf(struct tracee *tracee) {
  long mask = readStatusNumber(AT_FDCWD, tracee->tid, "Umask:"); // Linux 4.7
  return mask < 0 ? keptMask(tracee) : (mode_t)mask;
}

// ---- reading ----

bool usePlace(struct asked *asked) {
  char path[PATH_MAX];
  return backingPath(&asked->place, AFTER, path) ? usePath(asked, path) : giveResult(asked, -errno);
}

// The call only reads: it goes to the real file, or to what stands for it.
static bool answerReading(struct asked *asked) {
  char path[PATH_MAX];
  int error = askPlace(asked);
  if (error) return giveResult(asked, -error);
  if (asked->place.native || asked->place.magic) return true;
  if (!asked->place.there) return giveResult(asked, -ENOENT);
  if (asked->call->number == SYS_chdir && !S_ISDIR(typeOfPlace(&asked->place, AFTER))) return giveResult(asked, -ENOTDIR);
  if (asked->call->number == SYS_chdir && mayUsePlace(&asked->place, X_OK)) return giveResult(asked, -EACCES);
  if (asked->call->number == SYS_statfs) {
    fileSystemPath(asked->place.node ? asked->place.node : asked->place.parent.base, path);
    return usePath(asked, path);
  }
  return usePlace(asked);
}

// A file of the scratch lies on the file system where it would really lie.
static bool answerFileSystem(struct asked *asked) {
  struct statfs fs;
  int error = askPlace(asked);
  if (error || asked->place.native || !asked->place.node) return true;
  char path[PATH_MAX];
  fileSystemPath(asked->place.node, path);
  if (statfs(path, &fs) != 0) return true;
  writeMemory(asked->tracee->tid, asked->call->args[1], &fs, sizeof fs);
  return giveResult(asked, 0);
}

static bool answerListing(struct asked *asked) {
  static struct spot spot;
  struct tracee *tracee = asked->tracee;
  struct holder holder = {tracee->tid, (int)asked->call->args[0]};
  char target[PATH_MAX];
  if (tree->nodes < 2) return true;
  if (readRawDescriptor(tracee->tid, holder.descriptor, target, sizeof target) < 0) return true;
  bool standsIn = isInScratch(target), known = spotOfRealPath(target, &spot) == 0 && !spot.rest[0];
  // A directory that was removed lists nothing, not even itself (iterate_dir in fs/readdir.c).
  if (known && spot.base->removed) return listsRemoved() ? stopHere(asked, "getdents") : giveResult(asked, -ENOENT);
  // The real one, opened before its names changed. Who is within it already goes on as it would.
  if (known && !standsIn && isChangedListing(spot.base) && fieldOf(holder, "pos:", 10) == 0) return stopHere(asked, "getdents");
  // The numbers of its names are the scratch's.
  if (!standsIn || (!(setup.flags & FLAG_PERTURB) && !showsStatus(tracee->tid))) return true;
  tracee->call = *asked->call;
  tracee->wantsExit = true;
  return true;
}

// Becoming who one is already; make(1) does.
static bool answerIdentity(struct asked *asked) {
  const struct call *call = asked->call;
  bool user = call->number == SYS_setuid || call->number == SYS_setreuid || call->number == SYS_setresuid || call->number == SYS_setfsuid;
  int count = call->number == SYS_setreuid || call->number == SYS_setregid ? 2 : call->number == SYS_setresuid || call->number == SYS_setresgid ? 3 : 1;
  for (int i = 0; i < count; i++) {
    uint32_t wanted = (uint32_t)call->args[i];
    // An ordinary user is refused by the kernel.
    if (geteuid() == 0 && wanted != UINT32_MAX && wanted != (user ? geteuid() : getegid())) return stopHere(asked, "becoming another user");
  }
  return true;
}

// ---- which call it is ----

static bool answerMore(struct asked *asked, const struct call *call) {
  const uint64_t *args = call->args;
  bool at = asked->directoryAt >= 0;
  switch (call->number) {
    case SYS_unlinkat: return answerRemove(asked, args[2] & AT_REMOVEDIR);
    case SYS_mkdirat: return answerMakeDirectory(asked, (mode_t)args[2]);
    case SYS_mknodat: return answerMakeNode(asked, (mode_t)args[2], (dev_t)args[3]);
    case SYS_renameat2: return answerRename(asked, 3, 2, (unsigned)args[4]);
#if defined(SYS_renameat)
    case SYS_renameat: return answerRename(asked, 3, 2, 0);
#endif
    case SYS_linkat: return answerLink(asked, 3, 2);
    case SYS_symlinkat: return answerSymlink(asked, 0);
    case SYS_fchmod: case SYS_fchmodat: case FCHMODAT2: return answerMode(asked, (mode_t)args[at ? 2 : 1]);
    case SYS_fchown: case SYS_fchownat: return answerOwner(asked, (uid_t)args[at ? 2 : 1], (gid_t)args[at ? 3 : 2]);
    case SYS_utimensat: return answerTimes(asked);
    case SYS_truncate: return answerTruncate(asked, (off_t)args[1]);
    case SYS_setxattr: case SYS_lsetxattr: case SYS_fsetxattr: case SYS_removexattr: case SYS_lremovexattr: case SYS_fremovexattr: return answerAttribute(asked);
    case SYS_getxattr: case SYS_lgetxattr: case SYS_fgetxattr: case SYS_listxattr: case SYS_llistxattr: case SYS_flistxattr: return answerAttributeLook(asked);
#if defined(__x86_64__)
    case SYS_mkdir: return answerMakeDirectory(asked, (mode_t)args[1]);
    case SYS_mknod: return answerMakeNode(asked, (mode_t)args[1], (dev_t)args[2]);
    case SYS_unlink: return answerRemove(asked, false);
    case SYS_rmdir: return answerRemove(asked, true);
    case SYS_rename: return answerRename(asked, 1, -1, 0);
    case SYS_link: return answerLink(asked, 1, -1);
    case SYS_symlink: return answerSymlink(asked, 0);
    case SYS_chmod: return answerMode(asked, (mode_t)args[1]);
    case SYS_chown: case SYS_lchown: return answerOwner(asked, (uid_t)args[1], (gid_t)args[2]);
    case SYS_utime: case SYS_utimes: case SYS_futimesat: return answerTimes(asked);
#endif
    default: return answerReading(asked);
  }
}

// Where its path is and whether it follows a symlink at the end (the manual of each call).
static void decode(struct asked *asked, const struct call *call) {
  const uint64_t *args = call->args;
  asked->pathAt = 0;
  asked->directoryAt = -1;
  asked->follows = THROUGH_LINK;
  asked->mayBeEmpty = false;
  switch (call->number) {
    case SYS_openat: case SYS_newfstatat: case SYS_statx: case SYS_faccessat: case SYS_faccessat2: case SYS_readlinkat: case SYS_mkdirat: case SYS_mknodat:
    case SYS_unlinkat: case SYS_renameat2: case SYS_linkat: case SYS_fchmodat: case FCHMODAT2: case SYS_fchownat: case SYS_utimensat:
#if defined(SYS_renameat)
    case SYS_renameat:
#endif
#if defined(__x86_64__)
    case SYS_futimesat:
#endif
      asked->pathAt = 1; asked->directoryAt = 0; break;
    case SYS_symlinkat: asked->pathAt = 2; asked->directoryAt = 1; asked->follows = NAME_ALONE; break;
    case SYS_inotify_add_watch: asked->pathAt = 1; break;
    case SYS_fstat: case SYS_fchmod: case SYS_fchown: case SYS_fsetxattr: case SYS_fremovexattr: case SYS_fgetxattr: case SYS_flistxattr: case SYS_fstatfs: asked->pathAt = -1; break;
#if defined(__x86_64__)
    case SYS_symlink: asked->pathAt = 1; asked->follows = NAME_ALONE; break;
#endif
  }
  unsigned flags = 0;
  switch (call->number) {
    case SYS_newfstatat: case SYS_faccessat2: case FCHMODAT2: case SYS_utimensat: flags = (unsigned)args[3]; break;
    case SYS_statx: flags = (unsigned)args[2]; break;
    case SYS_fchownat: flags = (unsigned)args[4]; break;
    case SYS_linkat: flags = args[4] & AT_SYMLINK_FOLLOW ? args[4] & AT_EMPTY_PATH : AT_SYMLINK_NOFOLLOW | (args[4] & AT_EMPTY_PATH); break;
    case SYS_readlinkat: flags = AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH; break;
    case SYS_lsetxattr: case SYS_lremovexattr: case SYS_lgetxattr: case SYS_llistxattr:
#if defined(__x86_64__)
    case SYS_lstat: case SYS_readlink: case SYS_link: case SYS_lchown:
#endif
      flags = AT_SYMLINK_NOFOLLOW; break;
    case SYS_mkdirat: case SYS_mknodat: case SYS_unlinkat: case SYS_renameat2:
#if defined(SYS_renameat)
    case SYS_renameat:
#endif
#if defined(__x86_64__)
    case SYS_mkdir: case SYS_mknod: case SYS_unlink: case SYS_rmdir: case SYS_rename:
#endif
      asked->follows = NAME_ALONE; break;
  }
  if (flags & AT_SYMLINK_NOFOLLOW) asked->follows = LINK_ITSELF;
  asked->mayBeEmpty = flags & AT_EMPTY_PATH;
  // A path that is not given means the descriptor (utimensat(2)).
  if (call->number == SYS_utimensat && !args[1]) asked->pathAt = -1;
}

bool answerCall(struct tracee *tracee, const struct call *call) {
  static struct asked asked;
  asked.tracee = tracee;
  asked.call = call;
  decode(&asked, call);
  const uint64_t *args = call->args;
  switch (call->number) {
    case SYS_openat: return answerOpen(&asked, (unsigned)args[2], (mode_t)args[3]);
    case SYS_newfstatat: case SYS_statx: case SYS_fstat: return answerStatus(&asked);
    case SYS_faccessat: case SYS_faccessat2: return answerAccess(&asked, (int)args[2]);
    case SYS_readlinkat: return answerLinkText(&asked, args[2], (size_t)args[3]);
    case SYS_getcwd: return answerWorkingDirectory(&asked);
    case SYS_fstatfs: return answerFileSystem(&asked);
    case SYS_umask: keepMask(tracee, args[0] & 0777); return true;
    case SYS_setuid: case SYS_setgid: case SYS_setreuid: case SYS_setregid: case SYS_setresuid: case SYS_setresgid: case SYS_setfsuid: case SYS_setfsgid:
      asked.path[0] = 0;
      return answerIdentity(&asked);
    case SYS_sync: return giveResult(&asked, 0);
    case SYS_flock: case SYS_fcntl: return answerLock(&asked);
    case SYS_getdents64: return answerListing(&asked);
    case SYS_getsockname: case SYS_getpeername: case SYS_accept: case SYS_accept4: return answerSocket(&asked);
#if defined(__x86_64__)
    case SYS_open: return answerOpen(&asked, (unsigned)args[1], (mode_t)args[2]);
    case SYS_creat: return answerOpen(&asked, O_CREAT | O_WRONLY | O_TRUNC, (mode_t)args[1]);
    case SYS_stat: case SYS_lstat: return answerStatus(&asked);
    case SYS_access: return answerAccess(&asked, (int)args[1]);
    case SYS_readlink: return answerLinkText(&asked, args[1], (size_t)args[2]);
#endif
    default: return answerMore(&asked, call);
  }
}
