#define _GNU_SOURCE
#include "scratch.h"
#include "frame.h"
#include "locks.h"
#include "node.h"
#include "openings.h"
#include "place.h"
#include "setup.h"
#include "status.h"
#include "supervise.h"
#include "view.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { NODE_BITS = 24, YOUNG_SECONDS = 10 };
static char root[64];
static size_t rootLength;
static dev_t device, fileDevice; // that it is on; gVisor gives its files another one than folders

const char *scratchRoot(void) { return root; }
bool isInScratch(const char *path) { return rootLength && !strncmp(path, root, rootLength) && (path[rootLength] == '/' || !path[rootLength]); }
void scratchFile(uint32_t number, char to[64]) { snprintf(to, 64, "%s/f%u", root, number); }
void standInPath(const struct node *directory, char to[64]) { snprintf(to, 64, "%s/d%u", root, directory->number); }

bool isOnScratch(const struct stat *st) { return st->st_dev == device || st->st_dev == fileDevice; }

struct node *nodeOfScratchPath(const char *path) {
  if (!isInScratch(path) || path[rootLength] != '/') return 0;
  const char *name = path + rootLength + 1;
  uint32_t number = (uint32_t)strtoul(name + 1, 0, 10);
  return name[0] == 'd' || name[0] == 'f' ? nodeOfNumber(number & ((1u << NODE_BITS) - 1)) : 0;
}

// ---- making and removing it ----

// Who uses a scratch holds a lock on it, which nobody can forget to give back. A young one may not have it yet.
static void removeLeft(const char *place, const char *prefix) {
  DIR *entries = opendir(place);
  for (struct dirent *entry; entries && (entry = readdir(entries));) {
    struct stat st;
    if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0) continue;
    int left = openDirectory(dirfd(entries), entry->d_name);
    if (left < 0) continue;
    bool mine = fstat(left, &st) == 0 && st.st_uid == geteuid() && time(0) - st.st_ctim.tv_sec > YOUNG_SECONDS && flock(left, LOCK_EX | LOCK_NB) == 0;
    if (mine) removeTree(dirfd(entries), entry->d_name);
    close(left);
  }
  if (entries) closedir(entries);
}

