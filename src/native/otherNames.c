#define _GNU_SOURCE
#include "otherNames.h"
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_ENTRIES = 200000 };

struct search {
  const struct stat *file;
  const char *own;
  tellOtherName tell;
  void *with;
  unsigned long found, seen;
};

static bool isOver(const struct search *search) { return search->found >= search->file->st_nlink || search->seen > MOST_ENTRIES; }

static void searchIn(struct search *search, const char *folder, const char *except);

static void lookAtEntry(struct search *search, const char *folder, const struct dirent *entry, const char *except) {
  char path[PATH_MAX];
  struct stat st;
  if (snprintf(path, sizeof path, "%s%s%s", folder, folder[1] ? "/" : "", entry->d_name) >= (int)sizeof path) return;
  bool maybe = entry->d_ino == search->file->st_ino && (entry->d_type == DT_REG || entry->d_type == DT_UNKNOWN);
  if (maybe && lstat(path, &st) == 0 && st.st_ino == search->file->st_ino && st.st_dev == search->file->st_dev) {
    search->found++;
    if (strcmp(path, search->own) != 0) search->tell(search->with, path);
  } else if (entry->d_type == DT_DIR && strcmp(path, except) != 0 && lstat(path, &st) == 0 && st.st_dev == search->file->st_dev) searchIn(search, path, "");
}

// `except`: a folder in it that was searched already.
static void searchIn(struct search *search, const char *folder, const char *except) {
  DIR *entries = opendir(folder);
  for (struct dirent *entry; entries && !isOver(search) && (entry = readdir(entries));) {
    search->seen++;
    if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..")) lookAtEntry(search, folder, entry, except);
  }
  if (entries) closedir(entries);
}

bool findOtherNames(const char *path, const struct stat *file, tellOtherName tell, void *with) {
  struct search search = {.file = file, .own = path, .tell = tell, .with = with};
  char folder[PATH_MAX], searched[PATH_MAX] = "";
  snprintf(folder, sizeof folder, "%s", path);
  for (char *slash; !isOver(&search) && folder[1] && (slash = strrchr(folder, '/'));) {
    slash[slash == folder ? 1 : 0] = 0;
    searchIn(&search, folder, searched);
    snprintf(searched, sizeof searched, "%s", folder);
  }
  return search.found >= file->st_nlink;
}
