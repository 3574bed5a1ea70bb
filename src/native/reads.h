// What the command reads: every path that one of its calls names, so that its host can tell later whether it would read the same.
#pragma once
#include "filter.h"
#include "tracee.h"

// How a path was named; READS says several together.
enum {
  READ_NAMED = 1,   // asked about, or changed
  READ_OPENED = 2,  // its content, or its names, could be read
  READ_MOVED = 4,   // it got another name
  READ_LINKED = 8,  // a symbolic link to it was made
  READ_DISK = 16,   // how full its file system is
  READ_THERE = 32,  // something stood there when it was named for the first time
  READ_ASKED = 64,  // asked for what no path on the way to something else is asked for
  READ_UNKNOWN = 128, // more paths than are kept, one that could not be read, or something that has no path
};

// Rules for the calls that name files, to be put behind all others; returns their number.
unsigned readRules(struct rule *rules);
bool reportsReads(void);
// Keeps what a stopped call names. True when it was stopped for nothing else, and goes on.
bool noteReads(struct tracee *tracee, const struct call *call);
// A program began: its file, its interpreter and its loader were opened by the kernel.
void noteProgram(struct tracee *tracee);
// Sends all of it.
void sendReads(void);
