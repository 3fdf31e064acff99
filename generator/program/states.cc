#include "program/states.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

#include "program/blocks.h"
#include "program/operands.h"
#include "program/shift_window.h"
#include "program/state_step.h"
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

Operation copy(const Program& program, TensorId from, TensorId to, const std::string& note) {
  return state_step(program, "tarn_copy", copy_params(program[to].bytes()), from, to, note);
}

// Pixel by pixel: either side may have a pitch, and one may lie over the other.
Operation copy_by_pixels(const Program& program, TensorId from, TensorId to, const std::string& note) {
  Operation operation =
      state_step(program, "tarn_copy", copy_params_by_pixels(program[to].element_bytes()), from, to, note);
  for (Argument& argument : operation.arguments) argument.pitched = true;
  Walk& walk = source_operand(operation).walk.emplace();
  walk.identity = walk.read_before_write = true;
  return operation;
}

// What an operation of `main` touches, with all that runs inside it, and what that may be a view of.
struct Touched {
  std::set<TensorId> all, written;
};
Touched touched_by(const Program& program, const Wholes& wholes, OperationId id) {
  Touched touched;
  visit_arguments(program, id, [&](OperationId, const Argument& a) {
    if (!a.tensor.valid()) return;
    touched.all.merge(may_lie_in(wholes, a.tensor));
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
    if (!writes(program, program.main[i], out)) continue;
    if (program[program.main[i]].control != Control::none) return {};
    found.push_back(i);
  }
  return found;
}

// May the kernel write `out` over the state? It does not read that, or says that its result may take that very place.
bool may_write_over(const Operation& writer, TensorId out, TensorId state, const std::set<TensorId>& old) {
  const std::vector<Argument>& all = writer.arguments;
  const auto written = std::find_if(all.begin(), all.end(), [](const Argument& a) { return a.role == Role::write; });
  const auto made = std::find_if(all.begin(), all.end(), [&](const Argument& a) { return a.tensor == out; });
  if (made == all.end() || made->role != Role::write) return false;
  for (size_t i = 0; i < all.size(); ++i) {
    const Argument& a = all[i];
    if (!a.tensor.valid() || !old.contains(a.tensor)) continue;
    const bool walks = made == written && a.walk && a.walk->block_pixels == 1 && !writer.view &&
                       (a.walk->same_place || (a.walk->identity && a.walk->read_before_write));
    if (a.role != Role::read || a.tensor != state || !(walks || made->over == i)) return false;
  }
  return true;
}

// The given order with all that reads the old state before the writer (a position in main); what depends on that stays
// behind it. Nothing: something reads the old state and depends on the new one.
std::optional<std::vector<OperationId>> readers_first(const Program& program, size_t writer,
                                                      const std::set<TensorId>& old) {
  const Wholes wholes = wholes_of(program);
  std::vector<Touched> touched;
  size_t end = writer + 1;
  for (size_t i = writer; i < program.main.size(); ++i) {
    touched.push_back(touched_by(program, wholes, program.main[i]));
    if (meet(touched.back().all, old)) end = i + 1;
  }
  Touched after = touched[0];
  std::vector<OperationId> order(program.main.begin(), program.main.begin() + static_cast<std::ptrdiff_t>(writer)),
      behind;
  for (size_t i = writer + 1; i < end; ++i) {
    const Touched& t = touched[i - writer];
    if (!meet(t.all, after.written) && !meet(t.written, after.all)) {
      order.push_back(program.main[i]);
      continue;
    }
    if (meet(t.all, old)) return {};
    behind.push_back(program.main[i]);
    after.all.insert(t.all.begin(), t.all.end());
    after.written.insert(t.written.begin(), t.written.end());
  }
  order.push_back(program.main[writer]);
  order.insert(order.end(), behind.begin(), behind.end());
  order.insert(order.end(), program.main.begin() + static_cast<std::ptrdiff_t>(end), program.main.end());
  return order;
}

// All that names the one tensor names the other from now on.
void rename(Program& program, TensorId from, TensorId to) {
  for (Operation& operation : program.operations) {
    for (Argument& a : operation.arguments) {
      if (a.tensor == from) a.tensor = to;
    }
    if (!operation.view) continue;
    if (operation.view->part == from) operation.view->part = to;
    if (operation.view->whole == from) operation.view->whole = to;
  }
  std::replace(program.outputs.begin(), program.outputs.end(), from, to);
}

// Does only this operation read the tensor?
bool is_read_once(const Program& program, TensorId tensor) {
  int readers = contains(program.outputs, tensor) ? 1 : 0;
  for (const Operation& operation : program.operations) {
    for (const Argument& a : operation.arguments) readers += a.tensor == tensor && a.role != Role::write ? 1 : 0;
  }
  return readers == 1;
}

// Lets the output be made in the state's own bytes by the one step that writes it; why not, if that cannot be. The
// program is then as it was.
std::optional<std::string> write_over(Program& program, TensorId out, TensorId state) {
  const std::vector<size_t> writers = writers_of(program, out);
  if (writers.empty()) return "a branch or loop writes it";
  if (writers.size() > 1) return "several steps write it";
  const std::set<TensorId> old = views_of(program, state);
  const Operation& writer = program[program.main[writers.front()]];
  if (!may_write_over(writer, out, state, old))
    return "its kernel (" + writer.kernel + ") still reads the old state when it writes the new one";
  auto order = readers_first(program, writers.front(), old);
  if (!order) return "the old state is read after the new one is made";
  program.main = std::move(*order);
  rename(program, out, state);
  return {};
}

// The same for a window that moves on. It is worth it where the copies that make it cannot stay, or nobody else reads
// what they are made from.
bool shift_over(Program& program, TensorId out, TensorId state) {
  const std::vector<size_t> writers = writers_of(program, out);
  if (writers.size() == 1) {
    const Operation& writer = program[program.main[writers.front()]];
    const TensorId from = writer.arguments.empty() ? TensorId() : writer.arguments.front().tensor;
    if (may_write_over(writer, out, state, views_of(program, state)) &&
        !(writer.kernel == "tarn_copy" && from.valid() && from != state && is_read_once(program, from)))
      return false;
  }
  Program shifted = program;
  if (!shift_window(shifted, out, state) || write_over(shifted, out, state)) return false;
  program = std::move(shifted);
  return true;
}

// The output is made elsewhere, and copied over the state once nobody reads that any more: where it was made, as the
// plan may have it, or it dies there.
void copy_over(Program& program, TensorId out, TensorId state, const std::string& why) {
  Tensor made = program[out];
  made.name += "_made";
  made.kind = Kind::activation;
  const TensorId id(program.tensors.size());
  program.tensors.push_back(std::move(made));
  rename(program, out, id);
  std::replace(program.outputs.begin(), program.outputs.end(), id, state);
  // It outlives what it was taken from.
  keep_out_of_states(program, id);
  program.main.push_back(OperationId(program.operations.size()));
  program.operations.push_back(copy_by_pixels(program, id, state, "copied: " + why));
}

// Makes the output the state; why it has to be copied, where that is so.
std::string update(Program& program, TensorId out, TensorId state, const std::string& all_copied) {
  const auto copied_last = [&](const std::string& why) {
    program.epilogue.push_back(OperationId(program.operations.size()));
    program.operations.push_back(copy(program, out, state, "copied: " + why));
    return why;
  };
  if (out == state) return {};  // a ring, which has its own steps
  if (!all_copied.empty()) return copied_last(all_copied);
  if (program[out].kind != Kind::output) return copied_last("the output is an input or a state itself");
  if (contains(program.symbols, out)) return copied_last("it is a size that only a run knows");
  if (!(program[out].type == program[state].type) || !(program[out].geometry == program[state].geometry))
    return copied_last("the two do not have the same shape");
  if (contains(program.outputs, state)) return copied_last("the old state is an output too");
  if (shift_over(program, out, state)) return {};
  const std::optional<std::string> why = write_over(program, out, state);
  if (why) copy_over(program, out, state, *why);
  return why.value_or("");
}

// What of the state is read, where only the step that writes it reads it.
std::optional<Span> needed_of(const Program& program, TensorId state) {
  const std::vector<size_t> writers = writers_of(program, state);
  if (writers.size() != 1) return {};
  const std::set<TensorId> old = views_of(program, state);
  const Wholes wholes = wholes_of(program);
  for (size_t i = 0; i < writers[0]; ++i) {
    if (meet(touched_by(program, wholes, program.main[i]).all, old)) return {};
  }
  std::optional<Span> needed;
  for (const Argument& a : program[program.main[writers[0]]].arguments) {
    if (a.tensor != state || a.role == Role::write) continue;
    if (needed || !a.needed) return {};
    needed = a.needed;
  }
  return needed && *needed == Span{0, program[state].bytes()} ? std::nullopt : needed;
}

}  // namespace

