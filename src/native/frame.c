#define _GNU_SOURCE
#include "frame.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int hostIn = 0, hostOut = 1;

static unsigned char *event;
static size_t eventUsed, eventRoom;

// What is wrong here can no longer be said in frames.
_Noreturn static void speechless(const char *what) {
  dprintf(2, "confine: %s: %s\n", what, strerror(errno));
  _exit(120);
}

static void *room(void *old, size_t size) {
  void *block = realloc(old, size ? size : 1);
  if (!block) speechless("memory");
  return block;
}

void takeHostDescriptors(void) {
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing < 0) speechless("/dev/null");
  hostIn = fcntl(0, F_DUPFD_CLOEXEC, 100);
  hostOut = fcntl(1, F_DUPFD_CLOEXEC, 100);
  if (hostIn < 0 || hostOut < 0) speechless("descriptors 0 and 1");
  if (dup2(nothing, 0) < 0 || dup2(nothing, 1) < 0) speechless("/dev/null");
  if (nothing > 2) close(nothing);
  for (int other = 3; other < 100; other++)
    if (other != hostIn && other != hostOut) close(other); // whatever was inherited by mistake
}

// ---- requests ----

static bool readExactly(void *to, size_t length) {
  for (size_t got = 0; got < length;) {
    ssize_t n = read(hostIn, (char *)to + got, length - got);
    if (n > 0) got += (size_t)n;
    else if (n == 0 || errno != EINTR) return false;
  }
  return true;
}

static uint32_t littleEndian(const unsigned char *b, int bytes) {
  uint32_t value = 0;
  for (int i = bytes - 1; i >= 0; i--) value = value << 8 | b[i];
  return value;
}

bool readRequest(struct request *request) {
  unsigned char head[5];
  if (!readExactly(head, sizeof head)) return false;
  *request = (struct request){.type = head[4], .length = littleEndian(head, 4)};
  if (request->length > MAX_FRAME) { errno = EMSGSIZE; speechless("frame"); }
  request->payload = room(0, request->length);
  return readExactly(request->payload, request->length);
}

static bool cancelled;

void startCancelling(void) { cancelled = false; }

bool isCancelled(void) {
  static unsigned asked;
  struct pollfd host = {hostIn, POLLIN | POLLRDHUP, 0};
  unsigned char head[5];
  if (cancelled || asked++ % 16 || poll(&host, 1, 0) <= 0) return cancelled;
  // Of a socket one can see what comes next; of a pipe only that it was closed.
  ssize_t n = recv(hostIn, head, sizeof head, MSG_PEEK | MSG_DONTWAIT);
  bool gone = n == 0 || (host.revents & (POLLHUP | POLLERR)) || (n < 0 && errno == ENOTSOCK && (host.revents & POLLRDHUP));
  cancelled = gone || (n == sizeof head && head[4] == REQ_CANCEL);
  return cancelled;
}

void freeRequest(struct request *request) { free(request->payload); request->payload = 0; }

static const unsigned char *next(struct request *request, uint32_t bytes) {
  if (request->bad || request->length - request->at < bytes) { request->bad = true; return 0; }
  const unsigned char *here = request->payload + request->at;
  request->at += bytes;
  return here;
}

uint8_t getU8(struct request *request) { const unsigned char *b = next(request, 1); return b ? *b : 0; }
uint16_t getU16(struct request *request) { const unsigned char *b = next(request, 2); return b ? (uint16_t)littleEndian(b, 2) : 0; }
uint32_t getU32(struct request *request) { const unsigned char *b = next(request, 4); return b ? littleEndian(b, 4) : 0; }
uint64_t getU64(struct request *request) { uint64_t low = getU32(request); return low | (uint64_t)getU32(request) << 32; }

struct bytes getBytes(struct request *request) {
  uint32_t length = getU32(request);
  const unsigned char *b = next(request, length);
  if (!b) length = 0;
  struct bytes bytes = {room(0, (size_t)length + 1), length};
  if (length) memcpy(bytes.text, b, length);
  bytes.text[length] = 0;
  return bytes;
}

