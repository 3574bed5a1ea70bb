// canary: one process that owns everything a confined command could touch outside of files, and counts every touch.
//   canary DIRECTORY
// First line of output: `name=value` pairs that say how to reach it. Then, for every line read: its state, sorted, as
// `name=value` pairs. Whatever differs between two states was changed by somebody else.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static char secret[64] = "untouched secret in memory";
static volatile sig_atomic_t signals[65];
static int unixStream, nameService, unixDatagram, abstractStream, tcp, tcp6, udp, fifo, fullFifo, pipeEnds[2], terminal, slaveEnd = -1, sharedId, semaphoreId, messagesId;
static mqd_t queue = (mqd_t)-1;
static long key = -1;
static char *shared, *posixShared, directory[4096];

static void counted(int signal) { signals[signal]++; }

static void catchSignals(void) {
  struct sigaction action = {.sa_handler = counted, .sa_flags = SA_RESTART};
  for (int number = 1; number < 65; number++) sigaction(number, &action, 0);
}

static int unixAt(int kind, const char *path, int abstract) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int fd = socket(AF_UNIX, kind | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  snprintf(address.sun_path + abstract, sizeof address.sun_path - 1, "%s", path);
  socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + (size_t)abstract + strlen(path) + (abstract ? 0 : 1));
  if (bind(fd, (struct sockaddr *)&address, length)) return -1;
  if (kind == SOCK_STREAM) listen(fd, 64);
  return fd;
}

static int internet(int family, int kind, int *port) {
  struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
  struct sockaddr_in four = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int fd = socket(family, kind | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 8;
  if (kind == SOCK_STREAM) setsockopt(fd, IPPROTO_TCP, 23 /* TCP_FASTOPEN */, &on, sizeof on);
  if (bind(fd, family == AF_INET ? (void *)&four : (void *)&six, family == AF_INET ? sizeof four : sizeof six)) return -1;
  if (kind == SOCK_STREAM) listen(fd, 64);
  socklen_t length = sizeof six;
  getsockname(fd, (struct sockaddr *)&six, &length);
  *port = ntohs(six.sin6_port); // The port is at the same place in both.
  return fd;
}

static void openFiles(void) {
  char path[4200];
  snprintf(path, sizeof path, "%s/fifo", directory);
  mkfifo(path, 0666), chmod(path, 0666);
  fifo = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
  snprintf(path, sizeof path, "%s/full", directory);
  mkfifo(path, 0666), chmod(path, 0666);
  fullFifo = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (pipe2(pipeEnds, O_NONBLOCK | O_CLOEXEC) || write(fullFifo, "waiting bytes\n", 14) != 14 || write(pipeEnds[1], "waiting bytes\n", 14) != 14) perror("pipe");
  terminal = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (terminal >= 0 && (grantpt(terminal) || unlockpt(terminal))) perror("terminal");
}

static char ipcName[64];

static void openIpc(char *name, size_t size) {
  sharedId = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0666);
  shared = sharedId < 0 ? 0 : shmat(sharedId, 0, 0);
  if (shared && shared != (void *)-1) strcpy(shared, "untouched System V memory");
  semaphoreId = semget(IPC_PRIVATE, 1, IPC_CREAT | 0666);
  if (semaphoreId >= 0) semctl(semaphoreId, 0, SETVAL, 5);
  messagesId = msgget(IPC_PRIVATE, IPC_CREAT | 0666);
  struct { long type; char text[16]; } message = {1, "untouched"};
  if (messagesId >= 0) msgsnd(messagesId, &message, sizeof message.text, IPC_NOWAIT);
  // One that was killed leaves its name, and process numbers come again.
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  snprintf(ipcName, sizeof ipcName, "/foretell-%d-%lx%09lx", (int)getpid(), (long)now.tv_sec, now.tv_nsec);
  snprintf(name, size, "%s", ipcName);
  struct mq_attr attributes = {.mq_maxmsg = 4, .mq_msgsize = 16};
  queue = mq_open(name, O_RDWR | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0666, &attributes);
  if (queue != (mqd_t)-1) mq_send(queue, "untouched", 10, 1);
  int fd = shm_open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0 || ftruncate(fd, 4096)) return;
  posixShared = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  strcpy(posixShared, "untouched POSIX memory");
  close(fd);
}

static void removeIpc(void) {
  if (sharedId >= 0) shmctl(sharedId, IPC_RMID, 0);
  if (semaphoreId >= 0) semctl(semaphoreId, 0, IPC_RMID);
  if (messagesId >= 0) msgctl(messagesId, IPC_RMID, 0);
  mq_unlink(ipcName), shm_unlink(ipcName);
  if (key >= 0) syscall(SYS_keyctl, 3 /* KEYCTL_REVOKE */, key), syscall(SYS_keyctl, 9 /* KEYCTL_UNLINK */, key, -4);
}

