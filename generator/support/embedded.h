// The files of runtime/ and templates/, inside the executable.
#pragma once
#include <string_view>
#include <vector>

namespace tarn {

struct EmbeddedFile {
  std::string_view path;  // below the source tree, a kernel without its folder: "runtime/tarn.h"
  std::string_view text;
};

const std::vector<EmbeddedFile>& embedded_files();

}  // namespace tarn
