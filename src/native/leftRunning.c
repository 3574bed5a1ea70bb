#define _GNU_SOURCE
#include "leftRunning.h"
#include "frame.h"
#include "tracee.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void putLeftRunning(bool isNobody, pid_t ours) {
  size_t at = eventLength();
  uint32_t left = 0;
  putU32(0);
  for (struct tracee *tracee = nextTracee(0); tracee; tracee = nextTracee(tracee)) {
    if (isNobody || groupOf(tracee) != tracee->tid || tracee->leaving) continue;
    if (tracee->tid == ours) continue;
    char path[64], text[8192];
    snprintf(path, sizeof path, "/proc/%d/cmdline", tracee->tid);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0) close(file);
    if (length <= 0) continue;
    text[length] = 0;
    left++;
    putU32((uint32_t)tracee->tid);
    size_t countAt = eventLength();
    uint32_t words = 0;
    putU32(0);
    for (char *word = text; word < text + length; word += strlen(word) + 1, words++) putText(word);
    patchU32(countAt, words);
  }
  patchU32(at, left);
}
