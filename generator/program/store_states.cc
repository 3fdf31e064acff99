#include "program/store_states.h"

#include <algorithm>

#include "program/blocks.h"
#include "program/operands.h"
#include "program/state_step.h"
#include "support/text.h"

namespace tarn::program {

namespace {

using Role = Argument::Role;

class Store {
 public:
  Store(Program& program, const StoreOptions& options) : program_(program), options_(options) {}

  // False: the state keeps its type.
  bool take(size_t output, size_t input) {
    const TensorId in = program_.inputs[input];
    TensorId out = program_.outputs[output];
    const auto twin = std::find_if(states_.begin(), states_.end(), [&](const State& s) { return s.output == output; });
    if (twin != states_.end()) out = twin->out;
    const TensorType type = program_[in].type;
    if (type.dtype != DType::float32 || program_[out].type != type || type.shape.count() == 0 ||
        !program_[out].runtime.empty() || !program_[in].runtime.empty() || (out == in && twin == states_.end()))
      return false;
    State s{output, in, out, {}, {}, {}, {}, type.shape, state_columns(type.shape), false};
    const std::string name = options_.as_ports ? "_stored" : "";
    s.before = new_stored(s, program_[in].name + name);
    s.old = rename(in, "_values");
    program_.inputs[input] = options_.as_ports ? in : s.before;
    program_[s.before].kind = options_.as_ports ? Kind::activation : Kind::input;
    if (twin != states_.end()) {
      s.after = twin->after;
    } else {
      s.after = new_stored(s, program_[out].name + name);
      s.made = rename(out, "_values");
      program_.outputs[output] = options_.as_ports ? out : s.after;
      program_[s.after].kind = options_.as_ports ? Kind::activation : Kind::output;
      s.narrowed = !scatters(s);
    }
    // The stored forms have the names now.
    if (!options_.as_ports) program_[in].name += "_port";
    if (!options_.as_ports && twin == states_.end()) program_[out].name += "_port";
    for (const TensorId own : {s.old, s.made}) {
      if (own.valid() && contains(program_.outputs, own)) program_[own].kind = Kind::output;
    }
    states_.push_back(std::move(s));
    return true;
  }

  // Once all are taken: attention may read two of them.
  void finish() {
    for (const State& s : states_) {
      attend(s, s.old, s.before);
      if (s.made.valid()) attend(s, s.made, s.after);
    }
    take_pairs();
    for (const State& s : states_) {
      drop_views(s.old);
      if (s.made.valid()) drop_views(s.made);
    }
    for (const State& s : states_) {
      if (s.made.valid() && s.narrowed) insert(after_writers(s.made), encode(s, s.made, s.after));
      else if (s.made.valid() && is_read(s.made)) insert(after_writers(s.after), decode(s, s.after, s.made));
      if (is_read(s.old)) insert(0, decode(s, s.before, s.old));
    }
    if (!options_.as_ports) return;
    for (const State& s : states_) {
      insert(0, encode(s, s.in, s.before));
      if (s.made.valid()) program_.main.push_back(add(decode(s, s.after, s.out)));
    }
  }

 private:
  struct State {
    size_t output;       // position
    TensorId in, out;    // the ports as they were
    TensorId old, made;  // what the run works with in their place; made: none where another state's is this one's too
    TensorId before, after;  // the stored forms
    Shape shape;
    int64_t columns = 1;
    bool narrowed = false;  // a step makes the stored form of what the run made
  };

  bool f16() const { return options_.type == StateType::f16; }
  static bool contains(const std::vector<TensorId>& list, TensorId id) {
    return std::find(list.begin(), list.end(), id) != list.end();
  }

  TensorId new_tensor(const std::string& name, TensorType type, Geometry geometry) {
    Tensor tensor;
    tensor.name = name;
    tensor.type = std::move(type);
    tensor.geometry = geometry;
    program_.tensors.push_back(std::move(tensor));
    return TensorId(program_.tensors.size() - 1);
  }
  TensorId new_stored(const State& s, const std::string& name) {
    if (f16()) return new_tensor(name, {DType::float16, s.shape}, {1, 1, s.shape.count()});
    const int64_t bytes = s.columns + s.shape.count();
    return new_tensor(name, {DType::int8, Shape{bytes}}, {1, 1, bytes});
  }

