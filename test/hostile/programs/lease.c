// lease FILE: holds a lease for writing on a file of its own, which any reader breaks, and says so: "held", then "asked" for every signal.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// At once and as one piece: who reads must not see half a line.
static void say(const char *line) {
  if (write(1, line, strlen(line)) < 0) _exit(1);
}

int main(int count, char **arguments) {
  sigset_t set;
  int file = count > 1 ? open(arguments[1], O_RDWR) : -1;
  sigemptyset(&set);
  sigaddset(&set, SIGIO);
  sigprocmask(SIG_BLOCK, &set, 0);
  if (file < 0) { perror("open"); return 1; }
  // EAGAIN as long as somebody else has it open, such as a program of the test before that is just ending.
  for (int tries = 0; fcntl(file, F_SETLEASE, F_WRLCK) != 0; tries++) {
    if (errno != EAGAIN || tries == 1000) { perror("lease"); return 1; }
    usleep(10000);
  }
  say("held\n");
  for (int signal; sigwait(&set, &signal) == 0;) {
    say("asked\n");
    fcntl(file, F_SETLEASE, F_UNLCK); // so that who asks need not wait
  }
  return 0;
}
