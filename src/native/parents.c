// In a user namespace overlayfs cannot copy up a directory of another owner (EOVERFLOW: the owner has no number there), not even as the
// parent of a file of ours. So the foreign directories above whatever the command is about to write are made in the upper
// directories beforehand, with the rights that the user really has.
#define _GNU_SOURCE
#include "parents.h"
#include "view.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct prepared { char *path; struct stat looks; } *prepared;
static uint32_t preparedCount;

bool isPrepared(const char *path, const struct stat *st) {
  for (uint32_t i = 0; i < preparedCount; i++)
    if (!strcmp(prepared[i].path, path)) return prepared[i].looks.st_mode == st->st_mode && prepared[i].looks.st_uid == st->st_uid && prepared[i].looks.st_gid == st->st_gid;
  return false;
}

static void makeLike(const struct part *part, const char *real, const char *rest) {
  char upper[PATH_MAX + 64];
  struct stat st;
  snprintf(upper, sizeof upper, SCRATCH "/u/%u.%u/%s", part->number, view.layer, rest);
  if (mkdir(upper, 0700) != 0) return; // it is there already
  likeDirectory(real, upper);
  prepared = realloc(prepared, (preparedCount + 1) * sizeof *prepared);
  if (!prepared || lstat(upper, &st) != 0) _exit(122);
  prepared[preparedCount++] = (struct prepared){strdup(real), st};
}

// Makes every directory from the root of the part down to `real`, when one of them belongs to somebody else.
static void prepareAncestors(const char *real) {
  const char *rest;
  const struct part *part = partOf(real, &rest);
  char path[PATH_MAX];
  struct stat st;
  if (!part || part->kind != PART_OVERLAY || !strcmp(rest, ".")) return;
  size_t start = strlen(real) - strlen(rest), deepest = 0;
  snprintf(path, sizeof path, "%s", real);
  for (size_t end = start; path[end]; ) {
    while (path[end] && path[end] != '/') end++;
    char kept = path[end];
    path[end] = 0;
    if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && (st.st_uid != getuid() || st.st_gid != getgid())) deepest = end;
    path[end] = kept;
    if (kept) end++;
  }
  for (size_t end = start; end < deepest; end++) {
    while (end < deepest && path[end] != '/') end++;
    char kept = path[end];
    path[end] = 0;
    makeLike(part, path, path + start);
    path[end] = kept;
  }
}

void preparePath(const char *path) {
  if (view.asRoot) return;
  char text[PATH_MAX], real[PATH_MAX];
  struct stat st;
  if (snprintf(text, sizeof text, "%s", path) >= (int)sizeof text) return;
  while (!realpath(text, real)) {
    char *slash = strrchr(text, '/');
    if (!slash || slash == text || (errno != ENOENT && errno != ENOTDIR)) return;
    *slash = 0;
  }
  if (stat(real, &st) != 0) return;
  if (!S_ISDIR(st.st_mode)) *strrchr(real, '/') = 0;
  // access(2) asks for the real user; who may not write the directory may still write in one below.
  if (!real[0] || (access(real, W_OK) != 0 && st.st_uid != getuid())) return;
  prepareAncestors(real);
}

// A worktree keeps its index and its branches in the repository that it was made from (gitrepository-layout(5)).
static void prepareRepository(const char *cwd) {
  char path[PATH_MAX], line[PATH_MAX], linked[2 * PATH_MAX];
  struct stat st;
  for (snprintf(path, sizeof path, "%s", cwd); path[0];) {
    size_t length = strlen(path);
    if (length + 6 > sizeof path) return;
    strcpy(path + length, "/.git");
    bool there = lstat(path, &st) == 0;
    // Opening a FIFO that somebody left there would wait for ever, or wake its writer.
    FILE *file = there && S_ISREG(st.st_mode) ? fopen(path, "re") : 0;
    path[length] = 0;
    if (there) {
      bool found = file && fgets(line, sizeof line, file) && !strncmp(line, "gitdir: ", 8);
      if (file) fclose(file);
      if (found) {
        line[strcspn(line, "\n")] = 0;
        snprintf(linked, sizeof linked, "%s%s%s", line[8] == '/' ? "" : path, line[8] == '/' ? "" : "/", line + 8);
        preparePath(linked);
      }
      return;
    }
    char *slash = strrchr(path, '/');
    if (!slash) return;
    *slash = 0;
  }
}

// Every word that looks like a path. Too many cost a little time, nothing else.
static void prepareWords(const char *text, const char *cwd) {
  static const char ends[] = " \t\n\"'`;|&<>()={}[]*?,$";
  char word[PATH_MAX], full[2 * PATH_MAX];
  for (int words = 0; *text && words < 200; words++) {
    text += strspn(text, ends);
    size_t length = strcspn(text, ends);
    if (length < sizeof word && memchr(text, '/', length)) {
      memcpy(word, text, length);
      word[length] = 0;
      snprintf(full, sizeof full, "%s%s%s", word[0] == '/' ? "" : cwd, word[0] == '/' ? "" : "/", word);
      preparePath(full);
    }
    text += length;
  }
}

void prepareParents(const struct run *run) {
  static const char *const variables[] = {"HOME=", "PWD=", "OLDPWD=", "TMPDIR=", "XDG_", "GIT_"};
  if (view.asRoot) return;
  mode_t mask = umask(0);
  preparePath(run->cwd);
  prepareRepository(run->cwd);
  for (uint32_t i = 0; i < run->argv.count; i++) prepareWords(run->argv.items[i], run->cwd);
  for (uint32_t i = 0; i < run->env.count; i++)
    for (size_t known = 0; known < sizeof variables / sizeof *variables; known++)
      if (!strncmp(run->env.items[i], variables[known], strlen(variables[known]))) {
        const char *value = strchr(run->env.items[i], '=');
        if (value && value[1] == '/') preparePath(value + 1);
      }
  umask(mask);
}
