#include "program/shift_window.h"

#include <algorithm>
#include <optional>
#include <set>

#include "program/operands.h"
#include "program/state_step.h"
#include "support/text.h"

namespace tarn::program {

namespace {

using Role = Argument::Role;

// Windows of more runs, or parts, are left as they are.
constexpr size_t kMostRuns = size_t{1} << 16, kMostPieces = 8;

// Bytes that stand together in their source and in the target.
struct Run {
  size_t source = 0;  // position in Sources
  int64_t from = 0, to = 0, bytes = 0;
};

// Equal runs at regular distances.
struct Piece {
  size_t source = 0;
  int64_t outer = 1, bytes = 0, from_pitch = 0, to_pitch = 0, from = 0, to = 0;
  int64_t all() const { return outer * bytes; }
};

class Window {
 public:
  Window(const Program& program, TensorId out, TensorId state) : program_(program), out_(out), state_(state) {}

  // The parts of `out`, if at least one of them is the old state's.
  std::optional<std::vector<Piece>> pieces() {
    std::optional<std::vector<Run>> runs = runs_into(out_, 0);
    if (!runs || !std::any_of(runs->begin(), runs->end(), [&](const Run& r) { return is_state(r.source); })) return {};
    int64_t filled = 0;
    for (const Run& run : *runs) {
      if (run.to != filled) return {};
      filled += run.bytes;
    }
    if (filled != program_[out_].bytes()) return {};
    return grouped(*runs);
  }

  bool is_state(size_t source) const { return sources_[source].tensor == state_; }
  const Argument& source(size_t at) const { return sources_[at]; }
  const std::vector<size_t>& writers() const { return writers_; }  // of `out`, positions in main
  const std::set<TensorId>& between() const { return between_; }   // what was looked through

 private:
  struct Writer {
    size_t at;  // position in main
    OperationId operation;
  };

  // The copies that make a tensor. None: something else does, or it is inside a branch or loop.
  std::vector<Writer> copies_into(TensorId tensor) const {
    std::vector<Writer> found;
    size_t writers = 0;
    for (const Operation& operation : program_.operations) {
      for (const Argument& a : operation.arguments) writers += a.tensor == tensor && a.role != Role::read ? 1 : 0;
    }
    for (size_t i = 0; i < program_.main.size(); ++i) {
      const Operation& operation = program_[program_.main[i]];
      if (operation.kernel != "tarn_copy" || operation.arguments.size() != 2 || operation.params.fields.size() != 6 ||
          written_by(operation) != tensor)
        continue;
      found.push_back({i, program_.main[i]});
    }
    return found.size() == writers ? found : std::vector<Writer>{};
  }

  // What a step at `end` reads of the tensor is what a later one reads there.
  bool settled(TensorId tensor, size_t end) const {
    return std::none_of(program_.main.begin() + static_cast<std::ptrdiff_t>(end), program_.main.end(),
                        [&](OperationId id) { return writes(program_, id, tensor); });
  }

  std::optional<std::vector<Run>> runs_of(const Operation& copy) {
    int64_t values[6];  // of tarn_copy_params: outer, inner, x_pitch, y_pitch, x_offset, y_offset
    for (size_t field = 0; field < 6; ++field) {
      const std::optional<int64_t> value = dense_number(program_, copy, field);
      if (!value) return {};
      values[field] = *value;
    }
    if (values[0] > static_cast<int64_t>(kMostRuns)) return {};
    sources_.push_back(source_operand(copy));
    std::vector<Run> runs;
    for (int64_t o = 0; o < values[0]; ++o)
      runs.push_back({sources_.size() - 1, values[4] + o * values[2], values[5] + o * values[3], values[1]});
    return runs;
  }

  // Upwards. Through copies that lead to the state.
  std::optional<std::vector<Run>> runs_into(TensorId tensor, int depth) {
    constexpr int kDeepest = 8;
    const std::vector<Writer> writers = copies_into(tensor);
    if (writers.empty() || depth > kDeepest) return {};
    std::vector<Run> all;
    for (const Writer& writer : writers) {
      const Operation& copy = program_[writer.operation];
      const TensorId from = source_operand(copy).tensor;
      if (from.valid() && !settled(from, writer.at)) return {};
      if (depth == 0) writers_.push_back(writer.at);
      std::optional<std::vector<Run>> runs = runs_of(copy);
      if (!runs) return {};
      if (from.valid() && from != state_) through(from, depth, *runs);
      all.insert(all.end(), runs->begin(), runs->end());
      if (all.size() > kMostRuns) return {};
    }
    std::sort(all.begin(), all.end(), [](const Run& a, const Run& b) { return a.to < b.to; });
    return joined(all);
  }

