#define _GNU_SOURCE
#include "network.h"
#include "gate.h"
#include "handedSockets.h"
#include "loopback.h"
#include "place.h"
#include "reach.h"
#include "relay.h"
#include "scratch.h"
#include "setup.h"
#include "supervise.h"
#include "view.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/netlink.h>
#include <linux/openat2.h>
#include <linux/rtnetlink.h>
#include <linux/seccomp.h>
#include <sys/uio.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Whatever is sent stays in the view.
static bool hasOwnNetwork(void) { return view.copies && !view.supervised; }

// ioctls of netdevice(7) that tell of interfaces.
static const uint32_t interfaceQuestions[] = {SIOCGIFCONF, SIOCGIFADDR, SIOCGIFHWADDR, SIOCGIFINDEX};

static bool asksInterfaces(uint64_t request) { return isRequestOf(interfaceQuestions, sizeof interfaceQuestions, request); }

// What an own network would answer otherwise than the machine: which interfaces there are, and who may have raw sockets. To be put
// behind what is denied; returns their number.
unsigned networkRules(struct rule *rules) {
  static const uint32_t flags[] = {0, SOCK_CLOEXEC, SOCK_NONBLOCK, SOCK_CLOEXEC | SOCK_NONBLOCK};
  unsigned count = 0;
  if (!hasOwnNetwork()) return 0;
  count += requestRules(rules, interfaceQuestions, sizeof interfaceQuestions);
  for (int i = 0; i < 4 && geteuid() == 0; i++) rules[count++] = (struct rule){SYS_socket, SECCOMP_RET_TRACE, EQUALS, 1, SOCK_RAW | flags[i]};
  rules[count++] = (struct rule){SYS_socket, SECCOMP_RET_TRACE, EQUALS, 2, IPPROTO_ICMP};
  rules[count++] = (struct rule){SYS_socket, SECCOMP_RET_TRACE, EQUALS, 2, IPPROTO_ICMPV6};
  if (setup.flags & FLAG_PERTURB) rules[count++] = (struct rule){SYS_sendto, SECCOMP_RET_TRACE, ALWAYS, 0, 0};
  return count;
}

bool isNetworkCall(const struct call *call) {
  long number = call->number;
  if (((view.copies || view.supervised) && number == SYS_socket) || (hasOwnNetwork() && number == SYS_ioctl && asksInterfaces(call->args[1]))) return true;
  return number == SYS_connect || number == SYS_sendto || number == SYS_sendmsg || number == SYS_sendmmsg || number == SYS_bind || number == SYS_listen;
}

static int typeOfSocket(struct tracee *tracee, int descriptor, union address *name) {
  int type = 0, copy = copyDescriptor(groupOf(tracee), descriptor);
  socklen_t size = sizeof type;
  if (name) memset(name, 0, sizeof *name); // AF_UNSPEC
  if (copy < 0) return typeOfHandedSocket(groupOf(tracee), descriptor);
  if (getsockopt(copy, SOL_SOCKET, SO_TYPE, &type, &size) != 0) type = 0;
  if (name) {
    size = sizeof *name - 1;
    if (getsockname(copy, &name->any, &size) != 0) name->any.sa_family = AF_UNSPEC;
  }
  close(copy);
  return type;
}

static void describe(const union address *to, int type, char *text, size_t room) {
  char host[INET6_ADDRSTRLEN] = "";
  const char *kind = type == SOCK_STREAM ? "tcp" : type == SOCK_DGRAM ? "udp" : "ip";
  if (to->any.sa_family == AF_INET) {
    inet_ntop(AF_INET, &to->four.sin_addr, host, sizeof host);
    snprintf(text, room, "%s %s:%d", kind, host, ntohs(to->four.sin_port));
  } else if (to->any.sa_family == AF_INET6) {
    inet_ntop(AF_INET6, &to->six.sin6_addr, host, sizeof host);
    snprintf(text, room, "%s [%s]:%d", kind, host, ntohs(to->six.sin6_port));
  } else if (to->any.sa_family == AF_UNIX && to->local.sun_path[0]) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s", to->local.sun_path);
    showScratchPath(path, sizeof path);
    snprintf(text, room, "unix %s", path);
  } else if (to->any.sa_family == AF_UNIX) snprintf(text, room, "unix @%s", to->local.sun_path + 1);
  else snprintf(text, room, "address family %d", to->any.sa_family);
}

