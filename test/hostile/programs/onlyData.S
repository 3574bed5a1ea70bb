// A library without any instruction: its relocations make the loader call what they name, with the program's number of arguments.
  .section .init_array, "aw"
  .balign 8
  .8byte _exit
  .section .note.GNU-stack, "", %progbits
