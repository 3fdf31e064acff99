/* What the test takes of a C library, for boards without one: a pool that each case empties, and one line of output. */
#include "semihost.h"

static _Alignas(16) unsigned char pool[1500000];
static size_t pool_used;

static void *pool_take(size_t bytes)
{
    unsigned char *at = pool + pool_used;
    size_t i;
    pool_used += (bytes + 15) / 16 * 16;
    if (pool_used > sizeof pool) {
        semihost_print("the pool is too small\n");
        semihost_exit(2);
    }
    for (i = 0; i < bytes; ++i) at[i] = 0;
    return at;
}

#define malloc(bytes) pool_take(bytes)
#define calloc(count, bytes) pool_take((count) * (bytes))
#define free(pointer) ((void)(pointer), pool_used = 0)
#define exit(status) (semihost_print("a sum differs\n"), semihost_exit(status))
#define fprintf(...) ((void)0)
#define printf(...) semihost_print("all sums alike\n")
#define fmaf(w, x, s) __builtin_fmaf(w, x, s)
