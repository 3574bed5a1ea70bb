#define _GNU_SOURCE
#include "unwritten.h"
#include "setup.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// pipe(7): what a pipe holds unless somebody has changed it.
enum { PIPE_HOLDS = 65536 };

unsigned unwrittenRules(struct rule *rules) {
  if (!(setup.flags & (FLAG_OPEN_GATE | FLAG_LETS_IN))) return 0;
  rules[0] = (struct rule){SYS_write, SECCOMP_RET_TRACE, ABOVE, 2, PIPE_HOLDS};
  rules[1] = (struct rule){SYS_exit_group, SECCOMP_RET_TRACE, ALWAYS, 0, 0};
  return 2;
}

static bool readOf(pid_t pid, const char *name, char *to, size_t room) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  ssize_t n = read(file, to, room - 1);
  close(file);
  to[n > 0 ? n : 0] = 0;
  return n > 0;
}

// Bytes that all threads of a process have written so far; false where the kernel does not count them (CONFIG_TASK_IO_ACCOUNTING).
static bool writtenBy(pid_t process, uint64_t *bytes) {
  char text[512];
  const char *line = readOf(process, "io", text, sizeof text) ? strstr(text, "wchar: ") : 0;
  if (line) *bytes = strtoull(line + strlen("wchar: "), 0, 10);
  return line;
}

static bool isUnwaitedPipe(pid_t tid, int descriptor) {
  char name[32], text[512];
  struct stat st;
  snprintf(name, sizeof name, "fdinfo/%d", descriptor);
  if (!statDescriptor(tid, descriptor, &st) || !S_ISFIFO(st.st_mode) || !readOf(tid, name, text, sizeof text)) return false;
  const char *line = strstr(text, "flags:");
  return line && strtoul(line + strlen("flags:"), 0, 8) & O_NONBLOCK;
}

void noteLongWrite(struct tracee *tracee, const struct call *call) {
  if (call->number != SYS_write || call->args[2] <= PIPE_HOLDS || !isUnwaitedPipe(tracee->tid, (int)call->args[0])) return;
  tracee->call = *call;
  tracee->wantsExit = true;
}

bool finishLongWrite(struct tracee *tracee) {
  if (tracee->call.number != SYS_write) return false;
  struct tracee *process = findTracee(groupOf(tracee));
  long written = readResult(tracee->tid);
  if (!process || (written < 0 && written != -EAGAIN)) return true;
  process->leftBytes = tracee->call.args[2] - (written > 0 ? (uint64_t)written : 0);
  if (!writtenBy(process->tid, &process->writtenBytes)) process->leftBytes = 0;
  return true;
}

bool checkUnwritten(struct tracee *tracee, const struct call *call) {
  if (call->number != SYS_exit_group) return false;
  struct tracee *process = findTracee(groupOf(tracee));
  uint64_t written;
  if (!process || !process->leftBytes || !writtenBy(process->tid, &written)) return true;
  if (written - process->writtenBytes < process->leftBytes) sendEffect(EFFECT_LEFT_UNWRITTEN, process->tid, "", (int64_t)process->leftBytes);
  process->leftBytes = 0;
  return true;
}
