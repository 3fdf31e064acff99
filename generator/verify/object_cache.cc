#include "verify/object_cache.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string_view>

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

// The names between quotes or angle brackets of #include lines.
std::vector<std::string> included_in(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const size_t hash = line.find_first_not_of(" \t");
    if (hash == std::string_view::npos || line[hash] != '#' || line.find("include") == std::string_view::npos) continue;
    const size_t begin = line.find_first_of("\"<"), end = line.find_first_of("\">", begin + 1);
    if (begin != std::string_view::npos && end != std::string_view::npos)
      names.emplace_back(line.substr(begin + 1, end - begin - 1));
  }
  return names;
}

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

void SourceFiles::add(const std::string& name, const std::string& text) {
  files_[name] = {sha(text), included_in(text)};
}

const SourceFiles::File& SourceFiles::file(const std::string& name) {
  if (!files_.contains(name)) {
    std::optional<std::string> text;
    for (size_t i = 0; !text && i < folders_.size(); ++i) text = read_file(cat(folders_[i], "/", name));
    add(name, text.value_or(""));
  }
  return files_[name];
}

std::string SourceFiles::digest(const std::string& name) {
  std::set<std::string> closure{name};
  for (std::vector<std::string> open{name}; !open.empty();) {
    const std::string next = std::move(open.back());
    open.pop_back();
    for (const std::string& included : file(next).included) {
      if (closure.insert(included).second) open.push_back(included);
    }
  }
  std::string all;
  for (const std::string& member : closure) all += cat(member, " ", file(member).digest, "\n");
  return sha(all);
}

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
                        const std::string& source, SourceFiles& files) {
  if (cache.empty()) return "";
  return cat(cache, "/",
             sha(cat(identity(tools.cc[0]), "\n", join(tools.cc, "\n"), "\n", join(flags, "\n"), "\n", source, "\n",
                     files.digest(fs::path(source).filename().string()))));
}

std::string cached_stem(const std::string& cache, const Toolchain& tools, const std::vector<std::string>& flags,
                        const std::string& source, const std::vector<std::string>& folders) {
  if (cache.empty()) return "";
  SourceFiles files(folders);
  return cached_stem(cache, tools, flags, source, files);
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