  // The runs out of a copy of the state are runs out of the state.
  void through(TensorId copied, int depth, std::vector<Run>& runs) {
    const size_t before = sources_.size();
    const std::optional<std::vector<Run>> into = runs_into(copied, depth + 1);
    std::vector<Run> found;
    if (into && std::any_of(into->begin(), into->end(), [&](const Run& r) { return is_state(r.source); })) {
      for (const Run& run : runs) {
        int64_t at = run.from;
        auto next = std::upper_bound(into->begin(), into->end(), at, [](int64_t a, const Run& r) { return a < r.to; });
        if (next != into->begin()) --next;
        for (; next != into->end() && at < run.from + run.bytes && next->to <= at && at < next->to + next->bytes;
             ++next) {
          const int64_t bytes = std::min(run.from + run.bytes, next->to + next->bytes) - at;
          found.push_back({next->source, next->from + at - next->to, run.to + at - run.from, bytes});
          at += bytes;
        }
        if (at < run.from + run.bytes || found.size() > kMostRuns) {
          found.clear();
          break;
        }
      }
    }
    if (found.empty()) {
      sources_.resize(before);
      return;
    }
    between_.insert(copied);
    runs = std::move(found);
  }

  bool same_source(size_t a, size_t b) const {
    return sources_[a].tensor == sources_[b].tensor && sources_[a].weight == sources_[b].weight;
  }

  std::vector<Run> joined(const std::vector<Run>& runs) const {
    std::vector<Run> all;
    for (const Run& run : runs) {
      if (!all.empty() && same_source(all.back().source, run.source) &&
          all.back().from + all.back().bytes == run.from && all.back().to + all.back().bytes == run.to)
        all.back().bytes += run.bytes;
      else all.push_back(run);
    }
    return all;
  }

  // Runs of one source and size, as long as they are evenly apart.
  std::optional<std::vector<Piece>> grouped(const std::vector<Run>& runs) const {
    std::vector<Piece> pieces;
    std::vector<bool> taken(runs.size(), false);
    for (size_t first = 0; first < runs.size(); ++first) {
      if (taken[first]) continue;
      if (pieces.size() == kMostPieces) return {};
      const Run& r = runs[first];
      Piece piece{r.source, 1, r.bytes, r.bytes, r.bytes, r.from, r.to};
      for (size_t next = first + 1; next < runs.size(); ++next) {
        const Run& n = runs[next];
        if (taken[next] || n.bytes != r.bytes || !same_source(n.source, r.source)) continue;
        if (is_state(r.source) && n.from - n.to != r.from - r.to) continue;
        if (piece.outer == 1) {
          if (n.from - r.from < r.bytes) continue;
          piece.from_pitch = n.from - r.from;
          piece.to_pitch = n.to - r.to;
        } else if (n.from != r.from + piece.outer * piece.from_pitch || n.to != r.to + piece.outer * piece.to_pitch) {
          continue;
        }
        ++piece.outer;
        taken[next] = true;
      }
      pieces.push_back(piece);
    }
    return pieces;
  }

  const Program& program_;
  const TensorId out_, state_;
  std::vector<Argument> sources_;
  std::vector<size_t> writers_;
  std::set<TensorId> between_;
};

// What is copied is a tensor or a constant.
Argument plain(Argument argument) {
  argument.walk.reset();
  argument.pitched = false;
  return argument;
}

Operation shift(const Program& program, TensorId from, const Piece& kept, const Argument& added, const Piece& piece,
                TensorId to) {
  const int64_t element = program[to].element_bytes();
  Operation operation = state_step(program, cat("tarn_shift_b", element),
                                   {"tarn_shift_params",
                                    {{"outer", kept.outer},
                                     {"kept", kept.bytes / element},
                                     {"pitch", kept.to_pitch / element},
                                     {"from", kept.from / element},
                                     {"to", kept.to / element},
                                     {"added_outer", piece.outer},
                                     {"added_count", piece.bytes / element},
                                     {"added_pitch", piece.from_pitch / element},
                                     {"y_pitch", piece.to_pitch / element},
                                     {"added_from", piece.from / element},
                                     {"y_to", piece.to / element}}},
                                   from, to, "what stays of the state is moved within its own bytes");
  source_operand(operation).walk.emplace();
  source_operand(operation).walk->same_place = true;
  source_operand(operation).needed = Span{kept.from, kept.from + (kept.outer - 1) * kept.to_pitch + kept.bytes};
  operation.arguments.insert(operation.arguments.begin() + 1, plain(added));
  return operation;
}

// A part of the old state beside it.
Operation cut(const Program& program, TensorId state, const Piece& piece, TensorId to) {
  return state_step(program, "tarn_copy",
                    {"tarn_copy_params",
                     {{"outer", piece.outer},
                      {"inner", piece.bytes},
                      {"x_pitch", piece.from_pitch},
                      {"y_pitch", piece.bytes},
                      {"x_offset", piece.from},
                      {"y_offset", int64_t{0}}}},
                    state, to, "a part of the old state, before that is written over");
}

// All of the old state is the next one.
Operation whole(const Program& program, TensorId state, TensorId out) {
  Operation operation = state_step(program, "tarn_copy", copy_params(program[out].bytes()), state, out);
  Walk& walk = source_operand(operation).walk.emplace();
  walk.identity = walk.read_before_write = true;
  return operation;
}

class Rewriter {
 public:
  explicit Rewriter(Program& program) : program_(program) {}

