// /dev, /run, /sys and /proc of the view: small, its own, without doors to the machine.
#define _GNU_SOURCE
#include "frame.h"
#include "setup.h"
#include "view.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

bool isOwnTree(const char *path) {
  static const char *const trees[] = {"/proc", "/dev", "/sys", "/run"};
  for (int i = 0; i < 4; i++)
    if (!strcmp(path, trees[i]) || isBelow(path, trees[i])) return true;
  return false;
}

static void ownTree(const char *name, const char *options) {
  char to[64];
  snprintf(to, sizeof to, VIEW_ROOT "/%s", name);
  struct stat st;
  if (lstat(to, &st) != 0 || !S_ISDIR(st.st_mode)) { if (mkdir(to, 0755) != 0) return; }
  if (mount("tmpfs", to, "tmpfs", MS_NOSUID | MS_NODEV, options) != 0) refuse(name, errno, "An empty directory cannot be mounted in the view.");
}

// ---- nodes ----

// Documentation/admin-guide/devices.txt: those that lead to nothing of the machine.
static const struct { const char *name, *path; unsigned major, minor; } nodes[] = {
  {"null", "/dev/null", 1, 3}, {"zero", "/dev/zero", 1, 5}, {"full", "/dev/full", 1, 7},
  {"random", "/dev/random", 1, 8}, {"urandom", "/dev/urandom", 1, 9}, {"tty", "/dev/tty", 5, 0},
};
enum { NODES = sizeof nodes / sizeof *nodes };

const char *ownDeviceOf(dev_t device) {
  for (int i = 0; i < NODES; i++)
    if (makedev(nodes[i].major, nodes[i].minor) == device) return nodes[i].path;
  return device == makedev(5, 2) ? "/dev/pts/ptmx" : 0;
}

bool isViewDevice(const char *path) {
  for (int i = 0; i < NODES; i++)
    if (!strcmp(nodes[i].path, path)) return true;
  return isBelow(path, "/dev/pts");
}

static void placeOfNode(char *to, int i) { snprintf(to, 64, SCRATCH "/d/%s", nodes[i].name); }

static bool copyNode(const struct stat *st, const char *to) {
  struct timespec times[2] = {st->st_atim, st->st_mtim};
  return mknod(to, st->st_mode, st->st_rdev) == 0 && chown(to, st->st_uid, st->st_gid) == 0 && chmod(to, st->st_mode & 07777) == 0 && utimensat(AT_FDCWD, to, times, 0) == 0;
}

