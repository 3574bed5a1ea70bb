// The story of copy mode: new namespaces, a tmpfs for what will be changed, and one overlay for every part of the machine.
#define _GNU_SOURCE
#include "view.h"
#include "frame.h"
#include "locks.h"
#include "older.h"
#include "outside.h"
#include "landlock.h"
#include "place.h"
#include "scratch.h"
#include "setup.h"
#include "shared.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/mount.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

struct view view = {.outerRoot = -1, .outerProc = -1, .root = -1, .scratch = -1};

enum { COPY_UP_TO = 16 << 20 };

void addPart(const char *path, enum partKind kind, int before, int upper, unsigned long mountFlags) {
  view.parts = realloc(view.parts, sizeof *view.parts * (view.count + 1));
  view.parts[view.count] = (struct part){.path = strdup(path), .kind = kind, .before = before, .upper = upper, .number = view.count, .mountFlags = mountFlags};
  if (upper >= 0) fstat(upper, &view.parts[view.count].looks);
  view.count++;
}

const struct part *partOf(const char *path, const char **rest) {
  const struct part *best = 0;
  size_t bestLength = 0;
  for (uint32_t i = 0; i < view.count; i++) {
    const struct part *part = &view.parts[i];
    size_t length = strlen(part->path);
    if ((!strcmp(part->path, path) || isBelow(path, part->path)) && (!best || length >= bestLength)) { best = part; bestLength = length; }
  }
  if (best && rest) {
    *rest = path + (bestLength == 1 ? 1 : bestLength + 1);
    if (strlen(path) <= bestLength) *rest = ".";
  }
  return best;
}

bool isPartRoot(const char *path) {
  for (uint32_t i = 0; i < view.count; i++)
    if (!strcmp(view.parts[i].path, path)) return true;
  return (isOwnTree(path) && !strchr(path + 1, '/')) || !strcmp(path, "/dev/pts");
}

bool isOurMount(const char *path) { return isPartRoot(path) && !mountPointAt(path); }

static int openPath(const char *path) { return open(path, O_PATH | O_CLOEXEC | O_NOFOLLOW); }

// ---- namespaces ----

static void writeMap(const char *file, const char *text) {
  int descriptor = openat(view.outerProc, file, O_WRONLY | O_CLOEXEC);
  if (descriptor < 0 || write(descriptor, text, strlen(text)) < 0) refuse(file, errno, "The user cannot be kept inside the user namespace.");
  close(descriptor);
}

static const char *whyNoUserNamespace(int error) {
  char text[16] = "";
  int file = openat(view.outerProc, "sys/kernel/apparmor_restrict_unprivileged_userns", O_RDONLY | O_CLOEXEC);
  if (file >= 0) { if (read(file, text, 15) < 0) text[0] = 0; close(file); }
  if (text[0] == '1') return "AppArmor forbids user namespaces here (kernel.apparmor_restrict_unprivileged_userns=1); set it to 0 with sysctl, or give the launcher an AppArmor profile that allows userns.";
  file = openat(view.outerProc, "sys/kernel/unprivileged_userns_clone", O_RDONLY | O_CLOEXEC);
  text[0] = 0;
  if (file >= 0) { if (read(file, text, 15) < 0) text[0] = 0; close(file); }
  if (text[0] == '0') return "User namespaces are switched off here (kernel.unprivileged_userns_clone=0); set it to 1 with sysctl.";
  if (error == ENOSPC || error == EUSERS) return "No more user namespaces are allowed here (user.max_user_namespaces); raise it with sysctl.";
  if (error == ENOSYS || error == EINVAL) return "This kernel has no user namespaces.";
  return "User namespaces are forbidden here, as in a default container; start the container with --cap-add SYS_ADMIN or with a seccomp profile that allows unshare and mount.";
}

// The number of everybody who has none in a user namespace (user_namespaces(7)).
static uid_t nobody(void) {
  char text[16] = "65534";
  int file = openat(view.outerProc, "sys/kernel/overflowuid", O_RDONLY | O_CLOEXEC);
  if (file >= 0) { if (read(file, text, sizeof text - 1) < 0) text[0] = 0; close(file); }
  return (uid_t)strtoul(text, 0, 10);
}

// A user namespace may have a root of its own and no number for the machine's (unshare -r): nothing can be made to belong to it there.
static bool isRootNobody(void) {
  struct stat st;
  return stat("/usr", &st) == 0 && st.st_uid == nobody();
}

static bool mayMount(void) {
  if (getuid() != 0 || isRootNobody()) return false;
  // The cheapest question that only CAP_SYS_ADMIN answers: a mount namespace of our own.
  return unshare(CLONE_NEWNS) == 0;
}