static int accepted(int *total, int fd) {
  for (int peer; (peer = accept(fd, 0, 0)) >= 0; close(peer)) ++*total;
  return *total;
}

static long drained(long *total, int fd) {
  char bytes[65536];
  for (ssize_t got; (got = read(fd, bytes, sizeof bytes)) >= 0;) { *total += got ? got : 1; if (!got) break; }
  return *total;
}

static int waiting(int fd) { int count = -1; ioctl(fd, FIONREAD, &count); return count; }

// One line of /proc/self/<file> that starts with `label`.
static void sayLine(const char *file, const char *label, const char *as) {
  char path[64], line[512];
  snprintf(path, sizeof path, "/proc/self/%s", file);
  FILE *stream = fopen(path, "re");
  if (!stream) return;
  while (fgets(line, sizeof line, stream))
    if (!strncmp(line, label, strlen(label))) { line[strcspn(line, "\n")] = 0; printf("%s=%s\n", as, line + strlen(label)); break; }
  fclose(stream);
}

static void sayTerminal(void) {
  struct termios settings;
  struct winsize size;
  if (slaveEnd < 0 || tcgetattr(slaveEnd, &settings) || ioctl(slaveEnd, TIOCGWINSZ, &size)) return;
  printf("terminal.settings=%x %x %x %x, %d x %d\n", settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag, size.ws_col, size.ws_row);
}

static void sayProcess(void) {
  cpu_set_t cpus;
  struct rlimit limit;
  sched_getaffinity(0, sizeof cpus, &cpus);
  printf("process.nice=%d\nprocess.scheduler=%d\nprocess.cpus=%d\n", getpriority(PRIO_PROCESS, 0), sched_getscheduler(0), CPU_COUNT(&cpus));
  printf("process.ioprio=%ld\nprocess.secret=%s\n", syscall(SYS_ioprio_get, 1, 0), secret);
  for (int which = 0; which < RLIM_NLIMITS; which++)
    if (!getrlimit(which, &limit)) printf("process.limit.%d=%llx/%llx\n", which, (unsigned long long)limit.rlim_cur, (unsigned long long)limit.rlim_max);
  sayLine("oom_score_adj", "", "process.oomScoreAdj");
  sayLine("coredump_filter", "", "process.coredumpFilter");
  sayLine("comm", "", "process.comm");
  sayLine("autogroup", "", "process.autogroup");
  sayLine("timerslack_ns", "", "process.timerslack");
  sayLine("status", "TracerPid:", "process.tracer");
  sayLine("cgroup", "0::", "process.cgroup");
  for (int number = 1; number < 65; number++)
    if (number != SIGCHLD) printf("process.signal.%02d=%d\n", number, (int)signals[number]);
}

static void sayIpc(void) {
  struct shmid_ds memory;
  struct msqid_ds messages;
  struct mq_attr attributes;
  struct stat named;
  char path[128];
  struct semid_ds semaphore;
  char text[64] = "";
  if (!shmctl(sharedId, IPC_STAT, &memory)) printf("ipc.shm=%s %d attached, mode %o, by %d\n", shared, (int)memory.shm_nattch, memory.shm_perm.mode, memory.shm_lpid);
  else printf("ipc.shm=gone\n");
  if (!semctl(semaphoreId, 0, IPC_STAT, &semaphore)) printf("ipc.sem=%d, mode %o\n", semctl(semaphoreId, 0, GETVAL), semaphore.sem_perm.mode);
  else printf("ipc.sem=gone\n");
  if (!msgctl(messagesId, IPC_STAT, &messages)) printf("ipc.msg=%d messages, mode %o\n", (int)messages.msg_qnum, messages.msg_perm.mode);
  else printf("ipc.msg=gone\n");
  if (!mq_getattr(queue, &attributes)) printf("ipc.mq=%d messages, flags %ld\n", (int)attributes.mq_curmsgs, attributes.mq_flags);
  mqd_t again = mq_open(ipcName, O_RDONLY | O_CLOEXEC);
  printf("ipc.mqName=%s\n", again == (mqd_t)-1 ? "gone" : "there");
  if (again != (mqd_t)-1) mq_close(again);
  snprintf(path, sizeof path, "/dev/shm%s", ipcName);
  printf("ipc.posixShmName=%s\n", lstat(path, &named) ? "gone" : "there");
  printf("ipc.posixShm=%s\n", posixShared ? posixShared : "none");
  printf("ipc.key=%ld %s\n", key < 0 ? -1 : syscall(SYS_keyctl, 11 /* KEYCTL_READ */, key, text, sizeof text - 1), text);
}