  TensorId part(const std::string& name, TensorId whole, int64_t bytes) {
    const int64_t count = bytes / program_[whole].element_bytes();
    Tensor tensor;
    tensor.name = name;
    tensor.type = {program_[whole].type.dtype, Shape{count}};
    tensor.geometry = {1, 1, count};
    program_.tensors.push_back(std::move(tensor));
    return TensorId(program_.tensors.size() - 1);
  }
  TensorId like(TensorId other, const std::string& name) {
    Tensor tensor = program_[other];
    tensor.name = name;
    tensor.kind = Kind::activation;
    program_.tensors.push_back(std::move(tensor));
    return TensorId(program_.tensors.size() - 1);
  }
  void add(Operation operation) {
    steps_.push_back(OperationId(program_.operations.size()));
    program_.operations.push_back(std::move(operation));
  }

  // The steps stand where the last of `copies` (positions in main) stood; those are gone, and what only they read.
  void finish(const std::vector<size_t>& copies, std::set<TensorId> between) {
    std::vector<OperationId> main;
    for (size_t i = 0; i < program_.main.size(); ++i) {
      if (i == copies.back()) main.insert(main.end(), steps_.begin(), steps_.end());
      if (std::binary_search(copies.begin(), copies.end(), i)) forget(program_.main[i]);
      else main.push_back(program_.main[i]);
    }
    program_.main = std::move(main);
    for (size_t before = between.size() + 1; before != between.size();) {
      before = between.size();
      std::erase_if(between, [&](TensorId id) { return drop(id); });
    }
  }

 private:
  void forget(OperationId id) {
    program_[id].view.reset();
    program_[id].line_form.reset();
    program_[id].arguments.clear();
  }
  // The copies into a tensor that nobody reads.
  bool drop(TensorId tensor) {
    if (std::find(program_.outputs.begin(), program_.outputs.end(), tensor) != program_.outputs.end()) return false;
    for (const Operation& operation : program_.operations) {
      const bool writes = operation.arguments.size() == 2 && written_by(operation) == tensor;
      for (const Argument& a : operation.arguments) {
        if (a.tensor == tensor && a.role != Role::write) return false;
      }
      if (operation.view && !writes && (operation.view->whole == tensor || operation.view->part == tensor))
        return false;
    }
    std::erase_if(program_.main, [&](OperationId id) {
      const Operation& operation = program_[id];
      const bool writes = operation.arguments.size() == 2 && written_by(operation) == tensor;
      if (writes) forget(id);
      return writes;
    });
    return true;
  }

  Program& program_;
  std::vector<OperationId> steps_;
};

}  // namespace

bool shift_window(Program& program, TensorId out, TensorId state) {
  Window window(program, out, state);
  std::optional<std::vector<Piece>> pieces = window.pieces();
  if (!pieces) return false;
  const int64_t element = program[out].element_bytes();
  if (is_packed(program[out].type.dtype) || (element != 1 && element != 2 && element != 4 && element != 8))
    return false;
  for (const Piece& piece : *pieces) {
    for (const int64_t bytes : {piece.bytes, piece.from_pitch, piece.to_pitch, piece.from, piece.to}) {
      if (bytes % element != 0) return false;
    }
  }
  // What stays: the largest part that moves as a whole.
  auto kept = pieces->end();
  for (auto piece = pieces->begin(); piece != pieces->end(); ++piece) {
    if (window.is_state(piece->source) && (kept == pieces->end() || piece->all() > kept->all())) kept = piece;
  }
  Piece stays = *kept;
  pieces->erase(kept);
  const std::string name = program[out].name;
  Rewriter rewriter(program);
  if (pieces->empty()) rewriter.add(whole(program, state, out));
  std::vector<Argument> added;
  for (Piece& piece : *pieces) {
    added.push_back(window.source(piece.source));
    if (!window.is_state(piece.source)) {
      if (added.back().tensor.valid()) keep_out_of_states(program, added.back().tensor);
      continue;
    }
    const TensorId part = rewriter.part(name + "_part", out, piece.all());
    rewriter.add(cut(program, state, piece, part));
    added.back() = operand(Role::read, part);
    piece.from_pitch = piece.bytes;
    piece.from = 0;
  }
  TensorId from = state;
  for (size_t i = 0; i < pieces->size(); ++i) {
    const TensorId to = i + 1 == pieces->size() ? out : rewriter.like(out, name + "_shifted");
    rewriter.add(shift(program, from, stays, added[i], (*pieces)[i], to));
    from = to;
    const int64_t all = program[out].bytes();
    stays = {0, 1, all, all, all, 0, 0};
  }
  rewriter.finish(window.writers(), window.between());
  return true;
}

}  // namespace tarn::program
