// Terms of int8 pools, means and sums of two for the M-profile vector extension, which takes whole vectors of channels.
#include "time/pool_windows.h"

namespace tarn::timing {

namespace {

constexpr int64_t kRun = 32;         // TARN_INT_RUN_S8: channels whose sums are kept at a time
constexpr int64_t kMostCodes = 256;  // TARN_INT_MVE_SUMS_MOST

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

// Ties lie in the zone and nothing else does that matters: a line of codes at a time, nobody looks.
bool by_lines(const CallTerms& call, const char* exceptions) {
  return call[exceptions] != 0 && call["requant.tie"] <= call["requant.half_zone"];
}

void add_window(CallTerms& call, const Windows& w) {
  call.add("call", 1);
  call.add("lines", w.lines);
  call.add("line_rows", w.all_rows);
  call.add("pixels", w.lines * w.pixels);
  call.add("clipped", w.lines * w.clipped);
}

// `vectors` for each pixel, each of which goes through the rows of its window.
void add_vectors(CallTerms& call, const std::string& part, const Windows& w, int64_t vectors) {
  call.add(part, w.lines * w.pixels * vectors);
  call.add(part + "_missing_rows", (w.all_rows - w.rows) * w.pixels * vectors);
  call.add(part + "_rows", w.rows * w.pixels * vectors);
  call.add(part + "_taps", w.rows * w.taps.valid * vectors);
}

// tarn_int_codes_s8(): `times` the sums of all channels.
void add_codes(CallTerms& call, int64_t times, int64_t channels) {
  const bool lines = by_lines(call, "null.2");
  const int64_t whole = channels / kRun, rest = channels % kRun;
  call.add("code_runs", lines ? times * (whole + (rest != 0)) : 0);
  call.add("code_fours", lines ? times * (whole * (kRun / 4) + ceil_div(rest, 4)) : 0);
  call.add("looked_runs", lines ? 0 : times * (whole + (rest != 0)));
  call.add("looked", lines ? 0 : times * channels);
}

// tarn_maxpool_line_s8.c.
Terms mve_maxpool(CallTerms call) {
  const Windows w = pool_windows(call);
  add_window(call, w);
  add_vectors(call, "sixteens", w, ceil_div(w.channels, 16));
  return call.take();
}

// tarn_int_averagepool_line_s8.c: eight channels at a time, where their sums have 16 bits.
Terms mve_averagepool(CallTerms call) {
  const Windows w = int_pool_windows(call);
  if (call["rows"] * call["taps"] > kMostCodes) call.refuse();
  const int64_t rest = w.channels % kRun;
  add_window(call, w);
  add_vectors(call, "eights", w, w.channels / 8);
  add_vectors(call, "part_eights", w, w.channels % 8 != 0);
  call.add("part_runs", rest != 0 && rest < 8 ? w.lines * w.pixels : 0);
  add_codes(call, w.lines * w.pixels, w.channels);
  return call.take();
}

// tarn_int_global_average_s8.c: as many pixels at a time as 16 bits hold.
Terms mve_global_average(CallTerms call) {
  const int64_t images = call["images"], channels = call["channels"], pixels = call["pixels"];
  const int64_t parts = ceil_div(pixels, kMostCodes), runs = ceil_div(channels, kRun);
  const int64_t eights = images * (channels / 8), part_eights = channels % 8 != 0 ? images : 0;
  call.add("call", 1);
  call.add("images", images);
  call.add("parts", images * runs * parts);
  call.add("added", parts > 1 ? images * channels * (parts - 1) : 0);
  call.add("eights", eights * parts);
  call.add("eight_pixels", eights * pixels);
  call.add("part_eights", part_eights * parts);
  call.add("part_eight_pixels", part_eights * pixels);
  call.add("part_runs", channels % kRun != 0 && channels % kRun < 8 ? images * parts : 0);
  add_codes(call, images, channels);
  return call.take();
}

// tarn_int_add_s8.c: four pairs at a time, the last ones one by one.
Terms mve_add(CallTerms call) {
  const int64_t outer = call["outer"], inner = call["inner"], elements = outer * inner;
  const bool steps = call["a_step"] != 0 || call["b_step"] != 0, zones = call["requant.mask"] != -1;
  const bool lines = by_lines(call, "null.3");
  const int64_t fours = steps ? outer * (inner / 4) : 0, singles = elements - 4 * fours;
  call.add("call", 1);
  call.add("runs", outer);
  call.add("looked_runs", fours > 0 && !lines ? outer : 0);
  call.add("fours", lines ? fours : 0);
  call.add("looked_fours", lines ? 0 : fours);
  call.add("singles", zones ? 0 : singles);
  call.add("zoned_singles", zones ? singles : 0);
  return call.take();
}

}  // namespace

std::optional<Terms> sums_mve_terms(const std::string& kernel, const CallTerms& call) {
  if (kernel == "tarn_maxpool_s8") return mve_maxpool(call);
  if (kernel == "tarn_int_averagepool_s8") return mve_averagepool(call);
  if (kernel == "tarn_int_global_average_s8") return mve_global_average(call);
  if (kernel == "tarn_int_add_s8") return mve_add(call);
  return {};
}

}  // namespace tarn::timing
