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
// With that of its place, which is real or stands for it.
bool usePlace(struct asked *asked);
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
bool answerMakeNode(struct asked *asked, mode_t mode, dev_t number);
bool answerRemove(struct asked *asked, bool directory);
bool answerRename(struct asked *asked, int secondPathAt, int secondDirectoryAt, unsigned flags);
bool answerLink(struct asked *asked, int secondPathAt, int secondDirectoryAt);
bool answerSymlink(struct asked *asked, int targetAt);
bool answerMode(struct asked *asked, mode_t mode);
bool answerOwner(struct asked *asked, uid_t uid, gid_t gid);
bool answerTimes(struct asked *asked);
bool answerTruncate(struct asked *asked, off_t size);
// answerAttributes.c
bool answerAttribute(struct asked *asked);
bool answerAttributeLook(struct asked *asked);
// answerLooks.c, for what changes looks. Finds it, and whether its file system may be changed at all: 0, an errno, or OF_ITS_OWN: it is a
// pipe or the like, of the process itself.
enum { OF_ITS_OWN = 4001 };
int askChange(struct asked *asked, struct stat *st);
bool isMachines(const struct asked *asked);
bool owns(const struct stat *st);
struct node *noteChange(struct asked *asked, const struct stat *st);
// answerStatus.c: of a descriptor of which nothing is noted.
bool asksUntouched(const struct asked *asked);
// answerSockets.c
bool answerSocket(struct asked *asked);
bool isSocketCall(long number);
// At the end of such a call. False when the run is over.
bool finishSocket(struct tracee *tracee);
// answerLocks.c
bool answerLock(struct asked *asked);
// answerExec.c: the content of a program, which the gate judges, and what it is called. -1 with errno.
int openProgram(struct tracee *tracee, int directory, const char *path, char *shown, bool *native);

// Executes it where the kernel would not find it by its words: a script by its interpreter, everything else from where its content is.
bool executeContent(struct tracee *tracee, const struct call *call, const char *path, int file);

// A new node of that type and mode under the name of the place, and a name that goes. The mask counts where the folder has no list.
struct node *makeNode(struct place *place, mode_t mode, mode_t mask);
void takeName(struct place *place);
