// What both engines say of files in the place of the kernel: parts of what stat(2) and statx(2) tell.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/vfs.h>

enum { EXT_MAGIC = 0xEF53, TMPFS_MAGIC = 0x01021994, XFS_MAGIC = 0x58465342, OVERLAY_MAGIC = 0x794C7630 }; // statfs(2)
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
// Where it is not known, as far as anybody knows; `real` as above. The run that finds out what varies gets more than it can be, so that
// what is made of any size between shows, as does a column that a larger one would widen. True: it is a guess.
bool guessSize(struct stat *st, const struct stat *real, const struct contents *contents, const struct statfs *fs);
// The room that a file with a content of ours takes there, or a new link: of file systems that count otherwise than by blocks of 4 KiB it is
// a guess, as above.
bool guessRoom(struct stat *st, const struct statfs *fs);
// Says so, once in a run.
void tellGuess(pid_t group, const char *path);
// Nobody knows the number of a new node, nor how many digits it has.
ino_t otherNumber(ino_t number);
