#include "program/ring_window.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>

#include "program/operands.h"
#include "program/state_step.h"
#include "support/text.h"

namespace tarn::program {

namespace {

using Role = Argument::Role;

constexpr int64_t kRingElement = 4;  // bytes; float32 alone
// Kernels over rows one at a time lose where whole layers work on four at once.
constexpr int64_t kMostNewRows = 3;

// A reader of the rows, in the terms of the ring's kernels.
struct RingReader {
  OperationId operation;
  std::string kernel;    // tarn_conv_ring_f32, tarn_depthwise_ring_f32
  Params line;           // for one line
  int64_t dilation = 1;  // across rows
  int64_t out_lines = 1, out_pixels = 1;
  FieldValue y_line, r_line;
};

struct RingFound {
  Ring ring;
  TensorId out, state, added;
  int64_t added_rows = 1;
  std::vector<OperationId> gone;  // the copies that made window and state; the put stands where the last one stood
  std::vector<RingReader> readers;
};

class RingFinder {
 public:
  RingFinder(const Program& program, TensorId out, TensorId state) : program_(program), out_(out), state_(state) {}

  // Nothing: `no` says why.
  std::optional<RingFound> find(NoRing& no) {
    const auto refuse = [&no](const std::string& why) {
      no.why = why;
      return std::nullopt;
    };
    const Tensor& state = program_[state_];
    const std::vector<OperationId> cuts = writers_of(out_);
    if (cuts.size() != 1 || !is_copy(cuts[0]))
      return refuse("it is read as it stands by " + kernels(readers_of(state_)));
    whole_ = source_operand(program_[cuts[0]]).tensor;
    const std::vector<OperationId> parts = whole_.valid() ? writers_of(whole_) : std::vector<OperationId>{};
    const bool joined = parts.size() == 2 && is_copy(parts[0]) && is_copy(parts[1]);
    const size_t old = joined && source(parts[1]) == state_ ? 1 : 0;
    if (!joined || source(parts[old]) != state_)
      return refuse("it is read as it stands by " + kernels(readers_of(state_)));
    no.window = true;
    if (state.type.dtype != DType::float32)
      return refuse(cat("it is of ", to_string(state.type.dtype), ", not float32"));
    if (readers_of(state_).size() != 1 || is_output(state_)) return refuse("the old one is read beside the window");
    if (!readers_of(out_).empty() || outputs_of(out_) != 1) return refuse("the next one is read beside the window");
    RingFound found{{}, out_, state_, source(parts[1 - old]), 1, {parts[0], parts[1], cuts[0]}, {}};
    if (!found.added.valid() || found.added == state_) return refuse("what is new is a constant or the old one");
    if (!lies_as_steps(parts[old], parts[1 - old], cuts[0])) return refuse("its steps do not follow one another");
    TensorId rows = whole_;
    std::vector<OperationId> readers = readers_of(whole_);
    std::erase(readers, cuts[0]);
    if (outer_ > 1) {
      if (added_ != kRingElement) return refuse("more than one row is new in each run, and rows are columns");
      if (readers.size() != 1 || !is_transpose(readers[0]))
        return refuse("it is read as it stands by " + kernels(readers));
      found.gone.push_back(readers[0]);
      rows = written_by(program_[readers[0]]);
      readers = readers_of(rows);
    }
    if (is_output(rows) || is_output(whole_)) return refuse("the window is an output too");
    if (!set_rows(found.ring, rows, readers)) return refuse("it is read, not by rows, by " + kernels(readers));
    found.added_rows = added_ * outer_ / kRingElement / found.ring.row;
    if (found.added_rows * found.ring.row * kRingElement != added_ * outer_)
      return refuse("what is new is no whole number of rows");
    if (found.added_rows > kMostNewRows) return refuse(cat(found.added_rows, " rows are new in each run"));
    for (const OperationId reader : readers) {
      std::optional<RingReader> taken = take(reader, rows, found.ring);
      if (!taken) return refuse("it is read, not by rows, by " + kernels({reader}));
      found.readers.push_back(std::move(*taken));
    }
    found.ring.columns = outer_ > 1;
    return found;
  }

