#define _GNU_SOURCE
#include "command.h"
#include "answer.h"
#include "filter.h"
#include "handedSockets.h"
#include "landlock.h"
#include "locks.h"
#include "older.h"
#include "scratch.h"
#include "shared.h"
#include "view.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int releasePipe[2];
static const char *startsIn;
static struct rlimit inheritedFiles;

void raiseOwnLimits(void) {
  if (getrlimit(RLIMIT_NOFILE, &inheritedFiles) != 0) return;
  struct rlimit more = {inheritedFiles.rlim_max, inheritedFiles.rlim_max};
  setrlimit(RLIMIT_NOFILE, &more);
}

// ---- in the child ----

_Noreturn static void fail(int status, const char *step) {
  struct startFailure failure = {.error = errno};
  snprintf(failure.step, sizeof failure.step, "%s", step);
  if (write(status, &failure, sizeof failure) < 0) _exit(126);
  _exit(127);
}

static uint64_t bit(int capability) { return 1ull << capability; }

// As root the command keeps what concerns files only; everything else could reach the machine.
static uint64_t keptCapabilities(void) {
  if (!view.copies) return geteuid() == 0 ? bit(CAP_DAC_READ_SEARCH) | bit(CAP_DAC_OVERRIDE) | bit(CAP_SYS_PTRACE) : 0;
  if (!view.asRoot) return 0;
  return bit(CAP_CHOWN) | bit(CAP_DAC_OVERRIDE) | bit(CAP_DAC_READ_SEARCH) | bit(CAP_FOWNER) | bit(CAP_FSETID) | bit(CAP_SETUID) | bit(CAP_SETGID) | bit(CAP_SETFCAP) | bit(CAP_MKNOD) | bit(CAP_KILL) | bit(CAP_NET_BIND_SERVICE);
}

static void dropCapabilities(int status) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct sets[2];
  if (syscall(SYS_capget, &header, sets) != 0) fail(status, "capget");
  uint64_t permitted = (uint64_t)sets[1].permitted << 32 | sets[0].permitted, kept = keptCapabilities() & permitted;
  if (permitted & bit(CAP_SETPCAP))
    for (int i = 0; i < 64; i++)
      // EINVAL: more than this kernel knows.
      if (!(kept & bit(i)) && prctl(PR_CAPBSET_DROP, i, 0, 0, 0) != 0 && errno != EINVAL) fail(status, "capability bounding set");
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  for (int i = 0; i < 2; i++) sets[i] = (struct __user_cap_data_struct){(uint32_t)(kept >> 32 * i), (uint32_t)(kept >> 32 * i), 0};
  if (syscall(SYS_capset, &header, sets) != 0) fail(status, "capset");
}

// Somebody may have asked for it (setarch -X): then a library is executable however it is mapped, and no rule of the filter sees it.
static void keepDataData(void) {
  int now = personality(0xffffffff);
  if (now >= 0 && (now & READ_IMPLIES_EXEC)) personality((unsigned)now & ~(unsigned)READ_IMPLIES_EXEC);
}

static void setLimits(int status) {
  struct rlimit core;
  if (getrlimit(RLIMIT_CORE, &core) != 0) fail(status, "core limit");
  // One byte is too few for a file, and the only limit at which the kernel does not hand a crash to the program of core_pattern (core(5)).
  core.rlim_cur = core.rlim_max < 1 ? core.rlim_max : 1;
  if (setrlimit(RLIMIT_CORE, &core) != 0) fail(status, "core limit");
  if (setrlimit(RLIMIT_NOFILE, &inheritedFiles) != 0) fail(status, "open files limit");
}

static void takeTerminal(int status, int terminal) {
  if (ioctl(terminal, TIOCSCTTY, 0) != 0) fail(status, "controlling terminal");
}

static int executeIn(const struct run *run, const char *name, const char *path) {
  int error = ENOENT;
  for (const char *end; *path; path = *end ? end + 1 : end) {
    char full[PATH_MAX];
    end = strchrnul(path, ':');
    snprintf(full, sizeof full, "%.*s/%s", (int)(end - path), path, name);
    execve(full, run->argv.items, run->env.items);
    if (errno != ENOENT && errno != ENOTDIR) error = errno;
  }
  return error;
}

// execvp(3), with the command's own PATH. Who has an empty one has a shell all the same.
static void execute(const struct run *run) {
  const char *name = run->argv.items[0], *usual = "/usr/local/bin:/usr/bin:/bin", *path = usual;
  if (strchr(name, '/')) { execve(name, run->argv.items, run->env.items); return; }
  for (uint32_t i = 0; i < run->env.count; i++)
    if (!strncmp(run->env.items[i], "PATH=", 5)) path = run->env.items[i] + 5;
  int error = executeIn(run, name, path);
  errno = error == ENOENT ? executeIn(run, name, usual) : error;
}