// A size of 0 is an error to every kernel that knows the call, before anything else is looked at.
static void needMountAttributes(void) {
  if (syscall(SYS_mount_setattr, -1, "", 0, 0, 0) != 0 && isMissingCall(errno))
    refuse("mount_setattr", errno, "The view cannot be made read-only where it must be (Linux 5.12 or newer is needed).");
}

static void enterNamespaces(void) {
  uid_t uid = getuid();
  gid_t gid = getgid();
  view.asRoot = mayMount();
  if (!view.asRoot && setup.correct.count) startOutside();
  readGroups();
  if (view.asRoot) {
    if (unshare(CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS) != 0) refuse("unshare", errno, "A network namespace cannot be made here; start the container with --cap-add SYS_ADMIN and without a seccomp profile that forbids unshare.");
  } else {
    // In a rootless container root has power over the files of others, which a namespace of a single user would take from him.
    notePowers();
    if (uid == 0 && !isRootNobody() && hasPower(CAP_DAC_OVERRIDE)) refuse("powers", 0, "Root may not make mounts here, and would lose his power over files in a user namespace of his own.");
    if (uid == nobody()) refuse("user number", 0, "The user has the number of everybody who is unknown in a user namespace, so the files of root would seem to be his; use another user.");
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS) != 0) refuse("unshare", errno, whyNoUserNamespace(errno));
    char map[64];
    // user_namespaces(7): without privilege gid_map may be written only after setgroups was denied.
    writeMap("self/setgroups", "deny");
    snprintf(map, sizeof map, "%u %u 1", uid, uid);
    writeMap("self/uid_map", map);
    snprintf(map, sizeof map, "%u %u 1", gid, gid);
    writeMap("self/gid_map", map);
  }
  if (mount(0, "/", 0, MS_REC | MS_PRIVATE, 0) != 0) refuse("private mounts", errno, "The mounts of the view cannot be kept apart from those of the machine.");
}

// ---- parts ----

// Overlay separates its options with commas and its lower directories with colons.
void escapeOption(const char *path, char *to) {
  for (; *path; path++) {
    if (*path == ':' || *path == ',' || *path == '\\') *to++ = '\\';
    *to++ = *path;
  }
  *to = 0;
}

bool mountOverlay(const char *to, unsigned long flags, const char *directories) {
  // As root the overlay keeps its notes in trusted.* and can rename directories; user namespaces may use user.* only, without
  // redirects (Documentation/filesystems/overlayfs.rst). Not metacopy: it would hide file contents. Not index: who removes one
  // of several names would copy the whole file, only to count the others.
  static const char *const asRoot[] = {"redirect_dir=on,xino=auto,", "redirect_dir=on,", ""};
  static const char *const asUser[] = {"userxattr,"};
  const char *const *choices = view.asRoot ? asRoot : asUser;
  int count = view.asRoot ? 3 : 1;
  static char options[5 * PATH_MAX];
  for (int i = 0; i < count; i++) {
    snprintf(options, sizeof options, "%s%s", choices[i], directories);
    if (mount("overlay", to, "overlay", (flags & (MS_RDONLY | MS_NOEXEC)) | MS_NOSUID | MS_NODEV, options) == 0) return true;
  }
  return false;
}

bool overlayPart(const char *path, const char *to, unsigned long flags) {
  char upper[64], work[64];
  static char lower[2 * PATH_MAX], directories[3 * PATH_MAX];
  snprintf(upper, sizeof upper, SCRATCH "/u/%u.0", view.count);
  snprintf(work, sizeof work, SCRATCH "/w/%u.0", view.count);
  if (mkdir(upper, 0755) != 0 || mkdir(work, 0755) != 0) refuse("mkdir", errno, "The scratch space of the view cannot be used.");
  likeDirectory(path, upper);
  escapeOption(path, lower);
  snprintf(directories, sizeof directories, "lowerdir=%s,upperdir=%s,workdir=%s", lower, upper, work);
  int before = openPath(path);
  if (!mountOverlay(to, flags, directories)) { close(before); rmdir(upper); rmdir(work); return false; }
  addPart(path, PART_OVERLAY, before, openPath(upper), flags);
  return true;
}

#ifndef MOUNT_ATTR_RDONLY
#define MOUNT_ATTR_RDONLY 1
#define MOUNT_ATTR_NOSUID 2
#define MOUNT_ATTR_NODEV 4
#endif

bool bindReadOnly(const char *path, const char *to, bool recursive) {
  if (mount(path, to, 0, MS_BIND | (recursive ? MS_REC : 0), 0) != 0) return false;
  struct { uint64_t set, clear, propagation, user; } attributes = {MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV, 0, 0, 0};
  if (syscall(SYS_mount_setattr, AT_FDCWD, to, recursive ? AT_RECURSIVE : 0, &attributes, sizeof attributes) == 0) return true;
  umount2(to, MNT_DETACH); // never leave a writable door
  return false;
}

