// How a kernel makes its output line by line: which calls it takes, with which lines of its operands.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "program/params.h"

namespace tarn::program {

// Which line of an operand stands at place j for line r of the output: (r * scale + first + j * step) / divide, or none
// where that is outside the operand, or has a remainder though it must be `exact`. With a table (a weight of int32
// numbers) it is the number at [table_first + r], plus j. `within`: a line (not rows) is taken from that many elements
// on for each r % divide.
struct LineMap {
  int64_t count = 1;  // places
  int64_t scale = 1, first = 0, step = 1, divide = 1;
  bool exact = false;
  std::optional<size_t> table;  // argument
  int64_t table_first = 0;
  int64_t within = 0;
  bool operator==(const LineMap&) const = default;
};

struct LineArgument {
  enum class How {
    same,    // argument `argument` of the operation, as it stands there
    line,    // the line of it that `map` says; outside it null, or with a `number` what Pad takes there in that mode
    rows,    // a local array of pointers to the lines that `map` says, null for none
    number,  // `number` itself
    pixels,  // how many pixels a line of argument `argument` has
    apart,   // 1 where blocks of pixels are safe: the output line shares no byte with the lines that the call reads, or
             // stands in the very place of one that is read before it is written; else 0
    part,    // a weight or a whole operand from element `number` + r * map.scale on
    sums,    // the accumulator
    lines    // how many lines are made
  };
  How how = How::same;
  size_t argument = 0;
  LineMap map;
  int64_t number = 0;
  std::string c_type;  // sums: of their elements
};

struct LineCall {
  enum class When { each, first, last };  // first, last: with the first or last line taken in
  When when = When::each;
  std::string kernel;
  std::vector<LineArgument> arguments;

  // The lines of a window, or null: the call has none.
  const LineArgument* rows() const;
};

// How an operation makes one output line at a time; without it, it makes all of them in one step.
// Operands with a Walk by lines are read as it says, others as a whole.
struct LineForm {
  bool accumulate = false;        // takes in one line of its first operand at a time; the output is made with the last
  int64_t accumulator_bytes = 0;  // sums kept from the first line to the last
  int64_t scratch_bytes = 0;      // needed while a line is made; in place of the scratch arguments
  int64_t scratch_pixel_bytes = 0;  // a call for fewer pixels of a line needs so much less for each of the others
  std::string file;                 // of the kernels; their calls take the same params
  Params params;                    // a BlockRange in it is that of one line, a Run counts one line
  std::vector<LineCall> calls;
  // A kernel that makes several lines at once faster than one by one; empty: none. What is a line or rows in `calls` is
  // an array in this call: of the lines, or of the rows of all of them.
  std::optional<LineCall> together;
  // Lines that stand side by side in the output and in all operands that go by lines, windows of them too, may be made
  // as one line with the pixels of all: of these alone the numbers of pixels and the fields in_pixels, out_pixels,
  // pixels and the first of dims speak. Windows that move on by several lines have a pixel stride of as many.
  bool joins = false;
  // The columns of a walked operand that pixel p needs, where a call for some pixels of a line reads fewer than the
  // walk says.
  std::optional<LineMap> columns;

  // How many lines the windows of the first call move on by from one line of the output to the next; 1: it has none.
  int64_t lines_between() const;
};

}  // namespace tarn::program
