// craft LIBRARY: hides its instructions. The file's headers say that they are data; a second table, which the loader reads from memory
// because PT_PHDR points at it, says that they may be executed, and so does the mprotect(2) after they were relocated.
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int count, char **arguments) {
  struct stat st;
  int file = count == 2 ? open(arguments[1], O_RDWR) : -1;
  if (file < 0 || fstat(file, &st) != 0) { perror("craft"); return 1; }
  char *bytes = mmap(0, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (bytes == MAP_FAILED) { perror("craft"); return 1; }
  Elf64_Ehdr *header = (Elf64_Ehdr *)bytes;
  Elf64_Phdr *first = (Elf64_Phdr *)(bytes + header->e_phoff), *spare = 0;
  char *second = memmem(bytes, (size_t)st.st_size, "SECOND TABLE OF HEADERS", 23);
  size_t size = header->e_phnum * sizeof *first;
  if (!second || size > 1024) { fprintf(stderr, "craft: no room for a second table\n"); return 1; }
  Elf64_Addr address = 0;
  for (int i = 0; i < header->e_phnum; i++) {
    Elf64_Off at = (Elf64_Off)(second - bytes);
    if (first[i].p_type == PT_LOAD && at >= first[i].p_offset && at < first[i].p_offset + first[i].p_filesz) address = first[i].p_vaddr + at - first[i].p_offset;
    if (first[i].p_type == PT_NOTE || first[i].p_type == PT_GNU_EH_FRAME || first[i].p_type == PT_PHDR) spare = &first[i];
  }
  if (!spare || !address) { fprintf(stderr, "craft: no header to spare\n"); return 1; }
  *spare = (Elf64_Phdr){.p_type = PT_PHDR, .p_flags = PF_R, .p_offset = (Elf64_Off)(second - bytes), .p_vaddr = address, .p_paddr = address, .p_filesz = size, .p_memsz = size, .p_align = 8};
  memcpy(second, first, size);
  for (int i = 0; i < header->e_phnum; i++)
    if (first[i].p_type == PT_LOAD) first[i].p_flags &= ~(Elf64_Word)PF_X;
  return 0;
}
