#define _GNU_SOURCE
#include "fastClock.h"
#include "clock.h"
#include "setup.h"
#include <elf.h>
#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <unistd.h>

// What execve left on the stack of a program.
struct start { uint64_t image, imageAt, fileName; };

#if defined(__x86_64__)

// The kernel maps the same image into every 64-bit program, and into us. Functions are found by its table of symbols, whose addresses
// lead to code of ours behind the end of the image, in what is left of its last page. That code asks a word at the end of the stack
// whether the clock has jumped meanwhile; a word of the stack, because we can write it while the process sleeps in a call.

enum { PAGE = 4096, SLOT = 64 };

// Functions of the image, each with the call that it stands for.
static const struct reading { const char *name; uint32_t number; } readings[] = {{"clock_gettime", SYS_clock_gettime}, {"gettimeofday", SYS_gettimeofday}, {"time", SYS_time}};
enum { READINGS = sizeof readings / sizeof *readings, ROOM = READINGS * SLOT };

static struct {
  bool known, usable;
  const unsigned char *bytes;
  size_t room;                  // where code of ours begins
  size_t symbols[READINGS][2];  // where the address of a function stands, under both of its names
  uint64_t functions[READINGS]; // where the kernel's code begins
} image;

// ---- our own image, which is everybody's ----

static void noteSymbol(const char *name, size_t at, uint64_t value) {
  bool weak = strncmp(name, "__vdso_", 7);
  for (int i = 0; i < READINGS; i++)
    if (!strcmp(weak ? name : name + 7, readings[i].name)) { image.symbols[i][weak] = at; image.functions[i] = value; }
}

static void findSymbols(const unsigned char *bytes, const Elf64_Ehdr *head) {
  const Elf64_Shdr *sections = (const Elf64_Shdr *)(bytes + head->e_shoff);
  for (int i = 0; i < head->e_shnum; i++) {
    if (sections[i].sh_type != SHT_DYNSYM || sections[i].sh_link >= head->e_shnum) continue;
    const char *names = (const char *)bytes + sections[sections[i].sh_link].sh_offset;
    for (size_t at = sections[i].sh_offset; at < sections[i].sh_offset + sections[i].sh_size; at += sizeof(Elf64_Sym)) {
      const Elf64_Sym *symbol = (const Elf64_Sym *)(bytes + at);
      if (symbol->st_shndx != SHN_UNDEF) noteSymbol(names + symbol->st_name, at + offsetof(Elf64_Sym, st_value), symbol->st_value);
    }
  }
}

static void readImage(void) {
  const unsigned char *bytes = (const unsigned char *)getauxval(AT_SYSINFO_EHDR);
  image.known = true;
  if (!bytes) return;
  const Elf64_Ehdr *head = (const Elf64_Ehdr *)bytes;
  if (!head->e_shoff) return;
  // The table of sections is the last thing in it (linux/arch/x86/entry/vdso/vdso2c.h fills the page with zeros).
  size_t end = head->e_shoff + (size_t)head->e_shnum * head->e_shentsize;
  image.room = (end + 15) & ~(size_t)15;
  if (image.room % PAGE == 0 || head->e_shoff % 8 || image.room % PAGE + ROOM > PAGE || memcmp(bytes + image.room, (unsigned char[ROOM]){0}, ROOM)) return;
  image.bytes = bytes;
  findSymbols(bytes, head);
  image.usable = true;
  for (int i = 0; i < READINGS; i++) image.usable &= image.symbols[i][0] != 0;
}

// ---- the code ----

static void add(unsigned char **to, const void *bytes, size_t length) {
  memcpy(*to, bytes, length);
  *to += length;
}

static void writeReading(unsigned char *code, int which, uint64_t word) {
  unsigned char *to = code + which * SLOT;
  bool shifted = hasOwnClock();
  if (!shifted || readings[which].number == SYS_clock_gettime) {
    add(&to, "\x48\xb8", 2), add(&to, &word, 8);                // mov rax, word
    add(&to, shifted ? "\x83\x38\x00\x75\x19" : "\x83\x38\x00\x75\x05", 5); // cmp dword [rax], 0; jne call
    // Clocks that only count on: no shift concerns them. cmp edi, CLOCK_MONOTONIC; je fast; the same of _RAW and _COARSE;
    // cmp edi, CLOCK_BOOTTIME; jne call
    if (shifted) add(&to, "\x83\xff\x01\x74\x0f\x83\xff\x04\x74\x0a\x83\xff\x06\x74\x05\x83\xff\x07\x75\x05", 20);
    uint32_t distance = (uint32_t)(image.functions[which] - (image.room + (size_t)(to - code) + 5));
    add(&to, "\xe9", 1), add(&to, &distance, 4);                // fast: jmp function
  }
  add(&to, "\xb8", 1), add(&to, &readings[which].number, 4);    // call: mov eax, number
  add(&to, "\x0f\x05\xc3", 3);                                  // syscall; ret
}

