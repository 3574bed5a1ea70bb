#define _GNU_SOURCE
#include "supervise.h"
#include "answer.h"
#include "births.h"
#include "command.h"
#include "gate.h"
#include "coreLimit.h"
#include "disks.h"
#include "doors.h"
#include "handedSockets.h"
#include "handover.h"
#include "clock.h"
#include "correct.h"
#include "fastClock.h"
#include "quiet.h"
#include "reading.h"
#include "reads.h"
#include "relay.h"
#include "rename.h"
#include "instead.h"
#include "known.h"
#include "leftRunning.h"
#include "libraries.h"
#include "limits.h"
#include "look.h"
#include "memory.h"
#include "network.h"
#include "older.h"
#include "openings.h"
#include "owners.h"
#include "pipes.h"
#include "powers.h"
#include "privileges.h"
#include "processor.h"
#include "signals.h"
#include "system.h"
#include "times.h"
#include "view.h"
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { EVENTS_PER_ROUND = 64, GRACE_MS = 300, PATIENCE = 4 };

static const long TRACE_OPTIONS = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;

struct command command;

// How the run stands.
static struct {
  bool firstStarted, firstEnded, over, hostGone;
  enum how how;
  int code;
  char detail[4200], cwd[4096];
  uint64_t startNs, endNs, graceNs, pausedNs, pauseStartNs;
} state;

void endRun(enum how how, int code, const char *detail) {
  if (state.over) return;
  state.over = true;
  state.how = how;
  state.code = code;
  snprintf(state.detail, sizeof state.detail, "%s", detail);
}

bool endIfFirstEnded(void) {
  // Without virtual time a wait may be short: the grace decides.
  if (state.firstEnded && (setup.flags & FLAG_SKIP_WAITING)) state.over = true;
  return state.firstEnded;
}

// ---- what to wait for ----

static struct pollfd *polled;
static struct watcher { readiness ready; void *with; } *watchers;
static unsigned watched, watchRoom;
static uint64_t wakeAtNs;

void watch(int descriptor, short events, readiness ready, void *with) {
  if (watched == watchRoom) {
    watchRoom = watchRoom * 2 + 16;
    polled = realloc(polled, watchRoom * sizeof *polled);
    watchers = realloc(watchers, watchRoom * sizeof *watchers);
    if (!polled || !watchers) _exit(122);
  }
  polled[watched] = (struct pollfd){descriptor, events, 0};
  watchers[watched++] = (struct watcher){ready, with};
}

void wakeBy(uint64_t atNs) {
  if (atNs < wakeAtNs) wakeAtNs = atNs;
}

// ---- what the host and the command say ----

static void onHost(void *with, short events) {
  struct request request;
  (void)with;
  (void)events;
  if (!readRequest(&request)) { state.hostGone = true; return; }
  switch (request.type) {
    case REQ_INPUT: onInput(&request); break;
    case REQ_ANSWER: onAnswer(&request); break;
    case REQ_WRITE: onWrite(&request); break;
    case REQ_READ_STDIN: onReadStdin(&request); break;
    case REQ_CANCEL: endRun(CANCELLED, 0, ""); break;
    default: serveFiles(&request);
  }
  freeRequest(&request);
}

static void onStatus(void *with, short events) {
  struct startFailure failure;
  (void)with;
  (void)events;
  ssize_t n = read(command.status, &failure, sizeof failure);
  close(command.status);
  command.status = -1;
  if (n == sizeof failure) endRun(NOT_STARTED, failure.error, failure.step);
}

dev_t ownTerminalDevice(void) { return command.terminal ? command.terminalDevice : 0; }

// ---- stops ----

void resume(struct tracee *tracee, int signal) {
  ptrace(tracee->wantsExit || tracee->inStatus || (tracee->corrected && !tracee->filtered) ? PTRACE_SYSCALL : PTRACE_CONT, tracee->tid, 0, signal);
}

