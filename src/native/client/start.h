// At Enter: what a shell reads in its start file, and how long it waits.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// foretell enter bash|zsh|fish, and nothing more.
bool isStart(char **words);
// The lines that the shell evaluates, which lead to the program beside this one. Returns where they are not to be had.
void printStart(const char *shell);
// How long foretell-enter may take, in milliseconds: its third word.
int64_t enterMs(char **words);
