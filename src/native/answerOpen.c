// Opening: what is read is the real file or what was written before; what is written is a file of the scratch.
#define _GNU_SOURCE
#include "answer.h"
#include "attributes.h"
#include "locks.h"
#include "look.h"
#include "older.h"
#include "scratch.h"
#include "status.h"
#include "supervise.h"
#include "view.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

static bool openPath(struct asked *asked, const char *path, unsigned flags) {
  openAnother(asked->tracee->tid, asked->call, path, flags);
  return true;
}

// Without Landlock the path that was written is all that keeps the call inside: another thread could write over it.
static bool isAlone(struct asked *asked) {
  if (view.landlocked) return true;
  for (struct tracee *other = nextTracee(0); other; other = nextTracee(other))
    if (other != asked->tracee && groupOf(other) == groupOf(asked->tracee)) return false;
  return true;
}

static bool openContent(struct asked *asked, struct node *node, unsigned flags) {
  char path[64];
  if (!isAlone(asked)) return stopHere(asked, "open");
  scratchFile(node->now.scratch, path);
  return openPath(asked, path, flags & ~(unsigned)(O_CREAT | O_EXCL | O_NOFOLLOW));
}

static bool setSticky(const struct stat *directory) { return directory->st_mode & S_ISVTX && directory->st_mode & S_IWOTH; }

// fs.protected_regular (Documentation/admin-guide/sysctl/fs.rst): not even root opens others' files there with O_CREAT.
static bool isProtected(struct asked *asked) {
  static int level = -1;
  struct stat directory, st;
  if (level < 0) {
    char text[4] = "0";
    int file = open("/proc/sys/fs/protected_regular", O_RDONLY | O_CLOEXEC);
    if (file >= 0) { if (read(file, text, 1) != 1) text[0] = '0'; close(file); }
    level = text[0] - '0';
  }
  if (level <= 0 || asked->place.isSpot) return false;
  statusOfSpot(&asked->place.parent, &directory);
  statusOf(&asked->place, AFTER, &st);
  return setSticky(&directory) && st.st_uid != directory.st_uid && st.st_uid != ourUser();
}

// No copy has to be made for touch(1), which opens a file for writing to give it another time, and writes nothing, nor for flock(1), which
// opens one as if to make it and only reads, where others read the real one.
static bool needsNoCopy(struct asked *asked, unsigned flags, int wants, char *path) {
  const struct place *place = &asked->place;
  unsigned how = flags & (ACCESS_MODE | O_TRUNC);
  struct stat st;
  if (how != O_RDONLY && !(asked->tracee->onlyTouches && place->native && how == O_WRONLY)) return false;
  if (place->node && (place->node->now.scratch || !place->node->now.lower)) return false;
  contentPath(place, AFTER, path);
  if (how == O_RDONLY && (stat(path, &st) != 0 || !isBeingRead(&st))) return false;
  return faccessat(AT_FDCWD, path, R_OK | wants, AT_EACCESS) == 0 && !(hasLeases() && isLeased(path));
}

static bool writeFile(struct asked *asked, unsigned flags) {
  struct place *place = &asked->place;
  int wants = (flags & ACCESS_MODE) == O_RDONLY ? R_OK | (flags & O_TRUNC ? W_OK : 0) : (flags & ACCESS_MODE) == O_WRONLY ? W_OK : R_OK | W_OK;
  if ((flags & O_CREAT) && isProtected(asked)) return giveResult(asked, -EACCES);
  char path[PATH_MAX];
  // Of what nothing is noted the kernel says both at once: it may be written, and be read in the place of that.
  bool noCopy = !place->node && needsNoCopy(asked, flags, wants, path);
  int error = noCopy ? 0 : mayUsePlace(place, wants);
  if (error) return giveResult(asked, -error);
  if (noCopy || needsNoCopy(asked, flags, 0, path)) {
    flags &= ~(unsigned)(ACCESS_MODE | O_CREAT);
    if (!place->native) return openPath(asked, path, flags);
    setArgument(asked->tracee->tid, asked->pathAt + 1, flags); // open(2) and openat(2)
    return true;
  }
  struct node *node = notePlace(place);
  // Allowed in the tree, and closed to us in reality: nobody knows what is in it.
  if (node && !ownContent(node, flags & O_TRUNC)) return errno == EACCES ? stopHere(asked, "open") : giveResult(asked, -errno);
  if (!node) return giveResult(asked, -EIO);
  return openContent(asked, node, flags);
}

static void inheritGroup(struct node *node, const struct spot *parent, mode_t mode) {
  struct stat directory;
  statusOfSpot(parent, &directory);
  node->device = directory.st_dev;
  node->inode = 0x40000000u + node->number;
  node->now.uid = ourUser();
  node->now.gid = directory.st_mode & S_ISGID ? directory.st_gid : getegid();
  node->now.mode = (node->now.mode & S_IFMT) | (mode & 07777);
  if (S_ISDIR(node->now.mode) && directory.st_mode & S_ISGID) node->now.mode |= S_ISGID;
  node->now.own = OWN_MODE | OWN_OWNER;
}

