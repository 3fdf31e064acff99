// Terms of images that are resized by tables, and of averages of codes as floats.
#include <algorithm>

#include "time/call_terms.h"

namespace tarn::timing {

namespace {

constexpr int64_t kSources = 16;  // INT_RESIZE_SOURCES_S8

// What the tables say of all lines and pixels of the output (emit/table_numbers.h).
struct Taken {
  int64_t lines = 0, inside = 0;     // of the output; those that take from somewhere
  int64_t rows = 0, taken_rows = 0;  // of the input under all those, and with a weight
  int64_t pixels = 0;                // of lines inside
};

Taken taken_of(const CallTerms& call) {
  const int64_t images = call["images"];
  Taken t;
  t.lines = images * call["out_planes"] * call["out_lines"];
  t.inside = images * call["inside.planes"] * call["inside.lines"];
  t.rows = t.inside * call["line.planes"] * call["line.lines"];
  t.taken_rows = images * call["taken.planes"] * call["taken.lines"];
  t.pixels = t.inside * call["inside.pixels"];
  return t;
}

// tarn_resize_line_f32.c: four channels of a pixel at a time.
Terms resize(CallTerms call) {
  const Taken t = taken_of(call);
  const int64_t channels = call["line.channels"], whole = channels / 4, rest = channels % 4,
                quads = whole + (rest != 0);
  const int64_t rows = t.taken_rows * call["inside.pixels"], taps = t.taken_rows * call["taken.pixels"];
  call.add("call", 1);
  call.add("lines", t.lines);
  call.add("line_rows", t.rows);
  call.add("pixels", t.lines * call["out_pixels"]);
  call.add("outside", (t.lines * call["out_pixels"] - t.pixels) * channels);
  call.add("quads", t.pixels * quads);
  call.add("rows", t.rows * call["inside.pixels"] * quads);
  call.add("taken_rows", rows * quads);
  call.add("taps", rows * quads * call["line.taps"]);
  call.add("four_taps", taps * whole);
  call.add("rest_quads", rest != 0 ? t.pixels : 0);
  call.add("rest_taps", rest != 0 ? taps : 0);
  call.add("rest_values", taps * rest);
  call.add("outputs", t.pixels * channels);
  call.add_nonzero(taps * channels, 0);
  return call.take();
}

// tarn_int_resize_line_s8.c: the sources of a pixel are found once for all its channels.
Terms int_resize(CallTerms call) {
  const Taken t = taken_of(call);
  if (call["line.planes"] * call["line.lines"] * call["line.taps"] > kSources) call.refuse();
  const int64_t fours = call["line.channels"] / 4, ones = call["line.channels"] % 4;
  const int64_t sources = t.taken_rows * call["taken.pixels"];
  call.add("call", 1);
  call.add("lines", t.lines);
  call.add("line_rows", t.rows);
  call.add("pixels", t.lines * call["out_pixels"]);
  call.add("outside", (t.lines * call["out_pixels"] - t.pixels) * call["line.channels"]);
  call.add("rows", t.rows * call["inside.pixels"]);
  call.add("taps", t.taken_rows * call["inside.pixels"] * call["line.taps"]);
  call.add("sources", sources);
  call.add("fours", t.pixels * fours);
  call.add("four_sources", sources * fours);
  call.add("ones", t.pixels * ones);
  call.add("one_sources", sources * ones);
  return call.take();
}

// tarn_qlinear_averagepool.c: the taps inside are found axis by axis.
Terms qlinear_average(CallTerms call) {
  const int64_t maps = call["images"] * call["channels"];
  int64_t cells = 1, inside[3] = {}, outside = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const auto of = [&](const char* name) { return call[std::string(name) + "." + std::to_string(axis)]; };
    const WindowAxisOf along{of("in"), of("out"), of("kernel"), of("stride"), of("dilation"), of("pad")};
    cells *= along.out;
    inside[axis] = count_window(along).valid;
    outside += (along.out * along.kernel - inside[axis]) * (call["out.0"] * call["out.1"] * call["out.2"] / along.out);
  }
  call.add("call", 1);
  call.add("channels", maps);
  call.add("cells", maps * cells);
  call.add("outside", maps * outside);
  call.add("planes", maps * inside[0] * call["out.1"] * call["out.2"]);
  call.add("lines", maps * inside[0] * inside[1] * call["out.2"]);
  call.add("inside", maps * inside[0] * inside[1] * inside[2]);
  return call.take();
}

}  // namespace

std::optional<Terms> resample_terms(const std::string& kernel, const CallTerms& call) {
  if (kernel == "tarn_resize_f32") return resize(call);
  if (kernel == "tarn_int_resize_s8") return int_resize(call);
  if (kernel == "tarn_qlinear_averagepool") return qlinear_average(call);
  return {};
}

}  // namespace tarn::timing
