// A place is a machine on which something is refused, as a container, a distribution or an older kernel refuses it.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// What the filter does with a call; of several rules for a call the first whose test holds decides, without any it is made.
enum test {
  ALWAYS,
  ANY_BIT, // of the value is in the argument
  EQUALS, // the argument
  FROM_HERE, // this number or a higher one, whatever the arguments are
};
struct rule {
  long number;
  int error; // 0: the call is made
  enum test test;
  int argument;
  uint32_t value;
};

struct place {
  const char *name;
  const struct rule *rules, *moreRules; // each ends with a rule of number -1; may be 0
  bool dropsCapabilities;
  uint64_t capabilities; // that are left
  bool mapsIds; // as rootless containers do; in a tree of its own only
  bool isLastNamespace; // inside of a user namespace in which no further one may be made
};

const struct place *findPlace(const char *name);
void listPlaces(void);

// filter.c: false with errno when the kernel does not take it.
bool installFilter(const struct rule *rules, const struct rule *moreRules);

// Who runs the command.
struct identity { uid_t user; gid_t group; };

// tree.c: a tree of its own for the command, all of whose changes are thrown away.
struct tree {
  const char *base; // an empty folder of the real machine
  const char *shown[8]; // folders that lie on other file systems than the root
  const char *folders[8]; // folders of the command's own, on the real disk and empty at first
  unsigned shownCount, folderCount;
  struct identity identity;
  bool mapsIds;
};
void makeUserNamespace(void); // before there is a new process namespace: /proc is that of the old one
void enterTree(const struct tree *tree);

// Ends the program with a sentence that names the step; exit code 125, as env(1) and docker(1) have it.
_Noreturn void giveUp(const char *step);
