// foretell, foretell-hook, foretell-enter: ask the resident service, so that no Node starts. Without one, or where it does not answer, the same
// program runs in this process's place. What is spoken is told in src/cli/service/wire.ts.
#define _GNU_SOURCE
#include "itself.h"
#include "service.h"
#include "start.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static const char *const roleNames[] = {[AS_FORETELL] = "foretell", [AS_HOOK] = "hook", [AS_ENTER] = "enter"};

enum { HEAD_BYTES = 5, INPUT_MS = 2000 };
// The service says every 200 ms that it lives; while it writes a long answer, it does not.
enum { PATIENCE_MS = 1500, LONGER_MS = 5000 };
static const size_t MOST_REQUEST = 8u << 20, MOST_INPUT = 16u << 20;

// When a shell goes on without an answer, and what it is told then: what the words alone say, if they are dangerous.
static int64_t endMs;
static struct text late;

static volatile sig_atomic_t isCancelled;

// What cannot be done anew: part of the answer was told, or of the input of a person was taken.
static bool isBegun;
// A person types, and the service wants it line by line.
static bool isTyped;

static void noteCancel(int number) {
  (void)number;
  isCancelled = 1;
}

static void addWords(struct text *text, char **words) {
  struct text joined = {0};
  for (int i = 0; words[i]; i++) addBytes(&joined, words[i], strlen(words[i]) + 1);
  addField(text, joined.bytes, joined.length);
  free(joined.bytes);
}

static bool sendAll(int service, const struct text *text) {
  for (size_t done = 0; done < text->length;) {
    ssize_t n = send(service, text->bytes + done, text->length - done, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += (size_t)n;
  }
  return true;
}

static bool sendRequest(int service, const char *token, const char *folder, char **words) {
  struct text all = {0}, request = {0};
  char number[16], terminals[4];
  snprintf(number, sizeof number, "%d", getpid());
  for (int i = 0; i < 3; i++) terminals[i] = isatty(i) ? 't' : '-';
  addField(&request, token, 32);
  addField(&request, roleNames[role], strlen(roleNames[role]));
  addField(&request, folder, strlen(folder));
  addField(&request, number, strlen(number));
  addField(&request, terminals, 3);
  addWords(&request, environ);
  addWords(&request, words);
  if (request.length > MOST_REQUEST) return false;
  addBytes(&all, "FTELL2", 6);
  addField(&all, request.bytes, request.length);
  return sendAll(service, &all);
}

static bool sendFrame(int service, char type, const struct text *text) {
  struct text frame = {0};
  addBytes(&frame, &type, 1);
  addField(&frame, text->bytes, text->length);
  bool isSent = sendAll(service, &frame);
  free(frame.bytes);
  return isSent;
}

// The service is gone, and what it began cannot be done anew.
_Noreturn static void endBroken(void) {
  if (!isCancelled) dprintf(2, "foretell: The service ended in the middle of its answer; ask again.\n");
  _exit(3);
}

_Noreturn static void goOnAlone(void) {
  if (isCancelled || isBegun) endBroken();
  runItself();
}

// All of standard input. Whoever keeps an agent's pipe open is not waited for.
static void readInput(void) {
  int64_t end = nowMs() + INPUT_MS;
  inputWasRead = true;
  for (;;) {
    struct pollfd one = {0, POLLIN, 0};
    int64_t left = end - nowMs();
    if (role == AS_HOOK && poll(&one, 1, left > 0 ? (int)left : 0) == 0) runItself();
    ssize_t n = read(0, growText(&input, 65536), 65536);
    if (n < 0 && errno != EINTR && role == AS_FORETELL) runItself();
    if (n == 0 || (n < 0 && errno != EINTR)) return;
    if (n > 0) input.length += (size_t)n;
  }
}

static void writeAll(int to, const char *bytes, size_t length) {
  for (size_t done = 0; done < length;) {
    ssize_t n = write(to, bytes + done, length - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) {
      poll(&(struct pollfd){to, POLLOUT, 0}, 1, -1);
      continue;
    }
    // Whoever reads us may stop reading.
    if (n <= 0) _exit(role == AS_HOOK ? 0 : 3);
    done += (size_t)n;
  }
}

static bool sendInput(int service) {
  struct text nothing = {0};
  return (input.length == 0 || sendFrame(service, 'I', &input)) && sendFrame(service, 'I', &nothing);
}

// What is typed by now; its end once nothing more comes.
static void sendTyped(int service) {
  struct text typed = {0};
  ssize_t n = read(0, growText(&typed, 4096), 4096);
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
  isBegun = true;
  isTyped = n > 0;
  typed.length = n > 0 ? (size_t)n : 0;
  if (!sendFrame(service, 'I', &typed)) endBroken();
  free(typed.bytes);
}

// Keys that were pressed before anybody could read why the line is held must not release it, or become a part of it. As programs
// that ask for a password do.
static void dropTypedAhead(void) {
  signal(SIGTTOU, SIG_IGN);
  int terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal >= 0) tcflush(terminal, TCIFLUSH);
}

