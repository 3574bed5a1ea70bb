// Attacks on the mounts that make the view, and on the namespaces: out of the root, into another namespace.
#include "attack.h"
#include <linux/mount.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <sys/fanotify.h>
#include <sys/mount.h>
#include <sys/quota.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/wait.h>

static const char text[] = "written by an attack\n";

// Is the canary's file the real one here? MARK is a text that only the real file has, at a path hidden from the view.
static void touchFrom(int directory, const char *how) {
  int fd = openat(directory, aim("VICTIM") + 1, O_WRONLY | O_APPEND);
  if (tell(how, fd) >= 0) tell("write", write(fd, text, sizeof text - 1));
  if (fd >= 0) close(fd);
}

static void chrootEscape(void) {
  char path[4200];
  int before = open("/", O_RDONLY | O_DIRECTORY);
  snprintf(path, sizeof path, "%s/jail", aim("VIEW"));
  mkdir(path, 0755);
  if (tell("chroot", chroot(path)) < 0) return;
  if (fchdir(before)) return;
  for (int step = 0; step < 64; step++) if (chdir("..")) break;
  tell("chroot back", chroot("."));
  touchFrom(AT_FDCWD, "outside by chroot");
}

static void otherRoots(void) {
  const char *links[] = {"root", "cwd"};
  char path[128];
  for (int which = 0; which < 2; which++)
    for (int at = 0; at < 3; at++) {
      long pid = at == 0 ? aimNumber("PID") : at == 1 ? 1 : getppid();
      snprintf(path, sizeof path, "/proc/%ld/%s", pid, links[which]);
      int directory = open(path, O_RDONLY | O_DIRECTORY);
      if (at == 2 || tell(path, directory) < 0) continue;
      touchFrom(directory, "file below it");
      close(directory);
    }
}

static void mounting(void) {
  const char *view = aim("VIEW");
  tell("mount tmpfs", mount("tmpfs", view, "tmpfs", 0, 0));
  tell("bind mount", mount(aim("OUTSIDE"), view, 0, MS_BIND, 0));
  tell("remount", mount(0, "/", 0, MS_REMOUNT | MS_BIND, 0));
  tell("make shared", mount(0, "/", 0, MS_REC | MS_SHARED, 0));
  tell("mount proc", mount("proc", view, "proc", 0, 0));
  tell("mount sysfs", mount("sysfs", view, "sysfs", 0, 0));
  tell("mount cgroup", mount("cgroup", view, "cgroup2", 0, 0));
  tell("mount the device", mount("/dev/vda", view, "ext4", MS_RDONLY, 0));
  tell("pivot_root", syscall(SYS_pivot_root, ".", "."));
  tell("fsopen", syscall(SYS_fsopen, "tmpfs", 0));
  tell("fspick", syscall(SYS_fspick, AT_FDCWD, "/", 0));
  tell("open_tree", syscall(SYS_open_tree, AT_FDCWD, "/", OPEN_TREE_CLONE));
  tell("move_mount", syscall(SYS_move_mount, AT_FDCWD, "/tmp", AT_FDCWD, view, 0));
  struct mount_attr attributes = {.attr_clr = MOUNT_ATTR_RDONLY};
  tell("mount_setattr", syscall(SYS_mount_setattr, AT_FDCWD, "/", 0x8000, &attributes, sizeof attributes));
}

// Below an overlay lies the real directory.
static void unmounting(void) {
  const char *paths[] = {"/tmp", "/home", "/proc", "/dev", "/etc", "/"};
  for (unsigned at = 0; at < sizeof paths / sizeof *paths; at++) {
    tell("umount", umount2(paths[at], MNT_DETACH));
    tell("umount", umount2(paths[at], 0));
  }
  touchFrom(open("/", O_RDONLY | O_DIRECTORY), "below the mounts");
}

static void unsharing(void) {
  tell("unshare user", unshare(CLONE_NEWUSER));
  tell("unshare mounts", unshare(CLONE_NEWNS));
  tell("unshare pids", unshare(CLONE_NEWPID));
  tell("unshare network", unshare(CLONE_NEWNET));
  tell("mount after unshare", mount("tmpfs", aim("VIEW"), "tmpfs", 0, 0));
}

static void cloning(void) {
  struct clone_args arguments = {.flags = CLONE_NEWUSER | CLONE_NEWNS, .exit_signal = SIGCHLD};
  long pid = syscall(SYS_clone, CLONE_NEWUSER | CLONE_NEWNS | SIGCHLD, 0, 0, 0, 0);
  if (pid == 0) { tell("mount in a cloned namespace", mount("tmpfs", "/tmp", "tmpfs", 0, 0)); touchFrom(AT_FDCWD, "x"); _exit(0); }
  tell("clone user", pid);
  pid = syscall(SYS_clone3, &arguments, sizeof arguments);
  if (pid == 0) { tell("mount in a cloned namespace", mount("tmpfs", "/tmp", "tmpfs", 0, 0)); _exit(0); }
  tell("clone3 user", pid);
  while (wait(0) > 0) {}
}

static void joining(void) {
  const char *kinds[] = {"user", "mnt", "net", "pid", "ipc", "uts", "cgroup", "time"};
  char path[128];
  for (int who = 0; who < 2; who++)
    for (unsigned at = 0; at < sizeof kinds / sizeof *kinds; at++) {
      snprintf(path, sizeof path, "/proc/%ld/ns/%s", who ? 1L : aimNumber("PID"), kinds[at]);
      int fd = open(path, O_RDONLY);
      tell(path, fd < 0 ? -1 : setns(fd, 0));
    }
  int pidfd = (int)syscall(SYS_pidfd_open, (int)aimNumber("PID"), 0);
  tell("setns by pidfd", pidfd < 0 ? -1 : setns(pidfd, CLONE_NEWNS | CLONE_NEWUSER));
  touchFrom(AT_FDCWD, "after setns");
}

static void systemFiles(void) {
  tell("swapon", swapon(aim("VICTIM"), 0));
  tell("acct", syscall(SYS_acct, aim("VICTIM")));
  tell("acct off", getenv("HARMLESS") ? -1 : syscall(SYS_acct, 0));
  tell("quotactl", quotactl(QCMD(Q_SYNC, USRQUOTA), 0, 0, 0));
  tell("fanotify", fanotify_init(FAN_CLASS_PRE_CONTENT, O_RDONLY));
}

// Out of the view with a name: links to what lies outside, and dots above the root.
static void dots(void) {
  char path[8400], up[512] = "";
  for (int step = 0; step < 64; step++) strcat(up, "../");
  snprintf(path, sizeof path, "%s%s", up, aim("VICTIM") + 1);
  int fd = open(path, O_WRONLY | O_APPEND);
  if (fd >= 0) printf("wrote %zd\n", write(fd, text, sizeof text - 1));
  snprintf(path, sizeof path, "/proc/self/root/%s%s", up, aim("VICTIM") + 1);
  fd = open(path, O_WRONLY | O_APPEND);
  if (fd >= 0) printf("wrote %zd\n", write(fd, text, sizeof text - 1));
}

const struct attack mountAttacks[] = {
  {"chrootEscape", chrootEscape}, {"otherRoots", otherRoots}, {"mounting", mounting}, {"unmounting", unmounting}, {"unsharing", unsharing},
  {"cloning", cloning}, {"joining", joining}, {"systemFiles", systemFiles}, {"dots", dots}, {0, 0},
};
