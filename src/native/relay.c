#define _GNU_SOURCE
#include "relay.h"
#include "clock.h"
#include "command.h"
#include "filter.h"
#include "quiet.h"
#include "setup.h"
#include "supervise.h"
#include "tracee.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint64_t sentBytes;
static bool cut;
static bool hungUp; // nobody holds the terminal at this moment
static bool atEnd;
// Not read before: who prints line by line would cost a frame and a turn of the host's for each. It is shorter than what the first look at a
// quiet command waits for (quiet.c), so that nothing is said of one whose output was not read.
static const uint64_t gatherNs = 250000;
static const size_t smallPiece = 4096;
static uint64_t readAgainAtNs;

bool outputWasCut(void) { return cut; }

// Sends what one read(2) gives of a stream, `most` bytes of it; false when there was nothing.
static bool relayPiece(int stream, size_t most) {
  static char piece[PIECE];
  ssize_t n = read(command.output[stream - 1], piece, most < sizeof piece ? most : sizeof piece);
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return false;
  // A program that closes its descriptors just before it exits still has the terminal: closing the master now would send it SIGHUP
  // (tty_ioctl(4), pty(7)), and it would seem to have died of it.
  if (n < 0 && command.terminal && !atEnd && traceeCount() > 0) { hungUp = true; return false; }
  if (n <= 0) { // EIO: nobody holds the terminal any more
    close(command.output[stream - 1]);
    if (command.input == command.output[stream - 1]) command.input = -1;
    command.output[stream - 1] = -1;
    return false;
  }
  uint64_t room = setup.outputBytes ? setup.outputBytes - sentBytes : (uint64_t)n, got = (uint64_t)n;
  if (got > room) { cut = true; n = (ssize_t)room; }
  noteActivity();
  if (n == 0) return true;
  sentBytes += (uint64_t)n;
  if (!command.terminal) readAgainAtNs = got < smallPiece ? nowNs() + gatherNs : 0;
  beginEvent(EV_OUTPUT);
  putU8((unsigned)stream);
  putBytes(piece, (size_t)n);
  sendEvent();
  return true;
}

static size_t waiting(int stream) {
  int bytes = 0;
  return command.output[stream - 1] >= 0 && ioctl(command.output[stream - 1], FIONREAD, &bytes) == 0 && bytes > 0 ? (size_t)bytes : 0;
}

static void relayBytes(int stream, size_t bytes) {
  for (size_t piece; bytes > 0; bytes -= piece) {
    piece = bytes < PIECE ? bytes : PIECE;
    if (!relayPiece(stream, piece)) return;
  }
}

// Which of two pipes was written first, the pipes do not say. But whoever begins to write errors behind output is stopped (printRules), and what is
// in the pipes by then is sent before: so errors that wait are older than output that waits. Output that is looked for first has all of its errors there.
static void relayBoth(void) {
  size_t output = waiting(1);
  relayBytes(2, waiting(2));
  relayBytes(1, output);
}

static void relay(void *with, short events) {
  int stream = (int)(intptr_t)with;
  if (command.terminal) { relayPiece(stream, PIECE); return; }
  if (waiting(stream)) relayBoth();
  else if (events & (POLLHUP | POLLERR)) relayPiece(stream, PIECE);
}

unsigned printRules(struct rule *rules) {
  // bash leads descriptor 1 to where 2 leads for `echo … >&2`.
  static const long calls[] = {SYS_write, SYS_writev, SYS_dup3,
#if defined(__x86_64__)
    SYS_dup2,
#endif
  };
  unsigned count = 0;
  if (command.terminal || setup.flags & FLAG_PERTURB) return 0;
  for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++) {
    rules[count++] = (struct rule){calls[i], SECCOMP_RET_TRACE, EQUALS, 0, STDERR_FILENO};
    rules[count++] = (struct rule){calls[i], SECCOMP_RET_ALLOW, ALWAYS, 0, 0};
  }
  return count;
}

bool isPrintCall(long number) {
#if defined(__x86_64__)
  if (number == SYS_dup2) return true;
#endif
  return number == SYS_write || number == SYS_writev || number == SYS_dup3;
}

static struct { char *bytes; size_t used, at; bool eof; } typed;

// What is written to a terminal reaches who reads it through a work queue of the kernel, on a busy machine much later: till then it looks as if nobody
// had answered. poll(2) on the terminal waits for that queue (n_tty_poll in drivers/tty/n_tty.c). Where it cannot be opened so, time must do.
static void deliverTyped(void) {
  int terminal = ioctl(command.input, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  struct pollfd one = {terminal, POLLIN, 0};
  if (terminal < 0) return;
  poll(&one, 1, 0);
  close(terminal);
}

static void closeInput(void) {
  noteInput();
  if (command.input < 0) return;
  if (command.terminal) { // VEOF: what Ctrl-D types
    if (write(command.input, "\004", 1) < 0) return;
    deliverTyped();
  } else close(command.input);
  if (!command.terminal) command.input = -1;
}

static void feed(void *with, short events) {
  (void)with;
  (void)events;
  ssize_t n = write(command.input, typed.bytes + typed.at, typed.used - typed.at);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (command.terminal) deliverTyped();
  noteInput();
  typed.at += n > 0 ? (size_t)n : typed.used - typed.at; // nobody reads any more: gone
  if (typed.at < typed.used) return;
  typed.at = typed.used = 0;
  if (typed.eof) { typed.eof = false; closeInput(); }
}

void onInput(struct request *request) {
  bool eof = getU8(request);
  struct bytes bytes = getBytes(request);
  if (command.input >= 0) {
    typed.bytes = realloc(typed.bytes, typed.used + bytes.length + 1);
    if (!typed.bytes) _exit(122);
    memcpy(typed.bytes + typed.used, bytes.text, bytes.length);
    typed.used += bytes.length;
    typed.eof = typed.eof || eof;
    if (typed.used == typed.at && typed.eof) { typed.eof = false; closeInput(); }
  }
  free(bytes.text);
}

// Somebody may open the terminal again.
static bool isHungUp(void) {
  struct pollfd one = {command.output[0], POLLIN, 0};
  if (hungUp && (traceeCount() == 0 || poll(&one, 1, 0) <= 0 || !(one.revents & POLLHUP) || (one.revents & POLLIN))) hungUp = false;
  return hungUp;
}

void watchRelay(void) {
  bool gathers = readAgainAtNs > nowNs();
  if (gathers) wakeBy(readAgainAtNs);
  for (int i = 0; i < 2 && !gathers; i++)
    if (command.output[i] >= 0 && !isHungUp()) watch(command.output[i], POLLIN, relay, (void *)(intptr_t)(i + 1));
  if (command.input >= 0 && typed.at < typed.used) watch(command.input, POLLOUT, feed, 0);
}

void relayOutputBeforeErrors(void) {
  if (!command.terminal && waiting(1)) relayBoth(); // errors alone are in their order already
}

void relaySoFar(void) {
  if (!command.terminal) { relayBoth(); return; }
  struct pollfd one = {command.output[0], POLLIN, 0};
  while (command.output[0] >= 0 && poll(&one, 1, 0) > 0 && (one.revents & POLLIN)) relayPiece(1, PIECE);
}

// What was printed before the end is still in the pipes.
void relayRest(void) {
  atEnd = true;
  if (!command.terminal) relayBoth();
  for (int i = 0; i < 2; i++) {
    struct pollfd one = {command.output[i], POLLIN, 0};
    while (command.output[i] >= 0 && (one.fd = command.output[i]) >= 0 && poll(&one, 1, 0) > 0) relayPiece(i + 1, PIECE);
  }
}
