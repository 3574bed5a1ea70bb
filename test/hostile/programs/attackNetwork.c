// Attacks by sockets. Only addresses of this machine: the canary's listeners on the loopback interface.
#include "attack.h"
#include <linux/if_alg.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/vm_sockets.h>
#include <netinet/in.h>
#include <net/if.h>
#include <arpa/inet.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>

static struct sockaddr_in loopback(const char *port) {
  return (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((unsigned short)aimNumber(port)), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static socklen_t unixAddress(struct sockaddr_un *address, const char *name, int abstract) {
  *address = (struct sockaddr_un){.sun_family = AF_UNIX};
  snprintf(address->sun_path + abstract, sizeof address->sun_path - 1, "%s", name);
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + (size_t)abstract + strlen(name) + (abstract ? 0 : 1));
}

static void tcpConnect(void) {
  struct sockaddr_in address = loopback("TCP_PORT");
  tell("tcp connect", connect(socket(AF_INET, SOCK_STREAM, 0), (void *)&address, sizeof address));
  tell("mptcp connect", connect(socket(AF_INET, SOCK_STREAM, 262), (void *)&address, sizeof address));
  struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons((unsigned short)aimNumber("TCP6_PORT")), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
  tell("tcp6 connect", connect(socket(AF_INET6, SOCK_STREAM, 0), (void *)&six, sizeof six));
}

// TCP fast open connects with a call that is not connect(2).
static void tcpFastOpen(void) {
  struct sockaddr_in address = loopback("TCP_PORT");
  tell("fast open", sendto(socket(AF_INET, SOCK_STREAM, 0), "x", 1, MSG_FASTOPEN, (void *)&address, sizeof address));
  usleep(10000);
}

static void datagrams(void) {
  struct sockaddr_in address = loopback("UDP_PORT");
  struct iovec part = {"x", 1};
  struct mmsghdr messages = {.msg_hdr = {.msg_name = &address, .msg_namelen = sizeof address, .msg_iov = &part, .msg_iovlen = 1}};
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  tell("sendto", sendto(fd, "x", 1, 0, (void *)&address, sizeof address));
  tell("sendmsg", sendmsg(fd, &messages.msg_hdr, 0));
  tell("sendmmsg", sendmmsg(fd, &messages, 1, 0));
  if (!connect(fd, (void *)&address, sizeof address)) tell("write to udp", write(fd, "x", 1));
  usleep(10000);
}

static void unixConnect(void) {
  struct sockaddr_un address;
  char path[4200];
  snprintf(path, sizeof path, "%s/listen.sock", aim("OUTSIDE"));
  socklen_t length = unixAddress(&address, path, 0);
  tell("unix connect", connect(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&address, length));
  length = unixAddress(&address, aim("ABSTRACT"), 1);
  tell("abstract connect", connect(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&address, length));
}

static void unixDatagram(void) {
  struct sockaddr_un address;
  char path[4200];
  snprintf(path, sizeof path, "%s/datagram.sock", aim("OUTSIDE"));
  socklen_t length = unixAddress(&address, path, 0);
  int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
  tell("unix sendto", sendto(fd, "x", 1, 0, (void *)&address, length));
  struct iovec part = {"x", 1};
  struct msghdr message = {.msg_name = &address, .msg_namelen = length, .msg_iov = &part, .msg_iovlen = 1};
  tell("unix sendmsg", sendmsg(fd, &message, 0));
}

// Through links and other names of the same socket.
static void unixByLink(void) {
  struct sockaddr_un address;
  char path[4200], link[4200];
  snprintf(path, sizeof path, "%s/listen.sock", aim("OUTSIDE"));
  snprintf(link, sizeof link, "%s/link.sock", aim("VIEW"));
  if (!symlink(path, link)) tell("by symlink", connect(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&address, unixAddress(&address, link, 0)));
  int place = open(path, O_PATH);
  snprintf(link, sizeof link, "/proc/self/fd/%d", place);
  tell("by O_PATH", connect(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&address, unixAddress(&address, link, 0)));
}

// A socket whose name looks like that of a name service.
static void unixNameService(void) {
  struct sockaddr_un address;
  char path[4200];
  snprintf(path, sizeof path, "%s/nscd/socket", aim("OUTSIDE"));
  tell("by name", connect(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&address, unixAddress(&address, path, 0)));
}

static struct sockaddr_un racedAddress;
static volatile int racing;
static const char *racedPath = "/run/nscd/socket";

static void *exchange(void *unused) {
  struct sockaddr_un good, bad;
  char path[4200];
  (void)unused;
  snprintf(path, sizeof path, "%s/listen.sock", aim("OUTSIDE"));
  unixAddress(&good, path, 0);
  unixAddress(&bad, racedPath, 0);
  racing = 1;
  while (racing) { racedAddress = good; for (volatile int i = 0; i < 50; i++) {} racedAddress = bad; for (volatile int i = 0; i < 50; i++) {} }
  return 0;
}

static void addressRace(void) {
  pthread_t thread;
  pthread_create(&thread, 0, exchange, 0);
  while (!racing) usleep(100);
  for (int i = 0; i < 5000; i++) {
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(fd, (void *)&racedAddress, sizeof racedAddress) == 0) puts("connected");
    close(fd);
  }
  racing = 0;
  pthread_join(thread, 0);
  puts("race is over");
}

