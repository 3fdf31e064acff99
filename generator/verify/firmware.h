// What verification is told of emitted code: files, names, and what goes in and comes out.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tensor/accuracy.h"
#include "tensor/shape.h"

namespace tarn::verify {

struct Port {
  std::string name;               // the tensor's own
  std::string c_name;             // as in kws_dim_<c_name>_<axis>
  std::string accessor;           // "kws_input_mfcc"; unused when the caller owns the buffers
  TensorType type;                // the largest, where a length is known only at run time
  std::vector<int> runtime_axes;  // outputs: axes whose length kws_dim_<c_name>_<axis>(arena) tells
  int64_t lines = 0;              // handed over by so many lines: kws_push_<c_name>, kws_pull_<c_name>; 0: as a whole
  std::string lines_function;     // that tells how many of them a run has, where that is open
  int64_t passes = 1;             // inputs by lines: how often all of them are handed over
  Accuracy accuracy;              // outputs: what the way they are computed allows
  bool operator==(const Port&) const = default;
};

// One of several arenas, as NAME_arenas and NAME_arena_<bank> of the emitted code have them.
struct BankMemory {
  std::string name;     // the member
  std::string symbol;   // the fixed buffer; empty: nothing lies in the bank
  std::string section;  // where it is placed; empty: nowhere in particular
  int64_t bytes = 0;
};

struct Firmware {
  std::string name;                  // prefix of every symbol: "kws"; kws.h declares the interface
  std::string folder;                // where the files are
  std::vector<std::string> sources;  // .c and .S files, relative to it
  std::vector<Port> inputs, outputs;
  std::vector<BankMemory> banks;  // several arenas; empty: one, NAME_arena
  bool caller_io = false;         // --io caller: run(arena, inputs..., outputs...)
  // Functions that set run-time dimensions; empty: sizes are fixed.
  struct Setter {
    std::string function;  // "kws_set_n"
    int64_t low = 0, count = 0;
  };
  std::vector<Setter> set_sizes;
  bool by_lines = false;                             // no run function: reset, then pushes and pulls
  bool image = false;                                // the weights are read from `tarn_image`, see linked_image()
  bool weights_read = false;                         // by a function of the harness, from there
  int64_t macs = 0;                                  // of one run, for time limits
  std::optional<int64_t> arena_bytes, static_bytes;  // as predicted, to be compared
};

// One data set: the bytes of every input, and of every expected output where there are some to compare with.
struct Sample {
  std::vector<std::vector<uint8_t>> inputs;  // each fills its port, at a smaller size its beginning
  struct Expected {
    std::vector<uint8_t> bytes;
    Shape shape;
  };
  std::vector<Expected> outputs;  // empty: nothing to compare
  // Of run-time dimensions, where there are some: of one its size less the least, of several the position in the list
  // of all sizes, those of the last dimension side by side.
  std::optional<int32_t> size;
};

// What one run gave. The shape is smaller than the port's where a length is known only at run time.
struct Output {
  std::vector<uint8_t> bytes;
  Shape shape;
  bool operator==(const Output&) const = default;
};

}  // namespace tarn::verify