Diagnostics keep_states(Program& program, const std::vector<std::pair<std::string, std::string>>& pairs,
                        const std::string& file, const std::string& all_copied, const std::set<std::string>& inside) {
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
    if (i < 0) {
      const auto before = std::find_if(program.kept.begin(), program.kept.end(),
                                       [&name = in](const KeptState& k) { return k.in == name; });
      refuse(in, before == program.kept.end()
                     ? "the model has no input of this name"
                     : cat("it is the state of '", before->out, "' already, and cannot be that of '", out, "' too"));
    }
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
    const bool handed_over = !inside.contains(program.kept[k].out);
    program.kept[k].why = update(program, program.outputs[o], to, handed_over ? all_copied : "");
  }
  for (size_t k = 0; k < kept.size(); ++k) program.kept[k].needed = needed_of(program, kept[k].second);
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
    if (argument.role != Role::read || !argument.walk || old.contains(argument.tensor) ||
        program[argument.tensor].bytes() >= program[id].bytes() || !program[argument.tensor].runtime.empty() ||
        program[argument.tensor].element_bytes() * program[argument.tensor].geometry.count() !=
            program[argument.tensor].bytes())
      continue;
    Tensor tensor = program[argument.tensor];
    tensor.name += "_staged";
    tensor.kind = Kind::activation;
    const TensorId copied(program.tensors.size());
    program.tensors.push_back(std::move(tensor));
    Operation move =
        copy_by_pixels(program, argument.tensor, copied, "beside the state that is made of it: a smaller arena");
    source_operand(move).walk.reset();
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
