/* With -DTARN_POISON every byte outside the buffers that are alive in a step is made unusable before it: for
 * AddressSanitizer where it is there, else by 0xff in all of them. Without it nothing of this is compiled. */
#if defined(TARN_POISON)
#if defined(__SANITIZE_ADDRESS__)
#define @CAPS@_POISON_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define @CAPS@_POISON_ASAN 1
#endif
#endif
#if defined(@CAPS@_POISON_ASAN)
#include <sanitizer/asan_interface.h>
#endif

/* The bytes [first, end) are alive in the steps [first_step, end_step). */
typedef struct @PREFIX@_life {
    uint32_t first, end, first_step, end_step;
} @PREFIX@_life;

@LIVES@
static void @PREFIX@_poison_bytes(uint8_t *memory, uint32_t bytes, const @PREFIX@_life *lives, uint32_t count, uint32_t step)
{
    uint32_t byte = 0u;
    while (byte < bytes) {
        uint32_t alive_end = byte;
        uint32_t dead_end = bytes;
        uint32_t i;
        for (i = 0u; i < count; ++i) {
            if ((step >= lives[i].first_step) && (step < lives[i].end_step) && (lives[i].end > byte)) {
                if (lives[i].first <= byte) {
                    alive_end = (lives[i].end > alive_end) ? lives[i].end : alive_end;
                } else {
                    dead_end = (lives[i].first < dead_end) ? lives[i].first : dead_end;
                }
            }
        }
        if (alive_end > byte) {
            byte = alive_end;
        } else {
#if defined(@CAPS@_POISON_ASAN)
            __asan_poison_memory_region(memory + byte, dead_end - byte);
            byte = dead_end;
#else
            for (; byte < dead_end; ++byte) {
                memory[byte] = 0xffu;
            }
#endif
        }
    }
}

static void @PREFIX@_unpoison(@ARENA_PARAMETER@)
{
#if defined(@CAPS@_POISON_ASAN)
@UNPOISON@#else
    (void)arena;
#endif
}

/* A step inside a branch or loop begins while the memory is still poisoned for that one. */
static void @PREFIX@_poison(@ARENA_PARAMETER@, uint32_t step)
{
    if (step < @CAPS@_STEPS) {
        @PREFIX@_unpoison(arena);
@POISON@    }
}
#define @CAPS@_POISON(step) @PREFIX@_poison(arena, step)
#define @CAPS@_UNPOISON() @PREFIX@_unpoison(arena)
#else
#define @CAPS@_POISON(step) ((void)0)
#define @CAPS@_UNPOISON() ((void)0)
#endif

