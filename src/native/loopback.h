// Supervised mode: servers on the loopback that the command starts for itself. There is no network of the view's own, so each listens on another
// port than the command asked for, which only the command's own connections get through to; where sockets get no filter, others of this machine
// end the run when they are accepted.
#pragma once
#include "tracee.h"
#include <stdio.h>

// One line of a table of /proc/net (proc(5)): its ports, its state and the socket's inode. False at the end.
struct connection { unsigned own, peer, state; unsigned long inode; };
bool readConnection(FILE *table, struct connection *one);

union address; // network.h

// bind(2) of a stream to this address of the loopback: 0, an errno, or UNKNOWABLE.
int bindLoopback(struct tracee *tracee, int descriptor, const union address *name);
// The port that the command asked for where one of its sockets got this one; else the port itself.
unsigned shownPort(unsigned port);
// listen(2): false where that was bound in another way, or somebody else has the port by now.
bool mayListen(struct tracee *tracee, int descriptor);
// Is a server of the command's behind this port?
bool isServedLoopback(unsigned port);
// connect(2) to it, made on a copy of the descriptor: 0, an errno, or UNKNOWABLE.
int connectLoopback(struct tracee *tracee, int descriptor, const union address *to);
// accept(2): has whoever comes to this server to be looked at? And did this connection of it come from the command?
bool isWatchedServer(struct tracee *tracee, int descriptor);
bool isOwnConnection(struct tracee *tracee, int descriptor);
// connect(2) of datagrams to the loopback, where nobody serves the port: 0, an errno, or UNKNOWABLE.
int askOwnAddress(struct tracee *tracee, int descriptor, const union address *to);
