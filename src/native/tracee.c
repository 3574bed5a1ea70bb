#define _GNU_SOURCE
#include "tracee.h"
#include "handedSockets.h"
#include "older.h"
#include "place.h"
#include "view.h"
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <unistd.h>

enum { BUCKETS = 1024 };
static struct tracee *buckets[BUCKETS];
static uint32_t count;

struct tracee *findTracee(pid_t tid) {
  struct tracee *tracee = buckets[tid % BUCKETS];
  while (tracee && tracee->tid != tid) tracee = tracee->next;
  return tracee;
}

struct tracee *ensureTracee(pid_t tid) {
  struct tracee *tracee = findTracee(tid);
  if (tracee) return tracee;
  tracee = calloc(1, sizeof *tracee);
  if (!tracee) _exit(122);
  tracee->tid = tid;
  tracee->next = buckets[tid % BUCKETS];
  buckets[tid % BUCKETS] = tracee;
  count++;
  return tracee;
}

// Of whom descriptors were looked at last: most stops in a row are of one.
static struct { pid_t tid; int folder; } looked;

static int descriptorsOf(pid_t tid) {
  if (looked.tid == tid) return looked.folder;
  char path[64];
  if (looked.tid) close(looked.folder);
  snprintf(path, sizeof path, "/proc/%d/fd", tid);
  looked.folder = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
  looked.tid = tid;
  return looked.folder;
}

bool statDescriptor(pid_t tid, int descriptor, struct stat *st) {
  char name[16];
  snprintf(name, sizeof name, "%d", descriptor);
  return fstatat(descriptorsOf(tid), name, st, 0) == 0;
}

void forgetTracee(pid_t tid) {
  if (looked.tid == tid) { close(looked.folder); looked.tid = 0; } // the next one with this number is another
  for (struct tracee **at = &buckets[tid % BUCKETS]; *at; at = &(*at)->next)
    if ((*at)->tid == tid) {
      struct tracee *gone = *at;
      *at = gone->next;
      free(gone->exec.bytes);
      free(gone->pending);
      free(gone);
      count--;
      return;
    }
}

uint32_t traceeCount(void) { return count; }

struct tracee *nextTracee(struct tracee *after) {
  if (after && after->next) return after->next;
  for (int i = after ? after->tid % BUCKETS + 1 : 0; i < BUCKETS; i++)
    if (buckets[i]) return buckets[i];
  return 0;
}