_Noreturn static void becomeCommand(const struct run *run, const int descriptors[3], bool terminal, int status) {
  char go;
  close(releasePipe[1]);
  if (read(releasePipe[0], &go, 1) != 1) _exit(127); // the tracer is gone
  offerSockets();
  if (setsid() < 0) fail(status, "setsid");
  if (terminal) takeTerminal(status, descriptors[0]);
  int high = fcntl(status, F_DUPFD_CLOEXEC, 50);
  if (high < 0) fail(status, "descriptors");
  status = high;
  int high3[3];
  for (int i = 0; i < 3; i++)
    if ((high3[i] = fcntl(descriptors[i], F_DUPFD_CLOEXEC, 50)) < 0) fail(status, "descriptors");
  for (int i = 0; i < 3; i++)
    if (dup2(high3[i], i) < 0) fail(status, "descriptors");
  if (dup2(status, 3) < 0 || fcntl(3, F_SETFD, FD_CLOEXEC) != 0) fail(status, "descriptors");
  status = 3;
  if (view.copies) awaitLeases(); // the filter depends on them
  if (!closeFrom(4)) fail(status, "closing descriptors");
  if (chdir(startsIn) != 0) fail(status, "chdir");
  if (run->umask != 0xffff) umask(run->umask);
  setLimits(status);
  keepDataData();
  dropCapabilities(status);
  signal(SIGPIPE, SIG_DFL);
  signal(SIGCHLD, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, 0);
  if (view.supervised && view.landlocked && !confineWrites(scratchRoot())) fail(status, "landlock");
  int error = view.supervised ? installSupervisedFilter() : view.copies ? installCopyFilter() : installLookFilter();
  if (error) { errno = -error; fail(status, "seccomp"); }
  execute(run);
  fail(status, "execve");
}

// ---- in the tracer ----

static bool openStandard(const struct run *run, struct command *command, int child[3], const char **step) {
  int in[2] = {-1, -1}, out[2] = {-1, -1}, error[2] = {-1, -1};
  if (run->columns) {
    struct winsize size = {.ws_col = run->columns, .ws_row = run->rows};
    int master, slave;
    *step = "terminal";
    if (openpty(&master, &slave, 0, 0, &size) != 0) return false;
    fcntl(master, F_SETFD, FD_CLOEXEC);
    fcntl(slave, F_SETFD, FD_CLOEXEC);
    child[0] = child[1] = child[2] = slave;
    command->output[0] = command->input = master;
    command->output[1] = -1;
    struct stat st;
    if (fstat(slave, &st) != 0) return false;
    command->terminalDevice = st.st_rdev;
    if (ttyname_r(slave, command->terminalName, sizeof command->terminalName) != 0) return false;
    if (view.copies) showTerminal(command->terminalName);
    command->terminal = true;
    return true;
  }
  if (view.copies) hideTerminal();
  *step = "pipe";
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(error, O_CLOEXEC) != 0) return false;
  if (run->stdinKind == 1) {
    if (pipe2(in, O_CLOEXEC) != 0) return false;
    fcntl(in[1], F_SETFL, O_NONBLOCK);
  } else {
    *step = "/dev/null";
    in[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (in[0] < 0) return false;
  }
  child[0] = in[0]; child[1] = out[1]; child[2] = error[1];
  command->output[0] = out[0];
  command->output[1] = error[0];
  command->input = in[1];
  return true;
}

bool startCommand(const struct run *run, struct command *command, const char **step) {
  int child[3], status[2];
  *command = (struct command){.output = {-1, -1}, .input = -1};
  if (!openStandard(run, command, child, step)) return false;
  *step = "pipe";
  if (pipe2(status, O_CLOEXEC) != 0 || pipe2(releasePipe, O_CLOEXEC) != 0) return false;
  startsIn = view.supervised ? realDirectory(run->cwd) : run->cwd;
  if (view.supervised) keepSharedFromChildren();
  prepareSockets();
  *step = "fork";
  command->pid = fork();
  if (command->pid < 0) return false;
  if (command->pid == 0) becomeCommand(run, child, command->terminal, status[1]);
  close(status[1]);
  close(releasePipe[0]);
  close(child[0]);
  if (!command->terminal) { close(child[1]); close(child[2]); }
  command->status = status[0];
  return true;
}

uint16_t ownMask(void) {
  mode_t mask = umask(0);
  umask(mask);
  return (uint16_t)mask;
}

void releaseCommand(struct command *command) {
  (void)command;
  if (write(releasePipe[1], "x", 1) != 1) _exit(123);
  close(releasePipe[1]);
  takeSockets();
}
