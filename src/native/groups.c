// The groups of the user: a user namespace shows most of them as "nobody", so they are read before it is made.
#define _GNU_SOURCE
#include "tracee.h"
#include "view.h"
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

void readGroups(void) {
  view.groupCount = getgroups(0, 0);
  view.groups = view.groupCount > 0 ? calloc((size_t)view.groupCount, sizeof *view.groups) : 0;
  view.groupCount = view.groups ? getgroups(view.groupCount, view.groups) : 0;
}

bool isInGroup(gid_t group) {
  if (group == getegid()) return true;
  for (int i = 0; i < view.groupCount; i++)
    if (view.groups[i] == group) return true;
  return false;
}

void judgeGroups(struct tracee *tracee, const struct call *call) {
  int room = (int)call->args[0];
  size_t size = (size_t)view.groupCount * sizeof *view.groups;
  if (room < 0) return;
  if (room > 0 && room < view.groupCount) skipCall(tracee->tid, -EINVAL);
  else if (room == 0 || writeMemory(tracee->tid, call->args[1], view.groups, size)) skipCall(tracee->tid, view.groupCount);
}
