// Attacks on the machine's memory, in ways that do not show as memory of a process of its own. Each takes 400 MB slowly, and no more.
#include "attack.h"
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/wait.h>

enum { PIECE = 20 << 20, PIECES = 20 };

static void pause20(void) { usleep(20000); }

static void fill(char *memory, size_t size) {
  for (size_t at = 0; at < size; at += 4096) memory[at] = 1;
  pause20();
}

static void sharedMemory(void) {
  for (int i = 0; i < PIECES; i++) {
    char *memory = mmap(0, PIECE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) { tell("shared memory", -1); return; }
    fill(memory, PIECE);
  }
  tell("400 MB of shared memory", 0);
}

static void memoryFileWritten(void) {
  static char piece[1 << 20];
  int file = memfd_create("x", 0);
  for (int i = 0; i < PIECES * 20; i++) {
    if (write(file, piece, sizeof piece) != (ssize_t)sizeof piece) { tell("memory file", -1); return; }
    if (i % 20 == 0) pause20();
  }
  tell("400 MB in a file in memory", 0);
}

static void memoryFileMapped(void) {
  for (int i = 0; i < PIECES; i++) {
    int file = memfd_create("x", 0);
    char *memory = ftruncate(file, PIECE) == 0 ? mmap(0, PIECE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
    if (memory == MAP_FAILED) { tell("memory file", -1); return; }
    close(file);
    fill(memory, PIECE);
  }
  tell("400 MB in mapped files in memory", 0);
}

// Nobody is attached to what was filled.
static void segments(void) {
  int ids[PIECES], made = 0;
  for (; made < PIECES; made++) {
    ids[made] = shmget(IPC_PRIVATE, PIECE, IPC_CREAT | 0600);
    char *memory = ids[made] < 0 ? (char *)-1 : shmat(ids[made], 0, 0);
    if (memory == (char *)-1) break;
    fill(memory, PIECE);
    shmdt(memory);
  }
  tell("400 MB of System V memory", made == PIECES ? 0 : -1);
  for (int i = 0; i < made; i++) shmctl(ids[i], IPC_RMID, 0);
}

static void sharedByChildren(void) {
  for (int i = 0; i < PIECES; i++) {
    if (fork() == 0) {
      char *memory = mmap(0, PIECE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
      if (memory != MAP_FAILED) fill(memory, PIECE);
      sleep(2);
      _exit(memory == MAP_FAILED);
    }
    pause20();
  }
  int status, failed = 0;
  while (wait(&status) > 0) failed |= status;
  tell("400 MB of shared memory in 20 processes", failed ? -1 : 0);
}

// The same 40 MB in ten processes are 40 MB.
static void countedOnce(void) {
  char *memory = mmap(0, 2 * PIECE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int file = memfd_create("x", 0);
  char *second = ftruncate(file, PIECE) == 0 ? mmap(0, PIECE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
  char *own = malloc(PIECE);
  if (memory == MAP_FAILED || second == MAP_FAILED || !own) exit(98);
  fill(memory, 2 * PIECE);
  fill(second, PIECE);
  fill(own, PIECE);
  for (int i = 0; i < 9; i++)
    if (fork() == 0) {
      for (size_t at = 0; at < 2 * PIECE; at += 4096) if (!memory[at]) _exit(1);
      for (size_t at = 0; at < PIECE; at += 4096) if (!second[at] || !own[at]) _exit(1);
      usleep(300000);
      _exit(0);
    }
  int status, failed = 0;
  while (wait(&status) > 0) failed |= status;
  tell("shared memory counted once", failed ? -1 : 0);
}

const struct attack memoryAttacks[] = {
  {"sharedMemory", sharedMemory}, {"memoryFileWritten", memoryFileWritten}, {"memoryFileMapped", memoryFileMapped},
  {"segments", segments}, {"sharedByChildren", sharedByChildren}, {"countedOnce", countedOnce}, {0, 0},
};
