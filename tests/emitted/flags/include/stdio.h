/* For targets whose compiler comes without a C library: programs under test say what they say through semihosting. */
#ifndef TARN_TEST_STDIO_H
#define TARN_TEST_STDIO_H
int printf(const char *format, ...);
#endif
