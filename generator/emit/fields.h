// The fields of a call's parameter struct that only the plan decides, and all of them as numbers.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "compile.h"

namespace tarn::emit {

// What a call makes: the whole output, one of its lines, or a line of the memory it lies in, with so many elements.
struct Extent {
  bool one_line = false;
  int64_t flat_elements = 0;
};

// Where tensors lie: by layers, or by lines where the network runs so.
const lifetimes::Storage& storage_of(const Analysis& analysis);

// Where a tensor begins in the arena of a network that runs by lines; nothing when it is not there as a whole.
std::optional<int64_t> resident_address(const stream::LinePlan& plan, program::TensorId id);

// Fills in what is open until views and offsets are known.
class OpenFields {
 public:
  OpenFields(const Analysis& analysis, const program::Operation& operation, const Extent& extent)
      : analysis_(analysis), operation_(operation), extent_(extent) {}

  int64_t number(const program::Pitch& pitch) const;       // elements
  int64_t number(const program::BlockRange& range) const;  // lines or pixels
  int64_t number(const program::Run& run) const;           // runs, or elements of each

 private:
  const Analysis& analysis_;
  const program::Operation& operation_;
  const Extent extent_;
};

// A number of a call's parameter struct, by what follows the struct's name in C: ".stride[1]", ".requant.mask".
struct CField {
  std::string path;
  std::variant<int64_t, program::Float32, double> number;
};
// The elements of a run of an elementwise kernel, for one pixel, where all of its operands are dense, so that pixels
// are one run; nothing where they are not, or the kernel counts no runs.
std::optional<CField> dense_run(const Analysis& analysis, const program::Operation& operation);
// All of them but sizes known only at run time, in the struct's order.
std::vector<CField> c_fields(const Analysis& analysis, const program::Operation& operation);
// Of another struct that a call of it takes.
std::vector<CField> c_fields(const Analysis& analysis, const program::Operation& operation,
                             const program::Params& params, const Extent& extent);

// Every whole number of a call of the whole layer by its name in C: "requant.mask" in a nested struct, "stride.1" in an
// array, "null.2" for argument 2 (the parameters not counted): 1 where it is a null pointer, "same.0" 1 where it begins
// where the first output does, "word.0" 1 where it begins at a multiple of four bytes, as far as is known. Of floats
// only whether "lo" and "hi" bound anything: "bounded"; for a target that computes with them in software "zeros.0" and
// "most_zeros.0", how many percent of argument 0 are guessed to be zeros (program/likely_zeros.h). Sizes known only at
// run time have no number.
//
// Of a call for one line: with the numbers of the line form in place of the layer's.
std::map<std::string, int64_t> call_parameters(const Analysis& analysis, const program::Operation& operation,
                                               const Extent& extent = {});

// Is the line form's struct that of the layer, or one of its fields?
bool is_part(const program::Params& layer, const program::Params& line);

}  // namespace tarn::emit
