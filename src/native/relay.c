#define _GNU_SOURCE
#include "relay.h"
#include "command.h"
#include "quiet.h"
#include "setup.h"
#include "supervise.h"
#include "tracee.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static uint64_t sentBytes;
static bool cut;
static bool hungUp; // nobody holds the terminal at this moment
static bool atEnd;

bool outputWasCut(void) { return cut; }

static void relay(void *with, short events) {
  static char piece[PIECE];
  int stream = (int)(intptr_t)with;
  (void)events;
  ssize_t n = read(command.output[stream - 1], piece, sizeof piece);
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
  // A program that closes its descriptors just before it exits still has the terminal: closing the master now would send it SIGHUP
  // (tty_ioctl(4), pty(7)), and it would seem to have died of it.
  if (n < 0 && command.terminal && !atEnd && traceeCount() > 0) { hungUp = true; return; }
  if (n <= 0) { // EIO: nobody holds the terminal any more
    close(command.output[stream - 1]);
    if (command.input == command.output[stream - 1]) command.input = -1;
    command.output[stream - 1] = -1;
    return;
  }
  uint64_t room = setup.outputBytes ? setup.outputBytes - sentBytes : (uint64_t)n;
  if ((uint64_t)n > room) { cut = true; n = (ssize_t)room; }
  noteActivity();
  if (n == 0) return;
  sentBytes += (uint64_t)n;
  beginEvent(EV_OUTPUT);
  putU8((unsigned)stream);
  putBytes(piece, (size_t)n);
  sendEvent();
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
  for (int i = 0; i < 2; i++)
    if (command.output[i] >= 0 && !isHungUp()) watch(command.output[i], POLLIN, relay, (void *)(intptr_t)(i + 1));
  if (command.input >= 0 && typed.at < typed.used) watch(command.input, POLLOUT, feed, 0);
}

void relaySoFar(void) {
  for (int i = 0; i < 2; i++) {
    struct pollfd one = {command.output[i], POLLIN, 0};
    while (command.output[i] >= 0 && poll(&one, 1, 0) > 0 && (one.revents & POLLIN)) relay((void *)(intptr_t)(i + 1), POLLIN);
  }
}

// What was printed before the end is still in the pipes.
void relayRest(void) {
  atEnd = true;
  for (int i = 0; i < 2; i++) {
    struct pollfd one = {command.output[i], POLLIN, 0};
    while (command.output[i] >= 0 && (one.fd = command.output[i]) >= 0 && poll(&one, 1, 0) > 0) relay((void *)(intptr_t)(i + 1), POLLIN);
  }
}