static struct node *addNew(struct spot *parent, const char *text, mode_t mode, mode_t mask) {
  struct node *node = addNode(mode & S_IFMT);
  node->parent = parent->base;
  node->text = text;
  node->born = tree->layer + 1;
  inheritGroup(node, parent, mode);
  if (!inheritLists(node, parent->base, mode)) node->now.mode &= ~mask;
  clock_gettime(CLOCK_REALTIME_COARSE, &node->now.modified);
  node->now.accessed = node->now.changed = node->now.modified;
  if (!S_ISREG(mode)) node->now.own |= OWN_TIMES | OWN_CHANGE_TIME; // a file has those of its content
  return node;
}

struct node *makeNode(struct place *place, mode_t mode, mode_t mask) {
  struct name *name = noteEntry(place);
  if (!name) return 0;
  struct node *node = addNew(&place->parent, name->text, mode, mask);
  node->now.links = 1;
  name->now = node;
  place->node = node;
  place->there = true;
  touchDirectory(place->parent.base);
  updateStandIn(place->parent.base, name->text, mode & S_IFMT);
  return node;
}

static bool createFile(struct asked *asked, unsigned flags, mode_t mode) {
  struct place *place = &asked->place;
  if (!(flags & O_CREAT)) return giveResult(asked, -ENOENT);
  int error = mayChangeDirectory(&place->parent);
  if (error) return giveResult(asked, -error);
  struct node *node = makeNode(place, S_IFREG | (mode & 07777), maskOf(asked->tracee));
  if (!node || !(node->now.scratch = addScratchFile(node))) return giveResult(asked, -ENOSPC);
  allowExecution(node);
  return openContent(asked, node, flags);
}

// open(2), O_TMPFILE: a file without a name, which linkat(2) may give it.
static bool openUnnamed(struct asked *asked, unsigned flags, mode_t mode) {
  static const long known[] = {EXT_MAGIC, TMPFS_MAGIC, XFS_MAGIC, BTRFS_MAGIC};
  struct place *place = &asked->place;
  struct statfs fs;
  char path[PATH_MAX];
  if ((flags & ACCESS_MODE) == O_RDONLY) return giveResult(asked, -EINVAL);
  if (!place->there) return giveResult(asked, -ENOENT);
  if (!S_ISDIR(typeOfPlace(place, AFTER))) return giveResult(asked, -ENOTDIR);
  struct node *folder = notePlace(place);
  if (!folder) return giveResult(asked, -EIO);
  struct spot spot = {.base = folder};
  int error = mayChangeDirectory(&spot);
  if (error) return giveResult(asked, -error);
  fileSystemPath(folder, path);
  bool hasThem = false;
  for (int i = 0; statfs(path, &fs) == 0 && i < 4; i++) hasThem = hasThem || (long)fs.f_type == known[i];
  if (!hasThem) return stopHere(asked, "open"); // others refuse, or not
  struct node *node = addNew(&spot, "#", S_IFREG | (mode & 07777), maskOf(asked->tracee));
  node->unnamed = !(flags & O_EXCL);
  node->several = true;
  if (!(node->now.scratch = addScratchFile(node))) return giveResult(asked, -ENOSPC);
  allowExecution(node);
  return openContent(asked, node, flags & ~(unsigned)O_TMPFILE);
}

static bool isOfKernel(const char *path) { return isBelow(path, "/proc") || isBelow(path, "/sys"); }

// Devices, FIFOs, sockets and files of the kernel are the machine's: a look knows what may be opened.
static bool openOfMachine(struct asked *asked, const char *path) {
  static struct call call;
  bool led = asked->place.magic && asked->place.link[0];
  if (!led && (asked->place.native || asked->place.magic)) return judgeLook(asked->tracee, asked->call);
  if (!led) usePath(asked, path);
  return readCall(asked->tracee->tid, &call) && judgeLook(asked->tracee, &call);
}

// A device node that the command made: what nobody else feels is opened where it is for everybody (null(4), random(4)).
static bool openMade(struct asked *asked, unsigned flags) {
  static const struct { unsigned minor; const char *path; } known[] = {{3, "/dev/null"}, {5, "/dev/zero"}, {7, "/dev/full"}, {8, "/dev/random"}, {9, "/dev/urandom"}};
  const struct node *node = asked->place.node;
  char path[PATH_MAX];
  int wants = (flags & ACCESS_MODE) == O_RDONLY ? R_OK : (flags & ACCESS_MODE) == O_WRONLY ? W_OK : R_OK | W_OK;
  int error = mayUsePlace(&asked->place, wants);
  if (error) return giveResult(asked, -error);
  fileSystemPath(node, path);
  const struct mountPoint *mounted = mountPointOf(path);
  if (mounted && mounted->flags & 4 /* MS_NODEV */) return giveResult(asked, -EACCES);
  for (unsigned i = 0; i < 5 && S_ISCHR(node->now.mode); i++)
    if (node->made == makedev(1, known[i].minor) && !(flags & O_PATH)) return openPath(asked, known[i].path, flags & ~(unsigned)(O_CREAT | O_EXCL | O_TRUNC));
  return stopHere(asked, "open");
}

