// Calls on what is still the machine's own in a view: device nodes, files of the kernel, what is only bound, what others have locked or leased.
#pragma once
#include "filter.h"
#include "tracee.h"

// What EFFECT_DOOR is about.
enum door {
  DOOR_DEVICE = 1, // written: it went nowhere
  DOOR_NODE,       // mode or owner of the node of a device
  DOOR_SETTING,    // a setting of the kernel, written
  DOOR_OWN,        // a file of /proc about the process itself, written
  DOOR_READ,       // what would be read is not known, or would be taken from the kernel
  DOOR_FIFO,       // its other end is real
  DOOR_LEASED,     // its holder would be asked to give up the lease
  DOOR_LOCK,       // a lock that would be the machine's
  DOOR_LOCKED,     // somebody outside holds a lock
};

// Copy mode's rules for these calls, to be put before the others; returns their number.
unsigned doorRules(struct rule *rules);
// Mode, owner, times, attributes.
bool isMetadataCall(long number);
// What such a call is about, as O_PATH; -1: unknown.
int openTarget(struct tracee *tracee, const struct call *call);
bool isDoorCall(const struct call *call);
// False when the run is over.
bool judgeDoor(struct tracee *tracee, const struct call *call);
// What a Java machine opens at its start was opened for reading alone.
bool opensCoreFilter(struct tracee *tracee, const struct call *call, const char *path, unsigned flags);
// True when the run is over: the call would disturb the holder of a lease.
bool stopsAtLease(struct tracee *tracee, const struct call *call);
// Every opening has to be looked at.
bool seesOpenings(void);
