// Program: the network as kernel calls on tensors. The operators' entries write it, everything after reads it:
// ordering, lifetimes, planning, emission and the report. Nothing here has an address yet.
//
// Every tensor is seen as lines of pixels of channels (an image row, a time step, or the whole vector in one pixel).
// A kernel makes its output line by line, pixel by pixel, and declares which input lines and columns each needs:
// lifetimes in lines and overlapping of inputs and outputs follow from that, for all operators alike.
#pragma once
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "program/line_form.h"
#include "program/params.h"
#include "support/index.h"
#include "tensor/shape.h"

namespace tarn::program {

struct TensorTag;
struct WeightTag;
struct OperationTag;
using TensorId = Index<TensorTag>;
using WeightId = Index<WeightTag>;
using OperationId = Index<OperationTag>;

enum class Kind { input, output, activation, scratch, state };
std::string to_string(Kind);

// lines x pixels x channels elements; `channels` are contiguous.
struct Geometry {
  int64_t lines = 1, pixels = 1, channels = 1;
  int64_t count() const { return lines * pixels * channels; }
  bool operator==(const Geometry&) const = default;
};

// An axis whose length is known only at run time; the tensor's type has the largest.
struct RuntimeAxis {
  int axis = 0;
  Linear size;
};

// Of floats, a guess for TIME: the share of zeros, and of those up to each of kLikelyBounds, the last beyond them.
inline constexpr std::array kLikelyBounds = {-8.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 8.0};
struct LikelySizes {
  double zeros = 0;
  std::array<double, kLikelyBounds.size() + 1> shares = {};  // of the others
};

struct Tensor {
  std::string name;
  TensorType type;
  Geometry geometry;  // count() == type.shape.count()
  Kind kind = Kind::activation;
  std::vector<RuntimeAxis> runtime;  // usually none; its data are dense in the actual sizes
  std::optional<LikelySizes> likely = {};