static bool openDirectoryOf(struct asked *asked, unsigned flags) {
  char path[PATH_MAX];
  if ((flags & ACCESS_MODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)))
    return giveResult(asked, asksFolderFirst() && mayUsePlace(&asked->place, W_OK) == EACCES ? -EACCES : -EISDIR);
  struct node *node = asked->place.node;
  if (asked->place.native && !(node && isChangedListing(node))) return true;
  if (!(flags & O_PATH)) {
    int error = mayUsePlace(&asked->place, R_OK);
    if (error) return giveResult(asked, -error);
  }
  if (!backingPath(&asked->place, AFTER, path)) return giveResult(asked, -errno);
  if (!(flags & O_PATH) && faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) != 0) return stopHere(asked, "open");
  return openPath(asked, path, flags & ~(unsigned)O_NOFOLLOW);
}

// Only a link of procfs leads to it, and the kernel follows that by itself.
static bool openNameless(struct asked *asked, bool writes) {
  bool direct = !strncmp(asked->path, "/proc/", 6) || !strncmp(asked->path, "/dev/", 5);
  return direct && (view.landlocked || !writes) ? true : stopHere(asked, "open");
}

// open(2) refuses what is to be made where its name ends in a slash, before it looks whether it is there.
static bool isMadeWithSlash(struct asked *asked) {
  size_t length = strlen(asked->path);
  if (!length || asked->path[length - 1] != '/') return false;
  asked->follows = NAME_ALONE;
  return askPlace(asked) == 0 && asked->place.endsInSlash;
}

bool answerOpen(struct asked *asked, unsigned flags, mode_t mode) {
  char path[PATH_MAX];
  struct place *place = &asked->place;
  bool unnamed = (flags & O_TMPFILE) == O_TMPFILE;
  bool makes = (flags & O_CREAT) && (flags & O_EXCL) && !unnamed, writes = (flags & ACCESS_MODE) != O_RDONLY || (flags & O_TRUNC);
  asked->follows = makes ? NAME_ALONE : flags & O_NOFOLLOW ? LINK_ITSELF : THROUGH_LINK;
  int error = askPlace(asked);
  if ((flags & O_CREAT) && isMadeWithSlash(asked)) return giveResult(asked, -EISDIR);
  if (error) return giveResult(asked, -error);
  if (unnamed) return openUnnamed(asked, flags, mode);
  if (!place->there) return createFile(asked, flags, mode);
  if (makes) return giveResult(asked, -EEXIST);
  mode_t type = typeOfPlace(place, AFTER);
  if (S_ISDIR(type)) return openDirectoryOf(asked, flags);
  if (S_ISLNK(type)) {
    if (!(flags & O_PATH) || flags & O_DIRECTORY) return giveResult(asked, flags & O_DIRECTORY ? -ENOTDIR : -ELOOP);
    contentPath(place, AFTER, path);
    return place->native || openPath(asked, path, flags);
  }
  if (flags & O_DIRECTORY) return giveResult(asked, -ENOTDIR);
  if (place->magic && !place->node) path[0] = 0;
  else contentPath(place, AFTER, path);
  bool own = place->node && place->node->now.scratch;
  if (place->node && !own && (S_ISCHR(type) || S_ISBLK(type)) && !place->node->now.lower) return openMade(asked, flags);
  if (!own && (!S_ISREG(type) || isOfKernel(path))) return openOfMachine(asked, path);
  if (isNameless(place) && !(flags & O_PATH)) return openNameless(asked, writes);
  bool lost = place->magic && !place->node; // it has no name any more
  if (lost && writes && !(flags & O_PATH)) return stopHere(asked, "open");
  if (S_ISREG(type) && !lost && !(flags & O_PATH) && (writes || (flags & O_CREAT))) return writeFile(asked, flags);
  if (hasLeases() && isLeased(path)) return stopHere(asked, "open");
  bool ahead = !own && !lost && !(flags & O_PATH) && isCopiedAhead(path) && mayUsePlace(place, R_OK) == 0;
  if (ahead) return ownContent(notePlace(place), false) ? openContent(asked, place->node, flags) : giveResult(asked, -errno);
  if (place->native || lost) return true;
  if (!(flags & O_PATH) && (error = mayUsePlace(place, R_OK))) return giveResult(asked, -error);
  if (!(flags & O_PATH) && faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) != 0) return stopHere(asked, "open");
  return openPath(asked, path, flags & ~(unsigned)(O_NOFOLLOW | O_CREAT));
}