// Name look-ups (nscd(8), nss-systemd(8), sssd(8)): they change nothing, and without them the C library reads the files itself.
static bool isNameService(const char *path) {
  static const char *const places[] = {"/run/nscd/", "/var/run/nscd/", "/run/systemd/userdb/", "/var/lib/sss/pipes/"};
  for (int i = 0; i < 4; i++)
    if (!strncmp(path, places[i], strlen(places[i])) && !strstr(path, "/../")) return true;
  return false;
}

static bool isSocketOutside(const char *path) {
  struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT};
  struct stat st;
  int node = (int)syscall(SYS_openat2, view.outerRoot, path, &how, sizeof how);
  bool found = node >= 0 && fstat(node, &st) == 0 && S_ISSOCK(st.st_mode);
  if (node >= 0) close(node);
  return found;
}

// A socket that a confined process made lies in an upper directory; everything else belongs to the machine.
static bool isOwnSocket(const char *realPath, const struct stat *st) {
  const char *rest;
  struct stat upper;
  const struct part *part = view.copies ? partOf(realPath, &rest) : 0;
  return part && part->upper >= 0 && fstatat(part->upper, rest, &upper, AT_SYMLINK_NOFOLLOW) == 0 && S_ISSOCK(st->st_mode);
}

// 0: the kernel may do it; otherwise the error to answer. `report`: somebody outside would have been reached.
static int judgeLocal(struct tracee *tracee, const union address *to, bool *report) {
  char real[PATH_MAX];
  struct stat st;
  *report = true;
  if (!to->local.sun_path[0]) {
    // An abstract name belongs to the network namespace: in copy mode only confined processes can have it.
    *report = !view.copies;
    return view.copies ? 0 : ECONNREFUSED;
  }
  int node = openAs(tracee->tid, AT_FDCWD, to->local.sun_path, 0);
  int error = node < 0 ? errno : 0;
  bool known = node >= 0 && fstat(node, &st) == 0 && pathOfDescriptor(node, real, sizeof real);
  if (node >= 0) close(node);
  if (view.copies && isNameService(to->local.sun_path)) { *report = false; return ENOENT; }
  if (known && isNameService(real) && st.st_uid == 0) { *report = false; return 0; }
  if (known && isOwnSocket(real, &st)) { *report = false; return 0; }
  if (known) return ECONNREFUSED;
  if (view.copies && to->local.sun_path[0] == '/' && isSocketOutside(to->local.sun_path)) return ECONNREFUSED;
  *report = false; // nothing is there
  return error ? error : ECONNREFUSED;
}

// ---- servers of the command itself ----

// The view's own network namespace has this one interface, which is down at first and leads nowhere else (netdevice(7)).
static void raiseLoopback(void) {
  static bool raised;
  struct ifreq lo = {.ifr_name = "lo"};
  if (raised) return;
  raised = true;
  int any = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (any < 0) return;
  if (ioctl(any, SIOCGIFFLAGS, &lo) == 0) {
    lo.ifr_flags |= IFF_UP;
    if (ioctl(any, SIOCSIFFLAGS, &lo) != 0) raised = false; // what connects is then answered as without a network
  }
  close(any);
}

// 0.0.0.0 and :: mean oneself.
static bool isUnspecified(const union address *to) {
  return to->any.sa_family == AF_INET ? !to->four.sin_addr.s_addr : IN6_IS_ADDR_UNSPECIFIED(&to->six.sin6_addr);
}

static bool isLoopback(const union address *to) {
  if (isUnspecified(to)) return true;
  if (to->any.sa_family == AF_INET) return ntohl(to->four.sin_addr.s_addr) >> 24 == 127;
  if (IN6_IS_ADDR_V4MAPPED(&to->six.sin6_addr)) return to->six.sin6_addr.s6_addr[12] == 127;
  return IN6_IS_ADDR_LOOPBACK(&to->six.sin6_addr);
}