// One frame of the service; false: more bytes are needed. An agent's `output` is told at the end, all of it or nothing.
static bool takeFrame(int service, struct text *received, struct text *output) {
  if (received->length < HEAD_BYTES) return false;
  size_t length = numberAt(received->bytes + 1), all = HEAD_BYTES + length;
  if (received->length < all) return false;
  const char *bytes = received->bytes + HEAD_BYTES;
  switch (received->bytes[0]) {
    case 'O':
      if (role != AS_FORETELL) { addBytes(output, bytes, length); break; }
      isBegun = true;
      writeAll(1, bytes, length);
      break;
    case 'E': writeAll(2, bytes, length); break;
    case 'I':
      if ((isTyped = role == AS_FORETELL && isatty(0))) break;
      readInput();
      if (input.length > MOST_INPUT || !sendInput(service)) runItself();
      break;
    case 'A': break;
    case 'L': addBytes(&late, bytes, length); break;
    case 'X':
      if (role == AS_ENTER && length == 1 && *bytes == 1) dropTypedAhead();
      writeAll(1, output->bytes, output->length);
      _exit(length == 1 ? (unsigned char)*bytes : 3);
    default: goOnAlone();
  }
  received->length -= all;
  memmove(received->bytes, received->bytes + all, received->length);
  return true;
}

// The service lives and works on it.
_Noreturn static void endLate(void) {
  if (late.length) dropTypedAhead();
  writeAll(1, late.bytes, late.length);
  _exit(late.length ? 1 : 0);
}

_Noreturn static void follow(int service) {
  struct text received = {0}, output = {0}, nothing = {0};
  bool toldCancel = false, isHeard = false;
  for (int64_t heard = nowMs();;) {
    struct pollfd both[2] = {{service, POLLIN, 0}, {isTyped ? 0 : -1, POLLIN, 0}};
    int64_t patience = role == AS_FORETELL && isHeard ? LONGER_MS : PATIENCE_MS;
    int64_t end = role == AS_ENTER ? endMs : heard + patience, left = end - nowMs();
    int ready = poll(both, 2, left > 0 ? (int)left : 0);
    if (isCancelled && !toldCancel) toldCancel = sendFrame(service, 'C', &nothing);
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0 && role == AS_ENTER && isHeard) endLate();
    if (ready <= 0) goOnAlone();
    if (both[1].revents) sendTyped(service);
    if (!both[0].revents) continue;
    ssize_t n = recv(service, growText(&received, 65536), 65536, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) goOnAlone();
    received.length += (size_t)n;
    isHeard = true;
    while (takeFrame(service, &received, &output));
    heard = nowMs();
  }
}

int main(int count, char **words) {
  beginAs(count, words);
  char *folder = getcwd(0, 0), token[33];
  // A person types here.
  if (role == AS_HOOK && isatty(0)) runItself();
  if (role == AS_FORETELL && isStart(words)) printStart(words[2]);
  if (role == AS_ENTER) endMs = nowMs() + enterMs(words);
  int service = role == AS_ENTER ? connectUntil(token, endMs) : connectService(token);
  if (service < 0) runItself();
  if (role == AS_FORETELL) {
    // Who asks twice does not want to wait.
    struct sigaction cancel = {.sa_handler = noteCancel, .sa_flags = SA_RESETHAND};
    sigaction(SIGINT, &cancel, 0);
    sigaction(SIGTERM, &cancel, 0);
  }
  if (!sendRequest(service, token, folder ? folder : "", words + 1)) runItself();
  follow(service);
}
