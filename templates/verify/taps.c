// Runs a model step by step on the first data set of in.bin and writes what each step has made to out.bin.
#include "tarn_firmware.h"
#include "tarn_taps.h"

int tarn_main(void) {
  static struct tarn_instance it;
  uint32_t counts[2], step, i, tap = 0;
  size_t k;
  tarn_open_files();
  tarn_read(counts, sizeof counts);
  for (i = 0; i < TARN_BANKS; ++i) {
    it.bank[i] = tarn_arena(i, tarn_banks[i].fixed, tarn_banks[i].bytes, TARN_ARENA_ALIGN, 0);
    for (k = 0; it.bank[i] != NULL && k < tarn_banks[i].bytes; ++k) ((unsigned char *)it.bank[i])[k] = 0xaa;
  }
  for (i = 0; i < TARN_INPUTS + TARN_OUTPUTS; ++i)
    it.at[i] = tarn_ports[i].outside ? tarn_buffer(tarn_ports[i].bytes, tarn_ports[i].align) : NULL;
  tarn_bind(&it);
  for (i = 0; i < TARN_INPUTS; ++i) tarn_read(it.at[i], tarn_ports[i].bytes);
  for (step = 0; step < TARN_STEPS; ++step) {
    const int status = tarn_run_step(&it, step);
    if (status != 0) {
      tarn_say("status", (uint32_t)status);
      tarn_exit(TARN_EXIT_STATUS);
    }
    for (; tap < TARN_TAPS && tarn_taps[tap].step == step; ++tap) {
      const struct tarn_tap *t = &tarn_taps[tap];
      for (k = 0; k < t->pieces; ++k) tarn_write((unsigned char *)it.bank[t->bank] + t->offset + k * t->stride, t->piece);
    }
  }
  tarn_close_files();
  (void)&tarn_dim;
  (void)&tarn_run;
  return 0;
}
