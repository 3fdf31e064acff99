#include "emit/places.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

namespace tarn::emit {

namespace {

bool same_file(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

// stdout or stderr, when it is this file: what is printed and what is written there must not overwrite each other.
int open_stream(const struct stat& file) {
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat info = {};
    if (::fstat(stream, &info) == 0 && same_file(info, file)) return stream;
  }
  return -1;
}

// A name for a descriptor of the process: what it is open for is not told by the file's own name.
bool names_descriptor(const std::string& path) {
  const std::string whole = std::filesystem::path(path).lexically_normal().string();
  return whole.starts_with("/dev/fd/") || whole.starts_with("/dev/std") || whole.starts_with("/proc/");
}

// What a symbolic link stands for is replaced, and the link stays: a file is renamed to the end of the chain. None: a
// chain without an end.
std::optional<std::string> behind_links(std::string path) {
  constexpr int kMostLinks = 40;  // as Linux follows
  std::error_code error;
  for (int links = 0; links < kMostLinks; ++links) {
    if (names_descriptor(path) || !std::filesystem::is_symlink(path, error)) return path;
    const std::filesystem::path target = std::filesystem::read_symlink(path, error);
    if (error) return std::nullopt;
    path = (std::filesystem::path(path).parent_path() / target).string();
  }
  return std::nullopt;
}

}  // namespace

Result<Place> find_place(const std::string& path, const std::vector<std::string>& inputs) {
  const std::optional<std::string> end = behind_links(path);
  if (!end)
    return Diagnostic{"E401", {.file = path}, "cannot be written: its symbolic links lead nowhere", "name a file"};
  Place place{*end};
  struct stat file = {};
  if (::stat(end->c_str(), &file) != 0) return place;
  if (S_ISDIR(file.st_mode))
    return Diagnostic{"E401", {.file = path}, "cannot be written: it is a folder", "name a file"};
  place.exists = S_ISREG(file.st_mode);
  for (const std::string& input : place.exists ? inputs : std::vector<std::string>{}) {
    struct stat info = {};
    if (::stat(input.c_str(), &info) != 0 || !same_file(info, file)) continue;
    return Diagnostic{
        "E411", {.file = path}, "is the input '" + input + "', and would be overwritten", "write somewhere else"};
  }
  place.in_place = !place.exists || names_descriptor(*end) || open_stream(file) >= 0;
  return place;
}

int open_in_place(const Place& place) {
  struct stat file = {};
  if (::stat(place.path.c_str(), &file) != 0) return -1;
  const int stream = open_stream(file);
  if (stream >= 0) return ::fcntl(stream, F_DUPFD_CLOEXEC, 3);
  return ::open(place.path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY);
}

}  // namespace tarn::emit
