// What stands where a file is to be written.
#pragma once
#include <string>
#include <vector>

#include "support/result.h"

namespace tarn::emit {

struct Place {
  std::string path;       // with no symbolic link at its end
  bool exists = false;    // as a regular file
  bool in_place = false;  // no regular file, or one that is already open: it is written to as it is
};

// E401: a folder, or links without end. E411: one of `inputs`, by whatever name. What a link stands for is what is
// written.
Result<Place> find_place(const std::string& path, const std::vector<std::string>& inputs);

// A descriptor to write to a place as it is; -1: errno says why.
int open_in_place(const Place& place);

}  // namespace tarn::emit
