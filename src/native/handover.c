#define _GNU_SOURCE
#include "handover.h"
#include "clock.h"
#include "instead.h"
#include "known.h"
#include "relay.h"
#include "setup.h"
#include "supervise.h"
#include "view.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { SENT_ARGV = 2 << 20, READ_QUIET_MS = 200 };
enum descriptorKind { CLOSED, NULL_DEVICE, PIPE, FILE_ON_DISK, TERMINAL, SOCKET, OTHER };
enum answerKind { ANSWER_EXIT, ANSWER_RUN, ANSWER_FAIL, ANSWER_INSTEAD, ANSWER_AS_INERT, ANSWER_KNOWN, NO_ANSWER = 255 };

// What is to be written to one of the program's own descriptors.
struct outlet { int descriptor; bool broken; size_t used, at; char *bytes; };

struct hand {
  struct hand *next;
  uint32_t token;
  pid_t tid, group;
  struct outlet outlets[2];
  int input;           // a copy of its standard input, -1 when not open
  bool reading;
  uint32_t maxBytes, gotBytes;
  uint64_t quietAtNs;
  char *got;
  uint8_t reason, answer;
  int32_t value;
  struct instead *instead;
  struct list code;    // of ANSWER_KNOWN
};

static struct hand *hands;
static uint32_t lastToken;

static enum descriptorKind kindOf(pid_t tid, int number) {
  struct stat st;
  if (!statDescriptor(tid, number, &st)) return CLOSED;
  if (S_ISFIFO(st.st_mode)) return PIPE;
  if (S_ISREG(st.st_mode)) return FILE_ON_DISK;
  if (S_ISSOCK(st.st_mode)) return SOCKET;
  if (!S_ISCHR(st.st_mode)) return OTHER;
  // Documentation/admin-guide/devices.txt: 1:3 is null; 4, 5 and 136 to 143 are terminals.
  unsigned major = major(st.st_rdev), minor = minor(st.st_rdev);
  if (major == 1 && minor == 3) return NULL_DEVICE;
  return major == 4 || major == 5 || (major >= 136 && major <= 143) ? TERMINAL : OTHER;
}

static void sendGated(struct tracee *tracee, uint32_t token, enum reason reason, const char *real, bool unchanged, uint64_t argv, uint64_t environment) {
  char cwd[4096];
  if (!readProcLink(tracee->tid, "cwd", cwd, sizeof cwd)) cwd[0] = 0;
  beginEvent(EV_GATED);
  putU32(token);
  putU32((uint32_t)groupOf(tracee));
  putU32((uint32_t)starterOf(tracee));
  putU8(reason);
  putText(real);
  putVector(tracee->tid, argv, SENT_ARGV);
  putVector(tracee->tid, setup.flags & FLAG_SEND_ENVIRONMENT ? environment : 0, SENT_ARGV);
  putText(cwd);
  for (int i = 0; i < 3; i++) putU8(kindOf(tracee->tid, i));
  putU8(unchanged);
  putU32((uint32_t)knownAbove(tracee));
  sendEvent();
}

void handOver(struct tracee *tracee, enum reason reason, const char *real, bool unchanged, uint64_t argv, uint64_t environment) {
  struct hand *hand = calloc(1, sizeof *hand);
  if (!hand) _exit(122);
  *hand = (struct hand){.next = hands, .token = ++lastToken, .tid = tracee->tid, .group = groupOf(tracee), .input = -1, .reason = (uint8_t)reason, .answer = NO_ANSWER};
  hand->outlets[0].descriptor = hand->outlets[1].descriptor = -1;
  hands = hand;
  tracee->held = HELD_GATE;
  tracee->execed = true;
  sendGated(tracee, hand->token, reason, real, unchanged, argv, environment);
}

void reportSlip(struct tracee *tracee) {
  char real[4096];
  if (!readProcLink(tracee->tid, "exe", real, sizeof real)) real[0] = 0;
  sendGated(tracee, 0, SLIPPED, real, false, 0, 0);
}

static struct hand *findHand(uint32_t token) {
  struct hand *hand = hands;
  while (hand && hand->token != token) hand = hand->next;
  return hand;
}

static void freeHand(struct hand *gone) {
  for (struct hand **at = &hands; *at; at = &(*at)->next)
    if (*at == gone) { *at = gone->next; break; }
  for (int i = 0; i < 2; i++) {
    if (gone->outlets[i].descriptor >= 0) close(gone->outlets[i].descriptor);
    free(gone->outlets[i].bytes);
  }
  if (gone->input >= 0) close(gone->input);
  free(gone->got);
  free(gone->instead);
  freeList(&gone->code);
  free(gone);
}

