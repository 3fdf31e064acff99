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

// The operations that write `out`, as positions in main; none: one is a branch or loop, or an output before is changed.
std::vector<size_t> writers_of(const Program& program, TensorId out) {
  std::vector<size_t> found;
  for (size_t i = 0; i < program.main.size(); ++i) {
    if (!touched_by(program, program.main[i]).written.contains(out)) continue;
    if (program[program.main[i]].control != Control::none) return {};
    found.push_back(i);
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

// The given order with all that reads the old state before the writers; what depends on these stays behind them.
// Nothing: something reads the old state and depends on the new one.
std::optional<std::vector<OperationId>> readers_first(const Program& program, const std::vector<OperationId>& writers,
                                                      size_t first, const std::set<TensorId>& old) {
  const std::set<OperationId> writing(writers.begin(), writers.end());
  std::vector<Touched> touched;
  size_t end = first + 1;
  for (size_t i = first; i < program.main.size(); ++i) {
    touched.push_back(touched_by(program, program.main[i]));
    if (i > first && (meet(touched.back().all, old) || writing.contains(program.main[i]))) end = i + 1;
  }
  Touched after;
  const auto add = [&](const Touched& t) {
    after.all.insert(t.all.begin(), t.all.end());
    after.written.insert(t.written.begin(), t.written.end());
  };
  // What any of them writes is there only behind all of them.
  for (size_t i = first; i < end; ++i) {
    if (writing.contains(program.main[i])) after.written.merge(std::set(touched[i - first].written));
  }
  std::vector<OperationId> order(program.main.begin(), program.main.begin() + static_cast<std::ptrdiff_t>(first)),
      behind;
  for (size_t i = first; i < end; ++i) {
    const Touched& t = touched[i - first];
    if (writing.contains(program.main[i])) {
      add(t);
      continue;
    }
    if (!meet(t.all, after.written) && !meet(t.written, after.all)) {
      order.push_back(program.main[i]);
      continue;
    }
    if (meet(t.all, old)) return {};
    // A later writer that needs this one would come before it.
    for (size_t k = i + 1; k < end; ++k) {
      if (writing.contains(program.main[k]) && meet(touched[k - first].all, t.written)) return {};
    }
    behind.push_back(program.main[i]);
    add(t);
  }
  order.insert(order.end(), writers.begin(), writers.end());
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
  const std::vector<size_t> writers = writers_of(program, out);
  if (writers.empty()) return "a branch or loop writes it";
  if (writers.size() > 1) return "several steps write it";
  const std::set<TensorId> old = views_of(program, state);
  const OperationId writer = program.main[writers.front()];
  if (!may_write_over(program[writer], out, state, old))
    return "its kernel (" + program[writer].kernel + ") still reads the old state when it writes the new one";
  auto order = readers_first(program, {writer}, writers.front(), old);
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

bool stage_update(Program& program, size_t state) {
  const TensorId id = program.states[state];
  const std::vector<size_t> writers = writers_of(program, id);
  if (writers.size() != 1) return false;
  const OperationId writer = program.main[writers[0]];
  const std::set<TensorId> old = views_of(program, id);
  size_t staged = 0;
  for (size_t a = 0; a < program[writer].arguments.size(); ++a) {
    const Argument argument = program[writer].arguments[a];
    if (argument.role != Role::read || !argument.tensor.valid() || !argument.walk || old.contains(argument.tensor) ||
        program[argument.tensor].bytes() >= program[id].bytes() || !program[argument.tensor].runtime.empty() ||
        program[argument.tensor].element_bytes() * program[argument.tensor].geometry.count() !=
            program[argument.tensor].bytes())
      continue;
    Tensor tensor = program[argument.tensor];
    tensor.name += "_staged";
    tensor.kind = Kind::activation;
    const TensorId copied(program.tensors.size());
    program.tensors.push_back(std::move(tensor));
    Operation move = copy(program, argument.tensor, copied, "");
    move.note = "beside the state that is made of it: a smaller arena";
    move.params = copy_params_by_pixels(program[copied].element_bytes());
    for (Argument& moved : move.arguments) moved.pitched = true;
    program[writer].arguments[a].tensor = copied;
    program.main.insert(program.main.begin() + static_cast<std::ptrdiff_t>(writers[0] + staged++),
                        OperationId(program.operations.size()));
    program.operations.push_back(std::move(move));
  }
  return staged > 0;
}

void drop_outputs(Program& program, const std::vector<std::string>& names) {
  program.output_positions.resize(program.outputs.size());
  std::iota(program.output_positions.begin(), program.output_positions.end(), size_t{0});
  for (const std::string& name : names) {
    const std::ptrdiff_t at = position(program.output_names, name);
    if (at < 0) continue;
    Tensor& tensor = program[program.outputs[static_cast<size_t>(at)]];
    if (tensor.kind == Kind::output) tensor.kind = Kind::activation;
    program.outputs.erase(program.outputs.begin() + at);
    program.output_names.erase(program.output_names.begin() + at);
    program.output_positions.erase(program.output_positions.begin() + at);
  }
}

}  // namespace tarn::program