 private:
  template <class Take>
  std::vector<OperationId> operations(Take take) const {
    std::vector<OperationId> all;
    for (size_t i = 0; i < program_.operations.size(); ++i) {
      const std::vector<Argument>& arguments = program_.operations[i].arguments;
      if (std::any_of(arguments.begin(), arguments.end(), take)) all.emplace_back(i);
    }
    return all;
  }
  std::vector<OperationId> writers_of(TensorId id) const {
    return operations([id](const Argument& a) { return a.tensor == id && a.role != Role::read; });
  }
  std::vector<OperationId> readers_of(TensorId id) const {
    return operations([id](const Argument& a) { return a.tensor == id && a.role != Role::write; });
  }
  int64_t outputs_of(TensorId id) const { return std::count(program_.outputs.begin(), program_.outputs.end(), id); }
  bool is_output(TensorId id) const { return outputs_of(id) > 0; }
  bool is_in_main(OperationId id) const {
    return std::find(program_.main.begin(), program_.main.end(), id) != program_.main.end();
  }
  TensorId source(OperationId copy) const { return source_operand(program_[copy]).tensor; }
  std::string kernels(const std::vector<OperationId>& all) const {
    std::set<std::string> names;
    gather_kernels(all, names);
    return names.empty() ? "nothing" : join(std::vector<std::string>(names.begin(), names.end()));
  }
  // Through views, which move nothing.
  void gather_kernels(const std::vector<OperationId>& all, std::set<std::string>& names, int depth = 0) const {
    for (const OperationId id : all) {
      const Operation& o = program_[id];
      const bool views = o.view && o.arguments.size() == 2 && source_operand(o).tensor == o.view->whole && depth < 8;
      if (views && o.view->part != out_) gather_kernels(readers_of(o.view->part), names, depth + 1);
      else names.insert(o.kernel.empty() ? "a branch or loop" : o.kernel);
    }
  }
  bool is_copy(OperationId id) const {
    const Operation& o = program_[id];
    return o.kernel == "tarn_copy" && o.arguments.size() == 2 && o.params.fields.size() == 6 && is_in_main(id);
  }
  std::optional<int64_t> field(OperationId id, const std::string& name) const {
    for (size_t i = 0; i < program_[id].params.fields.size(); ++i) {
      if (program_[id].params.fields[i].name == name) return dense_number(program_, program_[id], i);
    }
    return {};
  }
  bool has(OperationId id, const std::vector<std::pair<const char*, int64_t>>& values) const {
    return std::all_of(values.begin(), values.end(), [&](const auto& v) { return field(id, v.first) == v.second; });
  }

  // outer_ runs of kept_ bytes of the state and added_ new ones make the whole, whose last ones are the next state.
  bool lies_as_steps(OperationId old, OperationId fresh, OperationId cut) {
    const int64_t all = program_[whole_].bytes(), kept = program_[state_].bytes();
    outer_ = field(cut, "outer").value_or(0);
    if (outer_ < 1 || kept < 1 || all <= kept || all % outer_ != 0 || kept % outer_ != 0) return false;
    kept_ = kept / outer_;
    added_ = (all - kept) / outer_;
    const auto runs = [&](OperationId id, int64_t inner, int64_t x_pitch, int64_t y_pitch, int64_t x, int64_t y) {
      if (!has(id, {{"outer", outer_}, {"inner", inner}, {"x_offset", x}, {"y_offset", y}})) return false;
      return outer_ == 1 || has(id, {{"x_pitch", x_pitch}, {"y_pitch", y_pitch}});
    };
    return runs(old, kept_, kept_, kept_ + added_, 0, 0) && runs(fresh, added_, added_, kept_ + added_, 0, kept_) &&
           runs(cut, kept_, kept_ + added_, kept_, added_, 0);
  }
  bool is_transpose(OperationId id) const {
    return program_[id].kernel == "tarn_transpose_b4" && is_in_main(id) &&
           has(id, {{"matrices", 1}, {"rows", outer_}, {"columns", (kept_ + added_) / kRingElement}}) &&
           writers_of(written_by(program_[id])).size() == 1;
  }

  // As many rows as the first reader sees.
  bool set_rows(Ring& ring, TensorId rows, const std::vector<OperationId>& readers) const {
    if (readers.empty()) return false;
    const Operation& first = program_[readers[0]];
    const int64_t count = program_[rows].type.shape.count();
    const Geometry& g = program_[rows].geometry;
    ring.row = outer_ > 1 || g.lines == 1 ? g.channels : g.pixels * g.channels;
    if (outer_ > 1) ring.row = outer_;
    else if (first.kernel == "tarn_dense_f32") ring.row = added_ / kRingElement;
    ring.rows = ring.row > 0 ? count / ring.row : 0;
    return ring.rows > 1 && ring.rows * ring.row == count;
  }