void forgetHandsOf(pid_t tid) {
  for (struct hand *hand = hands, *next; hand; hand = next) {
    next = hand->next;
    if (hand->tid == tid) freeHand(hand);
  }
}

bool anyHandWaits(void) {
  for (struct hand *hand = hands; hand; hand = hand->next)
    if (hand->answer == NO_ANSWER) return true;
  return false;
}

// Our own opening of the program's pipe: O_NONBLOCK belongs to an open file, and the original is shared with others.
static int copyForPolling(pid_t group, int number, int flags) {
  int copy = copyDescriptor(group, number);
  if (copy < 0) return -1;
  struct stat st;
  if (fstat(copy, &st) != 0 || !S_ISFIFO(st.st_mode)) return copy;
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", copy);
  int own = open(path, flags | O_NONBLOCK | O_CLOEXEC);
  close(copy);
  return own;
}

// ---- output in the program's place ----

// True when nothing is left to be written.
static bool isDrained(const struct outlet *outlet) { return outlet->broken || outlet->at == outlet->used; }

static void settle(struct hand *hand) {
  if (hand->answer == NO_ANSWER || !isDrained(&hand->outlets[0]) || !isDrained(&hand->outlets[1])) return;
  struct tracee *tracee = findTracee(hand->tid);
  bool broken = hand->outlets[0].broken || hand->outlets[1].broken;
  uint8_t answer = hand->answer, reason = hand->reason;
  int32_t value = hand->value;
  struct instead *instead = hand->instead;
  struct list code = hand->code;
  hand->instead = 0;
  hand->code = (struct list){0};
  freeHand(hand);
  if (!tracee || tracee->held != HELD_GATE) { free(instead); freeList(&code); return; }
  tracee->held = NOT_HELD;
  // A program that writes to a pipe without a reader dies of SIGPIPE (pipe(7)).
  if (answer == ANSWER_EXIT && broken && value < 256) value = 256 + SIGPIPE;
  // In look mode only a reading of its calls keeps a program from changing the machine, and threads of foreign code could exchange
  // what was read before the kernel reads it again.
  bool runs = answer == ANSWER_RUN || answer == ANSWER_KNOWN;
  if (runs && !mayRunForeign() && (reason == NOT_INERT || reason == FOREIGN_LIBRARY || reason == NOT_JUDGED)) { answer = ANSWER_FAIL; value = EPERM; }
  if (answer == ANSWER_KNOWN && (reason != NOT_INERT || !(setup.flags & FLAG_KNOWN))) { answer = ANSWER_FAIL; value = EPERM; }
  if (answer == ANSWER_RUN) tracee->permitted = tracee->open = true;
  else if (answer == ANSWER_KNOWN) { letInAsKnown(tracee, code); code = (struct list){0}; }
  else if (answer == ANSWER_AS_INERT && reason == MAY_BE_LET_IN) tracee->permitted = false;
  else if (answer == ANSWER_INSTEAD && instead && reason != FOREIGN_LIBRARY && !broken) { startInstead(tracee, instead); instead = 0; }
  else if (answer == ANSWER_FAIL) skipCall(tracee->tid, -value);
  else if (value < 256) replaceCall(tracee->tid, SYS_exit_group, (uint64_t)value);
  else {
    skipCall(tracee->tid, -EINTR);
    syscall(SYS_tgkill, groupOf(tracee), tracee->tid, value - 256);
  }
  if (runs && answer != ANSWER_FAIL) startHanded(tracee);
  free(instead);
  freeList(&code);
  resume(tracee, 0);
}

static void drain(struct hand *hand) {
  for (int i = 0; i < 2; i++) {
    struct outlet *outlet = &hand->outlets[i];
    if (i == 1 && !isDrained(outlet)) relayOutputBeforeErrors();
    while (!isDrained(outlet)) {
      size_t piece = outlet->used - outlet->at;
      ssize_t n = write(outlet->descriptor, outlet->bytes + outlet->at, piece > PIECE ? PIECE : piece);
      if (n > 0) outlet->at += (size_t)n;
      else if (errno == EINTR) continue;
      else if (errno == EAGAIN) break;
      else outlet->broken = true;
    }
  }
  settle(hand);
}

