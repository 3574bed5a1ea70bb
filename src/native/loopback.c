#define _GNU_SOURCE
#include "loopback.h"
#include "handedSockets.h"
#include "network.h"
#include "place.h"
#include "scan.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_SERVERS = 256, SYN = 2, SYN_ACK = 0x12, TIME_WAIT = 6, LISTENS = 0x0A, HANDSHAKE_MS = 200 };

// `shown`: the port that the command asked for. `isWatched`: who comes is looked at when accept(2) ends.
static struct server { unsigned shown, real; union address asked; ino_t inode; bool isWatched; } servers[MOST_SERVERS];
static unsigned serverCount;
static uint8_t expected[65536 / 8]; // the ports of the command's own connections that no watched server has accepted yet
static uint16_t secret; // the largest segment that our own connections ask for (tcp(7)): it stands in their first packet

static uint16_t segmentSize(void) {
  while (!secret && getrandom(&secret, sizeof secret, 0) == sizeof secret) secret = (uint16_t)(0x4000 | (secret & 0x3fff));
  return secret;
}

bool readConnection(FILE *table, struct connection *one) {
  char line[512];
  while (fgets(line, sizeof line, table))
    if (scanText(line, " %*u: %*x:%x %*x:%x %x %*x:%*x %*x:%*x %*x %*u %*u %lu", &one->own, &one->peer, &one->state, &one->inode) == 4) return true;
  return false;
}

// One of these tables. `inode` 0: does anybody use the port, also by a connection that ended a moment ago, unless `reuses` (socket(7))?
// Else: does this socket listen there?
static bool usesPort(const char *table, unsigned port, ino_t inode, bool reuses) {
  struct connection one;
  bool found = false;
  FILE *lines = fopen(table, "re");
  if (!lines) return !inode && errno != ENOENT;
  while (!found && readConnection(lines, &one))
    found = one.own == port && (inode ? one.state == LISTENS && one.inode == inode : !reuses || one.state != TIME_WAIT);
  fclose(lines);
  return found;
}

static bool isUsed(unsigned port, ino_t inode, bool reuses) {
  return usesPort("/proc/self/net/tcp", port, inode, reuses) || usesPort("/proc/self/net/tcp6", port, inode, reuses);
}

static bool isListening(const struct server *server) { return server->inode && isUsed(server->real, server->inode, false); }

// A first packet gets through by the loopback alone, and with our secret as its first option; whatever follows belongs to a connection.
static bool closeToOthers(int copy) {
  struct sock_filter checks[] = {
    BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 13), // flags of the TCP header, where such a filter begins
    BPF_STMT(BPF_ALU | BPF_AND | BPF_K, SYN_ACK),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYN, 0, 4),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)SKF_AD_OFF + SKF_AD_IFINDEX),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 3),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 20),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x02040000u | segmentSize(), 0, 1),
    BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
    BPF_STMT(BPF_RET | BPF_K, 0),
  };
  struct sock_fprog program = {sizeof checks / sizeof *checks, checks};
  int on = 1;
  return secret && setsockopt(copy, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program) == 0 && setsockopt(copy, SOL_SOCKET, SO_LOCK_FILTER, &on, sizeof on) == 0;
}

// Who may not give his sockets a filter (some kernels want CAP_NET_ADMIN for that) may tie them to the loopback's interface, since Linux 5.7.
static bool tieToLoopback(int copy) { return setsockopt(copy, SOL_SOCKET, SO_BINDTODEVICE, "lo", sizeof "lo") == 0; }

static bool isOption(int copy, int option) {
  int value = 0;
  socklen_t size = sizeof value;
  return getsockopt(copy, SOL_SOCKET, option, &value, &size) == 0 && value;
}

static bool isSameAddress(const union address *one, const union address *other) {
  if (one->any.sa_family != other->any.sa_family) return false;
  return one->any.sa_family == AF_INET ? one->four.sin_addr.s_addr == other->four.sin_addr.s_addr : IN6_ARE_ADDR_EQUAL(&one->six.sin6_addr, &other->six.sin6_addr);
}

