// Einsum: sums of products over named axes.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ops/kernel_text.h"
#include "ops/op.h"

namespace tarn::ops {

// One operand or the result: a name per axis. Axes behind "..." are named from the right: kEllipsis, kEllipsis + 1, ...
constexpr int kEllipsis = 256;
using Names = std::vector<int>;

struct Equation {
  std::vector<Names> inputs;
  Names output;
};

// Reads an equation for operands of the given ranks; spaces are ignored. Empty: malformed, or for other ranks.
std::optional<Equation> read_equation(std::string text, const std::vector<Shape>& shapes);

// Named "tarn_einsum_<suffix>"; empty when the name is none of them.
std::optional<KernelText> einsum_kernel(const std::string& name);

std::vector<OperatorEntry> einsum_entries();

}  // namespace tarn::ops