long readStatusNumber(int procDirectory, pid_t pid, const char *name) {
  char path[64], text[4096];
  snprintf(path, sizeof path, "%d/status", pid);
  if (procDirectory == AT_FDCWD) snprintf(path, sizeof path, "/proc/%d/status", pid);
  int file = openat(procDirectory, path, O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  if (length <= 0) return -1;
  text[length] = 0;
  const char *line = strstr(text, name);
  return line ? strtol(line + strlen(name), 0, 0) : -1;
}

pid_t groupOf(struct tracee *tracee) {
  if (!tracee->group) tracee->group = (pid_t)readStatusNumber(AT_FDCWD, tracee->tid, "Tgid:");
  if (tracee->group <= 0) tracee->group = tracee->tid;
  return tracee->group;
}

pid_t parentOf(struct tracee *tracee) {
  if (!tracee->parent) tracee->parent = (pid_t)readStatusNumber(AT_FDCWD, tracee->tid, "PPid:");
  return tracee->parent < 0 ? 0 : tracee->parent;
}

enum { MOST_SUBSHELLS = 64 }; // numbers are used again: what is kept of processes that are gone could lead in a circle

// The nearest process above that runs a program of its own: a subshell is a part of its shell.
pid_t starterOf(struct tracee *tracee) {
  pid_t starter = parentOf(tracee);
  struct tracee *above = findTracee(starter);
  for (int hops = 0; above && !above->execed && hops < MOST_SUBSHELLS; hops++) {
    starter = parentOf(above);
    above = findTracee(starter);
  }
  return starter;
}

// Threads of a process have one umask (clone(2), CLONE_FS).
static struct tracee *firstThread(struct tracee *tracee) {
  struct tracee *first = findTracee(groupOf(tracee));
  return first ? first : tracee;
}

void keepMask(struct tracee *tracee, uint16_t mask) {
  struct tracee *first = firstThread(tracee);
  first->mask = mask;
  first->masked = true;
}

uint16_t keptMask(struct tracee *tracee) {
  findOrigin(tracee);
  return firstThread(tracee)->mask;
}

static void takeOrigin(struct tracee *born, struct tracee *from) {
  if (!born->masked && groupOf(born) != groupOf(from)) born->mask = firstThread(from)->mask;
  born->open |= from->open;
  if (born->known) return;
  born->known = from->known;
  born->runsKnown = from->runsKnown;
}

void findOrigin(struct tracee *tracee) {
  if (tracee->open || tracee->known || tracee->born) return;
  pid_t group = groupOf(tracee);
  struct tracee *from = findTracee(group != tracee->tid ? group : parentOf(tracee));
  if (!from || from == tracee) return;
  findOrigin(from);
  takeOrigin(tracee, from);
}

bool isOpen(struct tracee *tracee) {
  findOrigin(tracee);
  return tracee->open;
}

bool runsKnown(struct tracee *tracee) {
  findOrigin(tracee);
  return tracee->runsKnown;
}

void inherit(struct tracee *born, struct tracee *from) {
  born->parent = groupOf(from);
  findOrigin(from);
  takeOrigin(born, from);
  born->born = true;
  born->slowClock = from->slowClock;
  born->corrected = from->corrected;
  born->filtered = from->filtered;
  struct tracee *process = findTracee(groupOf(from));
  if (process) born->isOwn = process->isOwn;
  if (!born->core.isSet && process) born->core = process->core;
}

void takeExec(struct tracee *tracee, struct tracee *thread) {
  free(tracee->exec.bytes);
  tracee->exec = thread->exec;
  thread->exec = (struct kept){0, 0};
  tracee->permitted = thread->permitted;
  tracee->asKnown = thread->asKnown;
  tracee->known = thread->known;
}

// ---- the stopped call ----

#ifndef PTRACE_GET_SYSCALL_INFO
#define PTRACE_GET_SYSCALL_INFO 0x420e
#endif

static bool readRegisters(pid_t tid, struct call *call);
static void setArguments(pid_t tid, const uint64_t args[6]);

enum stage readStage(pid_t tid, struct call *call) {
  // struct ptrace_syscall_info of linux/ptrace.h, whose header cannot be included next to sys/ptrace.h.
  struct { uint8_t op, pad[3]; uint32_t arch; uint64_t instruction, stack, number, args[6]; uint32_t data; } info;
  if (ptrace(PTRACE_GET_SYSCALL_INFO, tid, sizeof info, &info) <= 0) // Linux 5.3
    return errno != ESRCH && readRegisters(tid, call) ? STAGE_FILTER : STAGE_NONE;
  call->number = (long)info.number;
  call->stack = info.stack;
  memcpy(call->args, info.args, sizeof call->args);
  return info.op;
}

bool readCall(pid_t tid, struct call *call) { return readStage(tid, call) != STAGE_NONE; }

#if defined(__x86_64__)
// One register costs a third of what all of them cost.
#define REGISTER(name) offsetof(struct user_regs_struct, name)
static void setRegister(pid_t tid, size_t at, uint64_t value) { ptrace(PTRACE_POKEUSER, tid, at, value); }
void setArgument(pid_t tid, int argument, uint64_t value) {
  static const uint8_t at[6] = {REGISTER(rdi), REGISTER(rsi), REGISTER(rdx), REGISTER(r10), REGISTER(r8), REGISTER(r9)};
  setRegister(tid, at[argument], value);
}
static void setNumber(pid_t tid, long number) { setRegister(tid, REGISTER(orig_rax), (uint64_t)number); }
void writeResult(pid_t tid, long result) { setRegister(tid, REGISTER(rax), (uint64_t)result); }
void repeatCall(pid_t tid, long number, const uint64_t args[6]) {
  errno = 0;
  uint64_t after = (uint64_t)ptrace(PTRACE_PEEKUSER, tid, REGISTER(rip), 0);
  if (errno) return;
  setArguments(tid, args);
  writeResult(tid, number);
  setRegister(tid, REGISTER(rip), after - 2); // the length of `syscall`
}
static bool readRegisters(pid_t tid, struct call *call) {
  struct user_regs_struct regs;
  if (ptrace(PTRACE_GETREGS, tid, 0, &regs) != 0) return false;
  *call = (struct call){(long)regs.orig_rax, {regs.rdi, regs.rsi, regs.rdx, regs.r10, regs.r8, regs.r9}, regs.rsp};
  return true;
}
long readResult(pid_t tid) { return ptrace(PTRACE_PEEKUSER, tid, REGISTER(rax), 0); }
#elif defined(__aarch64__)
#ifndef NT_ARM_SYSTEM_CALL
#define NT_ARM_SYSTEM_CALL 0x404
#endif
static void setRegister(pid_t tid, int number, uint64_t value) {
  struct user_regs_struct regs;
  struct iovec all = {&regs, sizeof regs};
  if (ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &all) != 0) return;
  regs.regs[number] = value;
  ptrace(PTRACE_SETREGSET, tid, NT_PRSTATUS, &all);
}
void setArgument(pid_t tid, int argument, uint64_t value) { setRegister(tid, argument, value); }
static void setNumber(pid_t tid, long number) {
  int kernelNumber = (int)number; // arm64 keeps the number in a register set of its own (arch/arm64/kernel/ptrace.c)
  struct iovec one = {&kernelNumber, sizeof kernelNumber};
  ptrace(PTRACE_SETREGSET, tid, NT_ARM_SYSTEM_CALL, &one);
}
void writeResult(pid_t tid, long result) { setRegister(tid, 0, (uint64_t)result); }
void repeatCall(pid_t tid, long number, const uint64_t args[6]) {
  struct user_regs_struct regs;
  struct iovec all = {&regs, sizeof regs};
  if (ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &all) != 0) return;
  memcpy(regs.regs, args, 6 * sizeof *args);
  regs.regs[8] = (unsigned long)number;
  regs.pc -= 4; // the length of `svc`
  ptrace(PTRACE_SETREGSET, tid, NT_PRSTATUS, &all);
}
static bool readRegisters(pid_t tid, struct call *call) {
  struct user_regs_struct regs;
  struct iovec all = {&regs, sizeof regs};
  if (ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &all) != 0) return false;
  call->number = (long)regs.regs[8];
  call->stack = regs.sp;
  memcpy(call->args, regs.regs, sizeof call->args);
  return true;
}
long readResult(pid_t tid) {
  struct user_regs_struct regs;
  struct iovec all = {&regs, sizeof regs};
  return ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &all) == 0 ? (long)regs.regs[0] : -ESRCH;
}
#else
#error "x86-64 and arm64 only"
#endif

