// Einsum: operands are joined two by two, from the left. A pair that is a batched matrix product goes to that kernel,
// any other to one that walks all axes.
#include "ops/einsum.h"

#include <algorithm>
#include <map>
#include <set>

#include "ops/packing.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

using NamedSizes = std::map<int, int64_t>;  // by name

// The size of every name; empty when operands contradict each other. A size of 1 gives way.
std::optional<NamedSizes> sizes_of(const Equation& equation, const std::vector<Shape>& shapes) {
  NamedSizes sizes;
  for (size_t i = 0; i < shapes.size(); ++i) {
    for (size_t axis = 0; axis < equation.inputs[i].size(); ++axis) {
      const int64_t d = shapes[i].dims[axis];
      int64_t& size = sizes.try_emplace(equation.inputs[i][axis], d).first->second;
      if (size == 1) size = d;
      else if (d != 1 && d != size) return {};
    }
  }
  return sizes;
}

Shape shape_of(const Names& names, const NamedSizes& sizes) {
  Shape shape;
  for (int name : names) shape.dims.push_back(sizes.at(name));
  return shape;
}

Answer<Types> infer_einsum(const Facts& facts) {
  std::vector<Shape> shapes;
  for (size_t i = 0; i < facts.types.size(); ++i) {
    if (!facts.has(i) || facts.types[i].dtype != facts.types[0].dtype)
      return Fault{"needs operands of one element type"};
    shapes.push_back(facts.shape(i));
  }
  const std::string text = facts.node.text("equation", "");
  const auto equation = shapes.empty() ? std::nullopt : read_equation(text, shapes);
  if (!equation) return Fault{"equation '" + text + "' is malformed, or not for operands of these ranks"};
  const auto sizes = sizes_of(*equation, shapes);
  if (!sizes) return Fault{"operands do not fit the equation '" + text + "'"};
  return Types{{facts.types[0].dtype, shape_of(equation->output, *sizes)}};
}

// An operand on its way: what it is, its names, and how far each moves it.
struct Factor {
  Argument argument;
  Names names;
  Shape shape;
  // Elements to the next index of a name: several axes of one name are a diagonal.
  int64_t step(int name) const {
    const std::vector<int64_t> strides = strides_of(shape);
    int64_t sum = 0;
    for (size_t i = 0; i < names.size(); ++i) {
      if (names[i] == name && shape.dims[i] != 1) sum += strides[i];
    }
    return sum;
  }
  bool has(int name) const { return std::find(names.begin(), names.end(), name) != names.end(); }
};

// Neighbouring names as one axis of a matrix, if both operands walk through them evenly.
struct EinsumAxis {
  int64_t count = 1, a = 0, b = 0;
};
std::optional<EinsumAxis> join_named(const std::vector<int>& names, const NamedSizes& sizes, const Factor& a,
                                     const Factor& b) {
  EinsumAxis axis;
  bool first = true;
  for (int name : names) {
    const int64_t d = sizes.at(name), sa = a.step(name), sb = b.step(name);
    if (d == 1) continue;
    if (!first && (axis.a != sa * d || axis.b != sb * d)) return {};
    axis = {axis.count * d, sa, sb};
    first = false;
  }
  return axis;
}

// y[batch][m][n] = sum over k: true if the pair is that, and the call has been written.
bool lower_as_matrices(const Node& node, Lowering& low, const Factor& a, const Factor& b, const Names& output,
                       const Names& sums, const NamedSizes& sizes, DType dtype, Argument& y) {
  std::vector<int> m, n;
  std::vector<EinsumAxis> batch;
  for (int name : output) {
    const bool in_a = a.has(name), in_b = b.has(name);
    if (in_a && in_b) {
      if (!m.empty() || !n.empty()) return false;
      batch.push_back({sizes.at(name), a.step(name), b.step(name)});
    } else if (in_a) {
      if (!n.empty()) return false;
      m.push_back(name);
    } else {
      n.push_back(name);
    }
  }
  for (int name : sums) {
    if (!a.has(name) || !b.has(name)) return false;
  }
  const auto rows = join_named(m, sizes, a, b), columns = join_named(n, sizes, a, b),
             inner = join_named(sums, sizes, a, b);
  if (!rows || !columns || !inner || batch.size() > 6 || !is_kernel_float(dtype)) return false;
  std::vector<int64_t> dims(6, 1), a_batch(6, 0), b_batch(6, 0);
  for (size_t i = 0; i < batch.size(); ++i) {
    dims[i] = batch[i].count;
    a_batch[i] = batch[i].a;
    b_batch[i] = batch[i].b;
  }
  const std::string kernel = "tarn_matmul_" + kernel_suffix(dtype);
  low.call(node, kernel,
           {kernel + "_params",
            {{"m", rows->count},
             {"n", columns->count},
             {"k", inner->count},
             {"a_row", rows->a},
             {"a_column", inner->a},
             {"b_row", inner->b},
             {"b_column", columns->b},
             {"rank", static_cast<int64_t>(batch.size())},
             {"dims", dims},
             {"a_batch", a_batch},
             {"b_batch", b_batch},
             {"c_row", int64_t{0}},
             {"c_column", int64_t{0}},
             {"alpha", real_field(1, dtype)},
             {"beta", real_field(0, dtype)}}},
           {a.argument, b.argument, low.none(), y});
  return true;
}

