// Windows: the elements of a pool's output and what stands under their windows.
#pragma once
#include "time/call_terms.h"

namespace tarn::timing {

struct Windows {
  int64_t lines = 0, all_rows = 0, rows = 0;  // lines of the output; rows of windows; those in the image
  WindowCounts taps;                          // along one line
  int64_t pixels = 0, channels = 0, clipped = 0;
};

// tarn_maxpool_f32, tarn_maxpool_s8, tarn_averagepool_f32.
inline Windows pool_windows(const CallTerms& call) {
  int64_t places = 1, valid = 1, all = 1;
  for (const char* axis : {".0", ".1"}) {
    const auto of = [&](const char* name) { return call[std::string(name) + axis]; };
    const WindowAxisOf lines{of("in"), of("out"), of("kernel"), of("stride"), of("dilation"), of("pad")};
    places *= lines.out;
    valid *= count_window(lines).valid;
    all *= lines.out * lines.kernel;
  }
  const WindowAxisOf along{call["line.in_pixels"], call["out_pixels"],    call["line.taps"],
                           call["line.stride"],    call["line.dilation"], call["line.pad"]};
  const int64_t images = call["images"];
  Windows w{images * places,     images * all,       images * valid,
            count_window(along), call["out_pixels"], call["line.channels"]};
  w.clipped = along.out * along.kernel - w.taps.valid;
  return w;
}

// tarn_int_averagepool_s8.
inline Windows int_pool_windows(const CallTerms& call) {
  const WindowAxisOf lines{call["in_lines"], call["out_lines"],  call["rows"],
                           call["stride.0"], call["dilation.0"], call["pad.0"]};
  const WindowAxisOf along{call["in_pixels"], call["out_pixels"], call["taps"],
                           call["stride.1"],  call["dilation.1"], call["pad.1"]};
  const int64_t images = call["images"];
  Windows w{images * lines.out,
            images * lines.out * lines.kernel,
            images * count_window(lines).valid,
            count_window(along),
            along.out,
            call["channels"]};
  w.clipped = along.out * along.kernel - w.taps.valid;
  return w;
}

}  // namespace tarn::timing
