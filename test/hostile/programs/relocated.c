// A library whose instructions have to be relocated (DT_TEXTREL), with room for a second table of headers. Built together with
// library.c; craft.c then makes its instructions look like data to whoever reads the file's own headers.
__asm__(".text\n.balign 8\n.8byte relocatedHere\n");
int relocatedHere = 1;
__attribute__((used, section(".rodata.table"))) const char secondTable[1024] = "SECOND TABLE OF HEADERS";
