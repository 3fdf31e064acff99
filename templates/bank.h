@SECTION_DEFAULT@#if defined(@BANK@_SECTION) && defined(__GNUC__)
__attribute__((aligned(@ARENA_ALIGN@), section(@BANK@_SECTION)))
#elif defined(@BANK@_SECTION)
#error "@BANK@_SECTION needs a compiler with section attributes; define the buffer yourself"
#elif defined(__GNUC__)
__attribute__((aligned(@ARENA_ALIGN@)))
#elif defined(__cplusplus)
alignas(@ARENA_ALIGN@)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
_Alignas(@ARENA_ALIGN@)
#endif
uint8_t @SYMBOL@[@BANK@_BYTES];