  // A tensor of the run that takes the place of a port in all that reads or writes it.
  TensorId rename(TensorId port, const std::string& ending) {
    const Tensor tensor = program_[port];
    const TensorId own = new_tensor(tensor.name + ending, tensor.type, tensor.geometry);
    for (Operation& operation : program_.operations) {
      for (Argument& a : operation.arguments) {
        if (a.tensor == port) a.tensor = own;
      }
      if (!operation.view) continue;
      if (operation.view->part == port) operation.view->part = own;
      if (operation.view->whole == port) operation.view->whole = own;
    }
    std::replace(program_.outputs.begin(), program_.outputs.end(), port, own);
    return own;
  }

  OperationId add(Operation operation) {
    program_.operations.push_back(std::move(operation));
    return OperationId(program_.operations.size() - 1);
  }
  void insert(size_t at, Operation operation) {
    const OperationId id = add(std::move(operation));
    program_.main.insert(program_.main.begin() + static_cast<std::ptrdiff_t>(at), id);
  }

  // Behind the last operation of main that writes the tensor, or one inside it.
  size_t after_writers(TensorId tensor) const {
    size_t after = 0;
    for (size_t i = 0; i < program_.main.size(); ++i) {
      visit_arguments(program_, program_.main[i], [&](OperationId, const Argument& a) {
        if (a.tensor == tensor && a.role != Role::read) after = i + 1;
      });
    }
    return after;
  }
  bool is_read(TensorId tensor) const {
    const auto reads = [&](const Operation& operation) {
      const bool argument = std::any_of(operation.arguments.begin(), operation.arguments.end(),
                                        [&](const Argument& a) { return a.tensor == tensor && a.role != Role::write; });
      return argument || (operation.view && operation.view->whole == tensor);
    };
    if (std::find(program_.outputs.begin(), program_.outputs.end(), tensor) != program_.outputs.end()) return true;
    return std::any_of(program_.operations.begin(), program_.operations.end(), reads);
  }

  Operation between(const std::string& kernel, Params params, TensorId from, TensorId to) {
    return state_step(program_, kernel, std::move(params), from, to);
  }
  Params cast_params(int64_t count) const {
    return {"tarn_cast_params",
            {{"outer", int64_t{1}},
             {"inner", count},
             {"x_pitch", int64_t{0}},
             {"y_pitch", int64_t{0}},
             {"saturate", int64_t{1}},
             {"round", int64_t{1}}}};
  }
  static Params state_params(const State& s, const std::string& type) {
    return {type, {{"columns", s.columns}, {"count", s.shape.count()}}};
  }
  Operation encode(const State& s, TensorId from, TensorId to) {
    if (f16()) return between("tarn_cast_f32_f16", cast_params(s.shape.count()), from, to);
    return between("tarn_state_encode", state_params(s, "tarn_state_params"), from, to);
  }
  Operation decode(const State& s, TensorId from, TensorId to) {
    if (f16()) return between("tarn_cast_f16_f32", cast_params(s.shape.count()), from, to);
    return between("tarn_state_decode", state_params(s, "tarn_state_params"), from, to);
  }