static bool mayOpen(const char *node) {
  int file = open(node, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (file >= 0) close(file);
  return file >= 0 || errno == ENXIO; // /dev/tty without a terminal
}

// Who may make device nodes gets a set of his own: whatever is done to their mode, owner, times or locks stays in the view. They lie on
// a tmpfs that no command can reach, because on one that it can write it could make the node of a disk.
static bool makeNodes(void) {
  struct stat st[NODES];
  char own[64];
  if (mkdir(SCRATCH "/d", 0700) != 0) return false;
  if (mount("tmpfs", SCRATCH "/d", "tmpfs", MS_NOSUID | MS_NOEXEC, "mode=700,size=1m") != 0) return false;
  for (int i = 0; i < NODES; i++) {
    placeOfNode(own, i);
    if (stat(nodes[i].path, &st[i]) != 0) continue;
    // A container may be forbidden to make nodes, or to open its own.
    if (!S_ISCHR(st[i].st_mode) || !copyNode(&st[i], own) || !mayOpen(own)) { umount2(SCRATCH "/d", MNT_DETACH); return false; }
  }
  for (int i = 0; i < NODES; i++) {
    placeOfNode(own, i);
    int upper = open(own, O_PATH | O_CLOEXEC);
    if (upper >= 0) addPart(nodes[i].path, PART_NODE, open(nodes[i].path, O_PATH | O_CLOEXEC), upper, 0);
  }
  return true;
}

// The machine's node. Read-only, its mode, owner and times stand fast, and reading and writing the device still work.
static bool bindNode(const char *from, const char *to) {
  struct { uint64_t set, clear, propagation, user; } attributes = {1, 0, 0, 0}; // MOUNT_ATTR_RDONLY
  return mount(from, to, 0, MS_BIND, 0) == 0 && syscall(SYS_mount_setattr, AT_FDCWD, to, 0, &attributes, sizeof attributes) == 0;
}

static void showNode(int i) {
  char from[64], to[64];
  struct stat st;
  snprintf(to, sizeof to, VIEW_ROOT "/dev/%s", nodes[i].name);
  placeOfNode(from, i);
  if (stat(view.ownsNodes ? from : nodes[i].path, &st) != 0) return;
  if (lstat(to, &st) != 0 && mknod(to, S_IFREG | 0600, 0) != 0) refuse(nodes[i].path, errno, "A device cannot be shown in the view.");
  if (view.ownsNodes ? mount(from, to, 0, MS_BIND, 0) != 0 : !bindNode(nodes[i].path, to)) refuse(nodes[i].path, errno, "A device cannot be shown in the view.");
}

// ---- the terminal ----

// Whoever opens the machine's /dev/tty changes its times, also where it is bound read-only (tty_update_time() of drivers/tty/tty_io.c).
// The terminal of the command is a node of the view's own devpts, and means the same.
// The machine's node is below; without a terminal it cannot be opened (ENXIO), so nothing is done to it. Each command has a tracer of its
// own, which knows nothing of the one before: what is shown is looked at. 136 to 143 are terminals (Documentation/admin-guide/devices.txt).
void hideTerminal(void) {
  struct stat st;
  while (!view.ownsNodes && stat("/dev/tty", &st) == 0 && major(st.st_rdev) / 8 == 17 && umount2("/dev/tty", MNT_DETACH) == 0) continue;
}

// Over a terminal that has gone, that of the step before, nothing can be mounted (do_lock_mount() of fs/namespace.c).
void showTerminal(const char *slave) {
  if (view.ownsNodes || mount(slave, "/dev/tty", 0, MS_BIND, 0) == 0) return;
  hideTerminal();
  mount(slave, "/dev/tty", 0, MS_BIND, 0);
}

// ---- the whole ----

static void fillDirectory(void) {
  static const char *const links[][2] = {
    {"/proc/self/fd", "fd"}, {"/proc/self/fd/0", "stdin"}, {"/proc/self/fd/1", "stdout"}, {"/proc/self/fd/2", "stderr"}, {"pts/ptmx", "ptmx"},
  };
  ownTree("dev", "mode=755,size=16m");
  for (int i = 0; i < 5; i++) {
    char to[64];
    snprintf(to, sizeof to, VIEW_ROOT "/dev/%s", links[i][1]);
    if (symlink(links[i][0], to) != 0) refuse("/dev", errno, "The device directory of the view cannot be filled.");
  }
}

// Of the machine's /dev an overlay shows all names; no device of it can be opened there (nodev).
static bool overlayDevices(void) {
  struct stat st;
  if (lstat(VIEW_ROOT "/dev", &st) != 0 && mkdir(VIEW_ROOT "/dev", 0755) != 0) return false;
  return overlayPart("/dev", VIEW_ROOT "/dev", 0);
}

static void makeDirectory(const char *path) {
  if (mkdir(path, 0755) != 0 && errno != EEXIST) refuse(path, errno, "The device directory of the view cannot be filled.");
}

static bool isDirectory(const char *path) {
  struct stat st;
  return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool isNode(const char *path) {
  struct stat st;
  return lstat(path, &st) == 0 && S_ISCHR(st.st_mode);
}

// On the scratch tmpfs, so that the disk limit counts them and they live as long as the view.
static void makeTrees(void) {
  if (mkdir(SCRATCH "/shm", 0777) != 0 || chmod(SCRATCH "/shm", 01777) != 0 || mkdir(SCRATCH "/run", 0755) != 0) refuse("/dev/shm", errno, "The scratch space for changes cannot be used.");
  likeDirectory("/run", SCRATCH "/run");
  addPart("/run", PART_HIDDEN, -1, open(SCRATCH "/run", O_PATH | O_CLOEXEC), 0);
  addPart("/dev/shm", PART_HIDDEN, -1, open(SCRATCH "/shm", O_PATH | O_CLOEXEC), 0);
}

// The master of terminals is new in every layer.
static void noteMaster(bool again) {
  int own = open(VIEW_ROOT "/dev/pts/ptmx", O_PATH | O_CLOEXEC);
  if (!again) addPart("/dev/ptmx", PART_NODE, open("/dev/ptmx", O_PATH | O_CLOEXEC), own, 0);
  for (uint32_t i = 0; again && i < view.count; i++) {
    struct part *part = &view.parts[i];
    if (part->kind != PART_NODE || strcmp(part->path, "/dev/ptmx") != 0) continue;
    if (part->upper >= 0) close(part->upper);
    part->upper = own;
    if (own >= 0) fstat(own, &part->looks);
  }
}

void buildDevices(void) {
  bool again = view.devicesMade;
  if (!again) {
    makeTrees();
    view.ownsNodes = view.asRoot && makeNodes();
    view.overlaysDevices = view.ownsNodes && overlayDevices();
  }
  view.devicesMade = true;
  if (!view.overlaysDevices) fillDirectory();
  makeDirectory(VIEW_ROOT "/dev/shm");
  makeDirectory(VIEW_ROOT "/dev/pts");
  if (!view.overlaysDevices) likeDirectory("/dev", VIEW_ROOT "/dev");
  for (int i = 0; i < NODES; i++) showNode(i);
  if (mount(SCRATCH "/shm", VIEW_ROOT "/dev/shm", 0, MS_BIND, 0) != 0) refuse("/dev/shm", errno, "Shared memory cannot be kept apart.");
  if (mount("devpts", VIEW_ROOT "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620") != 0) refuse("devpts", errno, "Terminals of the view cannot be made.");
  if (isNode(VIEW_ROOT "/dev/ptmx") && mount(VIEW_ROOT "/dev/pts/ptmx", VIEW_ROOT "/dev/ptmx", 0, MS_BIND, 0) != 0) refuse("/dev/ptmx", errno, "Terminals of the view cannot be made.");
  if (view.ownsNodes) noteMaster(again);
  if (isDirectory(VIEW_ROOT "/run") && mount(SCRATCH "/run", VIEW_ROOT "/run", 0, MS_BIND, 0) != 0) refuse("/run", errno, "The machine's /run cannot be covered.");
  if (!bindReadOnly("/sys", VIEW_ROOT "/sys", true)) ownTree("sys", "mode=555,size=4k");
  else if (view.hasTraces) coverTraces();
}

// Writing to /proc/sys reaches the kernel, and as root the files are ours; writing to /proc/self/mem would put foreign instructions into
// a program that passed the gate, even where its memory is read-only (proc_pid_mem(5)).
static void protectProcesses(const char *path) {
  unsigned recursive = AT_RECURSIVE;
  char settings[64];
  snprintf(settings, sizeof settings, "%s/sys", path);
  // For anybody else the kernel guards its settings itself, and says so with another word: EACCES, not EROFS.
  if (getuid() != 0 && mount(settings, settings, 0, MS_BIND, 0) == 0) recursive = 0;
  struct { uint64_t set, clear, propagation, user; } attributes = {1, 0, 0, 0}; // MOUNT_ATTR_RDONLY
  if (syscall(SYS_mount_setattr, AT_FDCWD, path, recursive, &attributes, sizeof attributes) != 0)
    refuse("read-only /proc", errno, "The kernel's settings cannot be protected (Linux 5.12 or newer is needed).");
}

static void chooseFirstPid(void) {
  if (!setup.firstPid) return;
  int file = open("/proc/sys/kernel/ns_last_pid", O_WRONLY | O_CLOEXEC);
  char text[16];
  snprintf(text, sizeof text, "%u", setup.firstPid);
  if (file < 0) return; // a kernel without checkpoint/restore: the numbers start at 2
  if (write(file, text, strlen(text)) < 0) text[0] = 0;
  close(file);
}

bool mountProcesses(void) {
  if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, 0) != 0) {
    if (errno == EPERM) return false;
    refuse("proc", errno, "The process table of the view cannot be mounted.");
  }
  chooseFirstPid();
  protectProcesses("/proc");
  return true;
}

#ifndef OPEN_TREE_CLONE
#define OPEN_TREE_CLONE 1
#define MOVE_MOUNT_F_EMPTY_PATH 4
#endif

int copyProcesses(void) { return (int)syscall(SYS_open_tree, AT_FDCWD, "/proc", OPEN_TREE_CLONE | O_CLOEXEC | AT_RECURSIVE); }

void bindProcesses(void) {
  if (view.procTree < 0 || syscall(SYS_move_mount, view.procTree, "", AT_FDCWD, VIEW_ROOT "/proc", MOVE_MOUNT_F_EMPTY_PATH) != 0)
    refuse("proc", errno, "A process table can neither be mounted nor be bound in the view; start the container with an unmasked /proc (--security-opt systempaths=unconfined).");
  close(view.procTree);
  protectProcesses(VIEW_ROOT "/proc");
}