// Whoever judges knows a server of the command's own, and the address changes to that of another.
static void ownSocketRace(void) {
  struct sockaddr_un address;
  int server = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
  racedPath = "own.sock";
  tell("bind", bind(server, (void *)&address, unixAddress(&address, racedPath, 0)));
  tell("listen", listen(server, 64));
  pthread_t thread;
  pthread_create(&thread, 0, exchange, 0);
  while (!racing) usleep(100);
  for (int i = 0; i < 2000; i++) {
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    connect(fd, (void *)&racedAddress, sizeof racedAddress);
    close(accept(server, 0, 0));
    close(fd);
  }
  racing = 0;
  pthread_join(thread, 0);
  puts("race is over");
}

static void listens(void) {
  struct sockaddr_in address = loopback("FREE_PORT");
  int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  tell("bind", bind(fd, (void *)&address, sizeof address));
  tell("listen", listen(fd, 1));
  usleep(300000);
}

static void bindUnix(void) {
  struct sockaddr_un address;
  char path[4200];
  snprintf(path, sizeof path, "%s/new.sock", aim("OUTSIDE"));
  tell("bind a path", bind(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&address, unixAddress(&address, path, 0)));
  tell("bind a name", bind(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&address, unixAddress(&address, "foretell-attack", 1)));
}

static void rawSockets(void) {
  struct sockaddr_in address = loopback("UDP_PORT");
  tell("icmp", sendto(socket(AF_INET, SOCK_DGRAM, IPPROTO_ICMP), "\x08\0\0\0\0\0\0\0", 8, 0, (void *)&address, sizeof address));
  tell("raw", sendto(socket(AF_INET, SOCK_RAW, IPPROTO_ICMP), "\x08\0\xf7\xff\0\0\0\0", 8, 0, (void *)&address, sizeof address));
  tell("packet", socket(AF_PACKET, SOCK_RAW, htons(3)));
  struct sockaddr_vm vm = {.svm_family = AF_VSOCK, .svm_port = 1, .svm_cid = 1 /* this machine */};
  tell("vsock", connect(socket(AF_VSOCK, SOCK_STREAM, 0), (void *)&vm, sizeof vm));
}

// Gives the loopback interface one more address: 127.7.7.7, seen in /proc/net/fib_trie.
static void netlinkAddress(void) {
  struct { struct nlmsghdr head; struct ifaddrmsg message; struct rtattr attribute; unsigned address; } request = {
    {.nlmsg_len = sizeof request, .nlmsg_type = RTM_NEWADDR, .nlmsg_flags = NLM_F_REQUEST | NLM_F_CREATE | NLM_F_ACK},
    {.ifa_family = AF_INET, .ifa_prefixlen = 32, .ifa_index = if_nametoindex("lo")},
    {.rta_len = 8, .rta_type = IFA_LOCAL}, htonl(0x7f070707)};
  struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
  int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
  tell("netlink", sendto(fd, &request, sizeof request, 0, (void *)&kernel, sizeof kernel));
  struct ifreq interface = {.ifr_name = "lo"};
  interface.ifr_mtu = 65000;
  tell("SIOCSIFMTU", ioctl(socket(AF_INET, SOCK_DGRAM, 0), SIOCSIFMTU, &interface));
}

const struct attack networkAttacks[] = {
  {"tcpConnect", tcpConnect}, {"tcpFastOpen", tcpFastOpen}, {"datagrams", datagrams}, {"unixConnect", unixConnect}, {"unixDatagram", unixDatagram},
  {"unixByLink", unixByLink}, {"listens", listens}, {"unixNameService", unixNameService}, {"addressRace", addressRace}, {"ownSocketRace", ownSocketRace}, {"bindUnix", bindUnix}, {"rawSockets", rawSockets}, {"netlinkAddress", netlinkAddress}, {0, 0},
};