  // ScatterND of slices into the old state, which is the new one: from stored form to stored form.
  bool scatters(const State& s) {
    const TensorId old = s.old, made = s.made;
    const auto is_scatter = [&](Operation& o) {
      if (o.kernel != "tarn_scatter_nd_b4" || o.arguments.size() != 4) return false;
      const auto [data, indices, updates, written] = scatter_operands(o);
      return data.tensor == old && written.tensor == made && indices.tensor != old && updates.tensor != old;
    };
    size_t at = 0;
    while (at < program_.main.size() && !is_scatter(program_[program_.main[at]])) ++at;
    if (at == program_.main.size()) return false;
    int writers = 0;  // of the new one
    for (const Operation& operation : program_.operations) {
      for (const Argument& a : operation.arguments) writers += a.tensor == made && a.role != Role::read ? 1 : 0;
    }
    if (writers != 1) return false;
    const OperationId id = program_.main[at];
    const auto [from, indices, updates, written] = scatter_operands(program_[id]);
    from.tensor = s.before;
    written.tensor = s.after;
    from.walk.emplace();
    from.walk->identity = from.walk->read_before_write = true;
    if (!f16()) {
      Operation& operation = program_[id];
      operation.kernel = "tarn_state_scatter_nd";
      Params params{"tarn_state_scatter_nd_params", {{"at", operation.params}}};
      params.fields.push_back({"state", state_params(s, "")});
      operation.params = std::move(params);
      return true;
    }
    const int64_t count =
        updates.tensor.valid() ? program_[updates.tensor].type.shape.count() : program_[updates.weight].count;
    const TensorId narrow = new_tensor(program_[made].name + "_update", {DType::float16, Shape{count}}, {1, 1, count});
    Operation cast = between("tarn_cast_f32_f16", cast_params(count), s.before, narrow);
    source_operand(cast) = updates;
    updates = operand(Role::read, narrow);
    program_[id].kernel = "tarn_scatter_nd_b2";
    insert(at, std::move(cast));
    return true;
  }

  // Is `part` all of `whole` under another shape?
  bool is_reshaped(TensorId part, TensorId whole) const {
    if (part == whole) return true;
    for (const Operation& operation : program_.operations) {
      if (!operation.view || operation.view->part != part || operation.view->offset != 0 || operation.view->columns)
        continue;
      const TensorId next = operation.view->whole;
      const bool from_whole = !operation.arguments.empty() && source_operand(operation).tensor == next;
      if (from_whole && program_[next].geometry.count() == program_[part].geometry.count() && is_reshaped(next, whole))
        return true;
    }
    return false;
  }

  // Attention whose keys or values are the state reads it as it is stored, once both are.
  void attend(const State& s, TensorId tensor, TensorId stored) {
    for (const OperationId id : program_.main) {
      Operation& operation = program_[id];
      if (operation.kernel != "tarn_attention_f32") continue;
      for (const size_t at : {size_t{1}, size_t{2}}) {
        const TensorId id_of = operation.arguments[at].tensor;
        if (!id_of.valid() || !is_reshaped(id_of, tensor)) continue;
        if (columns_fit(operation, at, s.columns)) waiting_.push_back({id, at, stored, s.columns});
      }
    }
  }
  std::string kept_kernel() const { return f16() ? "tarn_attention_kept_w16" : "tarn_attention_kept_w8"; }

  static int64_t number(const FieldValue& value, int64_t channels) {
    if (const auto* pitch = std::get_if<Pitch>(&value)) return pitch->scale * channels + pitch->plus;
    return std::get<int64_t>(value);
  }
  static Params& steps_of(Operation& operation, size_t at) {
    const std::string name = at == 1 ? "k" : "v";
    const auto field = std::find_if(operation.params.fields.begin(), operation.params.fields.end(),
                                    [&](const Field& f) { return f.name == name; });
    return std::get<Params>(field->value);
  }
  // One key and the next have the same columns.
  bool columns_fit(Operation& operation, size_t at, int64_t columns) const {
    const int64_t channels = program_[operation.arguments[at].tensor].geometry.channels;
    for (const Field& field : steps_of(operation, at).fields) {
      if (field.name == "row" && !f16() && number(field.value, channels) % columns != 0) return false;
    }
    return true;
  }

