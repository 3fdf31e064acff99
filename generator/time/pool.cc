// Terms of pools, over windows and over whole images.
#include "time/pool_windows.h"

namespace tarn::timing {

namespace {

void add_windows(CallTerms& call, const Windows& w) {
  call.add("call", 1);
  call.add("lines", w.lines);
  call.add("line_rows", w.all_rows);
  call.add("pixels", w.lines * w.pixels);
  call.add("clipped", w.lines * w.clipped);
  call.add("elements", w.lines * w.pixels * w.channels);
  call.add("missing_rows", (w.all_rows - w.rows) * w.pixels * w.channels);
  call.add("rows", w.rows * w.pixels * w.channels);
  call.add("taps", w.rows * w.taps.valid * w.channels);
}

// Kernels that take four channels at a time, and those that are left one by one.
void add_windows_by_fours(CallTerms& call, const Windows& w) {
  call.add("call", 1);
  call.add("lines", w.lines);
  call.add("line_rows", w.all_rows);
  call.add("pixels", w.lines * w.pixels);
  call.add("clipped", w.lines * w.clipped);
  call.add("elements", w.lines * w.pixels * w.channels);
  call.add("runs", w.lines * w.pixels * ((w.channels + 31) / 32));  // TARN_INT_RUN_S8
  const auto add_part = [&](const std::string& part, int64_t count) {
    call.add(part + "s", w.lines * w.pixels * count);
    call.add(part + "_missing_rows", (w.all_rows - w.rows) * w.pixels * count);
    call.add(part + "_rows", w.rows * w.pixels * count);
    call.add(part + "_taps", w.rows * w.taps.valid * count);
  };
  add_part("four", w.channels / 4);
  add_part("single", w.channels % 4);
}

// tarn_maxpool_line_f32.c, tarn_maxpool_line_s8.c, tarn_averagepool_line_f32.c.
Terms pool(CallTerms call, bool by_fours) {
  const Windows w = pool_windows(call);
  if (by_fours) {
    add_windows_by_fours(call, w);
    return call.take();
  }
  add_windows(call, w);
  // Of averages only: rows are counted for each element unless padding counts.
  call.add("counted", call["line.option"] == 0 ? w.all_rows * w.pixels * w.channels : 0);
  call.add_nonzero(w.rows * w.taps.valid * w.channels, 0);
  return call.take();
}

// tarn_lppool_line_f32.c: a root of squares; other powers are not told.
Terms lp_pool(CallTerms call) {
  if (call["line.option"] != 2) call.refuse();
  add_windows(call, pool_windows(call));
  return call.take();
}

// tarn_int_averagepool_line_s8.c.
Terms int_averagepool(CallTerms call) {
  const Windows w = int_pool_windows(call);
  add_windows_by_fours(call, w);
  return call.take();
}

// tarn_global_averagepool_f32.c: sixteen channels at a time.
Terms global_averagepool(CallTerms call) {
  const int64_t images = call["images"], channels = call["channels"], pixels = call["pixels"];
  const int64_t chunks = images * ((channels + 15) / 16);
  call.add("call", 1);
  call.add("images", images);
  call.add("chunks", chunks);
  call.add("channels", images * channels);
  call.add("chunk_pixels", chunks * pixels);
  call.add("values", images * channels * pixels);
  call.add_nonzero(images * channels * pixels, 0);
  return call.take();
}

Terms int_global_average(CallTerms call) {
  const int64_t images = call["images"], channels = call["channels"], pixels = call["pixels"];
  call.add("call", 1);
  call.add("images", images);
  call.add("channels", images * channels);
  call.add("runs", images * ((channels + 31) / 32));  // TARN_INT_RUN_S8
  call.add("fours", images * (channels / 4));
  call.add("singles", images * (channels % 4));
  call.add("four_pixels", images * (channels / 4) * pixels);
  call.add("single_pixels", images * (channels % 4) * pixels);
  return call.take();
}

// tarn_int_dsp_sums.h: bounds other than those of a code are looked up for each of so many sums.
Terms dsp_sums(const CallTerms& call, Terms terms, int64_t sums) {
  const bool clamps = call["requant.lo"] > -128 || call["requant.hi"] < 127;
  terms.push_back({"clamped", static_cast<double>(clamps ? sums : 0)});
  return terms;
}

}  // namespace

std::optional<Terms> sums_dsp_terms(const std::string& kernel, const CallTerms& call) {
  if (kernel == "tarn_int_averagepool_s8") {
    const Windows w = int_pool_windows(call);
    return dsp_sums(call, int_averagepool(call), w.lines * w.pixels * w.channels);
  }
  if (kernel == "tarn_int_global_average_s8")
    return dsp_sums(call, int_global_average(call), call["images"] * call["channels"]);
  return {};
}

std::optional<Terms> pool_terms(const std::string& kernel, const CallTerms& call) {
  if (kernel == "tarn_maxpool_s8") return pool(call, true);
  if (kernel == "tarn_maxpool_f32" || kernel == "tarn_averagepool_f32") return pool(call, false);
  if (kernel == "tarn_lppool_f32") return lp_pool(call);
  if (kernel == "tarn_int_averagepool_s8") return int_averagepool(call);
  if (kernel == "tarn_global_averagepool_f32" || kernel == "tarn_global_maxpool_f32") return global_averagepool(call);
  if (kernel == "tarn_int_global_average_s8") return int_global_average(call);
  return {};
}

}  // namespace tarn::timing
