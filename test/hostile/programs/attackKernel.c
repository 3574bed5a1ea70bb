// Attacks on the kernel's own state, and on the filter: other ways to make a call.
#include "attack.h"
#include <linux/bpf.h>
#include <linux/io_uring.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/klog.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <time.h>
#include <mqueue.h>

static void bpf(void) {
  union bpf_attr attributes = {.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1};
  tell("bpf", syscall(SYS_bpf, BPF_MAP_CREATE, &attributes, sizeof attributes));
}

static void userfaultfd(void) {
  tell("userfaultfd", syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY));
  tell("userfaultfd for the kernel", syscall(SYS_userfaultfd, O_CLOEXEC));
}

// io_uring does its calls without asking the filter.
static void ioUring(void) {
  struct io_uring_params parameters = {0};
  int ring = (int)syscall(SYS_io_uring_setup, 4, &parameters);
  if (tell("io_uring_setup", ring) < 0) return;
  char *submit = mmap(0, parameters.sq_off.array + 4 * sizeof(unsigned), PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQ_RING);
  struct io_uring_sqe *entries = mmap(0, 4 * sizeof *entries, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQES);
  if (submit == MAP_FAILED || entries == MAP_FAILED) return;
  entries[0] = (struct io_uring_sqe){.opcode = IORING_OP_OPENAT, .fd = AT_FDCWD, .addr = (unsigned long)aim("VICTIM"), .open_flags = O_WRONLY | O_TRUNC};
  *(unsigned *)(submit + parameters.sq_off.array) = 0;
  __atomic_store_n((unsigned *)(submit + parameters.sq_off.tail), 1, __ATOMIC_RELEASE);
  tell("io_uring_enter", syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, 0, 0));
}

static void keys(void) {
  char name[64];
  snprintf(name, sizeof name, "foretell-%s", aim("PID"));
  tell("add_key", syscall(SYS_add_key, "user", name, "attacked", 8, -4));
  tell("request_key", syscall(SYS_request_key, "user", name, 0, 0));
  tell("keyctl revoke", syscall(SYS_keyctl, 3, aimNumber("KEY"), 0, 0, 0));
  tell("keyctl join", syscall(SYS_keyctl, 1, 0, 0, 0, 0));
}

static void otherKernelDoors(void) {
  char attributes[128] = {0};
  tell("perf_event_open", syscall(SYS_perf_event_open, attributes, 0, -1, -1, 0));
  tell("kexec_load", syscall(SYS_kexec_load, 0, 0, 0, 4 /* no such flag */));
  tell("init_module", syscall(SYS_init_module, attributes, 16, ""));
  tell("delete_module", syscall(SYS_delete_module, "foretell_none", O_NONBLOCK));
  tell("reboot: keyboard off", syscall(SYS_reboot, 0xfee1dead, 672274793, 0 /* Ctrl-Alt-Del sends a signal */, 0));
#ifdef __x86_64__
  tell("iopl", syscall(SYS_iopl, 3));
  tell("ioperm", syscall(SYS_ioperm, 0x80, 1, 1));
#endif
  tell("syslog: size", syscall(SYS_syslog, 8 /* console level */, 0, 4));
  tell("vhangup", getenv("HARMLESS") ? -1 : syscall(SYS_vhangup));
}

static void clocks(void) {
  struct timeval now;
  struct timespec real;
  struct timezone zone = {0, 0};
  struct timex tuning = {.modes = ADJ_ESTERROR, .esterror = 123456};
  gettimeofday(&now, 0);
  clock_gettime(CLOCK_REALTIME, &real);
  tell("settimeofday", settimeofday(&now, &zone));
  clock_gettime(CLOCK_REALTIME, &real);
  tell("clock_settime", clock_settime(CLOCK_REALTIME, &real));
  tell("adjtimex", adjtimex(&tuning) < 0 ? -1 : 0);
}

static void names(void) {
  tell("sethostname", sethostname("attacked", 8));
  tell("setdomainname", setdomainname("attacked", 8));
}

static void systemV(void) {
  char *memory = shmat((int)aimNumber("SHM_ID"), 0, 0);
  if (tell("shmat", memory == (void *)-1 ? -1 : 0) >= 0) strcpy(memory, "attacked");
  union { int value; } five = {9};
  tell("semctl", semctl((int)aimNumber("SEM_ID"), 0, SETVAL, five));
  struct sembuf down = {0, -1, IPC_NOWAIT};
  tell("semop", semop((int)aimNumber("SEM_ID"), &down, 1));
  struct { long type; char text[16]; } message = {2, "attack"};
  tell("msgsnd", msgsnd((int)aimNumber("MSG_ID"), &message, 16, IPC_NOWAIT));
  tell("msgrcv", msgrcv((int)aimNumber("MSG_ID"), &message, 16, 0, IPC_NOWAIT));
}

