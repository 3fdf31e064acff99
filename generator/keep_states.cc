#include "keep_states.h"

#include <algorithm>
#include <set>

#include "model/load_onnx.h"
#include "plan_lines.h"
#include "program/pair_states.h"
#include "program/ring_window.h"
#include "program/states.h"
#include "program/store_states.h"
#include "program/windows.h"
#include "support/text.h"

namespace tarn {

namespace {

bool has_type(const model::ValueInfo& value, const Constant& constant) {
  const std::vector<int64_t>& sizes = constant.shape().dims;
  if (value.type.dtype != constant.dtype() || !value.type.dims || value.type.dims->size() != sizes.size()) return false;
  return std::equal(sizes.begin(), sizes.end(), value.type.dims->begin(),
                    [](int64_t size, const model::Dim& dim) { return dim.value == size; });
}

// Inputs with an initializer that --state auto makes states: one output has such a name, type and shape.
std::vector<std::string> defaulted_states(const CompileOptions& options, const model::GraphDef& graph) {
  std::vector<std::string> states;
  for (const model::Initializer& initializer : graph.initializers) {
    const auto times = std::count_if(graph.outputs.begin(), graph.outputs.end(), [&](const model::ValueInfo& output) {
      const bool given = std::any_of(options.states.begin(), options.states.end(),
                                     [&](const auto& pair) { return pair.first == output.name; });
      return !given && program::is_state_by_name(output.name, initializer.name) && has_type(output, initializer.value);
    });
    if (initializer.is_input && times == 1) states.push_back(initializer.name);
  }
  return states;
}

// A window of which each run moves what stays, and why it is no ring. Nothing: the state is none, or does not move.
std::string why_it_moves(const CompileOptions& options, const std::string& all_copied, const program::Program& program,
                         size_t state, const std::optional<program::NoRing>& no) {
  const program::KeptState& kept = program.kept[state];
  if (kept.ring) return "";
  const bool shifts = std::any_of(program.operations.begin(), program.operations.end(), [&](const auto& operation) {
    return operation.kernel.starts_with("tarn_shift_b") && operation.arguments.back().tensor == program.states[state];
  });
  if (no && !no->window && !shifts) return "";
  if (no) return no->why;
  if (kept.stored != program::StateType::none) return "it is kept as " + program::to_string(kept.stored);
  if (options.ring_states) return all_copied;
  return "its output is handed over as the model has it (--state-window ring: a ring, and no output)";
}

}  // namespace

Result<std::map<std::string, Constant>> first_values(const CompileOptions& options, model::GraphDef* graph) {
  std::map<std::string, Constant> values;
  Diagnostics faults;
  std::vector<std::string> inputs;
  if (options.states_by_name) inputs = defaulted_states(options, *graph);
  for (const auto& pair : options.states) inputs.push_back(pair.second);
  for (const std::string& in : inputs) {
    const auto given = std::find_if(graph->initializers.begin(), graph->initializers.end(),
                                    [&in](const auto& i) { return i.name == in; });
    if (given == graph->initializers.end()) continue;
    model::ValueInfo input;
    input.name = in;
    input.type.kind = model::Type::Kind::tensor;
    input.type.dtype = given->value.dtype();
    input.type.dims.emplace();
    for (const int64_t size : given->value.shape().dims) input.type.dims->push_back({size, {}});
    graph->inputs.push_back(std::move(input));
    values.emplace(in, std::move(given->value));
    graph->initializers.erase(given);
  }
  for (const auto& [in, file] : options.first_values) {
    Result<Constant> loaded = model::load_tensor(file);
    if (loaded) values.insert_or_assign(in, std::move(*loaded));
    else faults.insert(faults.end(), loaded.faults().begin(), loaded.faults().end());
  }
  if (!faults.empty()) return faults;
  return values;
}

Diagnostics keep_first_values(const CompileOptions& options, const std::map<std::string, Constant>& values,
                              program::Program& program) {
  Diagnostics faults;
  for (size_t i = 0; i < program.kept.size(); ++i) {
    program::KeptState& kept = program.kept[i];
    const auto found = values.find(kept.in);
    if (found == values.end()) continue;
    const Constant& first = found->second;
    const TensorType& type = kept.model_type ? *kept.model_type : program[program.states[i]].type;
    const bool reordered = options.nhwc_inputs && type.shape.rank() > 2;
    if (first.type() != type || reordered) {
      faults.push_back({"E209",
                        {.file = options.model_path, .tensor = kept.in},
                        cat("its first values are ", to_string(first.type()), ", the state is ", to_string(type),
                            reordered ? ", its channels last" : ""),
                        "a file of --state OUT=IN:FILE.pb holds one tensor of the state's type and shape"});
      continue;
    }
    kept.first = program::WeightId(program.weights.size());
    const TensorType& own = program[program.states[i]].type;
    program.weights.push_back(
        {kept.in + "_first", own.dtype, own.shape.count(), first.is_absent() ? first.source() : "",
         [first, stored = kept.stored, ring = kept.ring](const std::function<void(std::span<const uint8_t>)>& sink) {
           sink(ring                                 ? program::ring_bytes(*ring, first)
                : stored == program::StateType::none ? first.bytes()
                                                     : program::stored_bytes(first, stored));
         }});
  }
  return faults;
}

Diagnostics keep_states(const CompileOptions& options, const std::string& all_copied, program::Program& program,
                        Diagnostics& warnings) {
  std::vector<std::pair<std::string, std::string>> pairs = options.states, windows;
  Diagnostics faults;
  const std::string names = "name the pairs, --state OUT=IN; inputs: " + join(program.input_names) +
                            "; outputs: " + join(program.output_names);
  if (options.states_by_name) {
    program::StatePairs found = program::pair_states(program, pairs);
    if (found.pairs.empty() && pairs.empty()) {
      const std::string what =
          "--state auto finds no output that is the next run's input by name, element type and shape";
      if (!found.near.empty())
        faults.push_back({"E209", {.file = options.model_path}, cat(what, ": ", join(found.near, "; ")), names});
      else warnings.push_back({"W207", {.file = options.model_path}, what, names});
    } else if (!found.near.empty()) {
      warnings.push_back({"W207",
                          {.file = options.model_path},
                          "--state auto leaves out pairs by name: " + join(found.near, "; "),
                          names});
    }
    windows = found.pairs;
    pairs.insert(pairs.end(), found.pairs.begin(), found.pairs.end());
  }
  const auto notes = program::keep_windows(program, windows);
  // What the caller's memory asks of outputs counts for none of those that will be states alone.
  const bool handed_over = options.caller_io && !runs_by_lines(options) && !options.arena_only;
  std::map<std::string, std::optional<program::NoRing>> moved;  // by the input's name
  std::vector<program::RingState> rings;
  if (!options.states_as_ports) {
    for (const auto& pair : pairs) {
      moved.emplace(pair.second, program::why_no_ring(program, pair));
    }
    if (options.ring_states && (all_copied.empty() || handed_over)) rings = program::ring_windows(program, pairs);
  }
  const auto stored = program::store_states(program, pairs, {options.state_type, options.states_as_ports});
  if (options.states_as_ports) return faults;
  std::set<std::string> alone;
  for (const auto& [out, in] : pairs) {
    const auto is_in = [&name = in](const auto& state) { return state == name; };
    const bool narrowed = std::any_of(stored.begin(), stored.end(), [&](const auto& s) { return is_in(s.first); });
    const bool ring = std::any_of(rings.begin(), rings.end(), [&](const auto& r) { return is_in(r.in); });
    if (handed_over && (narrowed || ring)) alone.insert(out);
  }
  const Diagnostics wrong = program::keep_states(program, pairs, options.model_path, all_copied, alone);
  faults.insert(faults.end(), wrong.begin(), wrong.end());
  std::vector<std::string> inside;
  for (program::KeptState& kept : program.kept) {
    for (const auto& [in, note] : notes) {
      if (in == kept.in) kept.note = note;
    }
    for (const auto& [in, type] : stored) {
      if (in != kept.in) continue;
      kept.stored = options.state_type;
      kept.model_type = type;
      inside.push_back(kept.out);
    }
    for (const program::RingState& state : rings) {
      if (state.in != kept.in) continue;
      kept.stored = program::StateType::ring;
      kept.model_type = state.model;
      kept.ring = state.ring;
      inside.push_back(kept.out);
    }
  }
  for (size_t i = 0; i < program.kept.size(); ++i) {
    const auto no = moved.find(program.kept[i].in);
    if (no != moved.end()) program.kept[i].moves = why_it_moves(options, all_copied, program, i, no->second);
  }
  if (faults.empty() && !inside.empty()) program::drop_outputs(program, inside);
  return faults;
}

lifetimes::BankOptions state_banks(const program::Program& program) {
  constexpr int64_t kBoundless = int64_t{1} << 40;
  lifetimes::BankOptions memory;
  memory.banks = {{"scratch", kBoundless, "", true}, {"states", kBoundless, "", true}};
  for (const program::TensorId id : program.states) memory.pins.emplace_back(program[id].name, "states");
  return memory;
}

}  // namespace tarn
