#include "verify/object_cache.h"

#include <cstdlib>
#include <filesystem>
#include <map>

#include "support/durable.h"
#include "support/sha256.h"
#include "support/temporary_folder.h"
#include "support/text.h"
#include "verify/files.h"

namespace tarn::verify {
namespace {

namespace fs = std::filesystem;

std::string sha(const std::string& text) {
  return sha256_hex({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// What is included, directly or through others, each once, with its text. A name that is in none of the folders (the
// compiler's own headers are those) stands without a text.
class Closure {
 public:
  explicit Closure(const std::vector<std::string>& folders) : folders_(folders) {}

  void add(const std::string& name) {
    if (files_.contains(name)) return;
    std::string& text = files_[name];
    for (const std::string& folder : folders_) {
      if (std::optional<std::string> found = read_file(cat(folder, "/", name))) {
        text = std::move(*found);
        break;
      }
    }
    for (const std::string& line : split(std::string(text), '\n')) {
      const size_t hash = line.find_first_not_of(" \t");
      if (hash == std::string::npos || line[hash] != '#' || line.find("include") == std::string::npos) continue;
      const size_t begin = line.find_first_of("\"<"), end = line.find_first_of("\">", begin + 1);
      if (begin != std::string::npos && end != std::string::npos) add(line.substr(begin + 1, end - begin - 1));
    }
  }

  std::string digest() const {
    std::string all;
    for (const auto& [name, text] : files_) all += cat(name, " ", sha(text), "\n");
    return sha(all);
  }

 private:
  const std::vector<std::string>& folders_;
  std::map<std::string, std::string> files_;
};

// Makes a file of the cache: it has its final name only when it is whole, also after a power failure. What a killed run
// left half written is swept when the next one makes a file.
template <class Fill>
void put(const std::string& to, Fill fill) {
  const fs::path place = to;
  const std::optional<TemporaryFolder> folder = TemporaryFolder::make(place.parent_path().string(), "partial-");
  if (!folder) return;
  std::error_code error;
  const std::string partial = cat(folder->path(), "/", place.filename().string());
  if (fill(partial) && sync_content(partial)) fs::rename(partial, to, error);
}

void put_copy(const std::string& from, const std::string& to) {
  put(to, [&](const std::string& partial) {
    std::error_code error;
    return fs::copy_file(from, partial, fs::copy_options::overwrite_existing, error);
  });
}

}  // namespace

std::string object_cache_folder() {
  std::string base = variable("TARN_CACHE_DIR");
  if (base.empty() && !variable("XDG_CACHE_HOME").empty()) base = variable("XDG_CACHE_HOME") + "/tarn";
  if (base.empty() && !variable("HOME").empty()) base = variable("HOME") + "/.cache/tarn";
  if (base.empty()) return "";
  std::error_code error;
  fs::create_directories(base + "/code", error);
  return error ? "" : base + "/code";
}

std::string cached_stem(const std::string& cache, const Toolchain& tools, const std::vector<std::string>& flags,
                        const std::string& source, const std::vector<std::string>& folders) {
  if (cache.empty()) return "";
  Closure closure(folders);
  closure.add(fs::path(source).filename().string());
  return cat(cache, "/",
             sha(cat(identity(tools.cc[0]), "\n", join(tools.cc, "\n"), "\n", join(flags, "\n"), "\n", source, "\n",
                     closure.digest())));
}

std::string identity(const std::string& program) {
  std::error_code error;
  const std::string file = fs::canonical(find_program(program), error).string();
  if (error || file.empty()) return "";
  return cat(file, " ", fs::file_size(file, error), " ", fs::last_write_time(file, error).time_since_epoch().count());
}

std::optional<std::string> kept_text(const std::string& key) {
  const std::string cache = object_cache_folder();
  if (cache.empty()) return {};
  return read_file(cat(cache, "/", sha(key), ".txt"));
}

void keep_text(const std::string& key, const std::string& text) {
  const std::string cache = object_cache_folder();
  if (cache.empty()) return;
  put(cat(cache, "/", sha(key), ".txt"), [&](const std::string& partial) { return write_file(partial, text); });
}

bool is_cached(const Toolchain& tools, const std::string& stem) {
  return !stem.empty() && fs::exists(stem + ".o") && (!tools.call_graphs || fs::exists(stem + ".ci"));
}

void keep_cached(const Toolchain& tools, const std::string& from, const std::string& stem) {
  if (stem.empty()) return;
  if (tools.call_graphs) put_copy(from + ".ci", stem + ".ci");
  put_copy(from + ".o", stem + ".o");
}

}  // namespace tarn::verify
