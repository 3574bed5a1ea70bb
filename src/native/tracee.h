// The confined processes (their threads, really) as ptrace(2) shows them, and one stopped system call.
#pragma once
#include "frame.h"
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

// O_ACCMODE, which musl takes to hold O_PATH as well.
enum { ACCESS_MODE = 3 };

enum held { NOT_HELD, HELD_GATE, HELD_WAIT, HELD_RENAME, HELD_STOPPED, HELD_BIRTH, HELD_PIPE };

// The stopped call: number and arguments.
struct call {
  long number;
  uint64_t args[6];
  uint64_t stack; // the stack pointer
};

struct coreLimit { uint64_t soft, hard; bool isSet; };

struct tracee {
  pid_t tid, group, parent; // `group` is the process it is a thread of
  struct tracee *next;
  enum held held;
  struct kept exec;    // the EXEC event of an execve that is under way
  bool execed;         // has run a program, or was answered in its place
  bool permitted;      // the execve under way was allowed by an answer: do not check it again
  bool open;           // runs a program that an answer let in: it may load its own libraries, and start other programs
  bool isOwn;          // runs a program that was not installed, and may: its threads are held as processes are (births.h)
  bool asKnown;        // the execve under way was allowed for the form of its words alone
  bool runsKnown;      // runs such a program
  struct known *known; // comes from such a program, or runs one
  bool onlyTouches;    // runs touch(1)
  bool born;           // its birth was told, or it is the command itself
  bool wantsExit;      // we asked for the end of the system call that it is in
  bool begun;          // its begin was told once more
  bool corrected;      // runs a program whose stat calls are corrected
  bool filtered;       // has the filter that stops at stat calls; without it such a program stops at every call
  bool triedFilter;    // of this program, or of the one that it comes from
  bool filtering;      // the filter is being installed, in the place of `call`
  bool inStatus;       // is in such a call
  bool started;        // has made its first stop
  bool leaving;        // has passed its exit event
  bool atExec;         // begins when it executes a program, not at its birth
  struct call call;    // the call whose end we asked for, or in which it is held
  uint64_t wakeNs;     // HELD_WAIT: when it goes on, in virtual time
  uint64_t startedNs;  // of a wait, virtual
  uint64_t turnNs;     // real: when its birth was told, or HELD_BIRTH began
  uint64_t waitedNs;   // of HELD_BIRTH, while others ran
  uint64_t othersNs;   // of HELD_BIRTH, the processor time that they used meanwhile
  bool signals;        // of HELD_BIRTH: it is about to signal another one
  uint64_t pipeNs;     // real: when HELD_PIPE began
  uint64_t slowClock;  // the word of its memory that makes its readings of the clock system calls; 0: they are
  int timerSignal;     // what the last timer_create(2) asked for
  uint64_t sent;       // signals, one bit each, that it was sent and has not shown, where the kernel does not tell them
  void *pending;       // of a rename that is being completed
  uint16_t mask;       // its umask, of the first thread: systems need not tell it in a status file
  bool masked;         // by a call of its own
  uint64_t leftBytes;  // of a process: what a pipe did not take of a long write (unwritten.h), and what it had written by then
  uint64_t writtenBytes;
  struct coreLimit core; // how large a core dump of it might be, where it or what it comes from said so
};

struct tracee *findTracee(pid_t tid);
struct tracee *ensureTracee(pid_t tid);
void forgetTracee(pid_t tid);
bool statDescriptor(pid_t tid, int descriptor, struct stat *st); // of what it has open; false with errno
uint32_t traceeCount(void);
// Walks all tracees; start with null.
struct tracee *nextTracee(struct tracee *after);
// Whether an answer let it in, or what it comes from.
bool isOpen(struct tracee *tracee);
// Whether it runs a program that was let in for the form of its words.
bool runsKnown(struct tracee *tracee);
// A child may make its first calls before its parent's stop tells of it: until then it is what it comes from.
void findOrigin(struct tracee *tracee);
// At the birth of a process or thread: it is what its parent is.
void inherit(struct tracee *born, struct tracee *from);
// What a thread had asked for by execve(2) becomes what its process does.
void takeExec(struct tracee *tracee, struct tracee *thread);
// What umask(2) made of it, or of what it comes from.
void keepMask(struct tracee *tracee, uint16_t mask);
uint16_t keptMask(struct tracee *tracee);
pid_t groupOf(struct tracee *tracee);
pid_t parentOf(struct tracee *tracee);
pid_t starterOf(struct tracee *tracee);

enum stage { STAGE_NONE, STAGE_BEGIN, STAGE_END, STAGE_FILTER }; // as PTRACE_SYSCALL_INFO_*
bool readCall(pid_t tid, struct call *call);
enum stage readStage(pid_t tid, struct call *call);
void skipCall(pid_t tid, long result);
void replaceCall(pid_t tid, long number, uint64_t first);
// Another call with other arguments in the place of the one that it is stopped at.
void setCall(pid_t tid, long number, const uint64_t args[6]);
// One of the arguments of the call that it is stopped at.
void setArgument(pid_t tid, int argument, uint64_t value);
// Memory for a stopped call, below what the program uses of its stack: the ABI leaves it 128 bytes there.
uint64_t roomBelowStack(const struct call *call, size_t length);
bool writeBelowStack(pid_t tid, uint64_t at, const void *from, size_t length);
// Writes a text there; 0 when that fails. What another thread could write over a path leads to another place that the process may open
// anyway.
uint64_t placeText(pid_t tid, const struct call *call, const char *text);
// openat(2) of another path in the place of the call that it is stopped at, which fails (EFAULT) when the path cannot be placed.
void openAnother(pid_t tid, const struct call *call, const char *path, unsigned flags);
// The same of what is there, without making or emptying it.
void openInstead(pid_t tid, const struct call *call, const char *path, unsigned flags);
// At the end of a call: lets the process make another one next, by the same instruction.
void repeatCall(pid_t tid, long number, const uint64_t args[6]);
long readResult(pid_t tid);
void writeResult(pid_t tid, long result);

ssize_t readMemory(pid_t tid, uint64_t at, void *to, size_t length);
bool writeMemory(pid_t tid, uint64_t at, const void *from, size_t length);
// Reads a NUL-terminated text; false when it is unreadable or longer than room - 1.
bool readText(pid_t tid, uint64_t at, char *to, size_t room);
// Puts a NULL-terminated vector of texts (argv, environment) into the event that is being built, up to `maxBytes`.
void putVector(pid_t tid, uint64_t at, size_t maxBytes);
// A descriptor of the process, as our own copy (shares its offset); -1 with errno.
int copyDescriptor(pid_t group, int number);
// A link of procfs ("cwd", "exe", "fd/3") as the kernel tells it, which may be a path of the scratch: its length, or -1 with errno.
ssize_t readRawLink(pid_t tid, const char *name, char *to, size_t room);
// The same of a descriptor, or (AT_FDCWD) of the working directory.
ssize_t readRawDescriptor(pid_t tid, int descriptor, char *to, size_t room);
// As the command sees it. False when there is none.
bool readProcDescriptor(pid_t tid, int descriptor, char *to, size_t room);
bool readProcLink(pid_t tid, const char *name, char *to, size_t room);
// The value of a line like "Tgid:" in the status of a process; -1 when there is none. Umask is octal, with a
// zero before it (fs/proc/array.c).
long readStatusNumber(int procDirectory, pid_t pid, const char *name);
