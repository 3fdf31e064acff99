// What is written survives a power failure.
#pragma once
#include <string>
#include <vector>

namespace tarn {

// Waits until the content of a file is on the disk. False: errno says why. Where the file system knows no such thing,
// it counts as done.
bool sync_content(const std::string& path);

// Folders whose entries change: open beforehand, so that sync() needs neither memory nor descriptors.
class OpenFolders {
 public:
  OpenFolders() = default;
  OpenFolders(const OpenFolders&) = delete;
  OpenFolders& operator=(const OpenFolders&) = delete;
  ~OpenFolders();

  // Each folder once. False: errno says why. One that may be written to but not read is left out: it cannot be synced.
  bool add(const std::string& folder);
  // Waits until names that came, moved or went are on the disk. False: errno says why.
  bool sync() const;

 private:
  std::vector<std::string> names_;
  std::vector<int> open_;
};

}  // namespace tarn
