#define _GNU_SOURCE
#include "handedSockets.h"
#include "filter.h"
#include "setup.h"
#include "supervise.h"
#include "tracee.h"
#include "view.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// As linux/seccomp.h has them since 5.0, 5.5, 5.9 and 5.14; older headers do not.
struct asks { uint64_t id; uint32_t pid, flags; int nr; uint32_t arch; uint64_t at, args[6]; };
struct answers { uint64_t id; int64_t value; int32_t error; uint32_t flags; };
struct handIn { uint64_t id; uint32_t flags, from, to, toFlags; };
enum { GO_ON = 1, AND_ANSWER = 2, ASK = 0x7fc00000 };
#define RECEIVE _IOWR('!', 0, struct asks)
#define ANSWER _IOWR('!', 1, struct answers)
#define HAND_IN _IOW('!', 3, struct handIn)

enum { MOST_KEPT = 256, ROOM = 512 };
// In the order in which they were made; the oldest makes room. `copy` is -1 where it was released.
static struct handed { ino_t inode; int copy, type; } keptSockets[MOST_KEPT];
static unsigned made;
static int ends[2] = {-1, -1}, listener = -1;

static bool mayCopyDescriptors(void) {
  int own = (int)syscall(SYS_pidfd_open, getpid(), 0);
  int copy = own < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, own, STDERR_FILENO, 0);
  bool may = copy >= 0 || (own >= 0 && errno == EBADF);
  if (copy >= 0) close(copy);
  if (own >= 0) close(own);
  return may;
}

// Descriptors can be handed in since Linux 5.9, which brought close_range(2) too; a filter that asks cannot be taken back.
static bool mayHandIn(void) { return syscall(SYS_close_range, INT32_MAX, INT32_MAX, 0) == 0; }

void prepareSockets(void) {
  bool wanted = view.supervised || (setup.mode == MODE_LOOK && setup.reach);
  if (!wanted || mayCopyDescriptors() || !mayHandIn() || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) ends[0] = ends[1] = -1;
}

// One byte, with the descriptor beside it where there is one.
union beside { struct cmsghdr head; char bytes[CMSG_SPACE(sizeof(int))]; };

