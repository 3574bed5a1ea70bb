#pragma once

// Reads a text of the kernel as sscanf(3) does, whose own needs 16 kB for numbers with a point: %c, %d, %u, %o, %x, %s and %n, with `*`, a width
// and `l`. Returns how many were read.
int scanText(const char *text, const char *format, ...) __attribute__((format(scanf, 2, 3)));
