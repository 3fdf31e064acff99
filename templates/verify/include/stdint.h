// The compiler's own <stdint.h>, which it hides behind a C library's unless told that there is none.
#ifndef TARN_STDINT_H
#define TARN_STDINT_H

#include <stdint-gcc.h>

#endif