static bool servesPort(const char *table, unsigned port, bool listens) {
  struct connection one;
  bool found = false;
  FILE *lines = fopen(table, "re");
  while (lines && !found && readConnection(lines, &one)) found = one.own == port && (!listens || one.state == 0x0A);
  if (lines) fclose(lines);
  return found;
}

// The command started whoever listens there: in a namespace of our own nobody else can.
static bool isServedHere(const union address *to, int type) {
  if (!hasOwnNetwork() || !isLoopback(to)) return false;
  unsigned port = ntohs(to->any.sa_family == AF_INET ? to->four.sin_port : to->six.sin6_port);
  bool stream = type == SOCK_STREAM;
  return servesPort(stream ? "/proc/self/net/tcp" : "/proc/self/net/udp", port, stream) ||
         servesPort(stream ? "/proc/self/net/tcp6" : "/proc/self/net/udp6", port, stream);
}

// What getaddrinfo(3) asks the kernel: which address of its own would be used. Nothing is sent.
static bool asksOwnAddress(const union address *to, int type, const struct call *call) {
  return hasOwnNetwork() && call->number == SYS_connect && type == SOCK_DGRAM && isUnspecified(to);
}

static int judgeInternet(const union address *to, int type, const struct call *call) {
  if (asksOwnAddress(to, type, call) || isServedHere(to, type)) return 0;
  return isLoopback(to) ? ECONNREFUSED : ENETUNREACH;
}

// Not 127.0.0.11: behind such an address there may be a server that no table of this machine has (the resolver of container networks).
static bool mayBeOwn(const union address *to) {
  enum { DOMAIN = 53 };
  if (ntohs(to->four.sin_port) == DOMAIN) return false;
  return to->any.sa_family == AF_INET6 ? isLoopback(to) : to->four.sin_addr.s_addr == htonl(INADDR_LOOPBACK);
}

static int judgeAddress(struct tracee *tracee, const struct call *call, const union address *to) {
  int type = typeOfSocket(tracee, (int)call->args[0], 0);
  char text[256];
  bool report = true;
  int error;
  switch (to->any.sa_family) {
    case AF_UNSPEC: case AF_NETLINK: return 0; // dissolves a connection; talks to the kernel
    case AF_UNIX: error = judgeLocal(tracee, to, &report); break;
    case AF_INET: case AF_INET6:
      error = judgeInternet(to, type, call);
      break;
    default: error = EAFNOSUPPORT;
  }
  if (report && error) {
    describe(to, type, text, sizeof text);
    relaySoFar();
    sendEffect(EFFECT_CONNECT, groupOf(tracee), text, error);
    // That nobody has the port is told behind a datagram, and behind a connection that is not waited for (udp(7), connect(2)): in a network of our own by the kernel.
    if (isInternet(to) && mayBeOwn(to)) {
      if (hasOwnNetwork()) { raiseLoopback(); return 0; }
      if (type == SOCK_DGRAM) endRun(CHANGED, 0, "sendto");
    }
  }
  return error;
}

static bool readAddress(pid_t tid, uint64_t at, uint64_t length, union address *to) {
  memset(to, 0, sizeof *to);
  if (!at || length < sizeof(sa_family_t)) return false;
  if (length > sizeof *to - 1) length = sizeof *to - 1;
  return readMemory(tid, at, to, length) == (ssize_t)length;
}

static void tellInterfaces(struct tracee *tracee) { sendEffect(EFFECT_READS_PROCESSES, groupOf(tracee), "/sys/class/net", 0); }

