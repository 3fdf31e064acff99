/* SPDX-License-Identifier: MIT-0 */
#include <stdio.h>

#include "digits.h"

int main(void) {
    printf("arena %u bytes, status %d\n", (unsigned)DIGITS_ARENA_BYTES, (int)digits_run(digits_arena));
    return 0;
}