static bool startIn(const char *place, uint64_t wantedBytes) {
  char prefix[32];
  struct statfs fs;
  if (statfs(place, &fs) != 0 || access(place, W_OK | X_OK) != 0) return false;
  if ((uint64_t)fs.f_bavail * (uint64_t)fs.f_bsize < wantedBytes) return false;
  // Programs that are not inert execute what they make.
  if ((setup.flags & (FLAG_OPEN_GATE | FLAG_LETS_IN)) && fs.f_flags & ST_NOEXEC) return false;
  snprintf(prefix, sizeof prefix, "foretell-%u-", geteuid());
  removeLeft(place, prefix);
  snprintf(root, sizeof root, "%s/%sXXXXXX", place, prefix);
  if (!mkdtemp(root)) return false;
  view.scratch = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (view.scratch < 0 || flock(view.scratch, LOCK_EX | LOCK_NB) != 0) return false;
  struct stat own;
  device = fstat(view.scratch, &own) == 0 ? own.st_dev : 0;
  int file = openat(view.scratch, "probe", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  fileDevice = file >= 0 && fstat(file, &own) == 0 ? own.st_dev : device;
  if (file >= 0) close(file);
  unlinkat(view.scratch, "probe", 0);
  rootLength = strlen(root);
  view.scratchFree = (uint64_t)fs.f_bavail * (uint64_t)fs.f_bsize;
  return true;
}

void startScratch(void) {
  // Memory first: what is copied are a few files, for a moment, and they may be secret.
  static const char *const places[] = {"/dev/shm", "/tmp", "/var/tmp"};
  mode_t mask = umask(0077);
  bool made = false;
  // A container's /dev/shm has 64 MB.
  for (int i = 0; i < 3 && !made; i++) made = startIn(places[i], setup.diskBytes / 2);
  for (int i = 0; i < 3 && !made; i++) made = startIn(places[i], 0);
  umask(mask);
  if (!made) refuse("scratch", errno, "No private folder for what a command would write can be made in /dev/shm, /tmp or /var/tmp.");
}

void hideScratch(void) {
  static struct place place;
  if (findPlace((struct from){0, AT_FDCWD}, root, LINK_ITSELF, AFTER, &place) != 0 || !place.there) return;
  place.there = false; // as if it had never been there
  noteEntry(&place);
}

// That of another launcher of this user, which will be gone. A young one may not be locked yet, and must not be locked by us.
bool isOtherScratch(int directory, const char *name) {
  char prefix[32];
  struct stat st;
  if (strncmp(name, "foretell-", 9) != 0) return false; // of each name that is listed
  snprintf(prefix, sizeof prefix, "foretell-%u-", geteuid());
  if (strncmp(name, prefix, strlen(prefix)) != 0 || strlen(name) != strlen(prefix) + 6) return false;
  int node = openDirectory(directory, name);
  if (node < 0) return false;
  bool isIt = fstat(node, &st) == 0 && st.st_uid == geteuid() && (st.st_mode & 07777) == 0700 &&
    (time(0) - st.st_ctim.tv_sec <= YOUNG_SECONDS || (flock(node, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK));
  close(node);
  return isIt;
}

void removeScratch(void) {
  if (rootLength) removeTree(AT_FDCWD, root);
}

// ---- files ----

// Files are numbered as their node; the upper bits say in which layer they were written.
static uint32_t fileNumber(const struct node *node) { return node->number | tree->layer << NODE_BITS; }

uint32_t addScratchFile(struct node *node) {
  char path[64];
  uint32_t number = fileNumber(node);
  scratchFile(number, path);
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return 0;
  close(file);
  return number;
}

void makeScratchLink(struct node *node) {
  char path[64];
  uint32_t number = fileNumber(node);
  scratchFile(number, path);
  if (symlink(node->now.target, path) == 0) node->now.scratch = number;
}

static bool copyBytes(int from, int to, off_t size) {
  for (off_t left = size; left > 0;) {
    ssize_t n = copy_file_range(from, 0, to, 0, (size_t)left, 0);
    if (n < 0 && (errno == EXDEV || errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP || errno == EPERM)) n = sendfile(to, from, 0, (size_t)left);
    if (n < 0) return false;
    if (n == 0) break;
    left -= n;
  }
  return true;
}

static bool fits(off_t size) {
  if (!setup.diskBytes || (uint64_t)size <= setup.diskBytes) return true;
  sendEffect(EFFECT_DISK_QUOTA, 0, "", (int64_t)setup.diskBytes);
  endRun(DISK_QUOTA, 0, "");
  errno = ENOSPC;
  return false;
}

static bool copyContent(const char *from, const char *to, bool emptied) {
  struct stat st;
  int source = open(from, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC), copy = open(to, O_WRONLY | O_CLOEXEC);
  bool good = copy >= 0 && ((emptied && source < 0) || (source >= 0 && fstat(source, &st) == 0));
  if (good && source >= 0) {
    struct timespec times[2] = {st.st_atim, st.st_mtim};
    if (!emptied) good = fits(st.st_size) && copyBytes(source, copy, st.st_size) && futimens(copy, times) == 0;
  }
  int error = errno;
  if (source >= 0) close(source);
  if (copy >= 0) close(copy);
  errno = error;
  return good;
}

enum { SET_BITS = S_ISUID | S_ISGID };

// proc_pid_fd(5): a descriptor that reads has a link that can be read.
static bool reads(void *file, struct holder holder, int folder, const char *name) {
  struct stat link;
  return holdsOpen(holder, file) && fstatat(folder, name, &link, AT_SYMLINK_NOFOLLOW) == 0 && (link.st_mode & S_IRUSR);
}

bool isBeingRead(const struct stat *file) { return anyDescriptor(reads, (void *)file); }

bool ownContent(struct node *node, bool emptied) {
  char from[PATH_MAX], to[64], own[64];
  struct stat st;
  bool hasOwn = node->now.scratch != 0;
  if (hasOwn && node->now.scratch >> NODE_BITS == tree->layer) return true;
  if (hasOwn) { scratchFile(node->now.scratch, own); snprintf(from, sizeof from, "%s", own); }
  else if (node->now.lower) snprintf(from, sizeof from, "%s", node->now.lower);
  else { errno = EINVAL; return false; }
  if (!hasOwn && hasLeases() && isLeased(from)) { // its holder would be asked to give it up
    endRun(CHANGED, 0, from);
    errno = EAGAIN;
    return false;
  }
  if (lstat(from, &st) != 0) return false;
  if (!hasOwn && isBeingRead(&st)) {
    sendEffect(EFFECT_READ_BEFORE, 0, from, 0);
    endRun(CHANGED, 0, from);
    errno = EAGAIN;
    return false;
  }
  uint32_t number = addScratchFile(node);
  if (!number) return false;
  scratchFile(number, to);
  if (!copyContent(from, to, emptied)) { int error = errno; unlink(to); errno = error; return false; }
  keepLooks(node);
  if (!(node->now.own & OWN_MODE)) node->now.mode = st.st_mode;
  else node->now.mode &= ~lostBits(&node->now);
  if (!(node->now.own & OWN_OWNER)) { node->now.uid = st.st_uid; node->now.gid = st.st_gid; }
  if (node->now.own & OWN_TIMES && !emptied) {
    struct timespec times[2] = {node->now.accessed, node->now.modified};
    utimensat(AT_FDCWD, to, times, 0);
  }
  node->now.own = (uint8_t)((node->now.own | OWN_MODE | OWN_OWNER) & ~(OWN_TIMES | OWN_CHANGE_TIME));
  node->now.scratch = number;
  allowExecution(node);
  return true;
}

void allowExecution(const struct node *node) {
  char path[64];
  if (!node->now.scratch || !S_ISREG(node->now.mode)) return;
  scratchFile(node->now.scratch, path);
  mode_t mode = node->now.mode;
  chmod(path, (mode & 0111 ? 0700 : 0600) | (mode & SET_BITS) | (mode & S_ISGID ? mode & S_IXGRP : 0));
}

// Writing asks for the power in the machine's first user namespace (capable() in the kernel), which root of a rootless container has not.
static bool keepsSetBits(void) {
  char name[64];
  ssize_t n = readlink("/proc/self/ns/user", name, sizeof name - 1);
  if (n < 0) n = 0;
  name[n] = 0;
  return hasPower(CAP_FSETID) && (n == 0 || !strcmp(name, "user:[4026531837]")); // PROC_USER_INIT_INO
}

mode_t lostBits(const struct looks *looks) {
  char path[64];
  struct stat own;
  mode_t set = S_ISREG(looks->mode) && looks->scratch ? looks->mode & SET_BITS : 0;
  if (!set || keepsSetBits()) return 0;
  scratchFile(looks->scratch, path);
  return lstat(path, &own) == 0 ? set & ~own.st_mode : 0;
}

// ---- folders ----

static void addEntry(int folder, const char *name, mode_t type) {
  if (S_ISDIR(type)) mkdirat(folder, name, 0700);
  else if (S_ISLNK(type)) symlinkat("-", folder, name);
  else mknodat(folder, name, (type & S_IFMT ? type & S_IFMT : S_IFREG) | 0600, 0); // a device without a number leads nowhere
}

struct entries { char **texts; mode_t *types; size_t count, room; };

static void collect(void *with, const char *name, mode_t type) {
  struct entries *entries = with;
  if (entries->count == entries->room) {
    entries->room = entries->room * 2 + 64;
    entries->texts = realloc(entries->texts, sizeof *entries->texts * entries->room);
    entries->types = realloc(entries->types, sizeof *entries->types * entries->room);
    if (!entries->texts || !entries->types) _exit(122);
  }
  entries->texts[entries->count] = strdup(name);
  entries->types[entries->count++] = type;
}

// A file system in memory lists the newest entry first.
static bool listsNewestFirst(void) {
  static int known = -1;
  if (known >= 0) return known;
  struct statfs fs;
  known = fstatfs(view.scratch, &fs) == 0 && fs.f_type == TMPFS_MAGIC;
  if (!known) return known;
  mkdirat(view.scratch, "order", 0700);
  int folder = openat(view.scratch, "order", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  mknodat(folder, "1", S_IFREG | 0600, 0);
  mknodat(folder, "2", S_IFREG | 0600, 0);
  DIR *entries = folder < 0 ? 0 : fdopendir(folder);
  char first = '2';
  for (struct dirent *entry; entries && (entry = readdir(entries));)
    if (entry->d_name[0] != '.') { first = entry->d_name[0]; break; }
  if (entries) closedir(entries);
  removeTree(view.scratch, "order");
  return known = first == '2';
}

bool makeStandIn(struct node *directory) {
  char path[64];
  struct entries entries = {0};
  if (directory->standIn) return true;
  standInPath(directory, path);
  if (mkdir(path, 0700) != 0) return false;
  listNode(directory, AFTER, collect, &entries);
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  bool backwards = listsNewestFirst();
  for (size_t i = 0; i < entries.count && folder >= 0; i++) {
    size_t at = backwards ? entries.count - 1 - i : i;
    addEntry(folder, entries.texts[at], entries.types[at]);
  }
  for (size_t i = 0; i < entries.count; i++) free(entries.texts[i]);
  free(entries.texts);
  free(entries.types);
  if (folder >= 0) close(folder);
  directory->standIn = folder >= 0;
  return folder >= 0;
}

void updateStandIn(const struct node *directory, const char *name, mode_t type) {
  char path[64];
  if (!directory->standIn) return;
  standInPath(directory, path);
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  if (unlinkat(folder, name, 0) != 0 && errno != ENOENT) unlinkat(folder, name, AT_REMOVEDIR);
  if (type) addEntry(folder, name, type);
  close(folder);
}
