#include "sha256.h"
#include <stdbool.h>
#include <string.h>
#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#include <sys/auxv.h>
#endif

static const uint32_t constants[64] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
  0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
  0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
  0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
  0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
  0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t turn(uint32_t x, int n) { return x >> n | x << (32 - n); }
static uint32_t bigEndian(uint32_t x) { return __builtin_bswap32(x); } // x64 and arm64 are little-endian

// Of large files the digest is what a listing takes its time for. Processors that know SHA-256 are nine times as fast.
#if defined(__x86_64__)

static bool askProcessor(void) {
  unsigned a, b, c, d;
  // The instructions came years after SSE4.1.
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA);
}

__attribute__((target("sha,sse4.1"))) static void addByProcessor(uint32_t state[8], const unsigned char *block) {
  const __m128i order = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  __m128i w[4], *words = (__m128i *)state;
  // The instructions want the words of the state in this order (Intel's manual, SHA256RNDS2).
  __m128i cdab = _mm_shuffle_epi32(_mm_loadu_si128(words), 0xb1), efgh = _mm_shuffle_epi32(_mm_loadu_si128(words + 1), 0x1b);
  __m128i abef = _mm_alignr_epi8(cdab, efgh, 8), cdgh = _mm_blend_epi16(efgh, cdab, 0xf0), abefOld = abef, cdghOld = cdgh;
  for (int i = 0; i < 4; i++) w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)block + i), order);
  for (int i = 0; i < 16; i++) {
    __m128i *w0 = &w[i % 4], w1 = w[(i + 1) % 4], w2 = w[(i + 2) % 4], w3 = w[(i + 3) % 4];
    __m128i sum = _mm_add_epi32(*w0, _mm_loadu_si128((const __m128i *)constants + i));
    cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
    abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
    *w0 = _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(*w0, w1), _mm_alignr_epi8(w3, w2, 4)), w3);
  }
  __m128i feba = _mm_shuffle_epi32(_mm_add_epi32(abef, abefOld), 0x1b), dchg = _mm_shuffle_epi32(_mm_add_epi32(cdgh, cdghOld), 0xb1);
  _mm_storeu_si128(words, _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128(words + 1, _mm_alignr_epi8(dchg, feba, 8));
}

#elif defined(__aarch64__)

static bool askProcessor(void) { return getauxval(AT_HWCAP) & HWCAP_SHA2; }

__attribute__((target("sha2"))) static void addByProcessor(uint32_t state[8], const unsigned char *block) {
  uint32x4_t w[4], abcdOld = vld1q_u32(state), efghOld = vld1q_u32(state + 4), abcd = abcdOld, efgh = efghOld;
  for (int i = 0; i < 4; i++) w[i] = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(block + 16 * i)));
  for (int i = 0; i < 16; i++) {
    uint32x4_t *w0 = &w[i % 4], w1 = w[(i + 1) % 4], w2 = w[(i + 2) % 4], w3 = w[(i + 3) % 4];
    uint32x4_t sum = vaddq_u32(*w0, vld1q_u32(constants + 4 * i)), before = abcd;
    abcd = vsha256hq_u32(abcd, efgh, sum);
    efgh = vsha256h2q_u32(efgh, before, sum);
    *w0 = vsha256su1q_u32(vsha256su0q_u32(*w0, w1), w2, w3);
  }
  vst1q_u32(state, vaddq_u32(abcd, abcdOld));
  vst1q_u32(state + 4, vaddq_u32(efgh, efghOld));
}

#else

static bool askProcessor(void) { return false; }
static void addByProcessor(uint32_t state[8], const unsigned char *block) { (void)state, (void)block; }

#endif

static void addBlock(struct sha256 *sha, const unsigned char *block) {
  if (sha->byProcessor) { addByProcessor(sha->state, block); return; }
  uint32_t w[64], s[8];
  memcpy(w, block, 64);
  memcpy(s, sha->state, sizeof s);
  for (int i = 0; i < 64; i++) {
    if (i < 16) w[i] = bigEndian(w[i]);
    else {
      uint32_t a = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3, b = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10;
      w[i] = w[i - 16] + a + w[i - 7] + b;
    }
    uint32_t t1 = s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + constants[i] + w[i];
    uint32_t t2 = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    memmove(s + 1, s, 7 * sizeof *s);
    s[4] += t1;
    s[0] = t1 + t2;
  }
  for (int i = 0; i < 8; i++) sha->state[i] += s[i];
}

void sha256Start(struct sha256 *sha) {
  static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  memcpy(sha->state, start, sizeof start);
  sha->bytes = 0;
  // Asked once: in a virtual machine the question leads out of it, and takes longer than the digest of a small file.
  static enum { NOT_ASKED, KNOWS, KNOWS_NOT } processor;
  if (processor == NOT_ASKED) processor = askProcessor() ? KNOWS : KNOWS_NOT;
  sha->byProcessor = processor == KNOWS;
}

void sha256Add(struct sha256 *sha, const void *bytes, size_t length) {
  const unsigned char *from = bytes;
  while (length > 0) {
    size_t have = sha->bytes % 64, piece = 64 - have < length ? 64 - have : length;
    if (piece == 64) addBlock(sha, from);
    else {
      memcpy(sha->block + have, from, piece);
      if (have + piece == 64) addBlock(sha, sha->block);
    }
    sha->bytes += piece;
    from += piece;
    length -= piece;
  }
}

void sha256End(struct sha256 *sha, unsigned char digest[32]) {
  uint64_t bits = __builtin_bswap64(sha->bytes * 8);
  sha256Add(sha, "\200", 1);
  while (sha->bytes % 64 != 56) sha256Add(sha, "", 1);
  sha256Add(sha, &bits, sizeof bits);
  for (int i = 0; i < 8; i++) sha->state[i] = bigEndian(sha->state[i]);
  memcpy(digest, sha->state, 32);
}