std::optional<Fault> lower_pair(const Node& node, Lowering& low, const Factor& a, const Factor* b, const Names& output,
                                const NamedSizes& sizes, DType dtype, Argument y) {
  Names sums;
  for (const Factor* factor : {&a, b}) {
    if (!factor) continue;
    for (int name : factor->names) {
      const bool seen = std::find(output.begin(), output.end(), name) != output.end() ||
                        std::find(sums.begin(), sums.end(), name) != sums.end();
      if (!seen) sums.push_back(name);
    }
  }
  int64_t macs = 1;
  for (const Names* names : {&output, static_cast<const Names*>(&sums)}) {
    for (int name : *names) macs *= sizes.at(name);
  }
  if (b && lower_as_matrices(node, low, a, *b, output, sums, sizes, dtype, y)) {
    low.program().operations.back().macs = macs;
    return {};
  }
  if (output.size() > 8 || sums.size() > 8) return Fault{"more than 8 axes", "", "E208"};
  auto list = [&](const Names& names, auto number, int64_t otherwise) {
    std::vector<int64_t> numbers;
    for (int name : names) numbers.push_back(number(name));
    numbers.resize(8, otherwise);
    return numbers;
  };
  auto size = [&](int name) { return sizes.at(name); };
  auto step_a = [&](int name) { return a.step(name); };
  auto step_b = [&](int name) { return b ? b->step(name) : 0; };
  Operation& operation = low.call(node, "tarn_einsum_" + kernel_suffix(dtype),
                                  {"tarn_einsum_params",
                                   {{"rank", static_cast<int64_t>(output.size())},
                                    {"dims", list(output, size, 1)},
                                    {"a_step", list(output, step_a, 0)},
                                    {"b_step", list(output, step_b, 0)},
                                    {"sum_rank", static_cast<int64_t>(sums.size())},
                                    {"sum_dims", list(sums, size, 1)},
                                    {"sum_a_step", list(sums, step_a, 0)},
                                    {"sum_b_step", list(sums, step_b, 0)}}},
                                  {a.argument, b ? b->argument : low.none(), std::move(y)});
  operation.macs = b ? macs : 0;
  return {};
}

std::optional<Fault> lower_einsum(const Node& node, Lowering& low) {
  const DType dtype = low.dtype(node.inputs[0]);
  std::vector<Shape> shapes;
  for (ValueId id : node.inputs) shapes.push_back(low.shape(id));
  const Equation equation = *read_equation(node.text("equation", ""), shapes);
  const NamedSizes sizes = *sizes_of(equation, shapes);
  if (!einsum_kernel("tarn_einsum_" + kernel_suffix(dtype)))
    return Fault{"not for element type " + to_string(dtype), "", "E204"};
  Factor so_far{low.read(node.inputs[0]), equation.inputs[0], shapes[0]};
  if (shapes.size() == 1)
    return lower_pair(node, low, so_far, nullptr, equation.output, sizes, dtype, low.write(node.outputs[0]));
  for (size_t i = 1; i < shapes.size(); ++i) {
    const Factor next{low.read(node.inputs[i]), equation.inputs[i], shapes[i]};
    const bool last = i + 1 == shapes.size();
    Names output = equation.output;
    if (!last) {
      // What later operands or the result still name.
      std::set<int> wanted(equation.output.begin(), equation.output.end());
      for (size_t k = i + 1; k < shapes.size(); ++k)
        wanted.insert(equation.inputs[k].begin(), equation.inputs[k].end());
      output.clear();
      for (const Factor* factor : {static_cast<const Factor*>(&so_far), &next}) {
        for (int name : factor->names) {
          if (wanted.contains(name) && std::find(output.begin(), output.end(), name) == output.end())
            output.push_back(name);
        }
      }
    }
    const Shape made = shape_of(output, sizes);
    const TensorId to =
        last ? low.tensor(node.outputs[0])
             : low.new_tensor(low.graph()[node.outputs[0]].name + "_part", dtype, made, program::Kind::activation);
    if (auto fault = lower_pair(node, low, so_far, &next, output, sizes, dtype, low.write(to))) return fault;
    so_far = {low.read(to), output, made};
  }
  return {};
}

}  // namespace

std::optional<KernelText> einsum_kernel(const std::string& name) {
  const std::string prefix = "tarn_einsum_";
  const auto type = name.starts_with(prefix) ? c_type_of(name.substr(prefix.size())) : std::nullopt;
  if (!type || type->dtype == DType::boolean) return {};
  std::set<std::string> includes;
  std::map<std::string, std::string> holes = common_holes(name);
  holes["IN"] = type->storage;
  holes["COMPUTE"] = type->compute;
  holes["LOAD_A"] = load(*type, "*a");
  holes["LOAD_B"] = load(*type, "*b");
  holes["STEP"] = type->real ? "s + u * v" : write_expression("({T})(({U})s + ({U})u * ({U})v)", *type, includes);
  holes["ADD"] = type->real ? "s + u" : write_expression("({T})(({U})s + ({U})u)", *type, includes);
  holes["STORE"] = store("s", *type, *type, includes);
  holes["INCLUDES"] = include_lines(*type, includes);
  return fill_kernel("einsum", holes);
}

namespace {

// A sum over an axis without elements is 0, whatever the other operands hold.
std::optional<Constants> fold_einsum(const Facts& facts, const Types& outputs) {
  const bool empty = std::any_of(facts.types.begin(), facts.types.end(),
                                 [](const TensorType& type) { return type.shape.count() == 0; });
  if (!empty) return {};
  return Constants{
      Constant::splat(outputs[0], std::vector<uint8_t>(static_cast<size_t>(bytes_for(outputs[0].dtype, 1)), 0))};
}

}  // namespace

std::vector<OperatorEntry> einsum_entries() {
  return {{"", "Einsum", "floats, integers", lower_einsum, infer_einsum, fold_einsum}};
}

}  // namespace tarn::ops