// rtnetlink(7), sock_diag(7): interfaces, routes, neighbours, sockets. Which addresses there are every look-up of a name asks.
static void judgeQuestion(struct tracee *tracee, uint64_t at) {
  struct nlmsghdr question;
  if (readMemory(tracee->tid, at, &question, sizeof question) != (ssize_t)sizeof question) return;
  // Who changes something wants to be told whether it was done.
  if (geteuid() == 0 && question.nlmsg_flags & NLM_F_ACK) sendEffect(EFFECT_REFUSED, groupOf(tracee), "a change of the network", EPERM);
  if (!hasOwnNetwork()) return;
  switch (question.nlmsg_type) {
    case RTM_GETLINK: case RTM_GETROUTE: case RTM_GETNEIGH: case 20 /* SOCK_DIAG_BY_FAMILY */: tellInterfaces(tracee);
  }
}

// Sockets that a view has not. What the kernel would refuse an ordinary user for real as well is no difference.
static void judgeSocket(struct tracee *tracee, const struct call *call) {
  int domain = (int)call->args[0], type = (int)call->args[1] & 15, error = 0;
  bool internet = domain == AF_INET || domain == AF_INET6;
  if (domain == AF_VSOCK || domain == AF_ALG) error = EAFNOSUPPORT;
  else if (domain == AF_PACKET || (internet && type == SOCK_RAW)) error = EPERM;
  else if (internet && type == SOCK_DGRAM) error = EACCES; // of ICMP
  if (!error) return;
  if (error != EPERM || geteuid() == 0) sendEffect(EFFECT_REFUSED, groupOf(tracee), "socket", error);
  skipCall(tracee->tid, -error);
}

// In supervised mode the tree says what is there.
static bool hasPath(const union address *to) { return view.supervised && to->any.sa_family == AF_UNIX && to->local.sun_path[0]; }

static bool judgeMessages(struct tracee *tracee, const struct call *call) {
  bool many = call->number == SYS_sendmmsg;
  unsigned count = many ? (unsigned)call->args[2] : 1;
  struct mmsghdr message;
  size_t size = many ? sizeof message : sizeof message.msg_hdr;
  for (unsigned i = 0; i < count && i < 1024; i++) {
    union address to;
    if (readMemory(tracee->tid, call->args[1] + i * size, &message, size) != (ssize_t)size) return true;
    if (!readAddress(tracee->tid, (uint64_t)(uintptr_t)message.msg_hdr.msg_name, message.msg_hdr.msg_namelen, &to)) continue;
    struct iovec first;
    uint64_t pieces = (uint64_t)(uintptr_t)message.msg_hdr.msg_iov;
    if (to.any.sa_family == AF_NETLINK && readMemory(tracee->tid, pieces, &first, sizeof first) == (ssize_t)sizeof first)
      judgeQuestion(tracee, (uint64_t)(uintptr_t)first.iov_base);
    if (hasPath(&to) && isInTree(tracee, to.local.sun_path)) return reachInTree(tracee, call, to.local.sun_path);
    int error = judgeAddress(tracee, call, &to);
    if (error) { skipCall(tracee->tid, -error); return true; }
  }
  return true;
}

static void reportListening(struct tracee *tracee, int descriptor, const union address *name, int type) {
  char text[256];
  (void)descriptor;
  describe(name, type, text, sizeof text);
  sendEffect(EFFECT_LISTENS, groupOf(tracee), text, 0);
}

bool isInternet(const union address *name) { return name->any.sa_family == AF_INET || name->any.sa_family == AF_INET6; }

// Supervised mode: servers of the command's own, and who reaches them. UNKNOWABLE: this is none of these.
static int serveLoopback(struct tracee *tracee, const struct call *call, const union address *name, int type) {
  int descriptor = (int)call->args[0];
  if (!view.supervised || type != SOCK_STREAM || !isInternet(name) || !isLoopback(name)) return UNKNOWABLE;
  return call->number == SYS_bind ? bindLoopback(tracee, descriptor, name) : connectLoopback(tracee, descriptor, name);
}

