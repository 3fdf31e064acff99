#include "verify/files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "support/text.h"

namespace tarn::verify {

namespace fs = std::filesystem;

std::string find_program(const std::string& name) {
  const auto runnable = [](const std::string& path) {
    struct stat info = {};
    return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && access(path.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos) return name;  // may be relative to the folder it runs in
  const char* path = std::getenv("PATH");
  for (const std::string& folder : split(path ? path : "/usr/bin:/bin", ':')) {
    const std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
    if (!name.empty() && runnable(candidate)) return fs::absolute(candidate).string();
  }
  return "";
}

std::optional<std::string> read_file(const std::string& path) {
  std::error_code fault;
  if (!fs::is_regular_file(path, fault)) return {};
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  const std::streamoff bytes = in.tellg();
  if (!in || bytes < 0) return {};
  std::string content(static_cast<size_t>(bytes), '\0');
  in.seekg(0);
  in.read(content.data(), bytes);
  if (!in) return {};
  return content;
}

bool write_file(const std::string& path, std::string_view content) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  out.close();
  return out.good();
}

std::vector<fs::directory_entry> list_folder(const std::string& folder, std::error_code& error) {
  std::vector<fs::directory_entry> found;
  for (fs::directory_iterator at(folder.empty() ? "." : folder, error), end; !error && at != end; at.increment(error))
    found.push_back(*at);
  std::sort(found.begin(), found.end());
  return found;
}

namespace {

bool keeps_scratch() {
  const char* keep = std::getenv("TARN_KEEP_SCRATCH");
  return keep != nullptr && *keep != 0;
}

}  // namespace

Result<Scratch> Scratch::make() {
  std::error_code fault;
  const std::string parent = fs::temp_directory_path(fault).string();
  // What is kept has another name than what is swept.
  std::optional<TemporaryFolder> made;
  if (!fault) made = TemporaryFolder::make(parent, keeps_scratch() ? "tarn-kept-" : "tarn-verify-");
  if (!made) {
    return Diagnostic{
        "E401", {}, "no scratch folder can be made for temporary files", "Set TMPDIR to a folder that can be written."};
  }
  return Scratch(std::move(*made));
}

Scratch::~Scratch() {
  if (keeps_scratch()) folder_.keep();
}

}  // namespace tarn::verify
