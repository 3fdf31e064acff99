// CallTerms: the parameters of one call, and the terms made from them.
#pragma once
#include <stdexcept>
#include <utility>

#include "time/terms.h"
#include "time/window_counts.h"

namespace tarn::timing {

class CallTerms {
 public:
  CallTerms(const Parameters& parameters, const Core& core, Data data)
      : parameters_(parameters), core_(core), data_(data) {}

  // What the terms need and the call does not tell ends in terms_of(): such a call is not modelled.
  int64_t operator[](const std::string& name) const { return parameters_.at(name); }
  int64_t at(const std::string& array, int64_t axis) const { return (*this)[array + "." + std::to_string(axis)]; }
  bool knows(const std::string& name) const { return parameters_.contains(name); }
  // The first `count` numbers of an array, multiplied: elements of so many axes.
  int64_t product(const std::string& array, int64_t count) const {
    int64_t all = 1;
    for (int64_t axis = 0; axis < count; ++axis) all *= at(array, axis);
    return all;
  }
  // How often a walk over these axes, each inside the one before, counts one of them on.
  int64_t counted(const std::string& array, int64_t count) const {
    int64_t all = 0;
    for (int64_t axes = 1; axes <= count; ++axes) all += product(array, axes);
    return all;
  }
  const Core& core() const { return core_; }
  int64_t by_data(int64_t least, int64_t usual, int64_t most) const {
    return data_ == Data::least ? least : data_ == Data::most ? most : usual;
  }
  [[noreturn]] void refuse() const { throw std::out_of_range("not modelled"); }
  // Of `count` floats that are read as argument a those that are no zeros: in software sums and products with zeros are
  // short. How many are zeros is a guess (program/likely_zeros.h), where data decide too.
  int64_t nonzero(int64_t count, int64_t a) const {
    if (core_.floats) return count;
    const auto percent = [&](const char* name) {
      const auto at = parameters_.find(name + std::to_string(a));
      return at == parameters_.end() ? 0 : at->second;
    };
    return count * (100 - by_data(percent("most_zeros."), percent("zeros."), 0)) / 100;
  }
  // Of `count` pairs those of which one alone is no zero: a sum of these is short in another way.
  int64_t beside_zero(int64_t count) const {
    const int64_t a = nonzero(count, 0), b = nonzero(count, 1), both = nonzero(a, 1);
    return core_.floats ? 0 : a + b - 2 * both;
  }
  // In software: what is not short. Data that were fitted without it hold it in their other terms (predict.cc).
  void add_nonzero(int64_t count, int64_t a, const std::string& name = kNonzero) {
    if (!core_.floats) add(name, nonzero(count, a));
  }
  // Counts of one name add up.
  void add(const std::string& name, int64_t count) {
    for (Term& term : terms_) {
      if (term.name == name) {
        term.count += static_cast<double>(count);
        return;
      }
    }
    terms_.push_back({name, static_cast<double>(count)});
  }
  Terms take() { return std::move(terms_); }

 private:
  const Parameters& parameters_;
  Core core_;
  Data data_;
  Terms terms_;
};

}  // namespace tarn::timing
