// Reductions: one table row each; the kernels are written from templates/kernels/reduce.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ops/kernel_text.h"
#include "ops/op.h"

namespace tarn::ops {

// The accumulator `s` starts, takes in each element `v`, and ends; expressions as in kernel_text.h. Integers have their
// own where the float form would not do; null: not for integers.
struct ReduceOp {
  const char* op;
  const char* text;
  const char *start, *step, *finish;                          // floats
  const char *integer_start, *integer_step, *integer_finish;  // integers
  bool for_bool = false;
  const char* unsigned_step = nullptr;  // where the signed one would compare an unsigned number with 0
};
const std::vector<ReduceOp>& reduce_ops();

// Named "tarn_<op>_<suffix>"; empty when the name is none of them.
std::optional<KernelText> reduce_kernel(const std::string& name);

std::vector<OperatorEntry> reduce_entries();

}  // namespace tarn::ops
