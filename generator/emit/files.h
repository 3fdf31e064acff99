// Output files: made in memory or piece by piece, and put in place all at once or not at all.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace tarn::emit {

using TextSink = std::function<void(std::string_view)>;

struct OutputFile {
  std::string name;                                 // relative to the output folder, or an absolute path
  std::function<void(const TextSink& sink)> write;  // calls the sink with the content, in pieces
  int64_t bytes = 0;                                // of a large one, where they are known before
};

OutputFile text_file(const std::string& name, std::string text);

// Writes all files into `folder` (made if missing). Each is written beside its place first; only when every one is
// complete are they renamed. A file whose content is already there is left untouched, so that nothing is rebuilt for
// it. E401: nothing was changed.
Result<Done> write_files(const std::string& folder, const std::vector<OutputFile>& files);

}  // namespace tarn::emit