// The loop knows hands by their token: one may be gone when its turn comes.
static void onWritable(void *token, short events) {
  struct hand *hand = findHand((uint32_t)(uintptr_t)token);
  (void)events;
  if (hand) drain(hand);
}

void onWrite(struct request *request) {
  uint32_t token = getU32(request);
  uint8_t stream = getU8(request);
  struct bytes bytes = getBytes(request);
  struct hand *hand = findHand(token);
  // Stream 0: what was read of its pipe goes back there, before it is let in.
  if (hand && bytes.length && stream <= 2) {
    struct outlet *outlet = &hand->outlets[stream == 2];
    if (outlet->descriptor < 0) outlet->descriptor = copyForPolling(hand->group, stream, O_WRONLY);
    if (outlet->descriptor < 0) outlet->broken = errno == ENXIO; // no reader; a closed descriptor just takes nothing
    else {
      outlet->bytes = realloc(outlet->bytes, outlet->used + bytes.length);
      if (!outlet->bytes) _exit(122);
      memcpy(outlet->bytes + outlet->used, bytes.text, bytes.length);
      outlet->used += bytes.length;
    }
  }
  free(bytes.text);
}

void onAnswer(struct request *request) {
  struct hand *hand = findHand(getU32(request));
  uint8_t kind = getU8(request);
  int32_t value = (int32_t)getU32(request);
  if (!hand || request->bad) return; // the process died meanwhile
  if (kind == ANSWER_INSTEAD || kind == ANSWER_KNOWN) {
    char *path = getText(request);
    struct list argv = getList(request), env = getList(request);
    if (kind == ANSWER_KNOWN && !hand->code.items) { hand->code = argv; argv = (struct list){0}; }
    else if (!request->bad && !hand->instead) hand->instead = makeInstead(path, &argv, &env);
    free(path);
    freeList(&argv);
    freeList(&env);
  }
  hand->answer = kind;
  hand->value = value;
  drain(hand);
}

// ---- input in the program's place ----

static void sendInput(struct hand *hand, bool eof) {
  beginEvent(EV_STDIN);
  putU32(hand->token);
  putU8(eof);
  putBytes(hand->got, hand->gotBytes);
  sendEvent();
  free(hand->got);
  hand->got = 0;
  hand->gotBytes = 0;
  hand->reading = false;
}

static void onReadable(void *token, short events) {
  struct hand *hand = findHand((uint32_t)(uintptr_t)token);
  (void)events;
  if (!hand || !hand->reading) return;
  ssize_t n = read(hand->input, hand->got + hand->gotBytes, hand->maxBytes - hand->gotBytes);
  if (n > 0) hand->gotBytes += (uint32_t)n;
  if (n > 0) hand->quietAtNs = nowNs() + READ_QUIET_MS * 1000000ull;
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n <= 0 || hand->gotBytes == hand->maxBytes) sendInput(hand, n <= 0);
}

void onReadStdin(struct request *request) {
  uint32_t token = getU32(request), maxBytes = getU32(request);
  struct hand *hand = findHand(token);
  if (!hand) { // the process died meanwhile; whoever asked must not wait
    beginEvent(EV_STDIN); putU32(token); putU8(1); putBytes("", 0); sendEvent();
    return;
  }
  hand->maxBytes = maxBytes > MAX_FRAME / 2 ? MAX_FRAME / 2 : maxBytes;
  hand->got = malloc(hand->maxBytes + 1);
  hand->gotBytes = 0;
  hand->reading = true;
  hand->quietAtNs = nowNs() + READ_QUIET_MS * 1000000ull;
  enum descriptorKind kind = kindOf(hand->tid, 0);
  bool empty = kind == CLOSED || kind == NULL_DEVICE || kind == TERMINAL || kind == OTHER;
  if (!empty && hand->input < 0) hand->input = copyForPolling(hand->group, 0, O_RDONLY);
  if (empty || hand->input < 0 || !hand->got) sendInput(hand, true);
}

void watchHands(void) {
  for (struct hand *hand = hands, *next; hand; hand = next) {
    next = hand->next;
    if (hand->reading) {
      if (nowNs() >= hand->quietAtNs) sendInput(hand, false);
      else { watch(hand->input, POLLIN, onReadable, (void *)(uintptr_t)hand->token); wakeBy(hand->quietAtNs); }
    }
    for (int i = 0; i < 2; i++)
      if (!isDrained(&hand->outlets[i])) watch(hand->outlets[i].descriptor, POLLOUT, onWritable, (void *)(uintptr_t)hand->token);
  }
}