static bool slip(struct tracee *tracee, const char *what) {
  kill(tracee->tid, SIGKILL);
  endRun(GATE_SLIPPED, 0, what);
  return false;
}

static void onCall(struct tracee *tracee) {
  struct call call;
  bool goOn = true;
  // Unread means unjudged, and then nothing goes on, but a process that has just been killed.
  bool isKnown = readCall(tracee->tid, &call);
  if (isKnown) { keepNear(tracee, call.number); noteOwners(tracee, &call); }
  if (!isKnown) goOn = errno == ESRCH || slip(tracee, "a system call could not be read");
  else if (!reportsReads() || !noteReads(tracee, &call)) {
    if (isPrintCall(call.number)) { relayOutputBeforeErrors(); noteLongWrite(tracee, &call); }
    if (call.number == SYS_execve || call.number == SYS_execveat) goOn = gateExec(tracee, &call);
    else if (setup.flags & FLAG_KNOWN && stopsAtCode(tracee, &call)) goOn = false;
    else if (isPipeCall(&call)) goOn = !holdAtPipe(tracee, &call);
    else if (isPrintCall(call.number) || checkUnwritten(tracee, &call) || judgePower(tracee, &call) || judgePrivilege(tracee, &call) || judgeStorage(tracee, &call)) {}
    else if (isCoreLimitCall(&call)) judgeCoreLimit(tracee, &call);
    else if (view.supervised && isAnsweredCall(call.number)) goOn = answerCall(tracee, &call);
    else if (call.number == SYS_sched_getaffinity) goOn = answerProcessors(tracee, &call);
    else if (view.copies && stopsAtLease(tracee, &call)) goOn = false;
    else if (call.number == SYS_mmap) goOn = gateMap(tracee, &call);
    else if (isMemoryCall(call.number) && (view.copies || call.number != SYS_shmat)) goOn = gateMemory(tracee, &call);
    else if (view.copies && isDiskCall(call.number)) judgeDisk(tracee, &call);
    else if (view.copies && isStatusCall(call.number)) { if (tracee->corrected) beginCorrected(tracee, &call); }
    else if (isClockCall(call.number)) goOn = judgeClock(tracee, &call);
    else if (isRenameCall(call.number) && view.copies) judgeRename(tracee, &call);
    else if (isSignalCall(call.number)) goOn = judgeSignal(tracee, &call);
    else if (isNetworkCall(&call)) goOn = judgeNetwork(tracee, &call);
    else if (view.copies && isDoorCall(&call)) goOn = judgeDoor(tracee, &call);
    else if (view.copies && isReadingCall(call.number)) judgeReading(tracee, &call);
    else if (view.copies && isTimeCall(call.number)) judgeTimes(tracee, &call);
    else if (call.number == SYS_memfd_create) noteMemoryFile();
    else if (isOwnerCall(call.number)) {}
    else if (view.copies) judgeSystem(tracee, &call);
    else goOn = judgeLook(tracee, &call);
  }
  // Of a run that is over nobody must tell what its last call came to.
  if (goOn && !state.over) resume(tracee, 0);
}

static void onExec(struct tracee *tracee) {
  unsigned long former = 0;
  // A thread that executes takes the number of its process; what it had asked for is kept under its old one.
  if (ptrace(PTRACE_GETEVENTMSG, tracee->tid, 0, &former) == 0 && (pid_t)former != tracee->tid) {
    struct tracee *thread = findTracee((pid_t)former);
    if (thread) {
      takeExec(tracee, thread);
      forgetHandsOf(thread->tid);
      forgetTracee(thread->tid);
    }
  }
  if (!checkExec(tracee)) {
    reportSlip(tracee);
    slip(tracee, "another program was executed than was decided about");
    return;
  }
  tracee->open = tracee->permitted && !tracee->asKnown;
  tracee->runsKnown = tracee->asKnown;
  noteOwn(tracee);
  // Whose parent has waited until it began a program may be past that by now.
  bool mayWait = tracee->atExec || (!tracee->execed && tracee->tid != command.pid);
  tracee->permitted = tracee->asKnown = tracee->atExec = false;
  tracee->execed = true;
  if (tracee->tid == command.pid) state.firstStarted = true;
  sendKept(&tracee->exec);
  if (reportsReads()) noteProgram(tracee);
  noteCorrected(tracee);
  keepFastClock(tracee);
  if (!mayWait || !holdChild(tracee)) resume(tracee, 0);
}

