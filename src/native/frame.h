// Frames: how the launcher and its host speak (protocol.md). Little-endian, `u32 length, u8 type, payload`.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAX_FRAME = 16 << 20, PIECE = 64 << 10 };

enum requestType {
  REQ_SETUP = 1, REQ_RUN, REQ_INPUT, REQ_ANSWER, REQ_WRITE, REQ_READ_STDIN, REQ_CANCEL, REQ_LIST, REQ_READ, REQ_PUT, REQ_STAT,
  REQ_COUNT_LINES, REQ_COMPARE,
};
enum eventType {
  EV_READY = 65, EV_REFUSED, EV_EXEC, EV_GATED, EV_OUTPUT, EV_PROGRAM_EXIT, EV_EFFECT, EV_ASKS, EV_FINISHED, EV_CHANGE, EV_LISTED,
  EV_DATA, EV_STDIN, EV_DONE, EV_STATUS, EV_READS,
};
enum effectKind {
  EFFECT_CONNECT = 1, EFFECT_SIGNAL, EFFECT_WAIT_SKIPPED, EFFECT_RENAMED, EFFECT_RENAME_UNFINISHED, EFFECT_REFUSED, EFFECT_LISTENS,
  EFFECT_HARD_LINKS, EFFECT_OTHER_OWNER, EFFECT_DISK_QUOTA, EFFECT_PROCESS_LIMIT, EFFECT_MEMORY_LIMIT, EFFECT_WAITS, EFFECT_TIME_ONLY,
  EFFECT_CHANGED_SYSTEM, EFFECT_READS_PROCESSES, EFFECT_NOT_REAL_STATUS,
  EFFECT_CHANGED_MEANWHILE, EFFECT_DOOR, EFFECT_LEFT_OUT, EFFECT_ATTRIBUTES, EFFECT_READ_BEFORE, EFFECT_ACROSS,
  EFFECT_GUESSED_SIZE, EFFECT_LEFT_UNWRITTEN,
};

// A request that was read completely; the get functions walk along its payload and set `bad` when it is too short.
struct request {
  uint8_t type;
  uint32_t length, at;
  unsigned char *payload;
  bool bad;
};

// A byte string; `text` always has a NUL after its last byte.
struct bytes {
  char *text;
  uint32_t length;
};

// NULL-terminated, for execve(2).
struct list {
  char **items;
  uint32_t count;
};

// Keeps the two descriptors of the host out of the way of the command's 0, 1 and 2.
void takeHostDescriptors(void);
extern int hostIn, hostOut;

// Reads exactly one frame, so that another process can go on reading after it. False at the end of the stream.
bool readRequest(struct request *request);
// During a long answer: the host sent CANCEL (which stays to be read) or is gone. To be asked often; looks now and then.
bool isCancelled(void);
void startCancelling(void);
void freeRequest(struct request *request);
uint8_t getU8(struct request *request);
uint16_t getU16(struct request *request);
uint32_t getU32(struct request *request);
uint64_t getU64(struct request *request);
struct bytes getBytes(struct request *request);
char *getText(struct request *request);
struct list getList(struct request *request);
void freeList(struct list *list);

// One event is built at a time: begin, put, send.
void beginEvent(enum eventType type);
void putU8(unsigned value);
void putU32(uint32_t value);
void putU64(uint64_t value);
void putBytes(const void *bytes, size_t length);
void putText(const char *text);
void putList(char **items, uint32_t count);
void patchU32(size_t at, uint32_t value);
size_t eventLength(void);
void sendEvent(void);
// Takes the event that was built instead of sending it; sendKept sends and frees it.
struct kept { unsigned char *bytes; size_t length; };
struct kept keepEvent(void);
void sendKept(struct kept *kept);

// While held, events are collected and written in large pieces.
void holdEvents(bool hold);

void sendEffect(enum effectKind kind, int pid, const char *detail, int64_t number);
// Sends REFUSED and ends the launcher: the confinement is complete or it does not start.
_Noreturn void refuse(const char *step, int error, const char *sentence);
