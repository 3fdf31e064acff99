// What the link script and the reset code give the harness on a board.
#ifndef TARN_BOARD_H
#define TARN_BOARD_H

#include "tarn_harness.h"

extern uint32_t tarn_data_load[], tarn_data_first[], tarn_data_end[], tarn_bss_first[], tarn_bss_end[];
extern uint32_t tarn_stack_first[], tarn_stack_end[], tarn_handler_stack_end[];
extern uint32_t *const tarn_guards[];  // for each arena: the first of the guarded bytes around it, and their end
extern unsigned char tarn_buffers[];
extern const uint32_t tarn_regions[6];  // three times base address and MPU attributes

void tarn_print(const char *text);

#endif
