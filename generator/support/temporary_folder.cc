#include "support/temporary_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <utility>
#include <vector>

#include "support/early_end.h"

namespace tarn {

namespace {

namespace fs = std::filesystem;

constexpr const char* kUnique = "XXXXXX";
constexpr int kOpen = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

bool is_same(int folder, const std::string& path) {
  struct stat open = {}, named = {};
  return ::fstat(folder, &open) == 0 && ::lstat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

// Removes the folders whose owners are dead. Where locks do not work none can be taken, and all stay.
void sweep(const std::string& parent, const std::string& beginning) {
  std::error_code error;
  const size_t length = beginning.size() + std::char_traits<char>::length(kUnique);
  std::vector<std::string> found;
  for (fs::directory_iterator at(parent, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (name.size() == length && name.starts_with(beginning)) found.push_back(at->path().string());
  }
  for (const std::string& path : found) {
    const int folder = ::open(path.c_str(), kOpen);
    struct stat info = {};
    if (folder < 0) continue;
    // In a folder that others write to, only what is our own.
    if (::fstat(folder, &info) == 0 && info.st_uid == ::geteuid() && ::flock(folder, LOCK_EX | LOCK_NB) == 0 &&
        is_same(folder, path))
      remove_folder(path);
    ::close(folder);
  }
}

}  // namespace

std::optional<TemporaryFolder> TemporaryFolder::make(const std::string& parent, const std::string& beginning) {
  std::error_code error;
  const fs::path place = fs::absolute(parent, error);
  sweep(place.string(), beginning);
  // Between making a folder and locking it somebody else may sweep.
  constexpr int kTimes = 10;
  for (int i = 0; i < kTimes; ++i) {
    const Uninterrupted now;
    std::string path = (place / (beginning + kUnique)).string();
    if (::mkdtemp(path.data()) == nullptr) return {};
    TemporaryFolder made(std::move(path), -1);
    remove_at_early_end(made.path_, true);
    made.lock_ = ::open(made.path_.c_str(), kOpen);
    if (made.lock_ < 0) continue;
    int locked;
    while ((locked = ::flock(made.lock_, LOCK_EX)) != 0 && errno == EINTR) {
    }
    // Without a lock the next sweep, our own too, would take it for a dead owner's; where no lock can be had, none
    // sweeps.
    if (is_same(made.lock_, made.path_) && (locked == 0 || i + 1 == kTimes)) return made;
  }
  errno = EAGAIN;
  return {};
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::exchange(other.lock_, -1)) {}

TemporaryFolder& TemporaryFolder::operator=(TemporaryFolder&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(lock_, other.lock_);
  return *this;
}

void TemporaryFolder::keep() {
  if (!path_.empty()) keep_at_early_end(path_);
  if (lock_ >= 0) ::close(lock_);
  path_.clear();
  lock_ = -1;
}

TemporaryFolder::~TemporaryFolder() {
  // An empty folder, which is what is left when its files were put in place, goes without memory: what is done cannot
  // become a failure for the lack of it.
  if (!path_.empty() && ::rmdir(path_.c_str()) != 0) {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  keep();
}

}  // namespace tarn
