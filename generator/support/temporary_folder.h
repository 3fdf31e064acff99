// Folders for what is not finished yet.
#pragma once
#include <optional>
#include <string>

namespace tarn {

// A new folder that goes, with all it holds, when the object does or the process ends early. That of a process which
// was killed goes when the next one is made in its place: its owner no longer holds the lock on it.
class TemporaryFolder {
 public:
  // PARENT/BEGINNINGxxxxxx, as an absolute path; none: errno says why.
  static std::optional<TemporaryFolder> make(const std::string& parent, const std::string& beginning);
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept;
  ~TemporaryFolder();

  const std::string& path() const { return path_; }
  void keep();  // the folder stays, without an owner

 private:
  TemporaryFolder(std::string path, int lock) : path_(std::move(path)), lock_(lock) {}
  std::string path_;
  int lock_ = -1;  // the folder, open and locked
};

}  // namespace tarn
