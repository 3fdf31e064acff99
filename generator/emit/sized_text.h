// C that is written for each size of a run-time dimension, as one text for all of them: where the texts differ in
// numbers alone, formulas of the size or elements of tables stand in their places.
#pragma once
#include <string>
#include <vector>

#include "emit/sizes.h"

namespace tarn::emit {

struct SizedText {
  std::string text;    // with the size where anything depends on it
  std::string tables;  // the definitions of those that it reads
  std::string fault;   // what differs otherwise; empty: nothing
};

// `texts`: by size, the largest last. `table`: the beginning of the names of tables. `size`: where the size stands in
// C.
SizedText for_all_sizes(const Analysis& analysis, const std::string& table, const std::vector<std::string>& texts,
                        const std::string& size);

}  // namespace tarn::emit
