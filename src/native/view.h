// The view: what the command sees instead of the machine. In copy mode every part of it is copy-on-write; in look mode it is the machine.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

// Our tmpfs covers /proc: the one directory that every machine has and that the new root gets afresh anyway.
#define SCRATCH "/proc"
#define VIEW_ROOT SCRATCH "/r"

enum partKind {
  PART_OVERLAY,   // `upper` holds what was changed
  PART_PLAIN,     // a directory of our tmpfs (`upper`) that stands for a directory that cannot be overlaid because of mounts below it
  PART_FILE,      // a copied file on a mount point that is a file
  PART_READ_ONLY, // the real thing, not writable
  PART_HIDDEN,
  PART_NODE,      // a device node of our own (`upper`) in the place of the machine's
};

struct part {
  char *path; // absolute, as the user knows it
  enum partKind kind;
  int before; // the directory (or file) as it was before this layer; -1: nothing was there
  int upper;
  uint32_t number; // names its directories in the scratch
  unsigned long mountFlags;
  struct stat looks; // of `upper`, before any command
};

struct view {
  struct part *parts;
  uint32_t count;
  bool copies;    // copy mode
  bool supervised; // supervised mode: the machine as it is, and a tree of what was changed (tree.h)
  bool landlocked; // Landlock keeps the command from writing outside of the scratch
  bool keepsAttributes; // the scratch of copy mode knows attributes of users
  bool asRoot;    // without a user namespace
  bool ownPids;   // the command gets a pid namespace of its own
  bool bindsDirectories; // a part of the machine is shown read-only without an overlay
  bool ownsNodes;        // the device nodes of the view are its own; else they are the machine's, bound read-only
  bool overlaysDevices;  // /dev is an overlay of the machine's
  bool devicesMade;
  bool hasTraces;        // files of the kernel that are emptied by reading can be reached
  bool hasPieces;        // a directory that the user may write is shown piece by piece: its subdirectories are mounts of ours
  int outerRoot;  // the machine's root directory, as it is
  int outerProc;  // the machine's procfs
  int procTree;   // a copy of its mounts, in case that it must be shown
  int root;       // the root directory of the view
  int scratch;    // our tmpfs, or the private folder; -1 in look mode
  uint64_t scratchFree; // bytes that were free there at first (supervised mode)
  gid_t *groups;  // the supplementary groups of the user, as they are outside of the user namespace
  int groupCount;
  uint32_t layer; // counts RUNs with newLayer
};

extern struct view view;

// Copy mode: namespaces, mounts, devices. Refuses when a step fails.
void buildView(void);
void openRealView(void);
// Supervised mode: the tree and its scratch.
void buildTree(void);
void sendReady(uint32_t setupMicros);
// Whether an answer may let a program in that is not known to be inert.
bool mayRunForeign(void);
void addPart(const char *path, enum partKind kind, int before, int upper, unsigned long mountFlags);
// The innermost part that holds `path`, or null; `rest` becomes the path inside of it ("." for the part itself).
const struct part *partOf(const char *path, const char **rest);
bool mountOverlay(const char *to, unsigned long flags, const char *directories);
bool bindReadOnly(const char *path, const char *to, bool recursive);
bool overlayPart(const char *path, const char *to, unsigned long flags);
void escapeOption(const char *path, char *to);
// A part begins there, or one of our own trees.
bool isPartRoot(const char *path);

// A mount of ours where the machine has none: removing or renaming it gives EBUSY, and in reality would not.
bool isOurMount(const char *path);

// groups.c: the supplementary groups of the user, and whether this is one of them or the effective one.
void readGroups(void);
bool isInGroup(gid_t group);
struct tracee;
struct call;
// At the stop of getgroups(2): those groups, as the machine numbers them.
void judgeGroups(struct tracee *tracee, const struct call *call);

// layers.c: starts a new layer above what was changed so far. False with errno: the view is broken.
bool addLayer(void);

// mounts.c
struct mountPoint { char *path, *type; unsigned long flags; };
extern struct mountPoint *mountPoints;
extern uint32_t mountPointCount;
void readMountPoints(void);
const struct mountPoint *mountPointAt(const char *path);
const struct mountPoint *mountPointOf(const char *path);
bool isBelow(const char *path, const char *directory);
bool hasMountBelow(const char *directory);

// devices.c
void buildDevices(void);
// The device nodes that the view has, by their place in /dev and their number; null: it has no such node.
const char *ownDeviceOf(dev_t device);
bool isViewDevice(const char *path);
// Where the nodes are the machine's: makes the command's own terminal what /dev/tty is.
void showTerminal(const char *slave);
void hideTerminal(void);
// Runs in the new pid namespace, inside the new root. False: refused (EPERM), as where the machine's own /proc is partly covered.
bool mountProcesses(void);
// A copy of the mounts of the machine's /proc, taken before it is covered; -1 when there can be none.
int copyProcesses(void);
// Shows the machine's own process table instead, read-only; the command then gets no pid namespace.
void bindProcesses(void);
bool isOwnTree(const char *path);

// covers.c
// Covers every FIFO there; false: some may be left.
bool coverFifos(const char *path);
bool hasTraceFiles(void);
void coverTraces(void);
// Reading this takes something from the kernel that nobody else will get.
bool takesFromKernel(const char *path);

// copyTree.c
void likeDirectory(const char *from, const char *to);
bool copyFile(int fromDirectory, const char *from, int toDirectory, const char *to);
// Joins them in PATH_MAX bytes; false: they are longer than that.
bool path2(char *to, const char *directory, const char *name);
