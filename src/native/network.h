// Connections: made only to servers that the command itself started, within the view; else answered as a machine without
// network would, and reported.
#pragma once
#include "filter.h"
#include "tracee.h"
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

union address {
  struct sockaddr any;
  struct sockaddr_in four;
  struct sockaddr_in6 six;
  struct sockaddr_un local;
  char bytes[sizeof(struct sockaddr_un) + 1];
};

// Rules for what a view's own network would answer otherwise; returns their number.
unsigned networkRules(struct rule *rules);
bool isNetworkCall(const struct call *call);
// IPv4 or IPv6.
bool isInternet(const union address *name);
// True: the process goes on. False: look mode met a change (`detail` says which) and the run is over.
bool judgeNetwork(struct tracee *tracee, const struct call *call);

// answerSockets.c, supervised mode: sockets with a path. False when the run is over.
bool bindInTree(struct tracee *tracee, const struct call *call, const char *name, bool isBound);
// The tree says what is there, or that nothing is.
bool isInTree(struct tracee *tracee, const char *name);
bool reachInTree(struct tracee *tracee, const struct call *call, const char *name);
