// A run-time dimension in C: what differs from size to size is a formula of the size where one gives it exactly, else
// an element of a table. `kSize` is the local variable that holds the size of the run.
#pragma once
#include <string>
#include <vector>

#include "emit/parts.h"

namespace tarn::emit {

inline constexpr const char* kSize = "size_of_run";

// One number at every size.
struct SizedNumber {
  std::string text;   // in C
  std::string table;  // the definition of the table that the text names, if it does
  bool formula = false;
  bool varies() const { return formula || !table.empty(); }
};

// A number of a call's parameter struct that is not the same at every size.
struct SizedField {
  std::string path;  // ".stride[1]"
  SizedNumber number;
};
std::vector<SizedField> sized_fields(const Analysis& analysis, const CNames& names, size_t step);

// Where a tensor begins in the arena, in bytes; in the caller's memory, in elements.
SizedNumber place_of(const Analysis& analysis, const CNames& names, program::TensorId id);
SizedNumber outside_place_of(const Analysis& analysis, const CNames& names, program::TensorId id);

// The axes of a tensor whose length differs from size to size.
std::vector<int> sized_axes(const Analysis& analysis, program::TensorId id);

// "kws_set_n"; empty where all sizes are fixed.
std::string size_setter(const Analysis& analysis, const std::string& prefix);

// For NAME.h: the range as macros, what set and get are, a function for each axis of a port that follows the size.
std::string size_api(const Context& context);
// For NAME.c: the tables, and the definitions of these.
std::string size_tables(const Context& context);
std::string size_functions(const Context& context);
// The statements that put the size of the run in `kSize`, and end a run without one.
std::string size_of_run(const Context& context);
// The same for a function that tells of a port: without a size it tells of the largest, as the counts do.
std::string size_set(const Context& context);
// The condition in C under which none is set.
std::string size_is_missing(const Context& context);

}  // namespace tarn::emit
