// lease FILE: holds a lease for writing on a file of its own, which any reader breaks, and says so: "held", then "asked" for every signal.
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(int count, char **arguments) {
  sigset_t set;
  int file = count > 1 ? open(arguments[1], O_RDWR) : -1;
  sigemptyset(&set);
  sigaddset(&set, SIGIO);
  sigprocmask(SIG_BLOCK, &set, 0);
  if (file < 0 || fcntl(file, F_SETLEASE, F_WRLCK) != 0) { perror("lease"); return 1; }
  setvbuf(stdout, 0, _IONBF, 0);
  puts("held");
  for (int signal; sigwait(&set, &signal) == 0;) {
    puts("asked");
    fcntl(file, F_SETLEASE, F_UNLCK); // so that who asks need not wait
  }
  return 0;
}