// May it be bound? What another of the command's sockets on the same port makes of that is said where it is sure.
static int judgePort(int copy, unsigned port, const union address *name) {
  bool reuses = isOption(copy, SO_REUSEADDR);
  if (!port) return 0;
  if (port < IPPORT_RESERVED || isUsed(port, 0, reuses)) return UNKNOWABLE;
  for (unsigned i = 0; i < serverCount; i++) {
    if (servers[i].shown != port) continue;
    if (isListening(&servers[i])) return isSameAddress(&servers[i].asked, name) && !isOption(copy, SO_REUSEPORT) ? EADDRINUSE : UNKNOWABLE;
    if (!reuses) return UNKNOWABLE;
  }
  return 0;
}

static int bindCopy(int copy, const union address *name) {
  union address bound = *name;
  socklen_t size = name->any.sa_family == AF_INET6 ? sizeof name->six : sizeof name->four;
  unsigned port = ntohs(name->four.sin_port); // in both forms at the same place
  int error = serverCount == MOST_SERVERS ? UNKNOWABLE : judgePort(copy, port, name);
  if (error) return error;
  bound.four.sin_port = 0;
  if (bind(copy, &bound.any, size) != 0) return errno;
  bool isClosed = closeToOthers(copy);
  // Where neither can be had nothing is served; a port is taken all the same, and nobody reaches it before listen(2).
  if (!isClosed && !tieToLoopback(copy)) return port ? UNKNOWABLE : 0;
  if (getsockname(copy, &bound.any, &size) != 0) return UNKNOWABLE;
  unsigned real = ntohs(bound.four.sin_port);
  servers[serverCount++] = (struct server){port ? port : real, real, *name, 0, !isClosed};
  return 0;
}

int bindLoopback(struct tracee *tracee, int descriptor, const union address *name) {
  int copy = copyDescriptor(groupOf(tracee), descriptor);
  if (copy < 0) return UNKNOWABLE;
  int error = bindCopy(copy, name);
  close(copy);
  return error;
}

unsigned shownPort(unsigned port) {
  for (unsigned i = serverCount; i-- > 0;)
    if (servers[i].real == port) return servers[i].shown;
  return port;
}

bool mayListen(struct tracee *tracee, int descriptor) {
  union address name;
  socklen_t size = sizeof name;
  struct stat st;
  struct server *own = 0;
  int copy = copyDescriptor(groupOf(tracee), descriptor);
  if (copy < 0) return false;
  bool known = getsockname(copy, &name.any, &size) == 0 && fstat(copy, &st) == 0;
  close(copy);
  for (unsigned i = 0; known && i < serverCount; i++)
    if (servers[i].real == ntohs(name.four.sin_port)) own = &servers[i];
  if (!own) return false;
  own->inode = st.st_ino;
  for (unsigned i = 0; i < serverCount; i++)
    if (&servers[i] != own && servers[i].shown == own->shown && isListening(&servers[i])) return false;
  return true;
}

// That of its own family, where there are two.
static const struct server *serverOf(unsigned port, int family) {
  const struct server *found = 0;
  for (unsigned i = 0; i < serverCount; i++)
    if (servers[i].shown == port && (!found || servers[i].asked.any.sa_family == family) && isListening(&servers[i])) found = &servers[i];
  return found;
}

bool isServedLoopback(unsigned port) { return serverOf(port, AF_UNSPEC) != 0; }

// The answer of a server of this machine is there at once; who waits longer waits for a server that has too many to serve.
static int awaitConnection(int copy) {
  struct pollfd entry = {copy, POLLOUT, 0};
  int error = 0;
  socklen_t size = sizeof error;
  if (poll(&entry, 1, HANDSHAKE_MS) != 1 || getsockopt(copy, SOL_SOCKET, SO_ERROR, &error, &size) != 0) return UNKNOWABLE;
  return error;
}

static unsigned ownPort(int copy) {
  union address name;
  socklen_t size = sizeof name;
  return getsockname(copy, &name.any, &size) == 0 && isInternet(&name) ? ntohs(name.four.sin_port) : 0;
}

