#include "program/states.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

#include "program/blocks.h"
#include "support/text.h"

namespace tarn::program {

namespace {

using Role = Argument::Role;

std::ptrdiff_t position(const std::vector<std::string>& names, const std::string& name) {
  const auto at = std::find(names.begin(), names.end(), name);
  return at == names.end() ? -1 : at - names.begin();
}

bool contains(const std::vector<TensorId>& list, TensorId id) {
  return std::find(list.begin(), list.end(), id) != list.end();
}

Operation copy(const Program& program, TensorId from, TensorId to, const std::string& why) {
  Operation operation;
  operation.kernel = "tarn_copy";
  operation.op = "State";
  operation.nodes = {program[to].name};
  operation.note = "copied: " + why;
  operation.params = copy_params(program[to].bytes());
  Argument read, write;
  read.role = Role::read;
  read.tensor = from;
  write.role = Role::write;
  write.tensor = to;
  operation.arguments = {read, write};
  return operation;
}

// What an operation of `main` touches, with all that runs inside it.
struct Touched {
  std::set<TensorId> all, written;
};
Touched touched_by(const Program& program, OperationId id) {
  Touched touched;
  visit_arguments(program, id, [&](OperationId, const Argument& a) {
    if (!a.tensor.valid()) return;
    touched.all.insert(a.tensor);
    if (a.role != Role::read) touched.written.insert(a.tensor);
  });
  visit_sizes(program, id, [&](OperationId, TensorId size) { touched.all.insert(size); });
  return touched;
}

bool meet(const std::set<TensorId>& a, const std::set<TensorId>& b) {
  return std::any_of(a.begin(), a.end(), [&](TensorId id) { return b.contains(id); });
}

// The state, and all that may be a view of what it holds before the update.
std::set<TensorId> views_of(const Program& program, TensorId state) {
  std::set<TensorId> views{state};
  for (size_t before = 0; before != views.size();) {
    before = views.size();
    for (const Operation& operation : program.operations) {
      if (operation.view && views.contains(operation.view->whole)) views.insert(operation.view->part);
    }
  }
  return views;
}

// The only operation that writes `out`, as a position in main; -1: several do, or one inside a branch or loop.
std::ptrdiff_t only_writer(const Program& program, TensorId out) {
  std::ptrdiff_t found = -1;
  for (size_t i = 0; i < program.main.size(); ++i) {
    if (!touched_by(program, program.main[i]).written.contains(out)) continue;
    if (found >= 0 || program[program.main[i]].control != Control::none) return -1;
    found = static_cast<std::ptrdiff_t>(i);
  }
  return found;
}

// May the kernel write `out` over the state? It does not read that, or element by element, each before it is written.
bool may_write_over(const Operation& writer, TensorId out, TensorId state, const std::set<TensorId>& old) {
  bool reads = false, each = true;
  TensorId first;
  for (const Argument& a : writer.arguments) {
    if (a.role == Role::write && !first.valid()) first = a.tensor;
    if (a.tensor == out && a.role != Role::write) return false;
    if (!a.tensor.valid() || !old.contains(a.tensor)) continue;
    reads = true;
    each = each && a.role == Role::read && a.tensor == state && a.walk && a.walk->identity &&
           a.walk->read_before_write && !a.walk->same_place && a.walk->block_pixels == 1;
  }
  return !reads || (each && first == out && !writer.view);
}

// The given order with all that reads the old state before the writer; what depends on the writer stays behind it.
// Nothing: something reads the old state and depends on the new one.
std::optional<std::vector<OperationId>> readers_first(const Program& program, size_t writer,
                                                      const std::set<TensorId>& old) {
  std::vector<Touched> touched;
  size_t end = writer + 1;
  for (size_t i = writer; i < program.main.size(); ++i) {
    touched.push_back(touched_by(program, program.main[i]));
    if (i > writer && meet(touched.back().all, old)) end = i + 1;
  }
  std::vector<OperationId> order(program.main.begin(), program.main.begin() + static_cast<std::ptrdiff_t>(writer)),
      behind;
  Touched after;
  for (size_t i = writer; i < end; ++i) {
    const Touched& t = touched[i - writer];
    if (i > writer && !meet(t.all, after.written) && !meet(t.written, after.all)) {
      order.push_back(program.main[i]);
      continue;
    }
    if (i > writer && meet(t.all, old)) return {};
    behind.push_back(program.main[i]);
    after.all.insert(t.all.begin(), t.all.end());
    after.written.insert(t.written.begin(), t.written.end());
  }
  order.insert(order.end(), behind.begin(), behind.end());
  order.insert(order.end(), program.main.begin() + static_cast<std::ptrdiff_t>(end), program.main.end());
  return order;
}

// `out` becomes the state itself: all that names the one names the other from now on.
void rename(Program& program, TensorId out, TensorId state) {
  for (Operation& operation : program.operations) {
    for (Argument& a : operation.arguments) {
      if (a.tensor == out) a.tensor = state;
    }
    if (!operation.view) continue;
    if (operation.view->part == out) operation.view->part = state;
    if (operation.view->whole == out) operation.view->whole = state;
  }
  std::replace(program.outputs.begin(), program.outputs.end(), out, state);
}

// Lets the output be made in the state's own bytes; why not, if that cannot be.
std::optional<std::string> update_in_place(Program& program, TensorId out, TensorId state) {
  if (program[out].kind != Kind::output) return "the output is an input or a state itself";
  if (contains(program.symbols, out)) return "it is a size that only a run knows";
  if (!(program[out].type == program[state].type) || !(program[out].geometry == program[state].geometry))
    return "the two do not have the same shape";
  if (contains(program.outputs, state)) return "the old state is an output too";
  const std::ptrdiff_t writer = only_writer(program, out);
  if (writer < 0) return "several steps write it";
  const std::set<TensorId> old = views_of(program, state);
  const Operation& operation = program[program.main[static_cast<size_t>(writer)]];
  if (!may_write_over(operation, out, state, old))
    return "its kernel (" + operation.kernel + ") still reads the old state when it writes the new one";
  auto order = readers_first(program, static_cast<size_t>(writer), old);
  if (!order) return "the old state is read after the new one is made";
  program.main = std::move(*order);
  rename(program, out, state);
  return {};
}

}  // namespace

Diagnostics keep_states(Program& program, const std::vector<std::pair<std::string, std::string>>& pairs,
                        const std::string& file, const std::string& all_copied) {
  Diagnostics faults;
  auto refuse = [&](const std::string& tensor, const std::string& what) {
    Where where;
    where.file = file;
    where.tensor = tensor;
    faults.push_back(
        {"E209", where, what, "--state OUT=IN takes an output and an input of the model, of one type and shape"});
  };
  std::vector<std::pair<size_t, TensorId>> kept;  // position of the output, the state
  program.input_positions.resize(program.inputs.size());
  std::iota(program.input_positions.begin(), program.input_positions.end(), size_t{0});
  for (const auto& [out, in] : pairs) {
    const std::ptrdiff_t o = position(program.output_names, out), i = position(program.input_names, in);
    if (o < 0) refuse(out, "the model has no output of this name");
    if (i < 0)
      refuse(in, std::any_of(program.kept.begin(), program.kept.end(),
                             [&name = in](const KeptState& k) { return k.in == name; })
                     ? "it is the state of another --state already"
                     : "the model has no input of this name");
    if (o < 0 || i < 0) continue;
    const TensorId from = program.outputs[static_cast<size_t>(o)], to = program.inputs[static_cast<size_t>(i)];
    if (program[from].type != program[to].type || !program[from].runtime.empty()) {
      refuse(out, cat("it is ", to_string(program[from].type), ", but '", in, "' is ", to_string(program[to].type)));
      continue;
    }
    kept.emplace_back(o, to);
    program[to].kind = Kind::state;
    program.states.push_back(to);
    program.kept.push_back({out, in, program[to].bytes(), {}, {}});
    program.inputs.erase(program.inputs.begin() + i);
    program.input_names.erase(program.input_names.begin() + i);
    program.input_positions.erase(program.input_positions.begin() + i);
  }
  for (size_t k = 0; k < kept.size(); ++k) {
    const auto& [o, to] = kept[k];
    const TensorId from = program.outputs[o];
    const std::optional<std::string> why =
        all_copied.empty() ? update_in_place(program, from, to) : std::optional(all_copied);
    if (!why) continue;
    program.kept[k].why = *why;
    program.epilogue.push_back(OperationId(program.operations.size()));
    program.operations.push_back(copy(program, from, to, *why));
  }
  return faults;
}

}  // namespace tarn::program
