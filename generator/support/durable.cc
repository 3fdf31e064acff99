#include "support/durable.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace tarn {

namespace {

bool sync(int descriptor) {
  int result;
  while ((result = ::fsync(descriptor)) != 0 && errno == EINTR) {
  }
  return result == 0 || errno == EINVAL || errno == ENOTSUP || errno == ENOSYS;
}

}  // namespace

bool sync_content(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool good = sync(descriptor);
  const int why = errno;
  ::close(descriptor);
  errno = why;
  return good;
}

OpenFolders::~OpenFolders() {
  for (const int folder : open_) ::close(folder);
}

bool OpenFolders::add(const std::string& folder) {
  if (std::find(names_.begin(), names_.end(), folder) != names_.end()) return true;
  names_.push_back(folder);
  open_.reserve(open_.size() + 1);
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0) open_.push_back(descriptor);
  return descriptor >= 0 || errno == EACCES;
}

bool OpenFolders::sync() const {
  return std::all_of(open_.begin(), open_.end(), [](int folder) { return tarn::sync(folder); });
}

}  // namespace tarn
