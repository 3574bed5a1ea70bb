// Supervised mode: the calls that name files are answered from the tree. What only reads goes on to the real file or to the scratch;
// what changes something is noted in the tree, and the real call is not made.
#pragma once
#include "filter.h"
#include "frame.h"
#include "place.h"
#include "tracee.h"

// A decoded call: where its path starts, its words, whether a symlink at the end is followed.
struct asked {
  struct tracee *tracee;
  const struct call *call;
  struct from from;
  int pathAt;      // the argument with the path; -1: the descriptor in argument 0 is meant
  int directoryAt; // the argument with the directory; -1: none
  enum follows follows;
  bool mayBeEmpty; // an empty path means the descriptor
  char path[PATH_MAX];
  struct place place;
};

bool isAnsweredCall(long number);
// At the stop of such a call. False when the run is over.
bool answerCall(struct tracee *tracee, const struct call *call);
unsigned answerRules(struct rule *rules);
int installSupervisedFilter(void);

// For the parts: the result stands in the place of the call.
bool giveResult(struct asked *asked, long result);
// The call is made with another path.
bool usePath(struct asked *asked, const char *path);
// Reads the path and finds its place: 0 or an errno.
int askPlace(struct asked *asked);
int askPath(struct asked *asked, int pathAt, int directoryAt, enum follows follows, struct place *place);
bool stopHere(struct asked *asked, const char *call);
// Directory times, when a name in it came or went.
void touchDirectory(struct node *directory);
mode_t maskOf(struct tracee *tracee);

// answerOpen.c, answerStatus.c, answerNames.c, answerLooks.c
bool answerOpen(struct asked *asked, unsigned flags, mode_t mode);
bool answerStatus(struct asked *asked);
// Nobody changes users here: the real one is the effective one.
bool answerAccess(struct asked *asked, int wants);
bool answerLinkText(struct asked *asked, uint64_t to, size_t room);
bool answerWorkingDirectory(struct asked *asked);
bool answerMakeDirectory(struct asked *asked, mode_t mode);
bool answerMakeNode(struct asked *asked, mode_t mode);
bool answerRemove(struct asked *asked, bool directory);
bool answerRename(struct asked *asked, int secondPathAt, int secondDirectoryAt, unsigned flags);
bool answerLink(struct asked *asked, int secondPathAt, int secondDirectoryAt);
bool answerSymlink(struct asked *asked, int targetAt);
bool answerMode(struct asked *asked, mode_t mode);
bool answerOwner(struct asked *asked, uid_t uid, gid_t gid);
bool answerTimes(struct asked *asked);
bool answerTruncate(struct asked *asked, off_t size);
bool answerAttribute(struct asked *asked);
// answerExec.c: the content of a program, which the gate judges, and what it is called. -1 with errno.
int openProgram(struct tracee *tracee, int directory, const char *path, char *shown, bool *native);

// Executes it where the kernel would not find it by its words: a script by its interpreter, everything else from where its content is.
bool executeContent(struct tracee *tracee, const struct call *call, const char *path, int file);

// A new node of that type and mode under the name of the place, and a name that goes.
struct node *makeNode(struct place *place, mode_t mode);
void takeName(struct place *place);
