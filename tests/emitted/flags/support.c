/* What programs under test call on a board: printf without its numbers, the marks between which instructions are counted,
 * and the memory functions that compilers call where there is no C library. */
#include <stdint.h>

#include "semihost.h"

typedef __SIZE_TYPE__ size;
int printf(const char *format, ...);
void tarn_test_mark(void);
void *memmove(void *to, const void *from, size count);
int memcmp(const void *a, const void *b, size count);

int printf(const char *format, ...) {
  semihost_print(format);
  return 0;
}

__attribute__((noinline)) void tarn_test_mark(void) { __asm__ volatile(""); }

#ifdef __riscv
void *memmove(void *to, const void *from, size count) {
  char *t = (char *)to;
  const char *f = (const char *)from;
  size i;
  if (t < f) {
    for (i = 0; i < count; ++i) t[i] = f[i];
  } else {
    for (i = count; i > 0; --i) t[i - 1] = f[i - 1];
  }
  return to;
}

int memcmp(const void *a, const void *b, size count) {
  const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
  for (; count > 0; --count, ++x, ++y) {
    if (*x != *y) return *x - *y;
  }
  return 0;
}
#endif
