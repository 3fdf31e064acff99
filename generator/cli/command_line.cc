#include "cli/command_line.h"

#include <string_view>

namespace tarn::cli {

cxxopts::ParseResult parse(cxxopts::Options& options, int argc, const char* const* argv) {
  std::vector<const char*> words;
  bool separate = true;  // not behind a lone "--"
  for (int i = 0; i < argc; ++i) {
    const std::string_view word = argv[i];
    separate = separate && word != "--";
    const bool value = i > 0 && std::string_view(argv[i - 1]) == "--cflags";  // the only one that begins with a dash
    const bool joined = separate && i > 0 && !value && word.size() > 2 && word.starts_with("-o");
    if (joined) words.push_back("-o");
    words.push_back(joined ? argv[i] + 2 : argv[i]);
  }
  return options.parse(static_cast<int>(words.size()), words.data());
}

}  // namespace tarn::cli
