#include "model/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "support/text.h"

namespace tarn::model {

namespace {

OpenFile failed(OpenFile::Outcome outcome, std::string why) { return {outcome, nullptr, std::move(why)}; }

OpenFile failed_with_errno() {
  if (errno == ENOENT || errno == ENOTDIR) return failed(OpenFile::Outcome::missing, "there is no such file");
  return failed(OpenFile::Outcome::unreadable, std::strerror(errno));
}

// O_NONBLOCK: opening a pipe that nobody writes to would otherwise wait for ever.
constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

struct Descriptor {
  int fd;
  explicit Descriptor(int f) : fd(f) {}
  Descriptor(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd >= 0) close(fd);
  }
};

}  // namespace

MappedFile::~MappedFile() {
  if (!bytes_.empty()) munmap(const_cast<uint8_t*>(bytes_.data()), bytes_.size());
}

OpenFile OpenFile::map(int descriptor) {
  const Descriptor owned(descriptor);
  struct stat info;
  if (fstat(owned.fd, &info) != 0) return failed_with_errno();
  if (S_ISDIR(info.st_mode)) return failed(Outcome::not_regular, "it is a folder");
  if (!S_ISREG(info.st_mode)) return failed(Outcome::not_regular, "it is no regular file");
  std::shared_ptr<MappedFile> file(new MappedFile);
  const auto size = static_cast<size_t>(info.st_size);
  if (size > 0) {
    void* start = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, owned.fd, 0);
    if (start == MAP_FAILED) return failed_with_errno();
    file->bytes_ = {static_cast<const uint8_t*>(start), size};
  }
  return {Outcome::ok, std::move(file), ""};
}

OpenFile OpenFile::at(const std::string& path) {
  const int fd = open(path.c_str(), kFlags);
  return fd < 0 ? failed_with_errno() : map(fd);
}

// Component by component with O_NOFOLLOW, so that no link is followed anywhere on the way and nothing can be swapped
// between a check and its use.
OpenFile OpenFile::beneath(const std::string& folder, const std::string& location) {
  if (location.empty()) return failed(Outcome::outside, "the location is empty");
  if (location.front() == '/') return failed(Outcome::outside, "the location is absolute");
  if (location.find('\0') != std::string::npos) return failed(Outcome::outside, "the location holds a zero byte");
  const std::vector<std::string> parts = split(location, '/');
  for (const std::string& part : parts) {
    if (part == "..") return failed(Outcome::outside, "the location climbs out with '..'");
  }
  auto at = std::make_unique<Descriptor>(open(folder.empty() ? "." : folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (at->fd < 0) return failed_with_errno();
  for (size_t i = 0; i < parts.size(); ++i) {
    const bool last = i + 1 == parts.size();
    if (!last && (parts[i].empty() || parts[i] == ".")) continue;
    struct stat info;
    if (fstatat(at->fd, parts[i].c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(info.st_mode)) {
      return failed(Outcome::outside, "'" + parts[i] + "' is a symbolic link");
    }
    const int flags = O_NOFOLLOW | (last ? kFlags : O_PATH | O_DIRECTORY | O_CLOEXEC);
    auto next = std::make_unique<Descriptor>(openat(at->fd, parts[i].c_str(), flags));
    if (next->fd < 0 && errno == ELOOP) return failed(Outcome::outside, "'" + parts[i] + "' is a symbolic link");
    if (next->fd < 0) return failed_with_errno();
    at = std::move(next);
  }
  return map(std::exchange(at->fd, -1));
}

}  // namespace tarn::model