  int64_t bytes() const { return type.bytes(); }
  int64_t element_bytes() const { return bytes_for(type.dtype, 1); }
};

// Constant data in the order in which its kernel reads it. Written out piece by piece: big weights never stand in
// memory.
struct Weight {
  std::string name;
  DType dtype = DType::float32;
  int64_t count = 0;
  std::string missing;  // names the absent external file, if the values are not there
  std::function<void(const std::function<void(std::span<const uint8_t>)>& sink)> write;  // little-endian bytes
  std::string section = {};  // of the linker (--weights-section); empty: where constants go
  // What is stored are codes (--weights packed), from which these are unpacked in the arena.
  struct Plain {
    DType dtype = DType::float32;
    int64_t count = 0;
    double entropy_bytes = 0;  // with the best codes of single bytes that there are
    std::function<void(const std::function<void(std::span<const uint8_t>)>& sink)> write = {};  // of narrow ones
    // Of packed ones: the bytes that unpacking makes, and the whole numbers that decide how long it takes.
    std::function<void(const std::function<void(std::span<const uint8_t>)>& sink)> unpacked = {};
    std::map<std::string, int64_t> work = {};
    int64_t bytes() const { return bytes_for(dtype, count); }
  };
  std::optional<Plain> plain = {};
  // Its own numbers tell it (spread_constants.h): those of a layer's outputs are `lanes` of them, as many m and as many
  // times c, over and over.
  struct Spread {
    enum class Form {
      one,           // m is the same for all
      pairs,         // `lanes` of own are followed by as many m
      factors,       // own ones tell m as well, a short factor (requant/factors.h) of what is called m here
      exponentials,  // 256: each sixteenth of them, and the 15 factors of those behind each, in units of 2^-32
      codes,         // 256 of 8 bits, the first is c: what each is more than m and the one before it, `bits` of each
      shorts,        // `bits` of each; they are moved up by `shift` places, and c more
      narrow,        // `bytes` of weights, which are c and `bits` of each more; their own numbers are not kept here
    };
    Form form = Form::one;
    int64_t lanes = 1;
    int32_t m = 0, c = 0;
    int32_t bits = 0;   // of a factor's depth, of what is stored without a gap
    int32_t shift = 0;  // of shorts
    int64_t bytes = 0;  // of narrow
    std::vector<int32_t> own = {};
    bool operator==(const Spread&) const = default;
  };
  std::optional<Spread> spread = {};
  int64_t bytes() const { return bytes_for(dtype, count); }
};

// Weights of a float layer that are stored in fewer bits (--weight-type).
struct Coding {
  std::string tensor, stored;      // the model's name; such as "int8:channel"
  std::vector<WeightId> weights;   // codes, scales and zeros
  int64_t float_bytes = 0;         // in the model
  std::function<double()> snr_db;  // signal over noise; none if the values are not there
};

// Which part of a read operand an output line or pixel needs: half-open, in the operand's own lines or pixels.
struct Span {
  int64_t first = 0, end = 0;
  bool operator==(const Span&) const = default;
};

// Which part of one operand a kernel reads for which part of its first output argument. For an operand without a walk,
// any byte may be read until the last byte of the output is written.
struct Walk {
  // Whole layers only: the output may take exactly the operand's place, but no other place that overlaps it. Unless
  // `identity` is set as well, the walk then says nothing about lines, and the operation cannot run line by line.
  bool same_place = false;
  bool apart = false;     // whole layers only: the output takes no byte of the operand's place; the rest is of lines
  bool identity = false;  // line r, pixel p of the output needs exactly that line and pixel; both tables are then empty
  std::vector<Span> lines;    // by output line
  std::vector<Span> columns;  // by output pixel of a line
  // true: the kernel reads each element before it writes the element at the same position (elementwise operations,
  // residual operands), or a whole pixel before it writes the only element of its result. false: it may read the inputs
  // of a pixel until it has written the pixel's last channel.
  bool read_before_write = false;
  // Channel c of the output needs channel c alone, and a block's inputs of a channel are read before any of its outputs
  // there is written.
  bool by_channel = false;
  int64_t block_pixels = 1;  // pixels worked on at a time inside the BlockRange
};

struct Argument {
  enum class Role { read, write, update, weight, scratch, none, lines };
  // read: always of a tensor, as constants are weights and a missing input is none: a null pointer. lines: a local
  // array of `count` line pointers. update: read and written, like an accumulator.
  Role role = Role::none;
  TensorId tensor;
  WeightId weight;
  int64_t weight_offset = 0;  // weight: where it begins there, in elements, packed ones in bytes (by run-time size)
  int64_t count = 0;
  std::optional<Walk> walk;    // read: see Walk
  bool pitched = false;        // the kernel honours a pixel pitch for this operand: it may be a view along channels
  std::optional<Span> needed;  // read: these bytes alone are
  std::optional<size_t> over;  // write: may take the very place of the operand at this position
  std::string c_type;          // overrides the element type's C spelling; "" for the tensor's own
};

// One tensor lies within another's memory. `whole` is the larger one; the other starts `offset` elements into it and
// keeps its pitches.
struct View {
  TensorId part, whole;
  int64_t offset = 0;  // counted in a dense whole
  // The part is a range of columns: its lines lie apart in the whole, and only what goes by lines can follow that.
  bool columns = false;
  bool operator==(const View&) const = default;
};

// Operations that hold others. Their arguments in this order (program/operands.h):
//   branch  0: the condition (bool). Bodies: taken when it is true, when it is false.
//   loop    0: the trip count (int64) or none; 1: the condition to go on (bool), which the body updates, or none;
//           2: the number of the trip (int64), set before each, or none; 3, if there: how many were begun (int64), all
//           of max_trips or fewer.
enum class Control { none, branch, loop };

// Weights of an operation that stand in a tensor of the arena while it runs. Their arguments name the tensor too.
struct Staging {
  struct Part {
    WeightId weight;
    int64_t at = 0;  // bytes into the tensor
  };
  TensorId buffer;
  std::vector<Part> parts;
  int64_t work = 0;    // where the decoder's tables stand, in bytes
  bool made = false;   // by the step itself, from constants that are spread out
  bool alone = false;  // so large that no other step's may stand beside them
  bool early = false;  // begun to be read as soon as no other transfer goes on, not only one step ahead
};

struct Operation {
  std::string kernel;  // the C function, "tarn_conv2d_f32"; empty: control flow, or only a place in the order
  std::string op;      // the ONNX operator it stems from, for the report
  std::vector<std::string> nodes;  // names of the model's nodes in it
  std::string note;                // how it is computed where there is a choice, for the report
  Params params;
  std::vector<Argument> arguments;
  bool returns_status = false;  // the kernel returns 0 or a negative status that ends the run
  int64_t macs = 0;
  int64_t parameters = 0;  // elements of trained weights, as the model counts them
  int64_t wish = 0;        // bytes of scratch in all with which it would be faster; 0: none
  // The operation only moves bytes: it can be left out when its two tensors lie as this view says.
  std::optional<View> view;
  Control control = Control::none;
  std::vector<std::vector<OperationId>> bodies;  // the operations of each body, in the given order
  std::optional<LineForm> line_form;
  std::optional<Staging> staging;
  std::optional<int64_t> trips;      // loop: so many, where that is known; argument 0 is then none
  std::optional<int64_t> max_trips;  // loop: more trips exceed the output's size; the run ends with an error
};

// How states of float32 are kept (--state-type); ring: windows as rings (--state-window).
enum class StateType { none, f16, int8, ring };

// A window of rows that is a ring.
struct Ring {
  int64_t rows = 0, row = 0;  // how many in all, new ones with the old; elements of one
  bool columns = false;       // in the model, a row is a column
};

// An output that is kept as the next run's input.
struct KeptState {
  std::string out, in;
  int64_t bytes = 0;
  std::string why;   // it is made elsewhere and copied; empty: it is updated where it lies
  WeightId first;    // its first values; none: zeroes
  std::string note;  // what else a user should know of it
  // Between runs, and until the step that writes the next one, only these bytes of it hold something; none: all.
  std::optional<Span> needed;
  StateType stored = StateType::none;
  std::optional<TensorType> model_type;  // where it is stored otherwise
  std::optional<Ring> ring;
  std::string moves;  // a window of which each run moves what stays: why it is no ring
};

struct Program {
  std::vector<Tensor> tensors;
  std::vector<Weight> weights;
  std::map<std::string, Coding> codings;  // by the key of their packing
  std::vector<Operation> operations;
  std::vector<OperationId> main;          // the outermost operations, in the given order
  std::vector<TensorId> inputs, outputs;  // in the model's order; an output may be listed twice
  std::vector<TensorId> states;           // kept from run to run: alive before the first step and after the last
  std::vector<KeptState> kept;            // the pairs that made them
  WeightId codes;                         // what all packed weights are decoded by
  TensorId image;                         // where the address of the weights stands, if it is told at run time
  std::vector<OperationId> epilogue;      // after all of main: copies into the states
  std::vector<TensorId> symbols;          // of run-time sizes: the tensor (one int64) that holds each
  std::vector<int64_t> largest;           // and its largest value
  TensorId set_size;                      // int32 that the caller sets before a run: sizes of run-time dimensions
  bool set_size_first = false;            // it stands at offset 0, where several plans agree on it
  std::vector<std::string> input_names, output_names;  // the model's own
  std::vector<size_t> input_positions;                 // in the model, where states have been taken out; else empty
  std::vector<size_t> output_positions;                // the same

  Tensor& operator[](TensorId id) { return tensors[id.pos()]; }
  const Tensor& operator[](TensorId id) const { return tensors[id.pos()]; }
  const Weight& operator[](WeightId id) const { return weights[id.pos()]; }
  Operation& operator[](OperationId id) { return operations[id.pos()]; }
  const Operation& operator[](OperationId id) const { return operations[id.pos()]; }
};

// What holds its value from run to run: alive before the first step and after the last.
std::vector<TensorId> held_tensors(const Program&);

// Of the kernel tarn_copy: so many bytes at once; or pixel by pixel, each side with its own pitch (operands 0 and 1).
Params copy_params(int64_t bytes);
Params copy_params_by_pixels(int64_t element_bytes);

std::string dump(const Program&);

}  // namespace tarn::program
