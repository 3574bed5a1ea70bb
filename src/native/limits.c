#define _GNU_SOURCE
#include "limits.h"
#include "clock.h"
#include "handover.h"
#include "jumps.h"
#include "memory.h"
#include "quiet.h"
#include "supervise.h"
#include "view.h"
#include <sys/vfs.h>
#include <unistd.h>

static const uint64_t everyNs = 10000000, oftenNs = 1000000;
static uint64_t nextLookNs, nextDiskNs, peakBytes;
static bool fills; // the disk is more than half full: a copy that the kernel makes could reach its end within the usual time

void startLimits(void) {
  nextLookNs = nowNs() + everyNs;
  setKillTime(setup.killMs);
  startJumps();
}
uint64_t peakMemory(void) { return peakBytes; }

void checkProcessLimit(void) {
  if (!setup.processes || traceeCount() <= setup.processes) return;
  sendEffect(EFFECT_PROCESS_LIMIT, 0, "", setup.processes);
  endRun(PROCESS_LIMIT, 0, "");
}

static void checkMemory(void) {
  uint64_t sum = usedMemory(setup.memoryBytes);
  if (sum > peakBytes) peakBytes = sum;
  if (!setup.memoryBytes || sum <= setup.memoryBytes) return;
  sendEffect(EFFECT_MEMORY_LIMIT, 0, "", (int64_t)sum);
  endRun(MEMORY_LIMIT, 0, "");
}

// A copy-up that finds no room removes its piece again, so being nearly full counts: nothing else would show that it was tried.
void checkDisk(void) {
  struct statfs fs;
  // Whoever asked for a full disk wants programs to meet it.
  if (setup.flags & FLAG_FULL_DISK) return;
  if (!setup.diskBytes || view.scratch < 0 || fstatfs(view.scratch, &fs) != 0) return;
  fills = fs.f_bavail < fs.f_blocks / 2;
  bool full = fs.f_bavail < fs.f_blocks / 25 || (fs.f_files && fs.f_ffree < 16);
  // The scratch lies on a file system of the machine, which others use as well.
  if (view.supervised) {
    uint64_t block = (uint64_t)fs.f_bsize, taken = view.scratchFree > fs.f_bavail * block ? view.scratchFree - fs.f_bavail * block : 0;
    full = taken > setup.diskBytes || (taken && full);
  }
  if (!full) return;
  sendEffect(EFFECT_DISK_QUOTA, 0, "", (int64_t)setup.diskBytes);
  endRun(DISK_QUOTA, 0, "");
}

void watchLimits(void) {
  if (!anyHandWaits() && !questionWaits()) watchKill();
  uint64_t now = nowNs();
  if (now >= nextDiskNs) {
    checkDisk();
    nextDiskNs = now + (fills && !view.supervised ? oftenNs : everyNs);
  }
  if (now >= nextLookNs) {
    checkMemory();
    // Looking must not become the work: at most a twentieth of the time.
    uint64_t took = nowNs() - now;
    nextLookNs = now + (took * 20 > everyNs ? took * 20 : everyNs);
  }
  wakeBy(nextDiskNs < nextLookNs ? nextDiskNs : nextLookNs);
}
