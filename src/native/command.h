// The first process of a run.
#pragma once
#include "setup.h"
#include <sys/types.h>

struct command {
  pid_t pid;
  int output[2];  // what it prints: two pipes, or the terminal and -1
  int input;      // where INPUT goes: a pipe, the terminal, or -1
  int status;     // says why it could not start; closed by a successful execve
  bool terminal;
  dev_t terminalDevice;
  char terminalName[64];
};

extern struct command command;

// What happened to the child before its execve; read from `status`.
struct startFailure { int error; char step[60]; };

// Forks the command and holds it before its first step until `releaseCommand`. False with errno and the step.
bool startCommand(const struct run *run, struct command *command, const char **step);
void releaseCommand(struct command *command);
// The launcher's own umask, which the command has where none is given.
uint16_t ownMask(void);