static void onChild(struct tracee *tracee, bool process, bool isWaitedFor) {
  unsigned long child = 0;
  if (ptrace(PTRACE_GETEVENTMSG, tracee->tid, 0, &child) == 0 && child) {
    struct tracee *born = ensureTracee((pid_t)child);
    if (process) born->group = born->tid;
    inherit(born, tracee);
    noteBirth(born, isWaitedFor);
    checkProcessLimit();
  }
  if (!state.over && !holdParent(tracee, !process)) resume(tracee, 0);
}

static void onLeaving(struct tracee *tracee) {
  tracee->leaving = true;
  if (tracee->tid == command.pid && !readProcLink(tracee->tid, "cwd", state.cwd, sizeof state.cwd)) state.cwd[0] = 0;
  resume(tracee, 0);
}

// The end of a system call that we asked for.
static void onCallEnd(struct tracee *tracee) {
  tracee->wantsExit = false;
  bool goOn = true;
  if (tracee->call.number == SYS_mmap) finishInstead(tracee);
  else if (isReadingCall(tracee->call.number)) finishReading(tracee);
  else if (isTimeCall(tracee->call.number)) finishTimes(tracee);
  else if (isRenameCall(tracee->call.number)) goOn = finishRename(tracee);
  else if (isSocketCall(tracee->call.number)) goOn = finishSocket(tracee);
  else if (!finishLongWrite(tracee) && tracee->call.number == SYS_flock) finishOpenings(tracee);
  if (goOn) resume(tracee, 0);
}

// A program that is corrected stops at the begin and at the end of every call, until it has a filter for that.
static void onEveryCall(struct tracee *tracee) {
  struct call call;
  bool every = tracee->corrected && !tracee->filtered;
  enum stage stage = every ? readStage(tracee->tid, &call) : STAGE_END;
  if (stage == STAGE_BEGIN && !tracee->triedFilter) { tracee->triedFilter = true; if (!beginFilter(tracee, &call)) beginCorrected(tracee, &call); }
  else if (stage == STAGE_BEGIN) beginCorrected(tracee, &call);
  else if (tracee->filtering) endFilter(tracee);
  else if (tracee->wantsExit && (every || !beginsAgain(tracee))) { onCallEnd(tracee); return; }
  else if (stage == STAGE_END) endCorrected(tracee);
  resume(tracee, 0);
}

static void onStop(struct tracee *tracee, int status) {
  int event = status >> 16, signal = WSTOPSIG(status);
  switch (event) {
    case PTRACE_EVENT_SECCOMP: onCall(tracee); return;
    case PTRACE_EVENT_EXEC: onExec(tracee); return;
    case PTRACE_EVENT_FORK: case PTRACE_EVENT_VFORK: onChild(tracee, true, event == PTRACE_EVENT_VFORK); return;
    case PTRACE_EVENT_CLONE: onChild(tracee, false, false); return; // a thread, perhaps
    case PTRACE_EVENT_EXIT: onLeaving(tracee); return;
    case PTRACE_EVENT_STOP:
      // ptrace(2): a group-stop under PTRACE_SEIZE; PTRACE_LISTEN keeps it stopped until SIGCONT.
      if (signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU) ptrace(PTRACE_LISTEN, tracee->tid, 0, 0);
      else {
        // Only of the first process we want to know where it ends; the others need not stop once more.
        bool isNew = !tracee->started && tracee->tid != command.pid;
        if (isNew) { ptrace(PTRACE_SETOPTIONS, tracee->tid, 0, TRACE_OPTIONS); freeBorn(tracee); }
        tracee->started = true;
        if (!isNew || tracee->atExec || !holdChild(tracee)) resume(tracee, 0);
      }
      return;
    case 0:
      if (signal == (SIGTRAP | 0x80)) onEveryCall(tracee); // PTRACE_O_TRACESYSGOOD
      else { noteShown(tracee, signal); resume(tracee, signal); }
      return;
    default: resume(tracee, 0);
  }
}

