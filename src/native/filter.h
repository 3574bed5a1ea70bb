// The system call filters (seccomp(2)) of the command.
#pragma once
#include "tracee.h"
#include <linux/filter.h>
#include <stdbool.h>
#include <stdint.h>

enum ruleTest {
  ALWAYS,
  BITS_SET,    // any of `value` is set in the argument
  BITS_CLEAR,  // none is
  EQUALS, // the lower half of the argument
  ABOVE,  // the lower half is larger than `value`
  AT_LEAST_UPPER, // its upper half, as a signed number, is at least `value`, which is not 0
  NOT_NULL,    // the argument, as a pointer or 64-bit number, is not 0
  MAP_LIBRARY, // mmap of a file with PROT_EXEC, or as a loader does
};

// Of fallocate(2) what tmpfs does as other file systems do: FALLOC_FL_KEEP_SIZE and FALLOC_FL_PUNCH_HOLE. It refuses the rest (zeroing, collapsing,
// inserting a range), where the real file system may do it.
enum { ALLOCATES_ANYWHERE = 0x01 | 0x02 };

// Flags of clone(2) that lead out of what is watched. In a process that nobody traces, calls that would stop fail with ENOSYS: the leak detector of
// compilers (-fsanitize=address) then failed in a rehearsal as it never fails, and nobody knew why.
#define LEADS_OUT \
  (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_UNTRACED)

struct rule { int number; uint32_t action; enum ruleTest test : 8; uint8_t argument; uint32_t value; };

// Builds a filter from rules, first match wins, and installs it for this process and all that come from it. False with errno.
bool installFilter(const struct rule *rules, unsigned count, uint32_t otherwise);
// The same for calls that are asked about (SECCOMP_RET_USER_NOTIF): the descriptor that gets the questions, or -1 with errno.
int installListener(const struct rule *rules, unsigned count);
// Rules for the controlled clock (clock.h), to be put before the others; returns their number.
unsigned clockRules(struct rule *rules);
// Rules for what becomes executable, and for libraries (libraries.h); returns their number.
unsigned libraryRules(struct rule *rules);
// Rules for the calls that change nothing, and for what may be asked; returns their number.
unsigned lookRules(struct rule *rules);
// Whether copy mode stops at a call for other reasons than what it reads.
bool isStoppedAnyway(const struct call *call);
// 0, or the negative errno.
int installCopyFilter(void);
int installLookFilter(void);

// ioctl(2): rules that stop at each of these requests, and whether one is among them; `bytes`: the size of the list.
unsigned requestRules(struct rule *rules, const uint32_t *requests, size_t bytes);
bool isRequestOf(const uint32_t *requests, size_t bytes, uint64_t request);