// seccomp(2): after SECCOMP_RET_TRACE a tracer skips the call by setting its number to -1; the result register stands.
void skipCall(pid_t tid, long result) {
  setNumber(tid, -1);
  writeResult(tid, result);
}

void replaceCall(pid_t tid, long number, uint64_t first) {
  setNumber(tid, number);
  setArgument(tid, 0, first);
}

void setCall(pid_t tid, long number, const uint64_t args[6]) {
  setNumber(tid, number);
  setArguments(tid, args);
}

static void setArguments(pid_t tid, const uint64_t args[6]) {
  for (int i = 0; i < 6; i++) setArgument(tid, i, args[i]);
}

// ---- memory ----

static int openMemory(pid_t tid, int flags) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/mem", tid);
  return open(path, flags | O_CLOEXEC);
}

ssize_t readMemory(pid_t tid, uint64_t at, void *to, size_t length) {
  struct iovec local = {to, length}, remote = {(void *)(uintptr_t)at, length};
  ssize_t result = process_vm_readv(tid, &local, 1, &remote, 1, 0);
  if (result >= 0 || !isMissingCall(errno)) return result;
  int memory = openMemory(tid, O_RDONLY);
  if (memory < 0) return -1;
  result = pread(memory, to, length, (off_t)at);
  close(memory);
  return result;
}

// Word by word, where nothing better is there (gVisor).
static bool pokeMemory(pid_t tid, uint64_t at, const unsigned char *from, size_t length) {
  for (size_t done = 0; done < length;) {
    uint64_t word, start = (at + done) & ~7ull;
    size_t offset = (size_t)(at + done - start), piece = 8 - offset < length - done ? 8 - offset : length - done;
    errno = 0;
    word = piece == 8 ? 0 : (uint64_t)ptrace(PTRACE_PEEKDATA, tid, start, 0);
    if (errno) return false;
    memcpy((unsigned char *)&word + offset, from + done, piece);
    if (ptrace(PTRACE_POKEDATA, tid, start, word) != 0) return false;
    done += piece;
  }
  return true;
}

bool writeMemory(pid_t tid, uint64_t at, const void *from, size_t length) {
  struct iovec local = {(void *)(uintptr_t)from, length}, remote = {(void *)(uintptr_t)at, length};
  ssize_t result = process_vm_writev(tid, &local, 1, &remote, 1, 0);
  if (result >= 0 || !isMissingCall(errno)) return result == (ssize_t)length;
  return pokeMemory(tid, at, from, length);
}

bool readText(pid_t tid, uint64_t at, char *to, size_t room) {
  for (size_t used = 0; used < room;) {
    // process_vm_readv(2) gives all of a page or nothing, so go page by page.
    size_t piece = 4096 - ((at + used) & 4095);
    if (piece > room - used) piece = room - used;
    ssize_t n = readMemory(tid, at + used, to + used, piece);
    if (n <= 0) break;
    if (memchr(to + used, 0, (size_t)n)) return true;
    used += (size_t)n;
  }
  to[room - 1] = 0;
  return false;
}

