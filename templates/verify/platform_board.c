// The harness on a bare board: files and console through semihosting (Arm's "Semihosting for AArch32 and AArch64", and
// the RISC-V binding of it), arena and stack where the link script puts them.
#include "tarn_board.h"

enum { SYS_OPEN = 0x01, SYS_CLOSE = 0x02, SYS_WRITE0 = 0x04, SYS_WRITE = 0x05, SYS_READ = 0x06, SYS_EXIT_EXTENDED = 0x20 };
enum { MODE_READ_BINARY = 1, MODE_WRITE_BINARY = 5 };
#define APPLICATION_EXIT 0x20026u
#define GUARD_WORD 0xa5c3965au

static intptr_t in_file, out_file;
static unsigned char *next_buffer = tarn_buffers;

static __attribute__((noinline)) intptr_t ask_host(intptr_t operation, void *arguments) {
#if defined(__arm__)
  register intptr_t r0 __asm__("r0") = operation;
  register void *r1 __asm__("r1") = arguments;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
#else
  // The three instructions must be uncompressed and lie in one page.
  register intptr_t a0 __asm__("a0") = operation;
  register void *a1 __asm__("a1") = arguments;
  __asm__ volatile(
      ".balign 16\n.option push\n.option norvc\n"
      "slli zero, zero, 0x1f\nebreak\nsrai zero, zero, 7\n.option pop"
      : "+r"(a0)
      : "r"(a1)
      : "memory");
  return a0;
#endif
}

void tarn_exit(int code) {
  uintptr_t arguments[2];
  arguments[0] = APPLICATION_EXIT;
  arguments[1] = (uintptr_t)code;
  ask_host(SYS_EXIT_EXTENDED, arguments);
  for (;;) {
  }
}

void tarn_print(const char *text) { ask_host(SYS_WRITE0, (void *)(uintptr_t)text); }

void tarn_say(const char *key, uint32_t value) {
  char digits[12];
  char *p = digits + sizeof digits;
  *--p = 0;
  *--p = '\n';
  do {
    *--p = (char)('0' + value % 10);
    value /= 10;
  } while (value != 0);
  tarn_print("tarn: ");
  tarn_print(key);
  tarn_print(" ");
  tarn_print(p);
}

static intptr_t open_file(const char *path, size_t length, uintptr_t mode) {
  uintptr_t arguments[3];
  arguments[0] = (uintptr_t)path;
  arguments[1] = mode;
  arguments[2] = length;
  return ask_host(SYS_OPEN, arguments);
}

void tarn_open_files(void) {
  in_file = open_file("in.bin", 6, MODE_READ_BINARY);
  out_file = open_file("out.bin", 7, MODE_WRITE_BINARY);
  if (in_file < 0) tarn_exit(TARN_EXIT_INPUT);
  if (out_file < 0) tarn_exit(TARN_EXIT_OUTPUT);
}

// SYS_READ and SYS_WRITE return the number of bytes they did not transfer, and may stop early.
static int transfer(intptr_t operation, intptr_t file, uintptr_t at, size_t bytes) {
  while (bytes > 0) {
    uintptr_t arguments[3];
    size_t left;
    arguments[0] = (uintptr_t)file;
    arguments[1] = at;
    arguments[2] = bytes;
    left = (size_t)ask_host(operation, arguments);
    if (left >= bytes) return 0;
    at += bytes - left;
    bytes = left;
  }
  return 1;
}

void tarn_read(void *to, size_t bytes) {
  if (!transfer(SYS_READ, in_file, (uintptr_t)to, bytes)) tarn_exit(TARN_EXIT_INPUT);
}

void tarn_write(const void *from, size_t bytes) {
  if (!transfer(SYS_WRITE, out_file, (uintptr_t)from, bytes)) tarn_exit(TARN_EXIT_OUTPUT);
}

void tarn_close_files(void) {
  uintptr_t arguments[1];
  arguments[0] = (uintptr_t)out_file;
  if (ask_host(SYS_CLOSE, arguments) != 0) tarn_exit(TARN_EXIT_OUTPUT);
}

// The link script leaves guard bytes on both sides of each arena.
static int guards(uint32_t *from, const uint32_t *to, int check) {
  for (; from < to; ++from) {
    if (check && *from != GUARD_WORD) return 0;
    *from = GUARD_WORD;
  }
  return 1;
}

static int visit_guards(unsigned bank, const void *arena, size_t bytes, int check) {
  const uintptr_t behind = ((uintptr_t)arena + bytes + 3) & ~(uintptr_t)3;
  const int low = guards(tarn_guards[2 * bank], (const uint32_t *)arena, check);
  const int high = guards((uint32_t *)behind, tarn_guards[2 * bank + 1], check);
  return low && high;
}

void *tarn_arena(unsigned bank, void *fixed, size_t bytes, size_t align, int instance) {
  (void)align;
  if (instance != 0) return NULL;
  if (fixed != NULL) visit_guards(bank, fixed, bytes, 0);
  return fixed;
}

int tarn_guards_intact(unsigned bank, const void *arena, size_t bytes) {
  return arena == NULL || visit_guards(bank, arena, bytes, 1);
}

// One element beyond a multiple of 8: a caller's buffer is aligned to its elements and no better.
void *tarn_buffer(size_t bytes, size_t align) {
  unsigned char *p = (unsigned char *)(((uintptr_t)next_buffer + 7) & ~(uintptr_t)7) + (align < 8 ? align : 0);
  next_buffer = p + bytes;
  return p;
}

unsigned char *tarn_stack_low(void) { return (unsigned char *)tarn_stack_first; }
