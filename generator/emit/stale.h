// What an earlier run left in a folder that no longer belongs to it.
#pragma once
#include <string>
#include <vector>

#include "emit/files.h"

namespace tarn::emit {

// Two runs that write to one folder at the same time would take each other's files for stale: the second waits. Without
// effect on a folder that is not there yet or cannot be locked.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder);
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();

 private:
  int folder_ = -1;
};

// Names in `folder`, none of them in `files`: those of the model `prefix` that say themselves that tarn wrote them, and
// kernels that carry ids and that no other source of the folder includes. `cc *.c` would compile them too. Where a
// package's description of this model lies there, the same of its folders src/ and include/. E401: the folder is there
// and cannot be read.
Result<std::vector<std::string>> stale_files(const std::string& folder, const std::string& prefix,
                                             const std::vector<OutputFile>& files);

// Names of sources in `folder` that neither belong to `files` nor were written by tarn: `cc *.c` would compile them
// too. Those of `within`, a folder in it, where that is what a build compiles with all that is below.
std::vector<std::string> foreign_sources(const std::string& folder, const std::string& within,
                                         const std::vector<OutputFile>& files);

// Folders below `folder` that have nothing in them now that files named `gone` left them.
void remove_emptied(const std::string& folder, const std::vector<std::string>& gone);

}  // namespace tarn::emit
