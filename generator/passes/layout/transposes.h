// The Transpose nodes of a graph.
#pragma once
#include <optional>

#include "graph/graph.h"
#include "passes/layout/permutation.h"

namespace tarn::passes {

using graph::Graph;
using graph::Node;
using graph::ValueId;

std::optional<Perm> transpose_of(const Node& node);

Node transpose(ValueId from, ValueId to, const Perm& perm);
// The same, on behalf of `node`: it stands where the report says that one stands.
Node transpose_for(const Node& node, ValueId from, ValueId to, const Perm& perm);
// A new value that is `of` with its axes permuted.
ValueId permuted_value(Graph& graph, ValueId of, const Perm& perm);
// Turns `node` into the Reshape of its output's shape of `from`.
void make_reshape(const Graph& graph, Node& node, ValueId from);

void spell_out_permutations(Graph& graph);
// Joins transposes that follow each other, drops those that do nothing, shares equal ones.
void tidy_transposes(Graph& graph);
// A Transpose of what codes become, and nobody else reads, moves the codes: they are a quarter as large.
void transpose_codes(Graph& graph);
// A Transpose of what is made of an input, element by element, moves the input: it can be put in order where it stands.
void transpose_inputs(Graph& graph);

}  // namespace tarn::passes
