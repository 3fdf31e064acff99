#include "time/rings.h"

namespace tarn::timing {

std::optional<std::pair<std::string, Parameters>> call_like_ring(const std::string& kernel,
                                                                 const Parameters& parameters) {
  const bool convolution = kernel == "tarn_conv_ring_f32";
  Parameters like = parameters;
  const auto bytes_of_row = [&] { return 4 * parameters.at("ring.row"); };
  if (kernel == "tarn_ring_put_f32") {
    like.merge(Parameters{{"outer", parameters.at("added")},
                          {"inner", bytes_of_row()},
                          {"x_pitch", bytes_of_row()},
                          {"y_pitch", bytes_of_row()},
                          {"x_offset", 0},
                          {"y_offset", 0},
                          {"word.0", 1},
                          {"word.1", 1}});
    return std::pair("tarn_copy", like);
  }
  if (!convolution && kernel != "tarn_depthwise_ring_f32") return {};
  like.merge(Parameters{{"images", 1},
                        {"in_lines", parameters.at("ring.rows")},
                        {"stride", 1},
                        {"pad", 0},
                        {"x_line", parameters.at("ring.row")},
                        {"block_first", 0},
                        {"block_end", 0}});
  return std::pair(convolution ? "tarn_conv2d_f32" : "tarn_depthwise2d_f32", like);
}

}  // namespace tarn::timing
