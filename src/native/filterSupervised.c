// The filter of supervised mode: that of look mode, with the calls that name files answered from the tree.
#define _GNU_SOURCE
#include "answer.h"
#include "disks.h"
#include "setup.h"
#include <errno.h>
#include <linux/seccomp.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// Sockets that reach beyond the network, or the kernel's own: a copy made by overlays has none either.
static unsigned socketRules(struct rule *rules) {
  static const int families[] = {AF_PACKET, AF_ALG, AF_VSOCK};
  unsigned count = 0;
  for (; count < sizeof families / sizeof *families; count++) rules[count] = (struct rule){SYS_socket, SECCOMP_RET_TRACE, EQUALS, 0, (uint32_t)families[count]};
  // SOCK_RAW, which root may have, with and without SOCK_NONBLOCK and SOCK_CLOEXEC.
  if (geteuid() == 0)
    for (uint32_t flags = 0; flags < 4; flags++)
      rules[count++] = (struct rule){SYS_socket, SECCOMP_RET_TRACE, EQUALS, 1, SOCK_RAW | (flags & 1 ? SOCK_NONBLOCK : 0) | (flags & 2 ? SOCK_CLOEXEC : 0)};
  return count;
}

int installSupervisedFilter(void) {
  static struct rule rules[700];
  unsigned count = storageRules(rules);
  count += answerRules(rules + count);
  count += socketRules(rules + count);
  count += lookRules(rules + count);
  return installFilter(rules, count, SECCOMP_RET_TRACE) ? 0 : -errno;
}
