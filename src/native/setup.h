// What the host asked for: SETUP once, RUN for every command.
#pragma once
#include "frame.h"

enum { PROTOCOL_VERSION = 1, MODE_COPY = 1, MODE_LOOK = 2, MODE_SUPERVISED = 3 };
enum { FLAG_OPEN_GATE = 1, FLAG_SKIP_WAITING = 2, FLAG_SEND_ENVIRONMENT = 4, FLAG_PERTURB = 8, FLAG_OWN_HOST = 16, FLAG_LETS_IN = 32, FLAG_READS = 64, FLAG_KNOWN = 128, FLAG_FULL_DISK = 256, FLAG_CHILD_FIRST = 512, FLAG_PARENT_FIRST = 1024, FLAG_PIPES = 2048 };

struct setup {
  uint8_t mode;
  uint32_t flags;
  uint64_t diskBytes, memoryBytes, outputBytes;
  uint32_t wallMs, processes;
  int64_t clockOffsetMs;
  uint32_t firstPid;
  struct list inert, ask, correct, mayBeLetIn; // sorted
  uint32_t killMs, clockPermille; // 0: none
  uint32_t caller;                // of FLAG_OWN_HOST: for whom the host predicts; 0: for itself
  uint32_t reach;                 // look mode: the port of this machine whose server is reached, 65536: the network; 0: nobody
  uint64_t unleasedAtNs;          // nobody held a lease for writing then, by CLOCK_MONOTONIC; 0: not known
  struct list copiedAhead;        // sorted
};

struct run {
  struct list argv, env;
  char *cwd;
  uint16_t columns, rows, umask;
  uint8_t stdinKind, newLayer;
};

extern struct setup setup;

void readSetup(struct request *request);
bool readRun(struct request *request, struct run *run);
void freeRun(struct run *run);
bool isInert(const char *realPath);
bool isAsked(const char *realPath);
bool isToCorrect(const char *realPath);
bool mayBeLetIn(const char *realPath);
// Supervised mode: a real file that is copied when it is read, because it will be written while somebody has it open.
bool isCopiedAhead(const char *realPath);
