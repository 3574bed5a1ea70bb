// The other names of a real file (hard links), which nothing but a search finds.
#pragma once
#include <stdbool.h>
#include <sys/stat.h>

typedef void (*tellOtherName)(void *with, const char *path);
// Searches around `path`, from its folder outwards. Tells every real name but itself; false: some were not found.
bool findOtherNames(const char *path, const struct stat *file, tellOtherName tell, void *with);
