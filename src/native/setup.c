#include "setup.h"
#include "sort.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct setup setup;


static struct list getSortedList(struct request *request) {
  struct list list = getList(request);
  sortItems(list.items, list.count, sizeof *list.items, compareTexts);
  return list;
}

static bool contains(const struct list *list, const char *text) {
  return list->count && bsearch(&text, list->items, list->count, sizeof *list->items, compareTexts) != 0;
}

bool isInert(const char *realPath) { return contains(&setup.inert, realPath); }
bool isAsked(const char *realPath) { return contains(&setup.ask, realPath); }
bool isToCorrect(const char *realPath) { return contains(&setup.correct, realPath); }
bool mayBeLetIn(const char *realPath) { return contains(&setup.mayBeLetIn, realPath); }
bool isCopiedAhead(const char *realPath) { return contains(&setup.copiedAhead, realPath); }

void readSetup(struct request *request) {
  uint8_t version = getU8(request);
  setup.mode = getU8(request);
  setup.flags = getU32(request);
  setup.diskBytes = getU64(request);
  setup.memoryBytes = getU64(request);
  setup.outputBytes = getU64(request);
  setup.wallMs = getU32(request);
  setup.processes = getU32(request);
  setup.clockOffsetMs = (int64_t)getU64(request);
  setup.firstPid = getU32(request);
  setup.inert = getSortedList(request);
  setup.ask = getSortedList(request);
  if (request->at < request->length) setup.correct = getSortedList(request);
  if (request->at < request->length) setup.mayBeLetIn = getSortedList(request);
  if (request->at < request->length) setup.killMs = getU32(request);
  if (request->at < request->length) setup.clockPermille = getU32(request);
  if (request->at < request->length) setup.caller = getU32(request);
  if (request->at < request->length) setup.unleasedAtNs = getU64(request);
  if (request->at < request->length) setup.reach = getU32(request);
  if (request->at < request->length) setup.copiedAhead = getSortedList(request);
  if (version != PROTOCOL_VERSION) refuse("protocol", EPROTO, "The launcher and the extension are of different versions; reinstall the extension.");
  if (setup.mode == MODE_LOOK && (setup.flags & FLAG_OPEN_GATE)) refuse("protocol", EINVAL, "Look mode runs on the real machine, so its gate cannot be opened; open it in copy mode.");
  if (setup.mode == MODE_SUPERVISED && (setup.flags & FLAG_FULL_DISK)) refuse("full disk", ENOTSUP, "A full disk needs a copy made by overlays, which this machine or this command does not allow.");
  if (request->bad || setup.mode < MODE_COPY || setup.mode > MODE_SUPERVISED) refuse("protocol", EPROTO, "The SETUP request is malformed.");
}

bool readRun(struct request *request, struct run *run) {
  run->argv = getList(request);
  run->env = getList(request);
  run->cwd = getText(request);
  run->columns = getU16(request);
  run->rows = getU16(request);
  run->stdinKind = getU8(request);
  run->umask = getU16(request);
  run->newLayer = getU8(request);
  return !request->bad && run->argv.count > 0;
}

void freeRun(struct run *run) {
  freeList(&run->argv);
  freeList(&run->env);
  free(run->cwd);
}
