#define _GNU_SOURCE
#include "jumps.h"
#include "setup.h"
#include <stdlib.h>
#include <time.h>

// `atNs`: the last time that a file could get before it; `aheadNs`: how far the clock is ahead from then on.
static struct jump { int64_t atNs, aheadNs; } *jumps;
static uint32_t count, room;
static int64_t startNs;

enum { LONG_NS = 500000000, MOST_WAITS = 32, TICK_STEP_NS = 500000, MOST_STEPS = 40 };

static int64_t toNs(const struct timespec *time) { return time->tv_sec * 1000000000ll + time->tv_nsec; }

// Times of files count in ticks (CLOCK_REALTIME_COARSE), but where somebody has asked for one meanwhile (inode_set_ctime_current, Linux 6.13).
static int64_t readClock(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return toNs(&now);
}

void startJumps(void) { startNs = readClock(CLOCK_REALTIME_COARSE); }

// What is written behind a long jump must not get the same time as what was written before it.
static void awaitTick(int64_t nowNs) {
  static unsigned waits;
  const struct timespec step = {0, TICK_STEP_NS};
  if (++waits > MOST_WAITS) return;
  for (int i = 0; i < MOST_STEPS && readClock(CLOCK_REALTIME_COARSE) <= nowNs; i++) nanosleep(&step, 0);
}

void noteJump(uint64_t ns) {
  if (count == room) {
    room = room * 2 + 16;
    jumps = realloc(jumps, room * sizeof *jumps);
    if (!jumps) _Exit(122);
  }
  int64_t atNs = readClock(CLOCK_REALTIME);
  jumps[count] = (struct jump){atNs, (count ? jumps[count - 1].aheadNs : 0) + (int64_t)ns};
  count++;
  if (ns >= LONG_NS) awaitTick(atNs);
}

static int64_t aheadAt(int64_t ns) {
  uint32_t from = 0, to = count; // the first jump that is not before it
  while (from < to) {
    uint32_t middle = (from + to) / 2;
    if (jumps[middle].atNs < ns) from = middle + 1;
    else to = middle;
  }
  return from ? jumps[from - 1].aheadNs : 0;
}

// A time that lies ahead of the machine's clock was given by somebody who has read the other one.
static void show(struct timespec *time, int64_t nowNs) {
  int64_t ns = toNs(time);
  if (ns < startNs || ns > nowNs) return;
  ns += aheadAt(ns) + setup.clockOffsetMs * 1000000;
  *time = (struct timespec){ns / 1000000000, ns % 1000000000};
}

void showTimes(struct stat *st) {
  if ((!count && !setup.clockOffsetMs) || setup.clockPermille) return;
  int64_t nowNs = readClock(CLOCK_REALTIME);
  show(&st->st_atim, nowNs);
  show(&st->st_mtim, nowNs);
  show(&st->st_ctim, nowNs);
}