  std::optional<RingReader> take(OperationId id, TensorId rows, const Ring& ring) const {
    const Operation& o = program_[id];
    if (!is_in_main(id) || o.arguments.size() < 5 || source_operand(o).tensor != rows) return {};
    for (size_t i = 1; i < o.arguments.size(); ++i) {
      if (o.arguments[i].tensor == rows) return {};
    }
    if (o.kernel == "tarn_dense_f32") return take_dense(id, ring);
    const bool depthwise = o.kernel == "tarn_depthwise2d_f32";
    if (!depthwise && o.kernel != "tarn_conv2d_f32") return {};
    if (!has(id, {{"images", 1}, {"stride", 1}, {"pad", 0}})) return {};
    RingReader r{id, depthwise ? "tarn_depthwise_ring_f32" : "tarn_conv_ring_f32", {}, 1, 1, 1, {}, {}};
    Params params = o.params;
    r.line = std::get<Params>(params["line"]);
    r.line.type.clear();
    const auto line = [&r](const char* name) { return std::get<int64_t>(r.line[name]); };
    const int64_t channels = depthwise ? line("channels") : line("groups") * line("inputs");
    int64_t taken = 0;
    if (field(id, "in_lines") == 1 && line("rows") == 1 && line("in_pixels") == ring.rows && channels == ring.row) {
      // The rows are pixels of the only line, here lines of a pixel.
      if (line("stride") != 1 || line("pad") != 0) return {};
      r.dilation = line("dilation");
      r.out_lines = field(id, "out_pixels").value_or(0);
      r.y_line = r.line["y_pitch"];
      r.r_line = r.line["r_pitch"];
      std::swap(r.line["rows"], r.line["taps"]);
      r.line["in_pixels"] = r.line["dilation"] = int64_t{1};
      r.line["x_pitch"] = channels;
      taken = line("rows");
    } else if (field(id, "in_lines") == ring.rows && line("in_pixels") * channels == ring.row) {
      r.dilation = field(id, "dilation").value_or(0);
      r.out_lines = field(id, "out_lines").value_or(0);
      r.out_pixels = field(id, "out_pixels").value_or(0);
      r.y_line = params["y_line"];
      r.r_line = params["r_line"];
      r.line["x_pitch"] = channels;
      taken = line("rows");
    } else {
      return {};
    }
    if (r.out_lines < 1 || (taken - 1) * r.dilation + r.out_lines != ring.rows) return {};
    return r;
  }
  // A product with all of the window.
  std::optional<RingReader> take_dense(OperationId id, const Ring& ring) const {
    const Operation& o = program_[id];
    if (!has(id, {{"pixels", 1}, {"inputs", ring.rows * ring.row}})) return {};
    Params params = o.params;
    RingReader r{id, "tarn_conv_ring_f32", {}, 1, 1, 1, params["y_pitch"], params["r_pitch"]};
    r.line.fields = {{"rows", ring.rows},
                     {"taps", int64_t{1}},
                     {"dilation", int64_t{1}},
                     {"stride", int64_t{1}},
                     {"pad", int64_t{0}},
                     {"in_pixels", int64_t{1}},
                     {"groups", int64_t{1}},
                     {"inputs", ring.row},
                     {"outputs", params["outputs"]},
                     {"x_pitch", ring.row},
                     {"y_pitch", params["y_pitch"]},
                     {"r_pitch", params["r_pitch"]},
                     {"lo", params["lo"]},
                     {"hi", params["hi"]}};
    return r;
  }

