// /dev, /run, /sys and /proc of the view: small, its own, without doors to the machine.
#define _GNU_SOURCE
#include "frame.h"
#include "setup.h"
#include "view.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
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

static void bindDevice(const char *name) {
  char from[64], to[64];
  snprintf(from, sizeof from, "/dev/%s", name);
  snprintf(to, sizeof to, VIEW_ROOT "/dev/%s", name);
  int node = open(to, O_CREAT | O_WRONLY | O_CLOEXEC, 0666);
  if (node >= 0) close(node);
  if (mount(from, to, 0, MS_BIND, 0) != 0) refuse(from, errno, "A device cannot be shown in the view.");
}

void buildDevices(void) {
  static const char *const nodes[] = {"null", "zero", "full", "random", "urandom", "tty"};
  static const char *const links[][2] = {
    {"/proc/self/fd", "fd"}, {"/proc/self/fd/0", "stdin"}, {"/proc/self/fd/1", "stdout"}, {"/proc/self/fd/2", "stderr"}, {"pts/ptmx", "ptmx"},
  };
  ownTree("dev", "mode=755,size=16m");
  for (int i = 0; i < 6; i++) bindDevice(nodes[i]);
  for (int i = 0; i < 5; i++) {
    char to[64];
    snprintf(to, sizeof to, VIEW_ROOT "/dev/%s", links[i][1]);
    if (symlink(links[i][0], to) != 0) refuse("/dev", errno, "The device directory of the view cannot be filled.");
  }
  if (mkdir(VIEW_ROOT "/dev/shm", 0777) != 0 || mkdir(VIEW_ROOT "/dev/pts", 0755) != 0) refuse("/dev", errno, "The device directory of the view cannot be filled.");
  // On the scratch tmpfs, so that the disk limit counts it and it lives as long as the view.
  likeDirectory("/dev", VIEW_ROOT "/dev");
  bool again = access(SCRATCH "/shm", F_OK) == 0;
  if (!again && (mkdir(SCRATCH "/shm", 0777) != 0 || chmod(SCRATCH "/shm", 01777) != 0 || mkdir(SCRATCH "/run", 0755) != 0)) refuse("/dev/shm", errno, "The scratch space for changes cannot be used.");
  if (mount(SCRATCH "/shm", VIEW_ROOT "/dev/shm", 0, MS_BIND, 0) != 0) refuse("/dev/shm", errno, "Shared memory cannot be kept apart.");
  if (mount("devpts", VIEW_ROOT "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620") != 0) refuse("devpts", errno, "Terminals of the view cannot be made.");
  if (!again) likeDirectory("/run", SCRATCH "/run");
  struct stat st;
  if (lstat(VIEW_ROOT "/run", &st) == 0 && S_ISDIR(st.st_mode) && mount(SCRATCH "/run", VIEW_ROOT "/run", 0, MS_BIND, 0) != 0) refuse("/run", errno, "The machine's /run cannot be covered.");
  if (!again) addPart("/run", PART_HIDDEN, -1, open(SCRATCH "/run", O_PATH | O_CLOEXEC), 0);
  if (!again) addPart("/dev/shm", PART_HIDDEN, -1, open(SCRATCH "/shm", O_PATH | O_CLOEXEC), 0);
  if (!bindReadOnly("/sys", VIEW_ROOT "/sys", true)) ownTree("sys", "mode=555,size=4k");
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
