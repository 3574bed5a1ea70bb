// Where nobody may copy a descriptor of another process (Docker's profile has pidfd_getfd(2) for CAP_SYS_PTRACE alone), the sockets of the command
// are made here and handed in (seccomp_unotify(2)), and our copy of each is kept until it is connected or listens.
#pragma once
#include <sys/types.h>

// Before the fork of the command. The child installs the filter that asks us, and gives us its end, where that is needed and possible.
void prepareSockets(void);
void offerSockets(void);
void takeSockets(void);
// Waits for who wants a socket.
void watchSockets(void);
// Our copy of a socket of theirs, as a descriptor of its own; -1 when there is none.
int copyHandedSocket(pid_t group, int number);
// It is connected or listens by now: whoever closes it closes it for good.
void releaseSocket(pid_t group, int number);
// SOCK_STREAM or SOCK_DGRAM, also of one that was released; 0: it was not made here.
int typeOfHandedSocket(pid_t group, int number);
