// Copies of single files and of a directory's looks, for the parts of the view that cannot be overlaid.
#define _GNU_SOURCE
#include "view.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/sendfile.h>
#include <unistd.h>

bool path2(char *to, const char *directory, const char *name) {
  return snprintf(to, PATH_MAX, "%s/%s", strcmp(directory, "/") ? directory : "", name) < PATH_MAX;
}

// Gives our directory `to` the mode and times of `from`: the root of an overlay takes them from its upper directory.
// Where `from` belongs to somebody else `to` cannot be given away: its owner, who is now the user, gets what the user really may do.
void likeDirectory(const char *from, const char *to) {
  struct stat st;
  if (stat(from, &st) != 0) return;
  mode_t mode = st.st_mode & 07777;
  if (chown(to, st.st_uid, st.st_gid) != 0 && st.st_uid != getuid()) {
    mode &= ~(mode_t)0700;
    // access(2) asks with the real user, all of whose groups count, and without capabilities, so this is what the command may do.
    // That a mount is read-only is only said of who might write (fs/open.c, do_faccessat).
    if (access(from, R_OK) == 0) mode |= 0400;
    if (access(from, W_OK) == 0 || errno == EROFS) mode |= 0200;
    if (access(from, X_OK) == 0) mode |= 0100;
  }
  chmod(to, mode);
  struct timespec times[2] = {st.st_atim, st.st_mtim};
  utimensat(AT_FDCWD, to, times, 0);
}

// Copies bytes, mode, times and, where we may, the owner.
bool copyFile(int fromDirectory, const char *from, int toDirectory, const char *to) {
  int in = openat(fromDirectory, from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (in < 0) return false;
  struct stat st;
  int out = fstat(in, &st) == 0 ? openat(toDirectory, to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600) : -1;
  bool good = out >= 0;
  for (ssize_t n = 1; good && n != 0;) {
    n = sendfile(out, in, 0, 1 << 20);
    if (n < 0 && errno != EINTR) good = false;
  }
  if (good) {
    struct timespec times[2] = {st.st_atim, st.st_mtim};
    if (fchown(out, st.st_uid, st.st_gid) != 0 && st.st_uid != getuid()) st.st_mode &= ~(mode_t)06000;
    good = fchmod(out, st.st_mode & 07777) == 0 && futimens(out, times) == 0;
  }
  if (out >= 0) close(out);
  close(in);
  return good;
}