static void sendDescriptor(int end, int descriptor) {
  union beside beside = {.head = {.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
  struct iovec byte = {"x", 1};
  struct msghdr message = {.msg_iov = &byte, .msg_iovlen = 1, .msg_control = &beside, .msg_controllen = sizeof beside};
  memcpy(CMSG_DATA(&beside.head), &descriptor, sizeof descriptor);
  if (descriptor < 0) { message.msg_control = 0; message.msg_controllen = 0; }
  while (sendmsg(end, &message, MSG_NOSIGNAL) < 0 && errno == EINTR);
}

static int receiveDescriptor(int end) {
  union beside beside = {0};
  char to;
  int descriptor = -1;
  struct iovec byte = {&to, 1};
  struct msghdr message = {.msg_iov = &byte, .msg_iovlen = 1, .msg_control = &beside, .msg_controllen = sizeof beside};
  ssize_t got;
  while ((got = recvmsg(end, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR);
  if (got == 1 && message.msg_controllen >= sizeof beside.head && beside.head.cmsg_type == SCM_RIGHTS) memcpy(&descriptor, CMSG_DATA(&beside.head), sizeof descriptor);
  return descriptor;
}

void offerSockets(void) {
  static const struct rule rules[] = {{SYS_socket, ASK, EQUALS, 0, AF_UNIX}, {SYS_socket, ASK, EQUALS, 0, AF_INET}, {SYS_socket, ASK, EQUALS, 0, AF_INET6}};
  if (ends[1] < 0) return;
  int own = installListener(rules, sizeof rules / sizeof *rules); // -1: somebody listens to this machine's calls already
  sendDescriptor(ends[1], own);
  if (own >= 0) close(own);
  close(ends[1]);
}

void takeSockets(void) {
  if (ends[0] < 0) return;
  close(ends[1]);
  listener = receiveDescriptor(ends[0]);
  close(ends[0]);
}

static ino_t inodeOf(int socket) {
  struct stat st;
  return fstat(socket, &st) == 0 ? st.st_ino : 0;
}

static void keep(int copy, int type) {
  struct handed *place = &keptSockets[made++ % MOST_KEPT];
  if (place->inode && place->copy >= 0) close(place->copy);
  *place = (struct handed){inodeOf(copy), copy, type};
}

// Streams and datagrams of the usual protocols; the kernel knows best about the others.
static bool isOrdinary(const struct asks *asked) {
  int type = (int)asked->args[1] & 15, protocol = (int)asked->args[2];
  bool usual = !protocol || (type == SOCK_STREAM ? protocol == IPPROTO_TCP : protocol == IPPROTO_UDP);
  return (type == SOCK_STREAM || type == SOCK_DGRAM) && usual;
}

// The number that it has there; below 0: a negative errno. `isAnswered`: the call has ended with that, so that no signal can come between.
static int handOver(const struct asks *asked, int own, bool *isAnswered) {
  struct handIn given = {.id = asked->id, .flags = AND_ANSWER, .from = (uint32_t)own, .toFlags = asked->args[1] & SOCK_CLOEXEC ? O_CLOEXEC : 0};
  int number = ioctl(listener, HAND_IN, &given);
  *isAnswered = number >= 0;
  if (number >= 0 || errno != EINVAL) return number >= 0 ? number : -errno;
  given.flags = 0; // Linux before 5.14
  number = ioctl(listener, HAND_IN, &given);
  return number >= 0 ? number : -errno;
}

static void handIn(const struct asks *asked) {
  struct answers answer = {.id = asked->id, .flags = GO_ON};
  int own = isOrdinary(asked) ? socket((int)asked->args[0], (int)asked->args[1] | SOCK_CLOEXEC, (int)asked->args[2]) : -1;
  bool isAnswered = false;
  if (own >= 0) {
    int number = handOver(asked, own, &isAnswered);
    answer = (struct answers){.id = asked->id, .value = number < 0 ? 0 : number, .error = number < 0 ? number : 0};
    if (number < 0) close(own);
    else keep(own, (int)asked->args[1] & 15);
  }
  if (!isAnswered) ioctl(listener, ANSWER, &answer); // who is gone by now needs none
}

static void onAsked(void *with, short events) {
  union { struct asks asked; char room[ROOM]; } request;
  (void)with;
  memset(&request, 0, sizeof request); // the kernel wants it so
  if (events & POLLIN) {
    if (ioctl(listener, RECEIVE, &request) == 0) handIn(&request.asked);
    return;
  }
  close(listener); // nobody is left
  listener = -1;
}

void watchSockets(void) {
  if (listener >= 0) watch(listener, POLLIN, onAsked, 0);
}

// ---- the copies ----

static ino_t inodeOfTheirs(pid_t group, int number) {
  struct stat st;
  return statDescriptor(group, number, &st) && S_ISSOCK(st.st_mode) ? st.st_ino : 0;
}

static struct handed *findKept(pid_t group, int number) {
  ino_t inode = made ? inodeOfTheirs(group, number) : 0;
  for (unsigned i = 0; inode && i < MOST_KEPT && i < made; i++)
    if (keptSockets[i].inode == inode) return &keptSockets[i];
  return 0;
}

int copyHandedSocket(pid_t group, int number) {
  struct handed *kept = findKept(group, number);
  return kept && kept->copy >= 0 ? fcntl(kept->copy, F_DUPFD_CLOEXEC, 0) : -1;
}

int typeOfHandedSocket(pid_t group, int number) {
  struct handed *kept = findKept(group, number);
  return kept ? kept->type : 0;
}

void releaseSocket(pid_t group, int number) {
  struct handed *kept = findKept(group, number);
  if (!kept || kept->copy < 0) return;
  close(kept->copy);
  kept->copy = -1;
}
