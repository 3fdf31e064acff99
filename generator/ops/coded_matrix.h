// A matrix of weights in fewer bits: which codes, scales and zeros stand for its rows, as runtime/f32/tarn_coded_f32.h
// lays them out.
#pragma once
#include <array>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "tensor/constant.h"
#include "tensor/weight_type.h"

namespace tarn::ops {

using WeightSink = std::function<void(std::span<const uint8_t>)>;

// What some weights share: scale * (code - zero).
struct Grid {
  double scale = 0;
  int zero = 0, least = 0, most = 0;
  int code(double weight) const;
  bool operator==(const Grid&) const = default;
};

// Every scale of a matrix is exact in it.
enum class ScaleType { bfloat16, float16, float32 };

// The matrix that is coded, four rows at a time. Values are those of the float layer, in its own precision.
struct CodedMatrix {
  Constant source;
  std::vector<int64_t> firsts;  // by row: its first weight; -1: a row of zeros that fills up four
  std::vector<double> factors;  // by row; empty: 1
  std::vector<int64_t> order;   // the weights of a row, from its first one on
  WeightType type;              // not `model`
  int64_t block = 0;            // weights of a row that share a grid
  bool kept = false;            // grids are those of the source's own codes
  bool one_row = false;         // kept: all rows have the grids of one
  ScaleType scales = ScaleType::bfloat16;

  int64_t columns() const { return static_cast<int64_t>(order.size()); }
  int64_t quads() const { return static_cast<int64_t>(firsts.size()) / 4; }
  int64_t blocks() const { return block == 0 ? 0 : (columns() + block - 1) / block; }
  bool one_grid() const { return type.share == WeightType::Share::tensor; }
  int64_t grids() const { return one_grid() ? 4 : (one_row ? 1 : quads()) * blocks() * 4; }
  int64_t code_bytes() const { return quads() * columns() * 4 * bits_of_weight(type) / 8; }
  int64_t scale_bytes() const { return grids() * (scales == ScaleType::float32 ? 4 : 2); }

  // The grid of block `b` of a row, of the source's own codes.
  Grid kept_grid(size_t row, int64_t b) const;
};

// One after the other, as kernels read them.
void write_codes(const CodedMatrix&, const WeightSink&);
void write_scales(const CodedMatrix&, const WeightSink&);
void write_zeros(const CodedMatrix&, const WeightSink&);
// Floats of the values that are stored: in the order of plain weights, or one row after the other.
void write_widened(const CodedMatrix&, const WeightSink&);
void write_widened_rows(const CodedMatrix&, const WeightSink&);

// How far stored weights are from those of the float layer: 10 log10 of signal over noise; infinite where they are
// equal.
double noise_of(const CodedMatrix&);

// Gives a matrix the codes of its source, with the fewest scales that tell them. False: the source has none, or floats
// take no more.
bool keep_codes(CodedMatrix&);

}  // namespace tarn::ops
