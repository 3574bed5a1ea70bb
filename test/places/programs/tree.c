// A tree of its own, as containers have it: the machine's files below an overlay in memory, own /dev, /proc and /sys with what Docker and
// podman mask, and some folders on the real disk, like volumes. All of it is gone with the last process in there.
#define _GNU_SOURCE
#include "place.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

// The user who has started the rootless container, and the numbers that /etc/subuid gives him.
enum { CONTAINER_USER = 1000, FIRST_SUBORDINATE = 100000, SUBORDINATES = 65536 };
enum { SYS_OPEN_TREE = 428, SYS_MOVE_MOUNT = 429, SYS_MOUNT_SETATTR = 442 };
enum { OPEN_TREE_CLONES = 1, FROM_EMPTY_PATH = 4, ATTRIBUTE_IDMAP = 0x100000 };

static const struct tree *tree;
static int userNamespace = -1;
static char scratch[PATH_MAX], root[PATH_MAX + 8];

// What a number of the tree is outside.
static uid_t outside(uid_t number) {
  if (!tree->mapsIds) return number;
  return number == 0 ? CONTAINER_USER : FIRST_SUBORDINATE + number - 1;
}

static const char *below(const char *folder, const char *name) {
  static char text[4][2 * PATH_MAX];
  static unsigned next;
  char *result = text[next++ % 4];
  snprintf(result, sizeof text[0], "%s%s%s", folder, *name == '/' ? "" : "/", name);
  return result;
}

static void mountOr(const char *what, const char *source, const char *target, const char *type, unsigned long flags, const char *options) {
  if (mount(source, target, type, flags, options)) giveUp(what);
}

// Makes a folder and those above it. They stand for the machine's, so what is there already is left alone.
static void makeFolders(const char *path) {
  char text[2 * PATH_MAX];
  snprintf(text, sizeof text, "%s", path);
  for (char *slash = strchr(text + 1, '/'); ; slash = strchr(slash + 1, '/')) {
    if (slash) *slash = 0;
    if (mkdir(text, 0755) && errno != EEXIST) giveUp(text);
    if (!slash) return;
    *slash = '/';
  }
}

static void writeMap(pid_t process, const char *name, unsigned long length) {
  char path[64], text[128];
  snprintf(path, sizeof path, "/proc/%d/%s", process, name);
  int count = snprintf(text, sizeof text, "0 %d 1\n1 %d %lu\n", CONTAINER_USER, FIRST_SUBORDINATE, length);
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0 || write(file, text, (size_t)count) != count) giveUp(name);
  close(file);
}

// A process that does nothing holds the namespace until there is a descriptor of it.
void makeUserNamespace(void) {
  int ready[2];
  char path[64];
  if (pipe(ready)) giveUp("pipe");
  pid_t holder = fork();
  if (holder < 0) giveUp("fork");
  if (holder == 0) {
    if (unshare(CLONE_NEWUSER) || write(ready[1], "y", 1) != 1) _exit(1);
    pause();
  }
  if (read(ready[0], path, 1) != 1) giveUp("a user namespace");
  writeMap(holder, "uid_map", SUBORDINATES);
  writeMap(holder, "gid_map", SUBORDINATES);
  snprintf(path, sizeof path, "/proc/%d/ns/user", holder);
  userNamespace = open(path, O_RDONLY | O_CLOEXEC);
  if (userNamespace < 0) giveUp(path);
  kill(holder, SIGKILL);
  waitpid(holder, 0, 0);
  close(ready[0]);
  close(ready[1]);
}

// Mounts what the machine has at a path, without what is mounted below it; with the owners that the container sees.
static void cloneMount(const char *path, const char *target) {
  struct { uint64_t set, clear, propagation, user; } attributes = {ATTRIBUTE_IDMAP, 0, 0, (uint64_t)userNamespace};
  int copy = (int)syscall(SYS_OPEN_TREE, AT_FDCWD, path, OPEN_TREE_CLONES | O_CLOEXEC);
  if (copy < 0) giveUp("open_tree");
  if (tree->mapsIds && syscall(SYS_MOUNT_SETATTR, copy, "", AT_EMPTY_PATH, &attributes, sizeof attributes)) giveUp("ids cannot be mapped");
  if (syscall(SYS_MOVE_MOUNT, copy, "", AT_FDCWD, target, FROM_EMPTY_PATH)) giveUp("move_mount");
  close(copy);
}