static void sayState(void) {
  static int connections[6];
  static long bytes[4];
  printf("net.unix=%d\nnet.abstract=%d\n", accepted(&connections[0], unixStream), accepted(&connections[1], abstractStream));
  printf("net.tcp=%d\nnet.tcp6=%d\n", accepted(&connections[2], tcp), tcp6 < 0 ? 0 : accepted(&connections[3], tcp6));
  printf("net.nameService=%d\n", accepted(&connections[4], nameService));
  printf("net.udp=%ld\nnet.unixDatagram=%ld\n", drained(&bytes[0], udp), drained(&bytes[1], unixDatagram));
  printf("fifo.bytes=%ld\nfifo.waiting=%d\npipe.waiting=%d\n", drained(&bytes[2], fifo), waiting(fullFifo), waiting(pipeEnds[0]));
  if (terminal >= 0) printf("terminal.bytes=%ld\nterminal.typed=%d\n", drained(&bytes[3], terminal), waiting(slaveEnd));
  sayTerminal();
  sayProcess();
  sayIpc();
  printf(".\n");
  fflush(stdout);
}

// The handle names the file whatever is mounted over it: what open_by_handle_at(2) needs.
static void sayHandle(const char *path) {
  union { struct file_handle handle; char room[sizeof(struct file_handle) + MAX_HANDLE_SZ]; } file = {.handle.handle_bytes = MAX_HANDLE_SZ};
  int mountId;
  if (name_to_handle_at(AT_FDCWD, path, &file.handle, &mountId, 0)) { printf("HANDLE=\n"); return; }
  printf("HANDLE=%d:", file.handle.handle_type);
  for (unsigned at = 0; at < file.handle.handle_bytes; at++) printf("%02x", file.handle.f_handle[at]);
  printf("\n");
}

int main(int count, char **arguments) {
  char path[4200], name[64], slave[128] = "";
  int ports[3] = {0};
  if (count < 2) return 2;
  snprintf(directory, sizeof directory, "%s", arguments[1]);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_DUMPABLE, 1); // PDEATHSIG and a change of user clear it; an ordinary process of the user has it.
  catchSignals();
  snprintf(path, sizeof path, "%s/listen.sock", directory);
  unixStream = unixAt(SOCK_STREAM, path, 0), chmod(path, 0777);
  snprintf(path, sizeof path, "%s/nscd", directory), mkdir(path, 0755);
  snprintf(path, sizeof path, "%s/nscd/socket", directory);
  nameService = unixAt(SOCK_STREAM, path, 0), chmod(path, 0777);
  snprintf(path, sizeof path, "%s/datagram.sock", directory);
  unixDatagram = unixAt(SOCK_DGRAM, path, 0), chmod(path, 0777);
  snprintf(name, sizeof name, "foretell-%d", (int)getpid());
  abstractStream = unixAt(SOCK_STREAM, name, 1);
  tcp = internet(AF_INET, SOCK_STREAM, &ports[0]);
  tcp6 = internet(AF_INET6, SOCK_STREAM, &ports[1]);
  udp = internet(AF_INET, SOCK_DGRAM, &ports[2]);
  openFiles();
  openIpc(path, sizeof path);
  key = syscall(SYS_add_key, "user", name, "untouched key", 13, -4 /* the user's keyring */);
  if (terminal >= 0 && ptsname_r(terminal, slave, sizeof slave)) slave[0] = 0;
  if (*slave && (slaveEnd = open(slave, O_RDWR | O_NOCTTY | O_CLOEXEC)) < 0) perror(slave);
  if (*slave) chmod(slave, 0622);
  printf("PID=%d\nADDR=%lu\nPIPE_FD=%d\nABSTRACT=%s\nTCP_PORT=%d\nTCP6_PORT=%d\nUDP_PORT=%d\n", (int)getpid(), (unsigned long)secret, pipeEnds[0], name, ports[0], ports[1], ports[2]);
  printf("SHM_ID=%d\nSEM_ID=%d\nMSG_ID=%d\nIPC_NAME=%s\nKEY=%ld\nPTY=%s\n", sharedId, semaphoreId, messagesId, path, key, slave);
  snprintf(path, sizeof path, "%s/byHandle", directory);
  sayHandle(path);
  printf(".\n");
  fflush(stdout);
  char byte;
  for (ssize_t got; (got = read(0, &byte, 1)) != 0;) {
    if (got < 0 && errno != EINTR) break;
    if (got == 1 && byte == '\n') sayState();
  }
  removeIpc();
  return 0;
}
