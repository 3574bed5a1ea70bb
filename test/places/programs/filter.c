// Rules become a seccomp program (seccomp(2)).
#define _GNU_SOURCE
#include "place.h"
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

enum { ROOM = 1000, X32_CALLS = 0x40000000 };
static struct sock_filter code[ROOM];
static unsigned used;

static void add(uint16_t what, uint32_t value, uint8_t yes, uint8_t no) {
  if (used < ROOM) code[used++] = (struct sock_filter){what, yes, no, value};
}

static void load(size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0); }

static void answer(int error) { add(BPF_RET | BPF_K, error ? SECCOMP_RET_ERRNO | (uint32_t)error : SECCOMP_RET_ALLOW, 0, 0); }

// The number is loaded before each rule. Arguments are looked at by their lower half: both machines are little-endian.
static void addRule(const struct rule *rule) {
  bool looksAtArgument = rule->test == ANY_BIT || rule->test == EQUALS;
  add(BPF_JMP | (rule->test == FROM_HERE ? BPF_JGE : BPF_JEQ) | BPF_K, (uint32_t)rule->number, 0, looksAtArgument ? 4 : 1);
  if (looksAtArgument) {
    load(offsetof(struct seccomp_data, args) + 8u * (unsigned)rule->argument);
    add(BPF_JMP | (rule->test == EQUALS ? BPF_JEQ : BPF_JSET) | BPF_K, rule->value, 0, 1);
  }
  answer(rule->error);
  if (looksAtArgument) load(offsetof(struct seccomp_data, nr));
}

static void addRules(const struct rule *rules) {
  if (rules) for (; rules->number >= 0; rules++) addRule(rules);
}

bool installFilter(const struct rule *rules, const struct rule *moreRules) {
  used = 0;
  load(offsetof(struct seccomp_data, arch));
  add(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0);
  answer(ENOSYS); // 32-bit calls have other numbers
  load(offsetof(struct seccomp_data, nr));
  add(BPF_JMP | BPF_JGE | BPF_K, X32_CALLS, 0, 1);
  answer(ENOSYS);
  addRules(rules);
  addRules(moreRules);
  answer(0);
  if (used >= ROOM) { errno = E2BIG; return false; }
  struct sock_fprog program = {(unsigned short)used, code};
  // Docker and podman do not set no_new_privs: sudo works in their containers. Who has no privilege has to (seccomp(2)).
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0) return true;
  return errno == EACCES && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}