char *getText(struct request *request) { return getBytes(request).text; }

struct list getList(struct request *request) {
  uint32_t count = getU32(request);
  if (count > request->length / 4) { request->bad = true; count = 0; } // each item takes at least its length
  struct list list = {room(0, sizeof(char *) * (count + 1)), count};
  for (uint32_t i = 0; i < count; i++) list.items[i] = getText(request);
  list.items[count] = 0;
  return list;
}

void freeList(struct list *list) {
  for (uint32_t i = 0; i < list->count; i++) free(list->items[i]);
  free(list->items);
  *list = (struct list){0, 0};
}

// ---- events ----

static void put(const void *bytes, size_t length) {
  if (eventUsed + length > eventRoom) event = room(event, eventRoom = (eventUsed + length) * 2 + 4096);
  if (length) memcpy(event + eventUsed, bytes, length);
  eventUsed += length;
}

void beginEvent(enum eventType type) { eventUsed = 0; putU32(0); putU8(type); }
void putU8(unsigned value) { unsigned char b = (unsigned char)value; put(&b, 1); }
void putU32(uint32_t value) { unsigned char b[4]; for (int i = 0; i < 4; i++) b[i] = (unsigned char)(value >> 8 * i); put(b, 4); }
void putU64(uint64_t value) { putU32((uint32_t)value); putU32((uint32_t)(value >> 32)); }
void putBytes(const void *bytes, size_t length) { putU32((uint32_t)length); put(bytes, length); }
void putText(const char *text) { putBytes(text, strlen(text)); }
size_t eventLength(void) { return eventUsed; }

void putList(char **items, uint32_t count) {
  putU32(count);
  for (uint32_t i = 0; i < count; i++) putText(items[i]);
}

void patchU32(size_t at, uint32_t value) {
  for (int i = 0; i < 4; i++) event[at + (size_t)i] = (unsigned char)(value >> 8 * i);
}

// The host always reads, so a blocking write cannot deadlock; a host that is gone ends everything.
static void writeAll(const unsigned char *bytes, size_t length) {
  while (length > 0) {
    ssize_t n = write(hostOut, bytes, length);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(121);
    bytes += n;
    length -= (size_t)n;
  }
}

static unsigned char *held;
static size_t heldUsed;
static bool holding;
enum { HELD_ROOM = 256 << 10 };

static void flushHeld(void) {
  writeAll(held, heldUsed);
  heldUsed = 0;
}

void holdEvents(bool hold) {
  if (!held) held = room(0, HELD_ROOM);
  if (!hold) flushHeld();
  holding = hold;
}

void sendEvent(void) {
  patchU32(0, (uint32_t)(eventUsed - 5));
  if (holding && heldUsed + eventUsed > HELD_ROOM) flushHeld();
  if (holding && eventUsed <= HELD_ROOM) {
    memcpy(held + heldUsed, event, eventUsed);
    heldUsed += eventUsed;
  } else writeAll(event, eventUsed);
}

struct kept keepEvent(void) {
  patchU32(0, (uint32_t)(eventUsed - 5));
  struct kept kept = {room(0, eventUsed), eventUsed};
  memcpy(kept.bytes, event, eventUsed);
  return kept;
}

void sendKept(struct kept *kept) {
  if (kept->bytes) writeAll(kept->bytes, kept->length);
  free(kept->bytes);
  *kept = (struct kept){0, 0};
}

void sendEffect(enum effectKind kind, int pid, const char *detail, int64_t number) {
  beginEvent(EV_EFFECT);
  putU8(kind);
  putU32((uint32_t)pid);
  putText(detail);
  putU64((uint64_t)number);
  sendEvent();
}

_Noreturn void refuse(const char *step, int error, const char *sentence) {
  beginEvent(EV_REFUSED);
  putText(step);
  putU32((uint32_t)error);
  putText(sentence);
  sendEvent();
  _exit(1);
}
