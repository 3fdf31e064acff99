// A text as a whole, from a file, a pipe or a device: these may have no end.
#pragma once
#include <cstddef>
#include <istream>
#include <optional>
#include <string>

namespace tarn {

// Nothing when there are more than `most` bytes; no more than that are kept. Faults of reading are the stream's bad().
inline std::optional<std::string> read_up_to(std::istream& in, size_t most) {
  std::string text;
  char block[1 << 16];
  while (in.read(block, sizeof block) || in.gcount() > 0) {
    const auto count = static_cast<size_t>(in.gcount());
    if (count > most - text.size()) return {};
    text.append(block, count);
  }
  return text;
}

}  // namespace tarn
