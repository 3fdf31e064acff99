// Attention: the library computes with dimensions that it does not know, and forgets the past in the scores.
#include "model/infer_rules.h"
#include "support/text.h"

namespace tarn::model {

namespace {

// Heads and elements per head, from [batch, heads, length, size] or from [batch, length, heads * size].
struct Heads {
  Dim batch, heads, length, size;
};

Result<Heads> read_heads(const NodeFacts& facts, int input, const char* heads_attribute) {
  Heads out;
  const int rank = facts.rank(input);
  if (rank < 0) return out;
  if (rank != 3 && rank != 4) {
    return facts.fault("E205",
                       cat("input ", input, " is ", to_string(facts.type(input)), "; it must have 3 or 4 dimensions"));
  }
  const std::vector<Dim>& dims = *facts.type(input).dims;
  if (rank == 4) return Heads{dims[0], dims[1], dims[2], dims[3]};
  if (!facts.has_attribute(heads_attribute))
    return facts.fault("E205", cat("inputs of 3 dimensions need '", heads_attribute, "'"));
  const int64_t heads = facts.attribute(heads_attribute, int64_t{1});
  out = {dims[0], {heads, ""}, dims[1], {}};
  if (dims[2].value && *dims[2].value % heads != 0) {
    return facts.fault(
        "E205", cat("input ", input, " is ", to_string(facts.type(input)), ", which ", heads, " heads do not divide"));
  }
  if (dims[2].value) out.size.value = *dims[2].value / heads;
  return out;
}

Dim product(const Dim& a, const Dim& b) {
  return a.value && b.value ? Dim{checked_mul(*a.value, *b.value), ""} : Dim{};
}

}  // namespace

Result<std::vector<Type>> infer_attention(const NodeFacts& facts) {
  const auto q = read_heads(facts, 0, "q_num_heads"), k = read_heads(facts, 1, "kv_num_heads"),
             v = read_heads(facts, 2, "kv_num_heads");
  for (const auto* part : {&q, &k, &v}) {
    if (!*part) return part->faults();
  }
  // Keys of earlier calls (input 4) come before those of this one.
  Dim total = k->length;
  if (facts.has(4)) {
    const auto past = facts.dim(4, 2);
    total = past && total.value ? Dim{checked_add(*past, *total.value), ""} : Dim{};
  }
  std::vector<Type> out(static_cast<size_t>(facts.outputs()));
  auto set = [&](size_t output, int dtype_of, std::vector<Dim> dims) {
    if (output < out.size()) out[output] = tensor_type(facts.dtype(dtype_of), std::move(dims));
  };
  if (facts.rank(0) < 0) {
    set(0, 0, {});
    if (!out.empty()) out[0].dims.reset();
  } else if (facts.rank(0) == 4) {
    set(0, 0, {q->batch, q->heads, q->length, v->size});
  } else {
    set(0, 0, {q->batch, q->length, product(q->heads, v->size)});
  }
  set(1, facts.has(4) ? 4 : 1, {q->batch, k->heads, total, k->size});
  set(2, facts.has(5) ? 5 : 2, {q->batch, v->heads, total, v->size});
  set(3, 0, {q->batch, q->heads, q->length, total});
  return out;
}

}  // namespace tarn::model
