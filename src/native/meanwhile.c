// What somebody else changes while a command runs, and what the command itself has just changed.
#define _GNU_SOURCE
#include "meanwhile.h"
#include "frame.h"
#include <fcntl.h>
#include <stdint.h>
#include <time.h>

static struct timespec runStart, firstStart;

// The fine clock, not the coarse one that files get their times from: what was written just before counts as before.
void noteRunStart(void) {
  clock_gettime(CLOCK_REALTIME, &runStart);
  if (!firstStart.tv_sec) firstStart = runStart;
}

static bool isAfter(const struct timespec *start, int64_t seconds, int64_t nanos) {
  return start->tv_sec && (seconds > start->tv_sec || (seconds == start->tv_sec && nanos > start->tv_nsec));
}

static bool isLater(int64_t seconds, int64_t nanos) { return isAfter(&runStart, seconds, nanos); }

bool changedMeanwhile(const struct stat *before) { return isLater(before->st_ctim.tv_sec, before->st_ctim.tv_nsec); }

void tellMeanwhile(const char *path) { sendEffect(EFFECT_CHANGED_MEANWHILE, 0, path, 0); }

// By this run or one before it in the same view. Files get their times from the clock of the last tick, 10 ms ago at most: what was written just
// before counts as well.
bool isOfTheseRuns(const struct stat *st) {
  int64_t nanos = st->st_ctim.tv_nsec + 10000000;
  return isAfter(&firstStart, st->st_ctim.tv_sec + nanos / 1000000000, nanos % 1000000000);
}

bool cameMeanwhile(int directory, const char *name) {
  struct statx st;
  if (statx(directory, name, AT_SYMLINK_NOFOLLOW, STATX_BTIME, &st) != 0 || !(st.stx_mask & STATX_BTIME)) return false;
  return isLater(st.stx_btime.tv_sec, st.stx_btime.tv_nsec);
}