static void forget(pid_t pid) { leaveNear(pid); forgetHandsOf(pid); forgetTimersOf(pid); forgetTracee(pid); }

static void onEnd(pid_t pid, int status) {
  if (onCopyEnded(pid, status)) return;
  relayOutputBeforeErrors(); // its parent learns of the end from us, and goes on behind it
  struct tracee *tracee = findTracee(pid);
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
  if (tracee && tracee->execed && groupOf(tracee) == pid) {
    beginEvent(EV_PROGRAM_EXIT);
    putU32((uint32_t)pid);
    putU32((uint32_t)code);
    sendEvent();
  }
  if (wouldDump(tracee, status)) endRun(CHANGED, 0, "core dump");
  forget(pid);
  if (state.over || pid != command.pid || state.firstEnded) return;
  state.firstEnded = true;
  state.how = code < 256 ? EXITED : SIGNALLED;
  state.code = code & 255;
  state.endNs = nowNs();
  state.graceNs = state.endNs + GRACE_MS * 1000000ull;
  noteActivity();
}

// Handles some of what happened to the processes; true when there may be more.
static bool reap(void) {
  for (int i = 0; i < EVENTS_PER_ROUND && !state.over; i++) {
    int status;
    pid_t pid = waitpid(-1, &status, WNOHANG | __WALL);
    // The next stop is mostly near: whoever was answered runs on our own processor, and gives it back there.
    for (int tries = 0; pid == 0 && i > 0 && isOnOneProcessor() && tries < PATIENCE; tries++) {
      sched_yield();
      pid = waitpid(-1, &status, WNOHANG | __WALL);
    }
    if (pid <= 0) return false;
    noteActivity();
    if (WIFSTOPPED(status)) onStop(ensureTracee(pid), status);
    else onEnd(pid, status);
  }
  return true;
}

// ---- deadlines ----

static void checkClock(void) {
  uint64_t now = nowNs();
  bool waits = anyHandWaits() || questionWaits();
  if (waits && !state.pauseStartNs) state.pauseStartNs = now;
  if (!waits && state.pauseStartNs) {
    state.pausedNs += putOffKill(now - state.pauseStartNs);
    if (state.firstEnded) state.graceNs += now - state.pauseStartNs;
    state.pauseStartNs = 0;
  }
  if (!waits && setup.wallMs) {
    uint64_t deadline = state.startNs + state.pausedNs + setup.wallMs * 1000000ull;
    if (now >= deadline) endRun(TIME_LIMIT, 0, "");
    else wakeBy(deadline);
  }
  if (!state.firstEnded || state.over) return;
  bool quiet = command.output[0] < 0 && command.output[1] < 0 && traceeCount() == 0;
  if (quiet || (!waits && now >= state.graceNs)) state.over = true;
  else if (!waits) wakeBy(state.graceNs);
}

// ---- the loop ----

static void onChildSignal(int signal) { (void)signal; }

