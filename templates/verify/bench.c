// Runs one kernel alone, for its instruction counts. The source under test defines bench_setup, bench_run, and how many
// multiply-accumulates a run does; bench_check, if it is there, gives a number of its results to be printed.
#include "tarn_harness.h"

extern const uint32_t bench_macs;
void bench_setup(void);
void bench_run(void);
__attribute__((weak)) uint32_t bench_check(void);

int tarn_main(void) {
  int status = 0;
  bench_setup();
  bench_run();
  TARN_RETURNED(status);
  tarn_say("macs", bench_macs);
  if (bench_check != NULL) tarn_say("check", bench_check());
  return status;
}
