// Windows of rows that go from run to run as rings.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "program/program.h"
#include "tensor/constant.h"

namespace tarn::program {

// A window whose every reader takes its rows through pointers:
//
//   whole = Concat(state, added), out = whole[added:], y = Conv(whole)
//
// `whole` is the state then, as runtime/f32's tarn_ring_f32.h says: the new rows take the places of the oldest ones,
// and nothing moves. Where the steps are the model's last axis, rows stand as columns there, and the transposes go as
// well.
struct RingState {
  std::string out, in;
  TensorType model;  // of the state
  Ring ring;
};

// What keeps a state from being a ring, and whether it is a window that moves on at all.
struct NoRing {
  bool window = false;
  std::string why;
};

// The pairs (output, input) of names that can be rings; the program is rewritten: input and output are the ring.
std::vector<RingState> ring_windows(Program& program, const std::vector<std::pair<std::string, std::string>>& pairs);

// Why the pair is none; nothing where it can be one.
std::optional<NoRing> why_no_ring(const Program& program, const std::pair<std::string, std::string>& pair);

// The ring that holds these values of the model's state, and the values that a ring holds between two runs.
std::vector<uint8_t> ring_bytes(const Ring& ring, const Constant& values);
std::vector<uint8_t> bytes_of_ring(const Ring& ring, const TensorType& model, std::span<const uint8_t> bytes);

}  // namespace tarn::program
