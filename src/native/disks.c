#define _GNU_SOURCE
#include "disks.h"
#include "correct.h"
#include "gate.h"
#include "setup.h"
#include "status.h"
#include <fcntl.h>
#include <limits.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

static const long OVERLAY_MAGIC = 0x794C7630; // statfs(2)
enum { PERTURBED = 64 };

bool isDiskCall(long number) { return number == SYS_statfs || number == SYS_fstatfs; }

unsigned diskRules(struct rule *rules) {
  if (!(setup.flags & (FLAG_OPEN_GATE | FLAG_LETS_IN))) return 0;
  rules[0] = (struct rule){SYS_statfs, SECCOMP_RET_TRACE, ALWAYS, 0, 0};
  rules[1] = (struct rule){SYS_fstatfs, SECCOMP_RET_TRACE, ALWAYS, 0, 0};
  return 2;
}

static int openNamed(struct tracee *tracee, const struct call *call) {
  static char path[PATH_MAX];
  char link[64];
  if (call->number == SYS_statfs) return readText(tracee->tid, call->args[0], path, sizeof path) ? openAs(tracee->tid, AT_FDCWD, path, 0) : -1;
  snprintf(link, sizeof link, "/proc/%d/fd/%d", tracee->tid, (int)call->args[0]);
  return open(link, O_PATH | O_CLOEXEC);
}

// How much is free changes all the time: the run that looks for what varies is told of less.
static void perturb(struct statfs *fs) {
  if (!(setup.flags & FLAG_PERTURB)) return;
  fs->f_bfree -= fs->f_bfree / PERTURBED;
  fs->f_bavail -= fs->f_bavail / PERTURBED;
  fs->f_ffree -= fs->f_ffree / PERTURBED;
}

void judgeDisk(struct tracee *tracee, const struct call *call) {
  static char path[PATH_MAX];
  struct statfs fs;
  dev_t device;
  int node = openNamed(tracee, call);
  if (node < 0) return; // the kernel says why
  bool isKnown = fstatfs(node, &fs) == 0 && pathOfDescriptor(node, path, sizeof path);
  close(node);
  // The parts of a copy lie in a tmpfs of ours; memory that is shared by a descriptor has no place.
  bool isCopy = (long)fs.f_type == OVERLAY_MAGIC || ((long)fs.f_type == TMPFS_MAGIC && strncmp(path, "/memfd:", 7));
  if (!isKnown || !isCopy || !realFileSystem(path, &fs, &device)) return;
  perturb(&fs);
  if (writeMemory(tracee->tid, call->args[1], &fs, sizeof fs)) skipCall(tracee->tid, 0);
}