static bool judgeServer(struct tracee *tracee, const struct call *call) {
  union address name;
  int descriptor = (int)call->args[0], type;
  if (hasOwnNetwork()) raiseLoopback();
  if (call->number == SYS_listen) type = typeOfSocket(tracee, descriptor, &name);
  else {
    if (!readAddress(tracee->tid, call->args[1], call->args[2], &name)) return true;
    if (name.any.sa_family == AF_NETLINK) return true;
    union address bound;
    type = typeOfSocket(tracee, descriptor, &bound);
    int error;
    if (reachOutside(tracee, call, &name, type, &error)) { skipCall(tracee->tid, -error); return true; }
    error = serveLoopback(tracee, call, &name, type);
    if (error != UNKNOWABLE) { skipCall(tracee->tid, -error); return true; }
    if (hasPath(&name)) return bindInTree(tracee, call, name.local.sun_path, type && hasPath(&bound));
  }
  bool isServer = view.supervised && call->number == SYS_listen && isInternet(&name) && mayListen(tracee, descriptor);
  if (isServer) name.four.sin_port = htons((uint16_t)shownPort(ntohs(name.four.sin_port)));
  bool isOwn = isServer || (hasPath(&name) && isInScratch(name.local.sun_path)); // nobody else reaches it
  if (!view.copies && !isOwn) {
    char text[300];
    int used = snprintf(text, sizeof text, "%s ", call->number == SYS_listen ? "listen" : "bind");
    describe(&name, type, text + used, sizeof text - (size_t)used);
    endRun(CHANGED, 0, text);
    return false;
  }
  if (call->number == SYS_listen) releaseSocket(groupOf(tracee), descriptor);
  if (call->number == SYS_listen || (type == SOCK_DGRAM && isInternet(&name))) reportListening(tracee, descriptor, &name, type);
  return true;
}

// Supervised mode, a connection within the command: `isReached` where the call was made here. False when the run is over.
static bool reachLoopback(struct tracee *tracee, const struct call *call, const union address *to, bool *isReached) {
  int type = typeOfSocket(tracee, (int)call->args[0], 0), result;
  unsigned port = ntohs(to->four.sin_port);
  if (type == SOCK_STREAM && isServedLoopback(port)) result = serveLoopback(tracee, call, to, type);
  else if (type == SOCK_DGRAM && mayBeOwn(to) && !servesPort("/proc/self/net/udp", port, false) && !servesPort("/proc/self/net/udp6", port, false))
    result = askOwnAddress(tracee, (int)call->args[0], to);
  else return true;
  if (result == UNKNOWABLE) { endRun(CHANGED, 0, "connect"); return false; }
  skipCall(tracee->tid, -result);
  return *isReached = true;
}

bool judgeNetwork(struct tracee *tracee, const struct call *call) {
  union address to;
  bool isReached = false;
  if (call->number == SYS_bind || call->number == SYS_listen) return judgeServer(tracee, call);
  if (call->number == SYS_sendmsg || call->number == SYS_sendmmsg) return judgeMessages(tracee, call);
  if (call->number == SYS_ioctl) { tellInterfaces(tracee); return true; }
  if (call->number == SYS_socket) { judgeSocket(tracee, call); return true; }
  bool connects = call->number == SYS_connect;
  if (!connects && !call->args[4]) {
    typeOfSocket(tracee, (int)call->args[0], &to);
    if (to.any.sa_family == AF_NETLINK) judgeQuestion(tracee, call->args[1]);
    return true;
  }
  if (!readAddress(tracee->tid, call->args[connects ? 1 : 4], call->args[connects ? 2 : 5], &to)) return true; // EFAULT or EINVAL, or no address
  if (hasPath(&to) && isInTree(tracee, to.local.sun_path)) return reachInTree(tracee, call, to.local.sun_path);
  if (connects && view.supervised && isInternet(&to) && !reachLoopback(tracee, call, &to, &isReached)) return false;
  if (isReached) return true;
  int error;
  if (!connects || !reachOutside(tracee, call, &to, typeOfSocket(tracee, (int)call->args[0], 0), &error)) error = judgeAddress(tracee, call, &to);
  else { skipCall(tracee->tid, -error); return true; }
  if (error) skipCall(tracee->tid, -error);
  else if (!connects && to.any.sa_family == AF_NETLINK) judgeQuestion(tracee, call->args[1]);
  return true;
}
