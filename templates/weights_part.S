#if defined(__ELF__)
    .section @SECTION@, "a"
    .type @SYMBOL@, %object
    .size @SYMBOL@, @BYTES@
#else
    .section __TEXT,__const
#endif
    .balign 16
    .global @SYMBOL@
@SYMBOL@:
    .incbin "@PREFIX@_weights.bin", @FIRST@, @BYTES@
    .balign 16
