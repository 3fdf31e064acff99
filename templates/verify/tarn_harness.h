// Between the harness, which runs a model and reports, and the platform below it: the host, or a bare board whose
// only way out is semihosting.
#ifndef TARN_HARNESS_H
#define TARN_HARNESS_H

#include <stddef.h>
#include <stdint.h>

// Exit codes of the harness; 0 is success.
enum {
  TARN_EXIT_STATUS = 10,    // the model's run function returned something else than OK
  TARN_EXIT_INPUT = 11,     // the input file is missing or too short
  TARN_EXIT_OUTPUT = 12,    // the output file cannot be written
  TARN_EXIT_GUARD = 13,     // bytes beside the arena were written
  TARN_EXIT_STACK = 14,     // the stack overflowed
  TARN_EXIT_MEMORY = 15,    // the platform has no memory for a second arena
  TARN_EXIT_FAULT = 16      // the processor faulted
};

// Files. Reading and writing run straight through `in.bin` and `out.bin` of the working folder.
void tarn_open_files(void);
void tarn_read(void *to, size_t bytes);           // ends the program when the file is too short
void tarn_write(const void *from, size_t bytes);  // ends the program when it cannot
void tarn_close_files(void);
// One line of the record that the generator reads: "tarn: KEY VALUE".
void tarn_say(const char *key, uint32_t value);
void tarn_exit(int code) __attribute__((noreturn));

// Memory: the model's own arenas and a second set, with guarded bytes beside each, and buffers of the caller's.
// A platform without room for a second instance returns a null pointer for it.
#define TARN_MOST_BANKS 16
void *tarn_arena(unsigned bank, void *fixed, size_t bytes, size_t align, int instance);
void *tarn_buffer(size_t bytes, size_t align);
int tarn_guards_intact(unsigned bank, const void *arena, size_t bytes);

// The stack below the caller of the model, lowest usable byte first; null where it is not measured.
unsigned char *tarn_stack_low(void);

int tarn_main(void);

static inline __attribute__((always_inline)) unsigned char *tarn_stack_pointer(void) {
  unsigned char *sp;
#if defined(__arm__)
  __asm__ volatile("mov %0, sp" : "=r"(sp));
#elif defined(__riscv)
  __asm__ volatile("mv %0, sp" : "=r"(sp));
#elif defined(__x86_64__)
  __asm__ volatile("mov %%rsp, %0" : "=r"(sp));
#elif defined(__aarch64__)
  __asm__ volatile("mov %0, sp" : "=r"(sp));
#else
  sp = (unsigned char *)__builtin_frame_address(0);
#endif
  return sp;
}

// Marks the instruction after the model's return, so that instructions can be counted up to it. The status passes
// through, which keeps the label behind the call and the result in its register.
#define TARN_RETURNED(status) __asm__ volatile(".globl tarn_returned\ntarn_returned:" : "+r"(status) : : "memory")

#endif
