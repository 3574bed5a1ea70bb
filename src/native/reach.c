#define _GNU_SOURCE
#include "reach.h"
#include "handedSockets.h"
#include "answer.h"
#include "setup.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ANY_NETWORK = 65536, NAMES = 53, HTTPS = 443, HANDSHAKE_MS = 200 };

// 127.0.0.1 and ::1 alone: behind others of the loopback there may be somebody's gate to elsewhere (the resolver of container networks).
static bool isSelf(const union address *to) {
  return to->any.sa_family == AF_INET ? to->four.sin_addr.s_addr == htonl(INADDR_LOOPBACK) : IN6_IS_ADDR_LOOPBACK(&to->six.sin6_addr);
}

// 169.254.0.0/16 and fe80::/10: machines in a cloud ask there for their own keys.
static bool isLinkLocal(const union address *to) {
  if (to->any.sa_family == AF_INET) return ntohl(to->four.sin_addr.s_addr) >> 16 == 0xa9fe;
  const uint8_t *bytes = to->six.sin6_addr.s6_addr;
  if (IN6_IS_ADDR_V4MAPPED(&to->six.sin6_addr)) return bytes[12] == 169 && bytes[13] == 254;
  return IN6_IS_ADDR_LINKLOCAL(&to->six.sin6_addr);
}

static bool mayConnect(const union address *to, int type) {
  unsigned port = ntohs(to->four.sin_port); // in both forms at the same place
  if (setup.reach != ANY_NETWORK) return type == SOCK_STREAM && isSelf(to) && port == setup.reach;
  if (port == NAMES) return type == SOCK_DGRAM || type == SOCK_STREAM;
  return type == SOCK_STREAM && port == HTTPS && !isSelf(to) && !isLinkLocal(to);
}

// Go finds out in this way whether there is IPv6.
static bool mayBind(const union address *to, int type) {
  bool self = isSelf(to) || (to->any.sa_family == AF_INET6 && IN6_IS_ADDR_V4MAPPED(&to->six.sin6_addr) && to->six.sin6_addr.s6_addr[12] == 127);
  return setup.reach == ANY_NETWORK && type == SOCK_STREAM && self && !to->four.sin_port;
}

static int await(int copy) {
  struct pollfd entry = {copy, POLLOUT, 0};
  int error = 0;
  socklen_t size = sizeof error;
  if (poll(&entry, 1, HANDSHAKE_MS) != 1 || getsockopt(copy, SOL_SOCKET, SO_ERROR, &error, &size) != 0) return ETIMEDOUT;
  return error;
}

// The call is made here, on a copy of the descriptor: another thread could write over an address that we only looked at.
bool reachOutside(struct tracee *tracee, const struct call *call, const union address *to, int type, int *answer) {
  bool binds = call->number == SYS_bind;
  bool isInternet = to->any.sa_family == AF_INET || to->any.sa_family == AF_INET6;
  if (setup.mode != MODE_LOOK || !setup.reach || !isInternet || !(binds ? mayBind(to, type) : mayConnect(to, type))) return false;
  socklen_t size = to->any.sa_family == AF_INET6 ? sizeof to->six : sizeof to->four;
  int copy = copyDescriptor(groupOf(tracee), (int)call->args[0]);
  if (copy < 0) return false;
  int flags = fcntl(copy, F_GETFL), error = 0;
  if (!binds) fcntl(copy, F_SETFL, flags | O_NONBLOCK); // we must not wait for others
  if ((binds ? bind : connect)(copy, &to->any, size) != 0) error = errno;
  if (error == EINPROGRESS && !(flags & O_NONBLOCK)) error = await(copy);
  if (!binds) fcntl(copy, F_SETFL, flags);
  close(copy);
  if (!binds && type == SOCK_STREAM && (!error || error == EINPROGRESS)) releaseSocket(groupOf(tracee), (int)call->args[0]);
  *answer = error;
  return true;
}
