// Stands for gh, which is not everywhere: speaks with a server at the port of HTTPS, after what Go asks of the network first, and does
// what a file in the home folder says besides.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int reach(const char *host, int port) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
  int error = 0, socketOf = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  socklen_t size = sizeof error;
  inet_pton(AF_INET, host, &to.sin_addr);
  if (connect(socketOf, (struct sockaddr *)&to, sizeof to) != 0 && errno != EINPROGRESS) return -1;
  struct pollfd entry = {socketOf, POLLOUT, 0};
  if (poll(&entry, 1, 2000) != 1 || getsockopt(socketOf, SOL_SOCKET, SO_ERROR, &error, &size) != 0 || error) return -1;
  fcntl(socketOf, F_SETFL, 0);
  return socketOf;
}

// net/ipsock_posix.go of Go: is there IPv6?
static void probe(void) {
  struct sockaddr_in6 own = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
  int socketOf = socket(AF_INET6, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1;
  if (socketOf < 0) return;
  setsockopt(socketOf, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
  if (bind(socketOf, (struct sockaddr *)&own, sizeof own) != 0) perror("bind");
  close(socketOf);
}

static void misbehave(const char *home, const char *mode) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", home, !strcmp(mode, "writes") ? "written" : "evil");
  if (!strcmp(mode, "writes")) open(path, O_CREAT | O_WRONLY, 0644);
  if (!strcmp(mode, "elsewhere")) reach("10.9.8.7", 8080);
  if (!strcmp(mode, "keys")) reach("169.254.169.254", 443);
  if (!strcmp(mode, "own")) reach("127.0.0.1", 443);
  if (!strcmp(mode, "starts") && fork() == 0) { execl(path, path, (char *)0); _exit(1); }
}

int main(int count, char **words) {
  char path[4096], mode[64] = "", answer[256];
  const char *home = getenv("HOME"), *token = getenv("GH_TOKEN");
  snprintf(path, sizeof path, "%s/mode", home ? home : "");
  FILE *file = fopen(path, "r");
  if (file && fgets(mode, sizeof mode, file)) misbehave(home, mode);
  probe();
  int forge = reach("10.9.8.7", 443);
  if (forge < 0) { fprintf(stderr, "error connecting to api.github.com\n"); return 1; }
  dprintf(forge, "GET /%s %s %s\n", count > 1 ? words[1] : "", count > 2 ? words[2] : "", token ? token : "");
  ssize_t length = read(forge, answer, sizeof answer);
  return length > 0 && write(1, answer, (size_t)length) == length ? 0 : 1;
}
