// The limit of what a model may take, as long as a command works on it: see support/memory_limit.h.
#pragma once
#include "cli/options.h"

namespace tarn::cli {

// Beyond the limit the command ends with E413, which names the node at work. --effort 3 has none. May be nested: the
// outermost counts.
class ModelLimit {
 public:
  explicit ModelLimit(const Options& options);
  ~ModelLimit();
  ModelLimit(const ModelLimit&) = delete;
  ModelLimit& operator=(const ModelLimit&) = delete;

 private:
  bool outermost_ = false;
};

}  // namespace tarn::cli
