/* Semihosting: how a test program without an operating system prints and ends under QEMU. */
#ifndef TARN_TEST_SEMIHOST_H
#define TARN_TEST_SEMIHOST_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

void semihost_print(const char* text); /* QEMU shows it on its stderr */
void semihost_exit(uint32_t status);   /* QEMU's own exit status; does not return */

#ifdef __cplusplus
}
#endif

#endif
