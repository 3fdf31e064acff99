// Reads values off a parsed command line and collects what is wrong with them, all of it.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.h"

namespace tarn::cli {

// A value that is wrong is a fault, and reads as the least or the first that is allowed.
class Reader {
 public:
  Reader(const cxxopts::ParseResult& parsed, std::vector<std::string>& faults) : parsed_(parsed), faults_(faults) {}

  bool has(const std::string& option) const { return parsed_.count(option) > 0; }
  std::string text(const std::string& option) const { return parsed_[option].as<std::string>(); }
  std::vector<std::string> texts(const std::string& option) const;  // of a repeatable option
  std::optional<int64_t> size(const std::string& option);           // bytes
  int64_t number(const std::string& option, int64_t lo, int64_t hi);
  double percent(const std::string& option, double most, bool signed_too = false);  // 0 or more: 4.5; signed_too: 4.5%
  size_t choice(const std::string& option, const std::vector<std::string>& allowed);
  bool has_value(const std::string& option, const std::string& value) const;  // of a repeatable option: one of them
  // NAME=VALUE; the last '=' splits, because names may hold one. `word` may stand in place of a pair.
  void pairs(const std::string& option, const std::function<void(const std::string&, const std::string&)>& take,
             const std::string& word = {});

  void fault(std::string message) { faults_.push_back(std::move(message)); }

 private:
  const cxxopts::ParseResult& parsed_;
  std::vector<std::string>& faults_;
};

}  // namespace tarn::cli
