#define _GNU_SOURCE
#include "memory.h"
#include "openings.h"
#include "scan.h"
#include "tracee.h"
#include "view.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <unistd.h>

enum { MANY_SHARED = 8 << 20, MOST_FILES = 4096 };
static bool hasMemoryFiles;

void noteMemoryFile(void) { hasMemoryFiles = true; }

static bool readProcess(pid_t pid, const char *name, char *to, size_t room) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? 0 : read(file, to, room - 1);
  if (file >= 0) close(file);
  to[length > 0 ? length : 0] = 0;
  return length > 0;
}

static uint64_t kilobytes(const char *text, const char *name) {
  const char *line = strstr(text, name);
  return line ? strtoull(line + strlen(name), 0, 10) * 1024 : 0;
}

static bool isProcess(struct tracee *tracee) { return groupOf(tracee) == tracee->tid; }

// ---- the upper bound: what processes share is counted in each ----

static bool mayBeSwapped(void) {
  struct sysinfo machine;
  return sysinfo(&machine) == 0 && machine.totalswap > 0;
}

// Resident memory without mapped files, which the kernel can drop at any time.
static uint64_t boundOf(pid_t pid, bool swaps) {
  char text[4096];
  unsigned long long resident = 0, shared = 0;
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  if (!readProcess(pid, "statm", text, sizeof text) || scanText(text, "%*u %llu %llu", &resident, &shared) != 2) return 0;
  // What is shared are libraries, mostly.
  if (!swaps && shared * page < MANY_SHARED) return resident * page;
  if (!readProcess(pid, "status", text, sizeof text)) return resident * page;
  return kilobytes(text, "\nRssAnon:") + kilobytes(text, "\nRssShmem:") + kilobytes(text, "\nVmSwap:") + kilobytes(text, "\nHugetlbPages:");
}

// System V shared memory of the view's own namespace, attached or not (proc_sysvipc(5): the last two columns).
static uint64_t segmentBytes(void) {
  char line[512];
  uint64_t sum = 0;
  if (!view.copies) return 0; // of the machine, and of others
  FILE *file = fopen("/proc/sysvipc/shm", "re");
  while (file && fgets(line, sizeof line, file)) {
    unsigned long long resident, swapped;
    if (scanText(line, "%*d %*d %*o %*u %*u %*u %*u %*u %*u %*u %*u %*u %*u %*u %llu %llu", &resident, &swapped) == 2) sum += resident + swapped;
  }
  if (file) fclose(file);
  return sum;
}

// ---- files in memory ----

static struct { dev_t device; ino_t inode; } files[MOST_FILES];
static unsigned fileCount;

static bool isKnownFile(ino_t inode) {
  for (unsigned i = 0; i < fileCount; i++)
    if (files[i].inode == inode) return true;
  return false;
}

// Adds its bytes, where it was not met yet.
static bool addMemoryFile(void *sum, struct holder holder, int folder, const char *name) {
  char target[16];
  struct stat st;
  (void)holder;
  ssize_t length = readlinkat(folder, name, target, sizeof target);
  if (length < 7 || memcmp(target, "/memfd:", 7) || fstatat(folder, name, &st, 0) != 0 || isKnownFile(st.st_ino)) return false;
  if (fileCount < MOST_FILES) { files[fileCount].device = st.st_dev; files[fileCount++].inode = st.st_ino; }
  *(uint64_t *)sum += (uint64_t)st.st_blocks * 512;
  return false;
}

static uint64_t memoryFileBytes(void) {
  uint64_t sum = 0;
  fileCount = 0;
  if (hasMemoryFiles) anyDescriptor(addMemoryFile, &sum);
  return sum;
}

// ---- measured: what processes share is divided among them (proc_pid_smaps(5), Pss) ----

enum mapping { OWN, COUNTED_ELSEWHERE, OF_A_FILE };

static enum mapping kindOf(const char *line) {
  unsigned long long inode;
  int at = 0;
  if (scanText(line, "%*x-%*x %*s %*s %*s %llu %n", &inode, &at) < 1 || !inode) return OWN;
  const char *name = line + at;
  if (!strncmp(name, "/SYSV", 5) && view.copies) return COUNTED_ELSEWHERE;
  if (!strncmp(name, "/memfd:", 7)) return isKnownFile((ino_t)inode) ? COUNTED_ELSEWHERE : OWN;
  return !strncmp(name, "/dev/zero (deleted)", 19) ? OWN : OF_A_FILE; // shared memory without a name
}

static uint64_t measure(pid_t pid) {
  char path[64], *line = 0;
  size_t room = 0;
  uint64_t sum = 0;
  enum mapping kind = OWN;
  snprintf(path, sizeof path, "/proc/%d/smaps", pid);
  FILE *file = fopen(path, "re");
  while (file && getline(&line, &room, file) > 0) {
    if (!(line[0] >= 'A' && line[0] <= 'Z')) kind = kindOf(line);
    else if (kind == COUNTED_ELSEWHERE) continue;
    // Of a mapped file only what the process changed for itself is memory.
    else if (!strncmp(line, kind == OWN ? "Pss:" : "Anonymous:", kind == OWN ? 4 : 10)) sum += strtoull(strchr(line, ':') + 1, 0, 10) * 1024;
    else if (!strncmp(line, "SwapPss:", 8)) sum += strtoull(line + 8, 0, 10) * 1024;
    else if (!strncmp(line, "Private_Hugetlb:", 16) || !strncmp(line, "Shared_Hugetlb:", 15)) sum += strtoull(strchr(line, ':') + 1, 0, 10) * 1024;
  }
  free(line);
  if (file) fclose(file);
  return sum;
}

uint64_t usedMemory(uint64_t limit) {
  bool swaps = mayBeSwapped();
  uint64_t apart = segmentBytes() + memoryFileBytes(), bound = apart, measured = apart;
  for (struct tracee *tracee = nextTracee(0); tracee; tracee = nextTracee(tracee))
    if (isProcess(tracee)) bound += boundOf(tracee->tid, swaps);
  if (!limit || bound <= limit) return bound;
  for (struct tracee *tracee = nextTracee(0); tracee; tracee = nextTracee(tracee))
    if (isProcess(tracee)) measured += measure(tracee->tid);
  return measured < bound ? measured : bound;
}
