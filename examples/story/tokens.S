/* SPDX-License-Identifier: MIT-0 */
    .section .rodata
    .global tokens_first
    .global tokens_end
    .balign 4
tokens_first:
    .incbin "tok.bin"
tokens_end:
#if defined(__linux__)
    .section .note.GNU-stack, "", %progbits
#endif
