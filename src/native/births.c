#include "births.h"
#include "clock.h"
#include "libraries.h"
#include "pipes.h"
#include "processor.h"
#include "quiet.h"
#include "supervise.h"
#include "view.h"
#include <limits.h>
#include <time.h>

// Of a script that starts processes one by one the first ones are enough. Who computes for long is not waited for, and not often.
enum { MOST_HELD = 128, MOST_WAITS = 4, MOST_BUSY = 12 };
static const uint64_t longestNs = 250000000, longestLookNs = 1000000;
const uint64_t lookAgainNs = 30000;
static unsigned heldSoFar, waits;
static uint64_t lastLookNs, lastUsedNs;
static uint64_t lastFingerprint; // of the last look, when nobody ran
static uint64_t nextLookNs;

static bool hold(struct tracee *tracee, uint32_t flag) {
  if (!(setup.flags & flag) || heldSoFar >= MOST_HELD || waits >= MOST_WAITS) return false;
  heldSoFar++;
  tracee->waitedNs = tracee->othersNs = 0;
  tracee->signals = false;
  tracee->held = HELD_BIRTH;
  return true;
}

void noteOwn(struct tracee *tracee) {
  char real[PATH_MAX];
  bool mayRun = setup.flags & (FLAG_PARENT_FIRST | FLAG_CHILD_FIRST) && (setup.flags & FLAG_OPEN_GATE || tracee->open);
  tracee->isOwn = mayRun && readProcLink(tracee->tid, "exe", real, sizeof real) && !isInstalled(real);
}

static bool isOfOwn(struct tracee *tracee) {
  struct tracee *process = findTracee(groupOf(tracee));
  return process && process->isOwn;
}

bool holdChild(struct tracee *tracee) {
  if ((groupOf(tracee) != tracee->tid && !isOfOwn(tracee)) || !hold(tracee, FLAG_PARENT_FIRST)) return false;
  if (!tracee->turnNs) tracee->turnNs = nowNs();
  return true;
}

bool holdParent(struct tracee *tracee, bool ofThread) {
  if (ofThread && !isOfOwn(tracee)) return false;
  tracee->turnNs = nowNs();
  return hold(tracee, FLAG_CHILD_FIRST);
}

// Where parents go on first, so do those who signal their children.
bool holdSender(struct tracee *tracee) {
  tracee->turnNs = nowNs();
  return tracee->signals = !(setup.flags & FLAG_PARENT_FIRST) && hold(tracee, ~0u);
}

void noteBirth(struct tracee *tracee, bool isWaitedFor) {
  freeBorn(tracee);
  if (!tracee->turnNs) tracee->turnNs = nowNs();
  if (!isWaitedFor) return;
  tracee->atExec = true;
  if (tracee->held != HELD_BIRTH) return;
  tracee->held = NOT_HELD;
  resume(tracee, 0);
}

static bool isSender(const struct tracee *tracee) { return tracee->held == HELD_BIRTH && tracee->signals; }

// Births come first, and who signals comes last: it may end others that are held. Who reads from a pipe waits for those who write to others before it, who writes for those who read behind it.
static bool comesBefore(const struct tracee *one, const struct tracee *other) {
  if (isSender(one) != isSender(other)) return isSender(other);
  if (one->held != other->held) return one->held == HELD_BIRTH;
  bool isLater = one->turnNs > other->turnNs;
  return one->held == HELD_PIPE && setup.flags & FLAG_CHILD_FIRST ? !isLater : isLater;
}

// Processor time that all of them have used; 0 where the system does not tell it of others.
static uint64_t usedNs(void) {
  uint64_t sum = 0;
  for (struct tracee *tracee = nextTracee(0); tracee; tracee = nextTracee(tracee)) {
    struct timespec used;
    clockid_t clock = (clockid_t)(~(uint32_t)tracee->tid << 3 | 2); // clock_getcpuclockid(3); of threads there is none
    if (clock_gettime(clock, &used) == 0) sum += (uint64_t)used.tv_sec * 1000000000ull + (uint64_t)used.tv_nsec;
  }
  return sum;
}

// Although others run. On a busy machine they have not run for all of the time that has passed.
static bool hasWaited(struct tracee *tracee, uint64_t now) {
  if (tracee->held == HELD_PIPE) return hasWaitedAtPipe(tracee, now);
  uint64_t used = usedNs(), past = now - lastLookNs;
  tracee->waitedNs += past < longestLookNs ? past : longestLookNs;
  if (used > lastUsedNs && lastLookNs >= tracee->turnNs) tracee->othersNs += used - lastUsedNs;
  lastLookNs = now;
  lastUsedNs = used;
  bool isLong = (used ? tracee->othersNs : tracee->waitedNs) >= longestNs;
  if (waits < MOST_WAITS && !isLong && now < tracee->turnNs + MOST_BUSY * longestNs) return false;
  waits++;
  return true;
}

static struct tracee *nextTurn(bool isStill) {
  struct tracee *next = 0;
  for (struct tracee *tracee = nextTracee(0); tracee; tracee = nextTracee(tracee)) {
    bool atPipe = tracee->held == HELD_PIPE;
    if (!atPipe && tracee->held != HELD_BIRTH) continue;
    // Let go on with nothing to read, it would be there when the first byte comes.
    if (atPipe && isStill && isAtEmptyPipe(tracee)) continue;
    if (!next || comesBefore(tracee, next)) next = tracee;
  }
  return next;
}

static uint64_t pauseNs(const struct tracee *waiting, uint64_t now) {
  return waiting->held == HELD_PIPE ? pipePauseNs(waiting, now) : pauseAfter(waiting->waitedNs, lookAgainNs, longestLookNs);
}

bool watchTurns(void) {
  uint64_t fingerprint, now = nowNs();
  if (!heldSoFar && !(setup.flags & FLAG_PIPES)) return false;
  struct tracee *next = nextTurn(false);
  if (!next) return false;
  if (now < nextLookNs) { wakeBy(nextLookNs); return true; }
  // Whoever has ended and is not reaped yet does not run, and its parent will: two looks.
  bool isQuiet = nobodyRuns(&fingerprint), isStill = isQuiet && fingerprint == lastFingerprint;
  lastFingerprint = isQuiet ? fingerprint : 0;
  nextLookNs = now + (isQuiet ? lookAgainNs : pauseNs(next, now));
  wakeBy(nextLookNs);
  if (!(next = nextTurn(isStill))) return false;
  if (!isStill && !hasWaited(next, now)) return true;
  lastFingerprint = nextLookNs = 0;
  if (next->held == HELD_PIPE) countPipeWait(next, now);
  next->held = NOT_HELD;
  noteActivity();
  resume(next, 0);
  return true;
}
