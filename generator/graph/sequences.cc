#include "graph/sequences.h"

#include <algorithm>

#include "support/text.h"

namespace tarn::graph {

namespace {

using ops::Fault;
using Items = std::vector<std::string>;

const char* const kHint = "sequences are supported where every length and position is known while generating";
// Longer ones are taken for a mistake.
constexpr int64_t kMaxItems = 4096;

class Unfolding {
 public:
  Unfolding(const model::NodeDef& node, Scope& scope) : node_(node), scope_(scope) {}

  Unfolded run() {
    const std::string& op = node_.op;
    if (op == "SequenceEmpty") set({});
    else if (op == "SequenceConstruct") construct();
    else if (op == "SequenceInsert" || op == "SequenceErase" || op == "SequenceAt") at_position();
    else if (op == "SequenceLength") length();
    else if (op == "ConcatFromSequence") concat();
    else if (op == "SplitToSequence") split();
    else if (op == "OptionalHasElement") has_element();
    else pass_on();
    return std::move(result_);
  }

 private:
  std::string input(size_t i) const { return i < node_.inputs.size() ? node_.inputs[i] : std::string(); }
  std::string output() const { return node_.outputs.empty() ? std::string() : node_.outputs[0]; }
  void refuse(std::string message, std::string code = "E208") {
    result_.fault = Fault{std::move(message), kHint, std::move(code)};
  }
  void set(Items items) {
    if (static_cast<int64_t>(items.size()) > kMaxItems)
      return refuse(cat("a sequence of ", items.size(), " tensors"), "E207");
    scope_.bind_list(output(), std::move(items));
  }
  void set_constant(Constant value) { scope_.bind(output(), scope_.graph().add_constant(output(), std::move(value))); }

  const Items* items(size_t i) {
    const Items* list = scope_.find_list(input(i));
    if (!list) refuse("the sequence '" + input(i) + "' is not made in this graph");
    return list;
  }
  ValueId tensor(size_t i) {
    const ValueId id = scope_.find(input(i));
    if (!id || !scope_.graph()[id].known()) refuse("the tensor '" + input(i) + "' is not known");
    return result_.fault ? ValueId() : id;
  }
  std::optional<std::vector<int64_t>> numbers(size_t i) {
    const ValueId id = scope_.find(input(i));
    const Constant* value = scope_.graph().constant(id);
    if (!value || value->is_absent() || !is_integer(value->dtype())) {
      refuse("'" + input(i) + "' is known only at run time");
      return {};
    }
    return value->integers();
  }
  int64_t attribute(const std::string& name, int64_t otherwise) const {
    const auto it = node_.attributes.find(name);
    const int64_t* value = it == node_.attributes.end() ? nullptr : std::get_if<int64_t>(&it->second);
    return value ? *value : otherwise;
  }

  // A constant under a name that no model has.
  std::string constant(const Shape& shape, const std::vector<int64_t>& values) {
    const ValueId id = scope_.graph().add_constant(output() + "_numbers", Constant::ints(DType::int64, shape, values));
    std::string name = cat("\nnumbers ", id.value);
    scope_.bind(name, id);
    return name;
  }
  void add(const std::string& op, std::vector<std::string> inputs, std::string made, Attributes attributes = {}) {
    model::NodeDef node;
    node.index = node_.index;
    node.name = node_.name;
    node.op = op;
    node.inputs = std::move(inputs);
    node.outputs = {std::move(made)};
    node.attributes = std::move(attributes);
    result_.nodes.push_back(std::move(node));
  }

  // A tensor that an item stands for; invalid, with a fault, where only the number of items is known.
  ValueId item(const std::string& name) {
    const ValueId id = scope_.find(name);
    if (!id || !scope_.graph()[id].known()) refuse("the sizes of the parts are known only at run time");
    return result_.fault ? ValueId() : id;
  }

  // The node's output is that tensor: a copy for now, since two outputs of the model are two tensors.
  void take(const std::string& name) {
    if (item(name)) add("Identity", {name}, output());
  }

  void construct() {
    for (size_t i = 0; i < node_.inputs.size() && !result_.fault; ++i) tensor(i);
    if (!result_.fault) set(node_.inputs);
  }

  void at_position() {
    const Items* list = items(0);
    if (!list) return;
    const bool insert = node_.op == "SequenceInsert";
    const size_t at = insert ? 2 : 1;
    const auto count = static_cast<int64_t>(list->size()), end = insert ? count + 1 : count;
    int64_t position = insert ? count : count - 1;
    if (!input(at).empty()) {
      const auto given = numbers(at);
      if (!given || given->size() != 1) return refuse("the position is known only at run time");
      position = (*given)[0] < 0 ? (*given)[0] + count : (*given)[0];
    }
    if (position < 0 || position >= end) return refuse(cat("position ", position, " of a sequence of ", count), "E211");
    Items changed = *list;
    if (insert) {
      if (!tensor(1)) return;
      changed.insert(changed.begin() + position, input(1));
    } else if (node_.op == "SequenceErase") {
      changed.erase(changed.begin() + position);
    } else {
      return take(changed[static_cast<size_t>(position)]);
    }
    set(std::move(changed));
  }

