// What both engines say of files in the place of the kernel: parts of what stat(2) and statx(2) tell.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/vfs.h>

enum { EXT_MAGIC = 0xEF53, TMPFS_MAGIC = 0x01021994, XFS_MAGIC = 0x58465342 }; // statfs(2)
#define BTRFS_MAGIC 0x9123683EL

struct statx;
// All that stat(2) tells as well, but for the numbers of a device node and the size of a block.
void fillExtended(struct statx *to, const struct stat *st);

// What is in a directory: as many names, so many of them directories; `extBytes` is what ext4 needs for it.
struct contents { uint64_t names, directories, nameBytes, extBytes; };
// With nothing in it but "." and "..".
struct contents noContents(void);
void countEntry(struct contents *contents, const char *name, bool directory);
// Of a directory where it follows from the names alone; false: here it does not. `real`: what it is in reality, 0 where it is new.
bool knownSize(struct stat *st, const struct stat *real, const struct contents *contents, const struct statfs *fs);
// The blocks of a new symbolic link, by its size; false: here they are not known.
bool knownLink(struct stat *st, const struct statfs *fs);
// An ext4 directory of that size surely holds this: it never shrinks, and when it grows is sure only for one block.
bool surelyHolds(const struct stat *st, const struct contents *contents, const struct statfs *fs);
// Nobody knows the number of a new node, nor how many digits it has.
ino_t otherNumber(ino_t number);
