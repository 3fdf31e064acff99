// The files of runtime/ and templates/, inside the executable.
#pragma once
#include <string_view>
#include <vector>

namespace tarn {

struct EmbeddedFile {
  std::string_view path;  // as in the source tree: "runtime/tarn_conv2d_f32.c"
  std::string_view text;
};

const std::vector<EmbeddedFile>& embedded_files();

}  // namespace tarn