static void systemVRemove(void) {
  tell("remove shm", shmctl((int)aimNumber("SHM_ID"), IPC_RMID, 0));
  tell("remove sem", semctl((int)aimNumber("SEM_ID"), 0, IPC_RMID));
  tell("remove msg", msgctl((int)aimNumber("MSG_ID"), IPC_RMID, 0));
  tell("new shm", shmget(0x46540000 + getpid(), 4096, IPC_CREAT | 0600));
}

static void posixQueues(void) {
  mqd_t queue = mq_open(aim("IPC_NAME"), O_RDWR | O_NONBLOCK);
  if (tell("mq_open", queue) >= 0) {
    tell("mq_send", mq_send(queue, "attack", 7, 0));
  }
  tell("mq_unlink", mq_unlink(aim("IPC_NAME")));
}

static void posixMemory(void) {
  char path[128];
  snprintf(path, sizeof path, "/dev/shm%s", aim("IPC_NAME"));
  int fd = open(path, O_RDWR);
  if (tell("open shared memory", fd) < 0) return;
  char *memory = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory != MAP_FAILED) strcpy(memory, "attacked");
  tell("unlink shared memory", unlink(path));
}

// ---- around the filter ----

#ifdef __x86_64__
static long call32(long number, long first, long second, long third) {
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(first), "c"(second), "d"(third) : "memory", "r8", "r9", "r10", "r11");
  if (result < 0) { errno = (int)-result; return -1; }
  return result;
}

static void calls32(void) {
  char *low = mmap((void *)0x10000000, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (low == MAP_FAILED) return;
  snprintf(low, 4096, "%s", aim("VICTIM"));
  tell("32-bit chmod", call32(15, (long)low, 0600, 0));
  tell("32-bit open", call32(5, (long)low, O_WRONLY | O_TRUNC, 0));
  tell("32-bit kill", call32(37, aimNumber("PID"), 10, 0));
  tell("32-bit unshare", call32(310, 0x10000000, 0, 0));
  snprintf(low + 4096, 4096, "%s", aim("EVIL"));
  tell("32-bit unlink", call32(10, (long)low, 0, 0));
  tell("32-bit execve", call32(11, (long)low + 4096, 0, 0));
}

// Whether the kernel answers 32-bit calls at all (one built or started without them ends the program instead).
static void has32(void) { tell("32-bit getpid", call32(20, 0, 0, 0)); }

static void callsX32(void) {
  const long x32 = 0x40000000;
  tell("x32 chmod", syscall(x32 | SYS_chmod, aim("VICTIM"), 0600));
  tell("x32 open", syscall(x32 | SYS_open, aim("VICTIM"), O_WRONLY | O_TRUNC));
  tell("x32 kill", syscall(x32 | SYS_kill, aimNumber("PID"), 10));
  tell("x32 unlink", syscall(x32 | SYS_unlink, aim("VICTIM")));
  tell("x32 ptrace", syscall(x32 | 521, 16, aimNumber("PID"), 0, 0));
  tell("x32 execve", syscall(x32 | 520, aim("EVIL"), 0, 0));
}
#else
static void calls32(void) { puts("not on this processor"); }
static void callsX32(void) { puts("not on this processor"); }
static void has32(void) { puts("not on this processor"); }
#endif

// Numbers that no kernel had when the filter was written must be refused where only what is known may pass.
static void unknownCalls(void) {
  for (long number = 470; number < 600; number++) {
    errno = 0;
    if (syscall(number, -1, -1, -1, -1, -1, -1) >= 0) printf("HIT call %ld\n", number);
  }
  fflush(stdout);
}

static void memoryFile(void) {
  char bytes[65536], *arguments[] = {"memory", 0};
  int from = open(aim("EVIL"), O_RDONLY), to = (int)syscall(SYS_memfd_create, "x", 0);
  for (ssize_t got; (got = read(from, bytes, sizeof bytes)) > 0;) if (write(to, bytes, (size_t)got) != got) return;
  tell("execveat", syscall(SYS_execveat, to, "", arguments, environ, AT_EMPTY_PATH));
}

static void filterOff(void) {
  tell("seccomp listener", syscall(SYS_seccomp, 1, 8 /* NEW_LISTENER */, 0));
  tell("seccomp strict off", syscall(SYS_seccomp, 0, 0, 0) ? -1 : 0);
}

const struct attack kernelAttacks[] = {
  {"bpf", bpf}, {"userfaultfd", userfaultfd}, {"ioUring", ioUring}, {"keys", keys}, {"otherKernelDoors", otherKernelDoors}, {"clocks", clocks},
  {"names", names}, {"systemV", systemV}, {"systemVRemove", systemVRemove}, {"posixQueues", posixQueues}, {"posixMemory", posixMemory},
  {"calls32", calls32}, {"has32", has32}, {"callsX32", callsX32}, {"unknownCalls", unknownCalls}, {"memoryFile", memoryFile}, {"filterOff", filterOff}, {0, 0},
};