// ---- in a process that has not made its first step ----

static bool isSameImage(pid_t tid, uint64_t at) {
  Elf64_Ehdr head;
  return readMemory(tid, at, &head, sizeof head) == sizeof head && !memcmp(&head, image.bytes, sizeof head);
}

// The image cannot be written by its process; a tracer may (ptrace(2)), and writes a copy of its own for this process.
static bool poke(pid_t tid, uint64_t at, uint64_t word) { return ptrace(PTRACE_POKEDATA, tid, at, word) == 0; }

// fs/exec.c: the last word of the stack is 0, and the name of the file stands before it.
static uint64_t lastWord(pid_t tid, uint64_t fileName) {
  static char name[PAGE];
  uint64_t value = 1, at;
  if (!fileName || !readText(tid, fileName, name, sizeof name)) return 0;
  at = fileName + strlen(name) + 1;
  return at % 8 == 0 && readMemory(tid, at, &value, 8) == 8 && value == 0 ? at : 0;
}

static bool redirect(struct tracee *tracee, const struct start *start) {
  pid_t tid = tracee->tid;
  uint64_t word = lastWord(tid, start->fileName);
  static union { unsigned char bytes[ROOM]; uint64_t words[ROOM / 8]; } code;
  if (!word || !isSameImage(tid, start->image)) return false;
  for (int i = 0; i < READINGS; i++) writeReading(code.bytes, i, word);
  for (size_t i = 0; i < ROOM / 8; i++)
    if (!poke(tid, start->image + image.room + i * 8, code.words[i])) return false;
  for (size_t i = 0; i < READINGS * 2; i++) {
    size_t symbol = image.symbols[i / 2][i % 2];
    if (symbol && !poke(tid, start->image + symbol, image.room + i / 2 * SLOT)) return false;
  }
  tracee->slowClock = word;
  return true;
}

static bool mayStayFast(struct tracee *tracee, const struct start *start) {
  if (!image.known) readImage();
  return image.usable && !hasSkipped() && redirect(tracee, start);
}

static uint64_t stackPointer(pid_t tid) {
  struct user_regs_struct regs;
  return ptrace(PTRACE_GETREGS, tid, 0, &regs) == 0 ? regs.rsp : 0;
}

#else

static bool mayStayFast(struct tracee *tracee, const struct start *start) { return (void)tracee, (void)start, false; }

static uint64_t stackPointer(pid_t tid) {
  struct user_regs_struct regs;
  struct iovec all = {&regs, sizeof regs};
  return ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &all) == 0 ? regs.sp : 0;
}

#endif

// ---- both ----

// After execve the stack holds argc, argv, 0, environment, 0, auxiliary vector (System V ABI).
static bool readStart(pid_t tid, struct start *start) {
  static uint64_t words[512];
  uint64_t at = stackPointer(tid), argc = 0, name = 0;
  if (!at || readMemory(tid, at, &argc, 8) != 8) return false;
  at += 8 * (argc + 2);
  enum { ENVIRONMENT, NAME, VALUE } next = ENVIRONMENT;
  for (int round = 0; round < 4096; round++) {
    size_t want = (4096 - (at & 4095)) / 8;
    ssize_t got = readMemory(tid, at, words, want * 8) / 8;
    if (got <= 0) return false;
    for (ssize_t i = 0; i < got; i++, at += 8) {
      if (next == ENVIRONMENT) { if (!words[i]) next = NAME; continue; }
      if (next == NAME) { name = words[i]; next = VALUE; if (name == AT_NULL) return start->imageAt; continue; }
      if (name == AT_SYSINFO_EHDR) { start->image = words[i]; start->imageAt = at - 8; }
      if (name == AT_EXECFN) start->fileName = words[i];
      next = NAME;
    }
  }
  return false;
}

void keepFastClock(struct tracee *tracee) {
  struct start start = {0};
  uint64_t ignore = AT_IGNORE;
  tracee->slowClock = 0;
  if (!(setup.flags & FLAG_SKIP_WAITING) && !hasOwnClock()) return;
  if (!readStart(tracee->tid, &start) || mayStayFast(tracee, &start)) return;
  // vdso(7): without AT_SYSINFO_EHDR the C library makes real system calls.
  writeMemory(tracee->tid, start.imageAt, &ignore, 8);
}

void slowClocks(void) {
  const uint64_t jumped = 1;
  for (struct tracee *tracee = nextTracee(0); tracee; tracee = nextTracee(tracee))
    if (tracee->slowClock) writeMemory(tracee->tid, tracee->slowClock, &jumped, 8);
}
