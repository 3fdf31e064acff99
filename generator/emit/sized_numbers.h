// A number of emitted code at every size of run-time dimensions: as a formula of these, or in a table.
#pragma once
#include <string>
#include <vector>

#include "emit/sizes.h"

namespace tarn::emit {

template <class Get>
std::vector<int64_t> at_sizes(const Analysis& analysis, Get get) {
  std::vector<int64_t> values;
  for (const Analysis& size : analysis.sizes) values.push_back(get(size));
  return values;
}

// `table`: its name, where there is one. `size`: where the size of the run stands in C.
SizedNumber of_numbers(const Analysis& analysis, const std::string& table, const std::vector<int64_t>& values,
                       const std::string& size = kSize);
SizedNumber in_table(const Analysis& analysis, const std::string& table, const char* type,
                     const std::vector<std::string>& values, const std::string& size = kSize);

// The size of each dimension in C.
std::vector<std::string> size_texts(const Analysis& analysis, const std::string& size = kSize);

// Where a tensor begins in the arena at a size, in bytes.
int64_t address_of(const Analysis& size, program::TensorId id);

}  // namespace tarn::emit