// An overlay: reads the machine's files, keeps changes in memory.
static void showFolder(const char *path) {
  static unsigned count;
  char lower[2 * PATH_MAX], upper[2 * PATH_MAX], work[2 * PATH_MAX], options[7 * PATH_MAX];
  struct stat st;
  snprintf(lower, sizeof lower, "%s/lower%u", scratch, count);
  snprintf(upper, sizeof upper, "%s/upper%u", scratch, count);
  snprintf(work, sizeof work, "%s/work%u", scratch, count++);
  if (mkdir(lower, 0755) || mkdir(upper, 0755) || mkdir(work, 0755)) giveUp("mkdir");
  cloneMount(path, lower);
  if (stat(lower, &st) || chown(upper, st.st_uid, st.st_gid) || chmod(upper, st.st_mode & 07777)) giveUp(path);
  snprintf(options, sizeof options, "lowerdir=%s,upperdir=%s,workdir=%s", lower, upper, work);
  const char *target = strcmp(path, "/") ? below(root, path) : root;
  makeFolders(target);
  mountOr("an overlay", "overlay", target, "overlay", 0, options);
}

// A folder of the base takes the place of one in the tree; it belongs to whoever runs the command, and lies on the real disk.
static void ownFolder(const char *name, const char *path, mode_t mode, uid_t user, gid_t group) {
  const char *own = below(tree->base, name), *target = below(root, path);
  if (mkdir(own, 0755) || chown(own, outside(user), outside(group)) || chmod(own, mode)) giveUp(own);
  makeFolders(target);
  mountOr(path, own, target, 0, MS_BIND, 0);
}

static void ownFolders(void) {
  ownFolder("home", "/tmp/home", 0755, tree->identity.user, tree->identity.group);
  for (unsigned at = 0; at < tree->folderCount; at++) {
    char name[16];
    snprintf(name, sizeof name, "folder%u", at);
    ownFolder(name, tree->folders[at], 0755, tree->identity.user, tree->identity.group);
  }
}

static void makeNode(const char *name, unsigned major, unsigned minor) {
  const char *path = below(root, name);
  if (mknod(path, S_IFCHR | 0666, makedev(major, minor)) || chmod(path, 0666) || chown(path, outside(0), outside(0))) giveUp(name);
}

static void makeDevices(void) {
  mountOr("/dev", "tmpfs", below(root, "dev"), "tmpfs", MS_NOSUID | MS_STRICTATIME, "mode=755,size=65536k");
  makeNode("dev/null", 1, 3);
  makeNode("dev/zero", 1, 5);
  makeNode("dev/full", 1, 7);
  makeNode("dev/random", 1, 8);
  makeNode("dev/urandom", 1, 9);
  makeNode("dev/tty", 5, 0);
  static const char *const links[][2] = {
    {"/proc/self/fd", "dev/fd"}, {"/proc/self/fd/0", "dev/stdin"}, {"/proc/self/fd/1", "dev/stdout"}, {"/proc/self/fd/2", "dev/stderr"},
    {"pts/ptmx", "dev/ptmx"},
  };
  for (size_t at = 0; at < sizeof links / sizeof *links; at++) if (symlink(links[at][0], below(root, links[at][1]))) giveUp(links[at][1]);
  if (mkdir(below(root, "dev/pts"), 0755) || mkdir(below(root, "dev/shm"), 01777)) giveUp("/dev");
  mountOr("/dev/pts", "devpts", below(root, "dev/pts"), "devpts", MS_NOSUID | MS_NOEXEC, "newinstance,ptmxmode=0666,mode=0620");
  mountOr("/dev/shm", "tmpfs", below(root, "dev/shm"), "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=1777,size=65536k");
}

