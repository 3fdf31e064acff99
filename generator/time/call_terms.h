// CallTerms: the parameters of one call, and the terms made from them.
#pragma once
#include <utility>

#include "time/terms.h"
#include "time/window_counts.h"

namespace tarn::timing {

class CallTerms {
 public:
  explicit CallTerms(const Parameters& parameters) : parameters_(parameters) {}

  int64_t operator[](const std::string& name) const { return parameters_.at(name); }
  void add(const char* name, int64_t count) { terms_.push_back({name, static_cast<double>(count)}); }
  Terms take() { return std::move(terms_); }

 private:
  const Parameters& parameters_;
  Terms terms_;
};

}  // namespace tarn::timing
