// What all attacks share. Each attack is one function without arguments; what it aims at is in the environment.
#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct attack {
  const char *name;
  void (*run)(void);
};
extern const struct attack processAttacks[], fileAttacks[], mountAttacks[], kernelAttacks[], networkAttacks[], memoryAttacks[], deviceAttacks[];

// "HIT what" when the call worked (result >= 0), "no what: why" otherwise; flushed, because the attack may be killed.
long tell(const char *what, long result);
// The value of an environment variable; an attack without its target is a mistake of the test and exits with 99.
const char *aim(const char *name);
long aimNumber(const char *name);