static void mask(const char *path) {
  struct stat st;
  const char *target = below(root, path);
  if (stat(target, &st)) return; // not every kernel has it
  if (S_ISDIR(st.st_mode)) mountOr(path, "tmpfs", target, "tmpfs", MS_RDONLY, "size=0");
  else mountOr(path, "/dev/null", target, 0, MS_BIND, 0);
}

static void makeReadOnly(const char *path) {
  const char *target = below(root, path);
  if (access(target, F_OK)) return;
  mountOr(path, target, target, 0, MS_BIND | MS_REC, 0);
  mountOr(path, 0, target, 0, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, 0);
}

// The lists of runc's default configuration.
static void makeKernelFiles(void) {
  static const char *const masked[] = {
    "/proc/asound", "/proc/acpi", "/proc/interrupts", "/proc/kcore", "/proc/keys", "/proc/latency_stats", "/proc/timer_list",
    "/proc/timer_stats", "/proc/sched_debug", "/proc/scsi", "/sys/firmware", "/sys/devices/virtual/powercap",
  };
  static const char *const readOnly[] = {"/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"};
  mountOr("/proc", "proc", below(root, "proc"), "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, 0);
  mountOr("/sys", "sysfs", below(root, "sys"), "sysfs", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, 0);
  for (size_t at = 0; at < sizeof masked / sizeof *masked; at++) mask(masked[at]);
  for (size_t at = 0; at < sizeof readOnly / sizeof *readOnly; at++) makeReadOnly(readOnly[at]);
}

// Containers get these three as mounts of single files.
static void mountSingleFiles(void) {
  static const char *const names[] = {"hostname", "hosts", "resolv.conf"};
  for (size_t at = 0; at < sizeof names / sizeof *names; at++) {
    char target[2 * PATH_MAX];
    snprintf(target, sizeof target, "%s/etc/%s", root, names[at]);
    const char *own = below(tree->base, names[at]);
    int file = open(own, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file < 0 || dprintf(file, at == 0 ? "place\n" : at == 1 ? "127.0.0.1 localhost\n172.17.0.2 place\n" : "") < 0 || fchown(file, outside(0), outside(0))) giveUp(own);
    close(file);
    file = open(target, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (file >= 0) close(file);
    mountOr(names[at], own, target, 0, MS_BIND, 0);
  }
}

void enterTree(const struct tree *wanted) {
  char folder[PATH_MAX];
  tree = wanted;
  umask(022);
  if (!getcwd(folder, sizeof folder)) giveUp("getcwd");
  if (snprintf(scratch, sizeof scratch, "%s", below(tree->base, "scratch")) >= PATH_MAX) { errno = ENAMETOOLONG; giveUp(tree->base); }
  snprintf(root, sizeof root, "%s/root", scratch);
  mountOr("private mounts", 0, "/", 0, MS_REC | MS_PRIVATE, 0);
  if (mkdir(scratch, 0755)) giveUp(scratch);
  mountOr("memory for changes", "tmpfs", scratch, "tmpfs", 0, "mode=755,nr_inodes=0");
  if (mkdir(root, 0755)) giveUp(root);
  showFolder("/");
  // First, because what is shown may lie below it.
  ownFolder("tmp", "/tmp", 01777, 0, 0);
  for (unsigned at = 0; at < tree->shownCount; at++) showFolder(tree->shown[at]);
  makeDevices();
  makeKernelFiles();
  mountSingleFiles();
  ownFolders();
  if (sethostname("place", 5)) giveUp("sethostname");
  if (chdir(root) || syscall(SYS_pivot_root, ".", ".") || umount2(".", MNT_DETACH)) giveUp("pivot_root");
  if (chdir(folder) && chdir("/")) giveUp("chdir");
  if (!tree->mapsIds) return;
  if (setns(userNamespace, CLONE_NEWUSER)) giveUp("setns");
  if (setresgid(0, 0, 0) || setresuid(0, 0, 0)) giveUp("root of the container");
  close(userNamespace);
}
