// Run-time dimensions in C: what differs from size to size is a formula of the sizes where one gives it exactly, else
// an element of a table. `kSize` is the local variable that holds the size of the run, of several dimensions its
// position in the list of all.
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
// Of fields by size; `table`: the beginning of the names of tables.
std::vector<SizedField> sized_fields(const Analysis& analysis, const std::string& table,
                                     const std::vector<std::vector<CField>>& fields);

// How many trips the loop of a step makes, and for how many its outputs have room, where these are known.
std::optional<SizedNumber> trips_of(const Analysis& analysis, const CNames& names, size_t step);
std::optional<SizedNumber> max_trips_of(const Analysis& analysis, const CNames& names, size_t step);

// Where a tensor begins in the arena, in bytes; in the caller's memory, in elements.
SizedNumber place_of(const Analysis& analysis, const CNames& names, program::TensorId id);
SizedNumber outside_place_of(const Analysis& analysis, const CNames& names, program::TensorId id);

// The networks whose calls are the same at all of their sizes, each with those sizes, the largest last. None where the
// calls are the same at every size, or all sizes are fixed.
std::vector<Analysis> spans_of(const Analysis& analysis);
size_t span_count(const Analysis& analysis);
// The most steps that a run has at any size.
size_t most_steps(const Analysis& analysis);
// The context of one of them.
Context span_context(const Context& context, const Analysis& span);

// Where the constant that an argument of a step reads begins in what is stored, in its elements.
SizedNumber weight_place_of(const Analysis& analysis, const CNames& names, size_t step, size_t argument);

enum class PortKind { input, output };
// Where a port begins in the arena, in bytes.
SizedNumber place_of_port(const Context& context, PortKind kind, size_t port);
// Its axes whose length differs from size to size.
std::vector<int> sized_axes(const Analysis& analysis, PortKind kind, size_t port);

// The function that sets a dimension's size, and the sizes that it takes; none where all are fixed.
struct SizeSetter {
  std::string name;  // "kws_set_n"
  int64_t low = 0, count = 0;
};
std::vector<SizeSetter> size_setters(const Analysis& analysis, const std::string& prefix);

// The condition in C under which a run has a size of the span, where those before it have been asked for.
std::string span_condition(const Analysis& span);

// For NAME.h: the range as macros, what set and get are, a function for each axis of a port that follows the size.
std::string size_api(const Context& context);
// For NAME.c: the tables of a span's steps, those of ports, and the definitions of these.
std::string step_tables(const Context& span);
std::string port_tables(const Context& context);
std::string size_functions(const Context& context);
// The statements that put the size of the run in `kSize`, and end a run without one.
std::string size_of_run(const Context& context);
// The same for a function that tells of a port: without a size it tells of the largest, as the counts do.
std::string size_set(const Context& context);
// The function that gives kSize; -1 where a size is not set.
std::string size_getter(const Context& context);
// The condition in C under which none is set.
std::string size_is_missing(const Context& context);

}  // namespace tarn::emit