  struct Waiting {
    OperationId operation;
    size_t argument;
    TensorId stored;
    int64_t columns;
  };
  // Those of which keys and values are both stored.
  void take_pairs() {
    for (size_t k = 0; k < waiting_.size(); ++k) {
      for (size_t v = 0; v < waiting_.size(); ++v) {
        if (waiting_[k].operation != waiting_[v].operation || waiting_[k].argument != 1 || waiting_[v].argument != 2)
          continue;
        read_stored(waiting_[k], waiting_[v]);
        const OperationId done = waiting_[k].operation;
        std::erase_if(waiting_, [&](const Waiting& w) { return w.operation == done; });
        return take_pairs();
      }
    }
  }
  void read_stored(const Waiting& k, const Waiting& v) {
    Operation& operation = program_[k.operation];
    for (const Waiting& w : {k, v}) {
      Argument& argument = operation.arguments[w.argument];
      const int64_t channels = program_[argument.tensor].geometry.channels;
      for (Field& field : steps_of(operation, w.argument).fields) field.value = number(field.value, channels);
      argument = operand(Role::read, w.stored);
      argument.c_type = "void";
    }
    Params params{"tarn_attention_kept_f32_params", {{"attention", std::move(operation.params)}}};
    params.fields.push_back({"k_columns", f16() ? int64_t{0} : k.columns});
    params.fields.push_back({"v_columns", f16() ? int64_t{0} : v.columns});
    int64_t size = 0;
    for (const Field& field : std::get<Params>(params["attention"]).fields) {
      if (field.name == "size") size = std::get<int64_t>(field.value);
    }
    operation.params = std::move(params);
    operation.kernel = kept_kernel();
    // The query with the scales of the keys, behind the scores.
    Tensor& scratch = program_[scratch_operand(operation).tensor];
    const int64_t count = scratch.type.shape.count() + size;
    scratch.type.shape = Shape{count};
    scratch.geometry = {1, 1, count};
  }

  // Views of a tensor that nobody reads any more.
  void drop_views(TensorId tensor) {
    for (bool again = true; again;) {
      again = false;
      for (size_t i = 0; i < program_.main.size(); ++i) {
        const Operation& operation = program_[program_.main[i]];
        if (!operation.view || operation.arguments.size() != 2 ||
            source_operand(operation).tensor != operation.view->whole)
          continue;
        const TensorId part = operation.view->part;
        if (!is_reshaped(part, tensor) || part == tensor || is_used(part, program_.main[i])) continue;
        Operation& gone = program_[program_.main[i]];
        gone.view.reset();
        gone.arguments.clear();
        program_.main.erase(program_.main.begin() + static_cast<std::ptrdiff_t>(i));
        again = true;
        break;
      }
    }
  }
  bool is_used(TensorId tensor, OperationId besides) const {
    if (std::find(program_.outputs.begin(), program_.outputs.end(), tensor) != program_.outputs.end()) return true;
    // What its stored form will be made of: one state moves on to another.
    if (std::any_of(states_.begin(), states_.end(), [&](const State& s) { return s.narrowed && s.made == tensor; }))
      return true;
    for (size_t i = 0; i < program_.operations.size(); ++i) {
      if (OperationId(i) == besides) continue;
      const Operation& operation = program_.operations[i];
      for (const Argument& a : operation.arguments) {
        if (a.tensor == tensor) return true;
      }
      if (operation.view && (operation.view->whole == tensor || operation.view->part == tensor)) return true;
    }
    return false;
  }

  Program& program_;
  const StoreOptions options_;
  std::vector<State> states_;
  std::vector<Waiting> waiting_;
};

}  // namespace

std::vector<std::pair<std::string, TensorType>> store_states(
    Program& program, const std::vector<std::pair<std::string, std::string>>& pairs, const StoreOptions& options) {
  std::vector<std::pair<std::string, TensorType>> stored;
  if (options.type == StateType::none) return stored;
  Store store(program, options);
  for (const auto& [out, in] : pairs) {
    const auto o = std::find(program.output_names.begin(), program.output_names.end(), out);
    const auto i = std::find(program.input_names.begin(), program.input_names.end(), in);
    if (o == program.output_names.end() || i == program.input_names.end()) continue;
    const auto input = static_cast<size_t>(i - program.input_names.begin());
    const TensorType type = program[program.inputs[input]].type;
    if (store.take(static_cast<size_t>(o - program.output_names.begin()), input)) stored.emplace_back(in, type);
  }
  store.finish();
  return stored;
}

}  // namespace tarn::program