// The server would be told another port than its client asked for.
static bool isRenumbered(int copy) {
  unsigned port = ownPort(copy);
  return shownPort(port) != port;
}

// Landlock does not refuse connections, so another thread must not be able to write over the address: the call is made here.
int connectLoopback(struct tracee *tracee, int descriptor, const union address *to) {
  const struct server *server = serverOf(ntohs(to->four.sin_port), to->any.sa_family);
  union address real = *to;
  socklen_t size = to->any.sa_family == AF_INET6 ? sizeof to->six : sizeof to->four;
  int copy = server ? copyDescriptor(groupOf(tracee), descriptor) : -1, most = segmentSize(), error = 0;
  if (copy < 0) return UNKNOWABLE;
  if (isRenumbered(copy)) { close(copy); return UNKNOWABLE; }
  real.four.sin_port = htons((uint16_t)server->real);
  int flags = fcntl(copy, F_GETFL);
  setsockopt(copy, IPPROTO_TCP, TCP_MAXSEG, &most, sizeof most);
  fcntl(copy, F_SETFL, flags | O_NONBLOCK);
  if (connect(copy, &real.any, size) != 0) error = errno;
  unsigned from = ownPort(copy);
  if (server->isWatched && from) expected[from / 8] |= (uint8_t)(1u << from % 8);
  if (error == EINPROGRESS && !(flags & O_NONBLOCK)) error = awaitConnection(copy);
  fcntl(copy, F_SETFL, flags);
  close(copy);
  if (!error || error == EINPROGRESS) releaseSocket(groupOf(tracee), descriptor);
  return error;
}

// ---- accept(2) of a watched server ----

bool isWatchedServer(struct tracee *tracee, int descriptor) {
  struct stat st;
  bool known = serverCount && statDescriptor(groupOf(tracee), descriptor, &st) && S_ISSOCK(st.st_mode);
  for (unsigned i = 0; known && i < serverCount; i++)
    if (servers[i].isWatched && servers[i].inode == st.st_ino) return true;
  return false;
}

// The other end of a connection of theirs, from a table of /proc/net: where nobody may copy a descriptor of another process.
static unsigned peerInTable(const char *table, ino_t inode) {
  struct connection one;
  unsigned found = 0;
  FILE *lines = fopen(table, "re");
  while (lines && !found && readConnection(lines, &one))
    if (one.inode == inode) found = one.peer;
  if (lines) fclose(lines);
  return found;
}

static unsigned peerPort(pid_t group, int descriptor) {
  union address name;
  struct stat st;
  socklen_t size = sizeof name;
  int copy = copyDescriptor(group, descriptor);
  bool known = copy >= 0 && getpeername(copy, &name.any, &size) == 0 && isInternet(&name);
  if (copy >= 0) close(copy);
  if (known) return ntohs(name.four.sin_port);
  if (!statDescriptor(group, descriptor, &st)) return 0;
  unsigned port = peerInTable("/proc/self/net/tcp", st.st_ino);
  return port ? port : peerInTable("/proc/self/net/tcp6", st.st_ino);
}

bool isOwnConnection(struct tracee *tracee, int descriptor) {
  unsigned port = peerPort(groupOf(tracee), descriptor);
  uint8_t bit = (uint8_t)(1u << port % 8);
  bool is = port && expected[port / 8] & bit;
  expected[port / 8] &= (uint8_t)~bit;
  return is;
}

// What getaddrinfo(3) asks the kernel: which address of its own would be used. Nobody has the port 0, so nothing that is sent arrives.
int askOwnAddress(struct tracee *tracee, int descriptor, const union address *to) {
  union address nowhere = *to;
  socklen_t size = to->any.sa_family == AF_INET6 ? sizeof to->six : sizeof to->four;
  int copy = copyDescriptor(groupOf(tracee), descriptor);
  if (copy < 0) return UNKNOWABLE;
  nowhere.four.sin_port = 0;
  int error = connect(copy, &nowhere.any, size) != 0 ? errno : 0;
  close(copy);
  return error;
}
