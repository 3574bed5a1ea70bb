#include "births.h"
#include "clock.h"
#include "quiet.h"
#include "supervise.h"
#include "view.h"

// Of a script that starts processes one by one the first ones are enough. Who computes for long is not waited for, and not often.
enum { MOST_HELD = 64, MOST_WAITS = 4 };
static const uint64_t longestNs = 250000000, lookAgainNs = 30000;
static unsigned heldSoFar, waits;
static uint64_t lastFingerprint; // of the last look, when nobody ran

static bool hold(struct tracee *tracee, uint32_t flag) {
  if (!(setup.flags & flag) || heldSoFar >= MOST_HELD || waits >= MOST_WAITS) return false;
  heldSoFar++;
  tracee->held = HELD_BIRTH;
  return true;
}

bool holdChild(struct tracee *tracee) {
  if (groupOf(tracee) != tracee->tid || !hold(tracee, FLAG_PARENT_FIRST)) return false;
  if (!tracee->turnNs) tracee->turnNs = nowNs();
  return true;
}

bool holdParent(struct tracee *tracee) {
  tracee->turnNs = nowNs();
  return hold(tracee, FLAG_CHILD_FIRST);
}

void noteBirth(struct tracee *tracee, bool isWaitedFor) {
  if (!tracee->turnNs) tracee->turnNs = nowNs();
  if (!isWaitedFor) return;
  tracee->atExec = true;
  if (tracee->held != HELD_BIRTH) return;
  tracee->held = NOT_HELD;
  resume(tracee, 0);
}

bool watchBirths(void) {
  struct tracee *last = 0;
  uint64_t fingerprint, now = nowNs();
  if (!heldSoFar) return false;
  for (struct tracee *tracee = nextTracee(0); tracee; tracee = nextTracee(tracee))
    if (tracee->held == HELD_BIRTH && (!last || tracee->turnNs > last->turnNs)) last = tracee;
  if (!last) return false;
  wakeBy(now + lookAgainNs);
  // Whoever has ended and is not reaped yet does not run, and its parent will: two looks.
  bool isQuiet = nobodyRuns(&fingerprint), isStill = isQuiet && fingerprint == lastFingerprint;
  lastFingerprint = isQuiet ? fingerprint : 0;
  if (!isStill) {
    if (waits < MOST_WAITS && now < last->turnNs + longestNs) return true;
    waits++;
  }
  lastFingerprint = 0;
  last->held = NOT_HELD;
  noteActivity();
  resume(last, 0);
  return true;
}