  const Program& program_;
  const TensorId out_, state_;
  TensorId whole_;
  int64_t outer_ = 1, kept_ = 0, added_ = 0;  // bytes
};

Params params_of_ring(const Ring& ring) { return {"", {{"rows", ring.rows}, {"row", ring.row}}}; }

void read_ring(Program& program, const RingFound& found, const RingReader& reader) {
  Operation& o = program[reader.operation];
  o.kernel = reader.kernel;
  o.note = "rows of a window that is a ring";
  o.params = {reader.kernel + "_params",
              {{"line", reader.line},
               {"ring", params_of_ring(found.ring)},
               {"dilation", reader.dilation},
               {"out_lines", reader.out_lines},
               {"out_pixels", reader.out_pixels},
               {"y_line", reader.y_line},
               {"r_line", reader.r_line}}};
  o.line_form.reset();
  source_operand(o) = operand(Role::read, found.state);
  for (Argument& a : o.arguments) a.walk.reset();
  if (o.arguments.back().role != Role::lines) {
    o.arguments.push_back(operand(Role::lines, {}));
    o.arguments.back().c_type = "float";
  }
  Params line = reader.line;
  o.arguments.back().count = std::get<int64_t>(line["rows"]);
}

void turn_into_ring(Program& program, const RingFound& found) {
  const Ring& ring = found.ring;
  const int64_t count = 1 + ring.rows * ring.row;
  program[found.state].type = {DType::float32, Shape{count}};
  program[found.state].geometry = {1, 1, count};
  Operation put =
      state_step(program, "tarn_ring_put_f32",
                 {"tarn_ring_put_f32_params", {{"ring", params_of_ring(ring)}, {"added", found.added_rows}}},
                 found.added, found.state, "new rows take the places of the oldest ones: nothing moves");
  put.arguments.back().role = Role::update;
  std::vector<OperationId> main;
  size_t copies = 2;  // that made the window
  for (const OperationId id : program.main) {
    const auto gone = std::find(found.gone.begin(), found.gone.end(), id);
    if (gone == found.gone.end()) {
      main.push_back(id);
      continue;
    }
    if (gone - found.gone.begin() < 2 && --copies == 0) main.push_back(OperationId(program.operations.size()));
    Operation& operation = program[id];
    operation.view.reset();
    operation.line_form.reset();
    operation.arguments.clear();
  }
  program.operations.push_back(std::move(put));
  program.main = std::move(main);
  for (const RingReader& reader : found.readers) read_ring(program, found, reader);
  program[found.out].kind = Kind::activation;
  std::replace(program.outputs.begin(), program.outputs.end(), found.out, found.state);
}

std::optional<RingFound> find_ring(const Program& program, const std::pair<std::string, std::string>& pair,
                                   NoRing& no) {
  const auto o = std::find(program.output_names.begin(), program.output_names.end(), pair.first);
  const auto i = std::find(program.input_names.begin(), program.input_names.end(), pair.second);
  if (o == program.output_names.end() || i == program.input_names.end()) return {};
  const TensorId out = program.outputs[static_cast<size_t>(o - program.output_names.begin())];
  const TensorId state = program.inputs[static_cast<size_t>(i - program.input_names.begin())];
  if (!program[out].runtime.empty() || program[out].type != program[state].type) return {};
  return RingFinder(program, out, state).find(no);
}

}  // namespace

std::vector<RingState> ring_windows(Program& program, const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::vector<RingState> rings;
  for (const auto& pair : pairs) {
    NoRing no;
    const std::optional<RingFound> found = find_ring(program, pair, no);
    if (!found) continue;
    rings.push_back({pair.first, pair.second, program[found->state].type, found->ring});
    turn_into_ring(program, *found);
  }
  return rings;
}

std::optional<NoRing> why_no_ring(const Program& program, const std::pair<std::string, std::string>& pair) {
  NoRing no;
  if (find_ring(program, pair, no)) return {};
  return no;
}

std::vector<uint8_t> ring_bytes(const Ring& ring, const Constant& values) {
  const std::vector<uint8_t> bytes = values.bytes();
  const auto row = static_cast<size_t>(ring.row), all = static_cast<size_t>(ring.rows);
  const size_t kept = bytes.size() / kRingElement / row;
  std::vector<uint8_t> made(kRingElement * (1 + all * row), 0);
  for (size_t r = 0; r < kept; ++r) {
    for (size_t c = 0; c < row; ++c) {
      const size_t from = ring.columns ? c * kept + r : r * row + c, to = 1 + (r + all - kept) * row + c;
      std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(kRingElement * from), kRingElement,
                  made.begin() + static_cast<std::ptrdiff_t>(kRingElement * to));
    }
  }
  return made;
}

std::vector<uint8_t> bytes_of_ring(const Ring& ring, const TensorType& model, std::span<const uint8_t> bytes) {
  const auto row = static_cast<size_t>(ring.row), all = static_cast<size_t>(ring.rows);
  const auto size = static_cast<size_t>(model.bytes());
  const size_t kept = size / kRingElement / row;
  std::vector<uint8_t> made(size, 0);
  if (bytes.size() != kRingElement * (1 + all * row)) return made;
  float first = 0;
  std::memcpy(&first, bytes.data(), sizeof first);
  const size_t oldest = first >= 0 && first < static_cast<float>(all) ? static_cast<size_t>(first) : 0;
  for (size_t r = 0; r < kept; ++r) {
    for (size_t c = 0; c < row; ++c) {
      const size_t from = 1 + (oldest + all - kept + r) % all * row + c, to = ring.columns ? c * kept + r : r * row + c;
      std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(kRingElement * from), kRingElement,
                  made.begin() + static_cast<std::ptrdiff_t>(kRingElement * to));
    }
  }
  return made;
}

}  // namespace tarn::program