  void length() {
    if (const Items* list = items(0))
      set_constant(Constant::ints(DType::int64, {}, {static_cast<int64_t>(list->size())}));
  }

  void concat() {
    const Items* list = items(0);
    if (!list) return;
    if (list->empty()) return refuse("joins an empty sequence");
    const bool new_axis = attribute("new_axis", 0) != 0;
    int64_t axis = attribute("axis", 0);
    std::vector<std::string> names;
    for (std::string name : *list) {
      const ValueId id = item(name);
      if (!id) return;
      if (new_axis) {
        Shape shape = scope_.graph().shape(id);
        const auto at = normalise_axis(axis, shape.rank() + 1);
        if (!at) return refuse(cat("axis ", axis, " of a tensor of ", to_string(shape)), "E211");
        shape.dims.insert(shape.dims.begin() + *at, 1);
        const std::string longer = cat("\nitem ", names.size(), " of ", output());
        add("Reshape", {name, constant(Shape{shape.rank()}, shape.dims)}, longer);
        name = longer;
      }
      names.push_back(std::move(name));
    }
    add("Concat", std::move(names), output(), {{"axis", axis}});
  }

  void split() {
    const ValueId data = tensor(0);
    if (!data) return;
    const Shape shape = scope_.graph().shape(data);
    const auto axis = normalise_axis(attribute("axis", 0), shape.rank());
    if (!axis) return refuse("axis is outside " + to_string(shape), "E211");
    const bool single = input(1).empty();
    const int64_t whole = shape[*axis];
    std::vector<int64_t> sizes;
    if (!single) {
      const ValueId split = tensor(1);
      if (!split) return;
      const Shape& form = scope_.graph().shape(split);
      if (form.rank() > 1) return refuse("the split is a tensor of " + to_string(form));
      if (form.rank() == 1 && !scope_.graph().constant(split)) {
        // Only how many parts there are is known.
        return set(Items(static_cast<size_t>(std::min(form.count(), kMaxItems + 1)), "\nno name"));
      }
      const auto given = numbers(1);
      if (!given) return;
      if (form.rank() == 1) sizes = *given;
      else if (given->at(0) < 1 || whole / given->at(0) >= kMaxItems)
        return refuse(cat("parts of ", given->at(0), " of an axis of ", whole), "E211");
      else
        for (int64_t at = 0; at < whole; at += given->at(0)) sizes.push_back(std::min(given->at(0), whole - at));
    } else {
      if (whole > kMaxItems) return refuse(cat("a sequence of ", whole, " tensors"), "E207");
      sizes.assign(static_cast<size_t>(whole), 1);
    }
    const bool drop = single && attribute("keepdims", 1) == 0;
    Items list;
    int64_t first = 0;
    for (int64_t size : sizes) {
      if (size < 0 || size > whole - first) return refuse("the parts do not make up the axis", "E211");
      list.push_back(cat("\npart ", list.size(), " of ", output()));
      if (drop) {
        add("Gather", {input(0), constant({}, {first})}, list.back(), {{"axis", int64_t{*axis}}});
      } else {
        add("Slice",
            {input(0), constant(Shape{1}, {first}), constant(Shape{1}, {first + size}), constant(Shape{1}, {*axis})},
            list.back());
      }
      first += size;
    }
    if (first != whole) return refuse("the parts do not make up the axis", "E211");
    set(std::move(list));
  }

  void has_element() {
    const bool present = !input(0).empty() && !scope_.is_nothing(input(0));
    if (present && !scope_.find_list(input(0)) && !scope_.find(input(0)))
      return refuse("'" + input(0) + "' is not made in this graph");
    set_constant(Constant::ints(DType::boolean, {}, {present}));
  }

  // Optional, OptionalGetElement, Identity of a sequence.
  void pass_on() {
    if (node_.op == "Optional" && input(0).empty()) return scope_.bind_nothing(output());
    if (const Items* list = scope_.find_list(input(0))) return set(*list);
    if (scope_.is_nothing(input(0))) return refuse("an optional value is taken that is not there");
    take(input(0));
  }

  const model::NodeDef& node_;
  Scope& scope_;
  Unfolded result_;
};

}  // namespace

std::optional<Unfolded> unfold_sequence(const model::NodeDef& node, Scope& scope) {
  if (!node.domain.empty()) return {};
  static const char* const kOps[] = {"SequenceEmpty", "SequenceConstruct",  "SequenceInsert",     "SequenceErase",
                                     "SequenceAt",    "SequenceLength",     "ConcatFromSequence", "SplitToSequence",
                                     "Optional",      "OptionalGetElement", "OptionalHasElement"};
  const bool ours = std::any_of(std::begin(kOps), std::end(kOps), [&](const char* op) { return node.op == op; });
  const bool passes_list = node.op == "Identity" && node.inputs.size() == 1 && scope.find_list(node.inputs[0]);
  if (!ours && !passes_list) return {};
  return Unfolding(node, scope).run();
}

}  // namespace tarn::graph
