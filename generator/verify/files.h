// Files and the scratch folder that verification works in.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "support/result.h"
#include "support/temporary_folder.h"

namespace tarn::verify {

// A name without a slash is looked up on PATH; "" when there is no such program.
std::string find_program(const std::string& name);

std::optional<std::string> read_file(const std::string& path);
bool write_file(const std::string& path, std::string_view content);

// What is in a folder ("": the current one), by name. When `error` is set, it is not all that is there: who takes fewer
// data for all of them compares with something else than was asked for.
std::vector<std::filesystem::directory_entry> list_folder(const std::string& folder, std::error_code& error);

// A new folder of the system's temporary ones, see TemporaryFolder. Kept when TARN_KEEP_SCRATCH is set and not empty.
class Scratch {
 public:
  static Result<Scratch> make();  // E401
  Scratch(Scratch&&) = default;
  Scratch& operator=(Scratch&&) = default;
  ~Scratch();

  const std::string& path() const { return folder_.path(); }
  std::string operator/(std::string_view name) const { return path() + "/" + std::string(name); }

 private:
  explicit Scratch(TemporaryFolder folder) : folder_(std::move(folder)) {}
  TemporaryFolder folder_;
};

}  // namespace tarn::verify
