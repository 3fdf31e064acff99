// Files and the scratch folder that verification works in.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "support/result.h"

namespace tarn::verify {

// A name without a slash is looked up on PATH; "" when there is no such program.
std::string find_program(const std::string& name);

std::optional<std::string> read_file(const std::string& path);
bool write_file(const std::string& path, std::string_view content);

// A new folder that goes, with all it holds, when the object does. Kept when TARN_KEEP_SCRATCH is set and not empty.
class Scratch {
 public:
  static Result<Scratch> make();  // E401
  Scratch(Scratch&& other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }
  Scratch& operator=(Scratch&& other) noexcept;
  ~Scratch();

  const std::string& path() const { return path_; }
  std::string operator/(std::string_view name) const { return path_ + "/" + std::string(name); }

 private:
  explicit Scratch(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace tarn::verify
