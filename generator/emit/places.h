// What stands where a file is to be written.
#pragma once
#include <string>
#include <vector>

#include "support/result.h"

namespace tarn::emit {

struct Place {
  std::string path;
  bool exists = false;    // as a regular file
  bool in_place = false;  // no regular file, or one that is already open: it is written to as it is
};

// E401: a folder. E411: one of `inputs`, by whatever name. Links are followed.
Result<Place> find_place(const std::string& path, const std::vector<std::string>& inputs);

// A descriptor to write to a place as it is; -1: errno says why.
int open_in_place(const Place& place);

}  // namespace tarn::emit
