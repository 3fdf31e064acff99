// The parameter struct of a kernel call: its fields by name. Some are open until views and offsets are decided, some
// depend on sizes known only at run time (emit/fields.h fills them in).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tarn::program {

// A number that depends on sizes known only at run time: base + the sum of scale * symbol.
struct Linear {
  struct Term {
    int symbol = 0;
    int64_t scale = 1;
    bool operator==(const Term&) const = default;
  };
  int64_t base = 0;
  std::vector<Term> terms;
  bool constant() const { return terms.empty(); }
  int64_t at(const std::vector<int64_t>& symbols) const {
    int64_t value = base;
    for (const Term& t : terms) value += t.scale * symbols[static_cast<size_t>(t.symbol)];
    return value;
  }
  bool operator==(const Linear&) const = default;
};

// A field of a kernel's parameter struct. Pitches are filled in once views are decided.
struct Pitch {
  enum class Of { pixel, line } of = Of::pixel;
  size_t argument = 0;  // position in Operation::arguments; the value is in elements
  int64_t scale = 1;    // times this
  int64_t plus = 0;     // plus this
  bool operator==(const Pitch&) const = default;
};
// The first and end of the lines (or pixels) in which the kernel may work on several pixels at a time; chosen once
// offsets are known, because a block must not write over input that it still reads.
struct BlockRange {
  bool end = false;
  bool pixels = false;  // counted in pixels over all lines, not in lines
  bool operator==(const BlockRange&) const = default;
};
// Elementwise kernels work in `outer` runs of `inner` elements: one run over everything when all operands are dense,
// else one run per pixel. Chosen once views are decided.
struct Run {
  bool outer = false;
  size_t argument = 0;  // whose pixels and channels are counted
  int64_t scale = 1;    // inner: times this
  bool operator==(const Run&) const = default;
};
struct Float32 {
  double value = 0;
  bool operator==(const Float32&) const = default;
};
struct Field;
struct Params;
using FieldValue = std::variant<int64_t, Float32, double, std::vector<int64_t>, Pitch, BlockRange, Run, Params, Linear,
                                std::vector<Linear>>;
struct Params {
  std::string type;           // the C struct, "tarn_conv2d_params"; empty: the kernel takes none
  std::vector<Field> fields;  // in the struct's order
  void append(std::vector<Field> more);
  FieldValue& operator[](std::string_view name);  // of the field with this name; a fault of ours if there is none
};
struct Field {
  std::string name;
  FieldValue value;
};

}  // namespace tarn::program