static void readOnlyPart(const char *path, const char *to) {
  struct stat st;
  bool bound = bindReadOnly(path, to, true);
  if (bound && !coverFifos(to)) { umount2(to, MNT_DETACH); bound = false; } // a real FIFO that can be opened is a door
  if (bound && stat(path, &st) == 0 && S_ISDIR(st.st_mode)) view.bindsDirectories = true;
  addPart(path, bound ? PART_READ_ONLY : PART_HIDDEN, bound ? openPath(path) : -1, -1, 0);
}

static void filePart(const char *path, const char *to) {
  struct stat st;
  char copy[64];
  snprintf(copy, sizeof copy, SCRATCH "/u/%u.0", view.count);
  if (lstat(path, &st) != 0) return;
  if (S_ISREG(st.st_mode) && st.st_size <= COPY_UP_TO && copyFile(AT_FDCWD, path, AT_FDCWD, copy) && mount(copy, to, 0, MS_BIND, 0) == 0) {
    addPart(path, PART_FILE, openPath(path), openPath(copy), 0);
    return;
  }
  unlink(copy);
  if (S_ISREG(st.st_mode)) { readOnlyPart(path, to); return; }
  addPart(path, PART_HIDDEN, -1, -1, 0); // a socket or a device: nobody serves it here
}

static void showPart(const char *path, const char *to, unsigned long flags);

// Mounts below an overlaid directory get an overlay each, on top of it.
static void showMountsBelow(const char *path, const char *to) {
  const char *done = 0;
  for (uint32_t i = 0; i < mountPointCount; i++) {
    const struct mountPoint *mounted = &mountPoints[i];
    if (!isBelow(mounted->path, path) || isOwnTree(mounted->path) || (done && isBelow(mounted->path, done))) continue;
    struct stat st;
    char target[PATH_MAX];
    path2(target, to, mounted->path + (strcmp(path, "/") ? strlen(path) + 1 : 1));
    if (lstat(mounted->path, &st) != 0) continue;
    done = mounted->path;
    if (S_ISDIR(st.st_mode)) showPart(mounted->path, target, mounted->flags);
    else filePart(mounted->path, target);
  }
}

static void showEntry(const char *from, const char *to, const struct stat *st, unsigned long flags) {
  char text[PATH_MAX];
  if (S_ISDIR(st->st_mode)) {
    if (mkdir(to, 0755) == 0) showPart(from, to, flags);
  } else if (S_ISLNK(st->st_mode)) {
    ssize_t length = readlink(from, text, sizeof text - 1);
    if (length < 0) return;
    text[length] = 0;
    struct timespec times[2] = {st->st_atim, st->st_mtim};
    if (symlink(text, to) == 0) utimensat(AT_FDCWD, to, times, AT_SYMLINK_NOFOLLOW);
  } else if (mountPointAt(from) || !S_ISREG(st->st_mode)) {
    if (mknod(to, (S_ISREG(st->st_mode) ? S_IFREG : S_IFSOCK) | 0600, 0) == 0) filePart(from, to);
  } else if ((!view.asRoot && (st->st_uid != getuid() || st->st_gid != getgid())) || st->st_size > COPY_UP_TO || !copyFile(AT_FDCWD, from, AT_FDCWD, to)) {
    if (mknod(to, S_IFREG | 0600, 0) == 0 || errno == EEXIST) readOnlyPart(from, to);
  }
}

// A directory of ours stands for one that cannot be overlaid; what is in it is shown piece by piece.
static void showPieces(const char *path, const char *to, unsigned long flags) {
  DIR *directory = opendir(path);
  int before = openPath(path);
  addPart(path, directory ? PART_PLAIN : PART_HIDDEN, before, openPath(to), flags);
  if (access(path, W_OK) == 0) view.hasPieces = true;
  uint32_t own = view.count - 1;
  if (directory) {
    for (struct dirent *entry; (entry = readdir(directory));) {
      char from[PATH_MAX], target[PATH_MAX];
      struct stat st;
      if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
      path2(from, path, entry->d_name);
      path2(target, to, entry->d_name);
      if (lstat(from, &st) != 0) continue;
      if (isOwnTree(from)) mkdir(target, 0755);
      else showEntry(from, target, &st, flags);
    }
    closedir(directory);
  }
  likeDirectory(path, to);
  fstat(view.parts[own].upper, &view.parts[own].looks);
}

