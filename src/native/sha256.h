// SHA-256 as in FIPS 180-4.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sha256 { uint32_t state[8]; uint64_t bytes; bool byProcessor; unsigned char block[64]; };

void sha256Start(struct sha256 *sha);
void sha256Add(struct sha256 *sha, const void *bytes, size_t length);
void sha256End(struct sha256 *sha, unsigned char digest[32]);
