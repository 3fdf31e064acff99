// memcpy and its kin for targets without a C library, by words where both sides allow it.
#include <stdint.h>
#include <string.h>

// gcc would recognise these loops and replace each by a call of the very function it is in.
#if defined(__GNUC__) && !defined(__clang__)
#define KEEP_LOOP __attribute__((optimize("no-tree-loop-distribute-patterns")))
#else
#define KEEP_LOOP
#endif

typedef uint32_t __attribute__((may_alias)) word;

KEEP_LOOP void *memcpy(void *restrict to, const void *restrict from, size_t bytes) {
  unsigned char *d = to;
  const unsigned char *s = from;
  if ((((uintptr_t)d | (uintptr_t)s) & 3u) == 0) {
    for (; bytes >= 4; bytes -= 4, d += 4, s += 4) *(word *)(void *)d = *(const word *)(const void *)s;
  }
  for (; bytes > 0; --bytes) *d++ = *s++;
  return to;
}

KEEP_LOOP void *memmove(void *to, const void *from, size_t bytes) {
  unsigned char *d = to;
  const unsigned char *s = from;
  const int words = (((uintptr_t)d | (uintptr_t)s) & 3u) == 0;
  if ((uintptr_t)d <= (uintptr_t)s || (uintptr_t)d >= (uintptr_t)s + bytes) {
    for (; words && bytes >= 4; bytes -= 4, d += 4, s += 4) *(word *)(void *)d = *(const word *)(const void *)s;
    for (; bytes > 0; --bytes) *d++ = *s++;
  } else {
    for (; bytes > 0 && (!words || (bytes & 3u) != 0); --bytes) d[bytes - 1] = s[bytes - 1];
    for (; bytes > 0; bytes -= 4) *(word *)(void *)(d + bytes - 4) = *(const word *)(const void *)(s + bytes - 4);
  }
  return to;
}

KEEP_LOOP void *memset(void *to, int value, size_t bytes) {
  unsigned char *d = to;
  const unsigned char byte = (unsigned char)value;
  const word filled = 0x01010101u * byte;
  for (; bytes > 0 && ((uintptr_t)d & 3u) != 0; --bytes) *d++ = byte;
  for (; bytes >= 4; bytes -= 4, d += 4) *(word *)(void *)d = filled;
  for (; bytes > 0; --bytes) *d++ = byte;
  return to;
}

KEEP_LOOP int memcmp(const void *a, const void *b, size_t bytes) {
  const unsigned char *p = a, *q = b;
  for (; bytes > 0; --bytes, ++p, ++q) {
    if (*p != *q) return *p - *q;
  }
  return 0;
}