static void takeTurn(const sigset_t *while_waiting) {
  watched = 0;
  wakeAtNs = UINT64_MAX;
  bool more = reap();
  checkClock();
  if (state.over) return;
  watch(hostIn, POLLIN, onHost, 0);
  watchRelay();
  if (command.status >= 0) watch(command.status, POLLIN, onStatus, 0);
  watchHands();
  watchSockets();
  watchLimits();
  watchClock();
  watchNear();
  if (!more && !watchTurns()) watchQuiet(&command);
  if (state.over) return;
  struct timespec timeout = {0, 0};
  uint64_t now = nowNs(), wait = wakeAtNs > now ? wakeAtNs - now : 0;
  if (!more) timeout = (struct timespec){(time_t)(wait / 1000000000ull), (long)(wait % 1000000000ull)};
  int ready = ppoll(polled, watched, wakeAtNs == UINT64_MAX && !more ? 0 : &timeout, while_waiting);
  for (unsigned i = 0; ready > 0 && i < watched && !state.over; i++)
    if (polled[i].revents) watchers[i].ready(watchers[i].with, polled[i].revents);
}

static void killAll(void) {
  if (view.ownPids) kill(-1, SIGKILL);
  for (struct tracee *tracee = nextTracee(0); tracee; tracee = nextTracee(tracee)) syscall(SYS_tgkill, groupOf(tracee), tracee->tid, SIGKILL);
  int status;
  pid_t pid;
  while ((pid = waitpid(-1, &status, __WALL)) > 0 || (pid < 0 && errno == EINTR)) {
    if (pid < 0) continue;
    if (!WIFSTOPPED(status)) { forgetTracee(pid); continue; }
    kill(pid, SIGKILL); // a child that was born meanwhile
    ptrace(PTRACE_CONT, pid, 0, 0);
  }
}

static void sendFinished(struct kept *left) {
  struct rusage usage;
  uint64_t end = state.endNs ? state.endNs : nowNs();
  if (state.pauseStartNs) state.pausedNs += nowNs() - state.pauseStartNs;
  getrusage(RUSAGE_CHILDREN, &usage);
  uint64_t cpuMs = (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 + (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000;
  uint64_t wallNs = end - state.startNs;
  wallNs = wallNs > state.pausedNs ? wallNs - state.pausedNs : 0;
  beginEvent(EV_FINISHED);
  putU8(state.how);
  putU32((uint32_t)state.code);
  putText(state.cwd);
  putU32((uint32_t)(wallNs / 1000000));
  putU32((uint32_t)cpuMs);
  uint64_t largest = (uint64_t)usage.ru_maxrss * 1024;
  putU64(largest > peakMemory() ? largest : peakMemory());
  putU8(outputWasCut());
  putText(state.detail);
  for (size_t i = 5; i < left->length; i++) putU8(left->bytes[i]);
  sendEvent();
}

static bool seize(const char **step) {
  *step = "ptrace";
  return ptrace(PTRACE_SEIZE, command.pid, 0, TRACE_OPTIONS | PTRACE_O_TRACEEXIT) == 0;
}

bool supervise(const struct run *run) {
  sigset_t child, inherited;
  const char *step = "";
  struct sigaction action = {.sa_handler = onChildSignal};
  sigaction(SIGCHLD, &action, 0);
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, &inherited);
  sigdelset(&inherited, SIGCHLD);
  state.startNs = nowNs();
  startLimits();
  stayOnOneProcessor();
  noteActivity();
  if (!startCommand(run, &command, &step) || !seize(&step)) {
    endRun(NOT_STARTED, errno, step);
    if (command.pid > 0) kill(command.pid, SIGKILL); // it waits for us, and is not among the tracees
  }
  else {
    struct tracee *first = ensureTracee(command.pid);
    first->group = command.pid;
    first->born = true;
    keepMask(first, run->umask != 0xffff ? run->umask : ownMask());
    releaseCommand(&command);
  }
  while (!state.over && !state.hostGone) takeTurn(&inherited);
  if (state.hostGone) { killAll(); return false; }
  relayRest();
  if (state.how == EXITED || state.how == SIGNALLED) { state.over = false; checkDisk(); state.over = true; }
  beginEvent(EV_FINISHED);
  putLeftRunning(state.how == CHANGED, state.firstStarted ? 0 : command.pid);
  struct kept left = keepEvent();
  killAll();
  sendReads();
  sendFinished(&left);
  free(left.bytes);
  return true;
}