void putVector(pid_t tid, uint64_t at, size_t maxBytes) {
  static char text[131072 + 1]; // MAX_ARG_STRLEN
  size_t countAt = eventLength(), start = countAt;
  uint32_t items = 0;
  putU32(0);
  uint64_t pointers[32];
  for (bool more = at != 0; more && eventLength() - start < maxBytes;) {
    size_t room = (4096 - (at & 4095)) / 8;
    if (room == 0 || room > 32) room = 32;
    ssize_t got = readMemory(tid, at, pointers, room * 8);
    if (got < 8) break;
    for (ssize_t i = 0; i < got / 8 && more; i++) {
      more = pointers[i] && eventLength() - start < maxBytes;
      if (!more) break;
      if (!readText(tid, pointers[i], text, sizeof text)) text[0] = 0;
      putText(text);
      items++;
    }
    at += (uint64_t)got;
  }
  patchU32(countAt, items);
}

uint64_t roomBelowStack(const struct call *call, size_t length) { return (call->stack - 512 - length) & ~15ull; }

// A stack that was never so deep does not grow by process_vm_writev(2), since Linux 6.5, as it does by ptrace(2) (expand_stack in mm/memory.c).
bool writeBelowStack(pid_t tid, uint64_t at, const void *from, size_t length) {
  return writeMemory(tid, at, from, length) || pokeMemory(tid, at, from, length);
}

uint64_t placeText(pid_t tid, const struct call *call, const char *text) {
  size_t length = strlen(text) + 1;
  uint64_t at = roomBelowStack(call, length);
  return writeBelowStack(tid, at, text, length) ? at : 0;
}

void openAnother(pid_t tid, const struct call *call, const char *path, unsigned flags) {
  uint64_t at = placeText(tid, call, path);
  if (!at) { skipCall(tid, -EFAULT); return; }
  replaceCall(tid, SYS_openat, (uint64_t)AT_FDCWD);
  setArgument(tid, 1, at);
  setArgument(tid, 2, flags);
  setArgument(tid, 3, 0);
}

void openInstead(pid_t tid, const struct call *call, const char *path, unsigned flags) {
  openAnother(tid, call, path, flags & ~(unsigned)(O_CREAT | O_EXCL | O_TRUNC | O_DIRECTORY | O_NOFOLLOW));
}

// Another opening of the same pipe or terminal; of a file it would have an offset of its own.
static int reopenDescriptor(pid_t group, int number) {
  char path[64];
  struct stat st;
  if (!statDescriptor(group, number, &st)) return -1;
  snprintf(path, sizeof path, "/proc/%d/fd/%d", group, number);
  if (S_ISFIFO(st.st_mode)) return open(path, O_PATH | O_CLOEXEC);
  if (S_ISCHR(st.st_mode)) return open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
  errno = ENOSYS;
  return -1;
}

int copyDescriptor(pid_t group, int number) {
  int process = (int)syscall(SYS_pidfd_open, group, 0); // Linux 5.3, and pidfd_getfd 5.6
  if (process < 0) return isMissingCall(errno) ? reopenDescriptor(group, number) : -1;
  int copy = (int)syscall(SYS_pidfd_getfd, process, number, 0);
  int error = errno;
  close(process);
  if (copy < 0 && isMissingCall(error)) copy = copyHandedSocket(group, number);
  if (copy < 0 && isMissingCall(error)) return reopenDescriptor(group, number);
  errno = error;
  return copy;
}

ssize_t readRawLink(pid_t tid, const char *name, char *to, size_t room) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", tid, name);
  ssize_t length = readlink(path, to, room - 1);
  to[length > 0 ? length : 0] = 0;
  return length;
}

ssize_t readRawDescriptor(pid_t tid, int descriptor, char *to, size_t room) {
  char name[16];
  if (descriptor == AT_FDCWD) return readRawLink(tid, "cwd", to, room);
  snprintf(name, sizeof name, "%d", descriptor);
  ssize_t length = readlinkat(descriptorsOf(tid), name, to, room - 1);
  to[length > 0 ? length : 0] = 0;
  return length;
}

bool readProcLink(pid_t tid, const char *name, char *to, size_t room) {
  ssize_t length = readRawLink(tid, name, to, room);
  if (view.supervised) showScratchPath(to, room);
  return length > 0;
}

bool readProcDescriptor(pid_t tid, int descriptor, char *to, size_t room) {
  ssize_t length = readRawDescriptor(tid, descriptor, to, room);
  if (view.supervised) showScratchPath(to, room);
  return length > 0;
}
