// Names of the calls that change something, and where their path is.
#pragma once
#include <stdbool.h>

struct callName {
  long number;
  const char *text;
  signed char path;   // the argument that holds the path, -1: none
  signed char opens;  // the argument with the flags of open(2); -1: creat(2); 0: it is not an opening
  bool at, makes, removes; // `at`: the argument before the path is a directory descriptor
};

const struct callName *nameOfCall(long number);