static void showPart(const char *path, const char *to, unsigned long flags) {
  const struct mountPoint *mounted = mountPointAt(path);
  bool below = hasMountBelow(path);
  if (mounted) flags = mounted->flags;
  if (mounted && !strcmp(mounted->type, "autofs")) { addPart(path, PART_HIDDEN, -1, -1, 0); return; } // looking would mount it
  // A user namespace must not uncover what a mount hides, so an overlay above mounts fails there (mount_namespaces(7), locked mounts).
  if ((!below || view.asRoot) && overlayPart(path, to, flags)) {
    if (below) showMountsBelow(path, to);
    return;
  }
  if (below) showPieces(path, to, flags);
  else readOnlyPart(path, to);
}

// ---- the whole ----

void openRealView(void) {
  view.outerRoot = view.root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  view.outerProc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (view.outerRoot < 0 || view.outerProc < 0) refuse("/proc", errno, "The machine's /proc cannot be read.");
  startFindingLeases();
  readMountPoints();
  view.hasTraces = hasTraceFiles();
}

// A file system has at least one page; whoever asks for a full disk gets one on which that is taken.
static void fillPage(void) {
  static char page[4096]; // without const it takes no room in the file
  int file = open(SCRATCH "/full", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0 || write(file, page, sizeof page) != sizeof page) refuse("full disk", errno, "The scratch space cannot be filled.");
  close(file);
}

static void mountScratch(void) {
  char options[128];
  uint64_t inodes = setup.diskBytes / 1024 > 65536 ? setup.diskBytes / 1024 : 65536;
  if (setup.diskBytes) snprintf(options, sizeof options, "mode=755,size=%llu,nr_inodes=%llu", (unsigned long long)setup.diskBytes, (unsigned long long)inodes);
  else snprintf(options, sizeof options, "mode=755");
  if (mount("tmpfs", SCRATCH, "tmpfs", MS_NOSUID | MS_NODEV, options) != 0) refuse("tmpfs", errno, "The scratch space for changes cannot be mounted.");
  if (mkdir(SCRATCH "/r", 0755) != 0 || mkdir(SCRATCH "/u", 0755) != 0 || mkdir(SCRATCH "/w", 0755) != 0 || mkdir(SCRATCH "/b", 0755) != 0)
    refuse("mkdir", errno, "The scratch space for changes cannot be used.");
  if (setup.flags & FLAG_FULL_DISK) fillPage();
  view.scratch = open(SCRATCH, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (view.scratch < 0) refuse("tmpfs", errno, "The scratch space for changes cannot be opened.");
  // user.* on tmpfs came with Linux 6.6; without it an overlay in a user namespace cannot replace a deleted directory.
  view.keepsAttributes = syscall(SYS_setxattr, SCRATCH "/u", "user.foretell", "y", 1, 0) == 0;
  if (!view.asRoot && !view.keepsAttributes)
    refuse("tmpfs xattr", errno, "This kernel's tmpfs cannot hold the notes of an overlay (Linux 6.6 or newer is needed, or root).");
}

void buildView(void) {
  mode_t mask = umask(0);
  openRealView();
  view.copies = true;
  view.ownPids = true;
  enterNamespaces();
  needMountAttributes();
  if (!view.asRoot) view.procTree = copyProcesses();
  mountScratch();
  showPart("/", VIEW_ROOT, 0);
  buildDevices();
  view.root = open(VIEW_ROOT, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (view.root < 0) refuse("view", errno, "The root of the view cannot be opened.");
  umask(mask);
}

void buildTree(void) {
  openRealView();
  view.supervised = true;
  view.landlocked = hasLandlock();
  if (!view.landlocked && (setup.flags & FLAG_OPEN_GATE)) refuse("landlock", ENOSYS, "Without Landlock (Linux 5.13) programs that are not known to be inert cannot run here.");
  if (!startShared()) refuse("memory", errno, "The memory for what a command would change cannot be had.");
  readMountPoints();
  readGroups();
  notePowers();
  startTree();
  startScratch();
  hideScratch();
}

bool mayRunForeign(void) { return view.copies || (view.supervised && view.landlocked); }

void sendReady(uint32_t setupMicros) {
  beginEvent(EV_READY);
  putU8(view.supervised ? 4 : !view.copies ? 3 : view.asRoot ? 2 : 1);
  putU32(view.count);
  for (uint32_t i = 0; i < view.count; i++) {
    enum partKind kind = view.parts[i].kind;
    bool readOnly = kind == PART_READ_ONLY || (view.parts[i].mountFlags & MS_RDONLY);
    putText(view.parts[i].path);
    putU8(kind == PART_HIDDEN ? 3 : readOnly ? 2 : 1);
  }
  putU32(setupMicros);
  putU8(mayRunForeign());
  sendEvent();
}
