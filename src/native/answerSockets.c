// Sockets with a path: those that the command made lie in the scratch, under the names that the tree has for them.
#define _GNU_SOURCE
#include "answer.h"
#include "handedSockets.h"
#include "loopback.h"
#include "network.h"
#include "scratch.h"
#include "shared.h"
#include "supervise.h"
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

static struct place place;

// The call is made here, on a copy of the descriptor: Landlock does not refuse connections, so the address must not lie where another
// thread of the program can write over it between our look and the kernel's. Its result, or an errno.
static int callWith(struct tracee *tracee, const struct call *call, const struct node *node) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  char path[64];
  int copy = copyDescriptor(groupOf(tracee), (int)call->args[0]);
  if (copy < 0) return UNKNOWABLE;
  scratchFile(node->now.scratch, path);
  strcpy(address.sun_path, path);
  bool binds = call->number == SYS_bind;
  int flags = fcntl(copy, F_GETFL), error = 0;
  mode_t mask = umask(maskOf(tracee));
  // We must not wait for a server that has too many to serve.
  if (!binds) fcntl(copy, F_SETFL, flags | O_NONBLOCK);
  if ((binds ? bind : connect)(copy, (struct sockaddr *)&address, sizeof address) != 0) error = errno;
  if (!binds) fcntl(copy, F_SETFL, flags);
  umask(mask);
  close(copy);
  if (!error && (!binds || typeOfHandedSocket(groupOf(tracee), (int)call->args[0]) != SOCK_STREAM)) releaseSocket(groupOf(tracee), (int)call->args[0]);
  return error == EAGAIN && !(flags & O_NONBLOCK) ? UNKNOWABLE : error;
}

static int bindNew(struct tracee *tracee, const struct call *call, const char *name) {
  char path[64];
  int error = findPlace((struct from){tracee->tid, AT_FDCWD}, name, NAME_ALONE, AFTER, &place);
  if (!error && place.there) error = EADDRINUSE;
  if (!error) error = mayChangeDirectory(&place.parent);
  if (error) return error;
  struct node *node = makeNode(&place, S_IFSOCK | 0777, maskOf(tracee));
  if (!node || !(node->now.scratch = addScratchFile(node))) return ENOSPC;
  node->bound = copyShared(name);
  scratchFile(node->now.scratch, path);
  error = unlink(path) != 0 ? errno : callWith(tracee, call, node);
  if (error) takeName(&place);
  return error;
}

static int connectTo(struct tracee *tracee, const struct call *call) {
  if (mayUsePlace(&place, W_OK)) return EACCES;
  if (!S_ISSOCK(typeOfPlace(&place, AFTER)) || !place.node->now.scratch) return ECONNREFUSED;
  return call->number == SYS_connect ? callWith(tracee, call, place.node) : UNKNOWABLE;
}

static bool answer(struct tracee *tracee, const char *what, int error) {
  if (error == UNKNOWABLE) { endRun(CHANGED, 0, what); return false; }
  skipCall(tracee->tid, -error);
  return true;
}

bool bindInTree(struct tracee *tracee, const struct call *call, const char *name, bool isBound) {
  return answer(tracee, "bind", isBound ? EINVAL : bindNew(tracee, call, name));
}

bool isInTree(struct tracee *tracee, const char *name) {
  int error = findPlace((struct from){tracee->tid, AT_FDCWD}, name, THROUGH_LINK, AFTER, &place);
  return error || !(place.native || (place.there && !place.node));
}

bool reachInTree(struct tracee *tracee, const struct call *call, const char *name) {
  int error = findPlace((struct from){tracee->tid, AT_FDCWD}, name, THROUGH_LINK, AFTER, &place);
  if (!error) error = place.there ? connectTo(tracee, call) : ENOENT;
  return answer(tracee, "connect", error);
}

// The name as the command knows it, and its size; 0: as the kernel says it.
static socklen_t shownName(union address *name) {
  if (name->any.sa_family == AF_INET || name->any.sa_family == AF_INET6) {
    unsigned port = ntohs(name->four.sin_port), shown = shownPort(port);
    name->four.sin_port = htons((uint16_t)shown);
    return shown == port ? 0 : name->any.sa_family == AF_INET ? sizeof name->four : sizeof name->six;
  }
  const struct node *node = name->any.sa_family == AF_UNIX && isInScratch(name->local.sun_path) ? nodeOfScratchPath(name->local.sun_path) : 0;
  if (!node || !node->bound) return 0;
  snprintf(name->local.sun_path, sizeof name->local.sun_path, "%s", node->bound);
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(node->bound) + 1);
}

static bool isAcceptCall(long number) { return number == SYS_accept || number == SYS_accept4; }

// getsockname(2), getpeername(2): the kernel says it, and then we what it means. What the caller has room for is kept as a fourth argument.
enum { ROOM_AT = 3 };

bool answerSocket(struct asked *asked) {
  socklen_t room = 0;
  asked->tracee->call = *asked->call;
  if (isAcceptCall(asked->call->number)) {
    asked->tracee->wantsExit = isWatchedServer(asked->tracee, (int)asked->call->args[0]);
    return true;
  }
  if (readMemory(asked->tracee->tid, asked->call->args[2], &room, sizeof room) != sizeof room) return true; // EFAULT
  asked->tracee->call.args[ROOM_AT] = room;
  asked->tracee->wantsExit = true;
  return true;
}

bool isSocketCall(long number) { return number == SYS_getsockname || number == SYS_getpeername || isAcceptCall(number); }

// Who comes to a server from outside the command is let in by the kernel, but no further than to here.
static bool finishAccept(struct tracee *tracee) {
  long descriptor = readResult(tracee->tid);
  if (descriptor < 0 || isOwnConnection(tracee, (int)descriptor)) return true;
  endRun(CHANGED, 0, "a connection from outside");
  return false;
}

static bool finishName(struct tracee *tracee) {
  const struct call *call = &tracee->call;
  pid_t tid = tracee->tid;
  union address name = {0};
  socklen_t size, room = (socklen_t)call->args[ROOM_AT];
  bool own = call->number == SYS_getsockname;
  if (readResult(tid) != 0 || readMemory(tid, call->args[2], &size, sizeof size) != sizeof size) return true;
  size_t told = size < room ? size : room;
  if (told > sizeof name - 1 || readMemory(tid, call->args[1], &name, told) != (ssize_t)told) return true;
  // Datagrams that were led nowhere (askOwnAddress): nobody else has such a port. Of a path that was cut nobody knows which it is.
  bool isNowhere = !own && isInternet(&name) && !name.four.sin_port, isCut = name.any.sa_family == AF_UNIX && size > room;
  if (isNowhere || isCut) { endRun(CHANGED, 0, own ? "getsockname" : "getpeername"); return false; }
  size = shownName(&name);
  if (size && (!writeMemory(tid, call->args[1], &name, room < size ? room : size) || !writeMemory(tid, call->args[2], &size, sizeof size))) writeResult(tid, -EFAULT);
  return true;
}

bool finishSocket(struct tracee *tracee) { return isAcceptCall(tracee->call.number) ? finishAccept(tracee) : finishName(tracee); }
