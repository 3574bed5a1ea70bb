// confine: runs commands on a copy-on-write view of this machine (or looks at the real one), without network, behind a gate.
//
// The keeper (this process) owns the namespaces and the mounts and lives as long as its host keeps descriptor 0 open.
// For every RUN it forks the tracer, the first process of a new pid namespace, which starts the command, holds every program
// at the gate, and takes over the descriptors of the host until the run is over. When either dies, everything dies.
#define _GNU_SOURCE
#include "changes.h"
#include "clock.h"
#include "command.h"
#include "frame.h"
#include "locks.h"
#include "meanwhile.h"
#include "nodeAttributes.h"
#include "ours.h"
#include "parents.h"
#include "privileges.h"
#include "scratch.h"
#include "settle.h"
#include "setup.h"
#include "supervise.h"
#include "view.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

void raiseOwnLimits(void);

enum { TRACER_DONE = 0, TRACER_LOST_HOST = 1, TRACER_WITHOUT_PROC = 2 };

static void sendNotStarted(int error, const char *step) {
  beginEvent(EV_FINISHED);
  putU8(NOT_STARTED);
  putU32((uint32_t)error);
  putText("");
  putU32(0);
  putU32(0);
  putU64(0);
  putU8(0);
  putText(step);
  putU32(0);
  sendEvent();
}

_Noreturn static void beTracer(const struct run *run) {
  // When the keeper dies the tracer dies, and with it its pid namespace and (PTRACE_O_EXITKILL) every tracee.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) { sendNotStarted(errno, "prctl"); _exit(TRACER_DONE); }
  if (view.copies) {
    if (fchdir(view.root) != 0 || chroot(".") != 0) { sendNotStarted(errno, "chroot"); _exit(TRACER_DONE); }
    if (view.ownPids && !mountProcesses()) _exit(TRACER_WITHOUT_PROC);
  }
  if (!view.ownPids) prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  _exit(supervise(run) ? TRACER_DONE : TRACER_LOST_HOST);
}

// The exit status of the tracer; -1 with errno when it could not be started.
static int runTracer(const struct run *run) {
  int status;
  // clone(2) without a stack is fork(2) with flags; the tracer becomes process 1 of its namespace.
  long pid = syscall(SYS_clone, (view.ownPids ? CLONE_NEWPID : 0) | SIGCHLD, 0, 0, 0, 0);
  if (pid == 0) beTracer(run);
  if (pid < 0) return -1;
  while (waitpid((pid_t)pid, &status, 0) < 0 && errno == EINTR);
  // The procfs of the dead namespace stays: unmounting takes 5 ms (it waits for RCU), and the next run mounts its own on top.
  return status;
}

// False when the host is gone.
static bool runCommand(struct request *request) {
  struct run run;
  if (!readRun(request, &run)) { sendNotStarted(EPROTO, "the RUN request is malformed"); return true; }
  if (view.copies && run.newLayer && !addLayer()) { sendNotStarted(errno, "new layer"); return false; }
  if (view.supervised && run.newLayer) tree->layer++;
  if (view.copies) prepareParents(&run);
  noteRunStart();
  startFindingLeases();
  int status = runTracer(&run);
  if (status >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == TRACER_WITHOUT_PROC) {
    view.ownPids = false;
    bindProcesses();
    status = runTracer(&run);
  }
  freeRun(&run);
  if (status < 0) { sendNotStarted(errno, "clone"); return true; }
  if (WIFEXITED(status) && WEXITSTATUS(status) == TRACER_DONE) return true;
  if (WIFEXITED(status) && WEXITSTATUS(status) == TRACER_LOST_HOST) return false;
  char what[64];
  snprintf(what, sizeof what, "the supervisor ended with status %d", status);
  sendNotStarted(ECHILD, what);
  return true;
}

static void prepare(struct request *request) {
  uint64_t start = nowNs();
  if (request->type != REQ_SETUP) refuse("protocol", EPROTO, "The first request must be SETUP.");
  readSetup(request);
  raiseOwnLimits();
  if (setup.mode == MODE_COPY) buildView();
  else if (setup.mode == MODE_SUPERVISED) buildTree();
  else openRealView();
  sendReady((uint32_t)((nowNs() - start) / 1000));
}

// Many answers are sent together while the host has asked for more already.
static void serve(struct request *request) {
  struct pollfd host = {hostIn, POLLIN, 0};
  holdEvents(true);
  serveFiles(request);
  holdEvents(poll(&host, 1, 0) > 0 && host.revents == POLLIN);
}

int main(int count, char **words) {
  struct request request;
  if (count == 2 && strcmp(words[1], "settle") == 0) return settleNodes();
  if (count == 2 && strcmp(words[1], "attributes") == 0) return serveAttributes();
  noteHost();
  notePrivileges();
  takeHostDescriptors();
  signal(SIGPIPE, SIG_IGN);
  if (!readRequest(&request)) return 0;
  prepare(&request);
  freeRequest(&request);
  for (bool host = true; host && readRequest(&request); freeRequest(&request)) {
    if (request.type == REQ_RUN) { holdEvents(false); host = runCommand(&request); }
    else serve(&request);
  }
  removeScratch();
  return 0;
}
