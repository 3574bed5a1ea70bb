#define _GNU_SOURCE
#include "pipes.h"
#include "births.h"
#include "clock.h"
#include "command.h"
#include "setup.h"
#include "supervise.h"
#include <linux/seccomp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_HELD = 64 };
static const uint64_t longestNs = 3000000000, longestPauseNs = 2000000;
static unsigned heldSoFar;
static uint64_t spentNs;

// Who writes early is not read from too soon; who writes late waits until those who read have come as far as they can.
unsigned pipeRules(struct rule *rules) {
  static const struct rule early[] = {{SYS_read, SECCOMP_RET_TRACE, EQUALS, 0, STDIN_FILENO}};
  static const struct rule late[] = {
    {SYS_write, SECCOMP_RET_TRACE, EQUALS, 0, STDOUT_FILENO},
    {SYS_write, SECCOMP_RET_TRACE, EQUALS, 0, STDERR_FILENO},
    {SYS_writev, SECCOMP_RET_TRACE, EQUALS, 0, STDOUT_FILENO},
    {SYS_writev, SECCOMP_RET_TRACE, EQUALS, 0, STDERR_FILENO},
  };
  if (!(setup.flags & FLAG_PIPES)) return 0;
  if (setup.flags & FLAG_CHILD_FIRST) { memcpy(rules, early, sizeof early); return sizeof early / sizeof *early; }
  memcpy(rules, late, sizeof late);
  return sizeof late / sizeof *late;
}

bool isPipeCall(const struct call *call) {
  if (!(setup.flags & FLAG_PIPES)) return false;
  return setup.flags & FLAG_CHILD_FIRST ? call->number == SYS_read : call->number == SYS_write || call->number == SYS_writev;
}

static bool isSame(const struct stat *st, int descriptor) {
  struct stat ours;
  return descriptor >= 0 && fstat(descriptor, &ours) == 0 && ours.st_ino == st->st_ino && ours.st_dev == st->st_dev;
}

// What we read or write the other end of ourselves is always there.
static bool isWithinCommand(pid_t tid, int descriptor) {
  struct stat st;
  if (!statDescriptor(tid, descriptor, &st) || !S_ISFIFO(st.st_mode)) return false;
  return !isSame(&st, command.input) && !isSame(&st, command.output[0]) && !isSame(&st, command.output[1]);
}

bool holdAtPipe(struct tracee *tracee, const struct call *call) {
  if (heldSoFar >= MOST_HELD || spentNs >= longestNs || !isWithinCommand(tracee->tid, (int)call->args[0])) return false;
  heldSoFar++;
  tracee->held = HELD_PIPE;
  tracee->pipeNs = nowNs();
  return true;
}

bool hasWaitedAtPipe(const struct tracee *tracee, uint64_t now) { return spentNs >= longestNs || now - tracee->pipeNs >= longestNs - spentNs; }

bool isAtEmptyPipe(struct tracee *tracee) {
  if (!(setup.flags & FLAG_CHILD_FIRST) || hasWaitedAtPipe(tracee, nowNs())) return false;
  struct pollfd entry = {copyDescriptor(groupOf(tracee), STDIN_FILENO), POLLIN, 0};
  if (entry.fd < 0) return false;
  bool isEmpty = poll(&entry, 1, 0) == 0;
  close(entry.fd);
  return isEmpty;
}

uint64_t pipePauseNs(const struct tracee *tracee, uint64_t now) {
  return pauseAfter(now - tracee->pipeNs, lookAgainNs, longestPauseNs);
}

void countPipeWait(const struct tracee *tracee, uint64_t now) { spentNs += now - tracee->pipeNs; }
