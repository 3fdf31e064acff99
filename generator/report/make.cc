// Analysis -> Report.
#include <algorithm>
#include <filesystem>

#include "emit/names.h"
#include "report/live.h"
#include "report/report.h"
#include "report/sizes.h"
#include "report/stored.h"
#include "report/stream_figures.h"
#include "report/tensor_lives.h"
#include "support/text.h"

namespace tarn::report {

namespace {

using lifetimes::BufferId;
using lifetimes::Life;
using program::Argument;
using program::TensorId;

class ReportBuilder {
 public:
  ReportBuilder(const Analysis& analysis, Report& report)
      : a_(analysis), r_(report), names_(emit::make_names(analysis.name, analysis.program)) {
    operations_ = operations_in_order(analysis);
  }

  void make() {
    header();
    ports();
    describe_stored(program(), r_);
    for (const History& h : a_.histories) r_.histories.push_back({h.out, h.in, h.steps});
    lives_ = tensor_lives(a_, operations_);
    tensors();
    if (!a_.stream) shares();
    steps();
    if (a_.stream) describe_stream(a_, r_);
    else memory();
    if (!a_.stream) banks();
    if (!a_.stream) renewed_states();
    list_live(r_);
    time();
  }

 private:
  const program::Program& program() const { return a_.program; }

  const lifetimes::Storage& storage() const { return a_.stream ? a_.stream->storage : a_.storage; }

  std::optional<int64_t> offset_of(TensorId id) const {
    if (a_.stream) return address_of(*a_.stream, id);
    const lifetimes::Place& place = a_.storage[id];
    const int item = a_.planning.item_of[place.buffer.pos()];
    if (item < 0) return {};
    return a_.plan.offsets[static_cast<size_t>(item)] + place.offset;
  }

  void header() {
    r_.version = TARN_VERSION;
    r_.name = names_.prefix;
    r_.file = std::filesystem::path(a_.options.model_path).filename().string();
    r_.sha256 = a_.sha256;
    const auto opset = a_.opsets.find("");
    r_.opset = opset == a_.opsets.end() ? 0 : opset->second;
    r_.nodes = a_.model_nodes;
    r_.dims = a_.dims;
    r_.io = a_.options.caller_io ? "caller" : "arena";
    r_.arena = a_.plan.arena;
    r_.lower_bound = a_.plan.lower_bound;
    r_.proof = to_string(a_.plan.proof);
    r_.search_nodes = a_.plan.search_nodes;
    r_.naive = a_.naive_arena;
    r_.symbolic = sizes_of(a_);
    if (a_.dim_offsets) r_.dim_offsets = DimOffsets{a_.dim_offsets->follow, a_.dim_offsets->one_set};
    r_.grid = grid_of(a_);
    if (!a_.stream) r_.certificate = certificate_of(a_);
    // What no order can go below either, unless the options fix the order.
    if (a_.banked) r_.floor = a_.banked->floor;
    else
      r_.floor = a_.options.order == schedule::OrderKind::given
                     ? a_.plan.lower_bound
                     : std::min(a_.plan.lower_bound, a_.schedule.lower_bound);
    if (r_.certificate) r_.certificate->every_order = r_.floor == r_.arena;
    r_.layers_floor = r_.floor;
    for (const Analysis::Tried& lines : a_.tried_lines)
      r_.least_lines = std::min(r_.least_lines.value_or(lines.arena), lines.arena);
    if (r_.least_lines || a_.lines_left_out) r_.floor = std::min(r_.floor, floor_by_lines(a_, {}));
    // `auto` is told as what it is: the exact engine, or the best heuristic for large problems.
    r_.strategy = a_.options.strategy == planner::Strategy::automatic ? "exact" : to_string(a_.options.strategy);
    r_.order = to_string(a_.options.order);
    if (a_.options.share.views) r_.share.push_back("views");
    if (a_.options.share.in_place) r_.share.push_back("in_place");
    if (a_.options.share.overlap) r_.share.push_back("overlap");
    r_.alignment = a_.options.alignment;
    r_.weights = a_.weight_bytes();
    for (const program::Weight& weight : program().weights) {
      if (r_.missing_weights.empty()) r_.missing_weights = weight.missing;
    }
    for (const program::Operation& operation : program().operations) {
      r_.macs += operation.macs;
      r_.parameters += operation.parameters;
    }
  }

  void ports() {
    for (size_t i = 0; i < program().inputs.size(); ++i) {
      const TensorId id = program().inputs[i];
      const size_t at = program().input_positions.empty() ? i : program().input_positions[i];
      const std::string& name = i < a_.input_names.size() ? a_.input_names[i] : program()[id].name;
      r_.inputs.push_back({name, names_.inputs[i], names_.input_accessor(i), program()[id].type, offset_of(id),
                           codes_of(a_.graph.inputs, at), handed_over_last(a_.graph.inputs, at)});
      r_.inputs.back().columns = columns(r_.inputs.back(), true);
      if (a_.stream) r_.inputs.back().passes = stream::passes_of(*a_.stream, i);
    }
    for (size_t i = 0; i < program().outputs.size(); ++i) {
      const TensorId id = program().outputs[i];
      const size_t at = program().output_positions.empty() ? i : program().output_positions[i];
      const std::string& name = i < a_.output_names.size() ? a_.output_names[i] : program()[id].name;
      r_.outputs.push_back({name, names_.outputs[i], names_.output_accessor(i), program()[id].type, offset_of(id),
                            codes_of(a_.graph.outputs, at), handed_over_last(a_.graph.outputs, at)});
      r_.outputs.back().columns = columns(r_.outputs.back(), false);
    }
  }

  std::optional<graph::Codes> codes_of(const std::vector<graph::ValueId>& ids, size_t i) const {
    return i < ids.size() && ids[i] ? a_.graph[ids[i]].codes : std::nullopt;
  }

  bool columns(const Port& port, bool input) const {
    return port.channels_last && passes::columns_handed_over(pass_options(a_.options), port.type.shape.rank(), input);
  }

  bool handed_over_last(const std::vector<graph::ValueId>& ids, size_t i) const {
    return i < ids.size() && ids[i] && a_.graph[ids[i]].handed_over_last;
  }

  void tensors() {
    row_of_.assign(program().tensors.size(), -1);
    for (size_t i = 0; i < program().tensors.size(); ++i) {
      const TensorId id(i);
      const auto offset = offset_of(id);
      if (!offset || lives_[i].first < 0) continue;
      const program::Tensor& t = program()[id];
      TensorRow row{t.name, names_.tensors[i], to_string(t.kind), t.type, t.bytes(),
                    offset, lives_[i].first,   lives_[i].end,     {}};
      const TensorId whole = storage().whole[i];
      if (whole.valid()) row.shares = Shares{program()[whole].name, "view", t.bytes()};
      row_of_[i] = static_cast<int>(r_.tensors.size());
      r_.tensors.push_back(std::move(row));
    }
  }

  // Is the next state told as a tensor of its own, because others have its bytes for a while?
  bool is_renewed(size_t state) const {
    const lifetimes::StateGap& gap = gap_of(program().states[state]);
    return gap.exists && gap.first < gap.end;
  }
  const lifetimes::StateGap& gap_of(TensorId state) const {
    return a_.planning.lives[a_.storage[state].buffer.pos()].gap;
  }
  const std::optional<lifetimes::StatePart>& part_of(TensorId state) const {
    return a_.planning.lives[a_.storage[state].buffer.pos()].part;
  }

  // It has its output's name, and one of its own where that output is another tensor, which is copied.
  std::string next_name(size_t state) const {
    const program::KeptState& kept = program().kept[state];
    return kept.why.empty() ? kept.out : kept.in + "_next";
  }

  std::string rest_name(size_t state) const { return program().kept[state].in + "_rest"; }

  bool takes_from(TensorId state, const std::string& giver) const {
    const std::vector<lifetimes::Sharing>& all = a_.planning.sharings;
    return std::any_of(all.begin(), all.end(), [&](const lifetimes::Sharing& sharing) {
      return sharing.taker == a_.storage[state].buffer && program()[a_.storage[sharing.giver].tensors[0]].name == giver;
    });
  }

  void take_c_name(TensorRow& row, const std::string& ending) const {
    row.c_name += ending;
    while (std::any_of(r_.tensors.begin(), r_.tensors.end(),
                       [&](const TensorRow& other) { return upper(other.c_name) == upper(row.c_name); }))
      row.c_name += "_";
  }

  // What is left of the state while others have the bytes that are forgotten, as a tensor of its own, and the next one.
  void partial_state(size_t k) {
    const TensorId id = program().states[k];
    const lifetimes::StatePart part = *part_of(id);
    TensorRow& whole = r_.tensors[static_cast<size_t>(row_of_[id.pos()])];
    TensorRow rest = whole, after = whole;
    rest.name = rest_name(k);
    rest.first = part.first;
    rest.end = part.end;
    *rest.offset += part.first_byte;
    rest.bytes = part.end_byte - part.first_byte;
    after.name = next_name(k);
    after.first = part.end;
    whole.end = part.first;
    take_c_name(rest, "_rest");
    r_.tensors.push_back(std::move(rest));
    take_c_name(after, "_next");
    r_.tensors.push_back(std::move(after));
  }

  void renewed_states() {
    for (size_t k = 0; k < program().states.size(); ++k) {
      const TensorId id = program().states[k];
      if (row_of_[id.pos()] >= 0 && part_of(id)) partial_state(k);
      if (row_of_[id.pos()] < 0 || !is_renewed(k)) continue;
      TensorRow& before = r_.tensors[static_cast<size_t>(row_of_[id.pos()])];
      TensorRow after = before;
      before.end = gap_of(id).first;
      after.name = next_name(k);
      after.first = gap_of(id).end;
      take_c_name(after, "_next");
      // What it lies over is another matter than what lies over it.
      const bool over = before.shares && takes_from(id, before.shares->with);
      (over ? before : after).shares.reset();
      r_.tensors.push_back(std::move(after));
    }
  }

  void shares() {
    for (const lifetimes::Sharing& sharing : a_.planning.sharings) {
      const TensorId taker = a_.storage[sharing.taker].tensors[0], giver = a_.storage[sharing.giver].tensors[0];
      if (row_of_[taker.pos()] < 0 || row_of_[giver.pos()] < 0) continue;
      TensorRow& t = r_.tensors[static_cast<size_t>(row_of_[taker.pos()])];
      TensorRow& g = r_.tensors[static_cast<size_t>(row_of_[giver.pos()])];
      const int64_t t_end = *t.offset + a_.storage[sharing.taker].bytes,
                    g_end = *g.offset + a_.storage[sharing.giver].bytes;
      const int64_t bytes = std::min(t_end, g_end) - std::max(*t.offset, *g.offset);
      if (bytes <= 0) continue;
      const std::string how = *t.offset == *g.offset && t_end == g_end ? "in_place" : "overlap";
      // An output may lie over two inputs; the second one tells it from its side.
      if (!t.shares) t.shares = Shares{g.name, how, bytes};
      else if (!g.shares) g.shares = Shares{t.name, how, bytes};
    }
  }

  // What the plan's buffers cover in each step.
  std::vector<int64_t> buffer_bytes() const {
    std::vector<LiveBlock> blocks;
    for (size_t b = 0; b < (a_.stream ? 0 : a_.storage.buffers.size()); ++b) {
      const int item = a_.planning.item_of[b];
      if (item < 0) continue;
      const Life& life = a_.planning.lives[b];
      const int64_t offset = a_.plan.offsets[static_cast<size_t>(item)], bytes = a_.storage.buffers[b].bytes;
      if (const auto& part = life.part) {
        blocks.push_back({offset, bytes, life.first, part->first});
        blocks.push_back({offset + part->first_byte, part->end_byte - part->first_byte, part->first, part->end});
        blocks.push_back({offset, bytes, part->end, life.end});
        continue;
      }
      blocks.push_back({offset, bytes, life.first, life.gap.exists ? life.gap.first : life.end});
      if (life.gap.exists) blocks.push_back({offset, bytes, life.gap.end, life.end});
    }
    return covered_bytes(blocks, static_cast<int64_t>(operations_.size()));
  }

  // The next state has its output's name where it is told as a tensor of its own, see renewed_states().
  std::string name_in(TensorId id, int64_t step) const {
    const auto& states = program().states;
    const auto state = std::find(states.begin(), states.end(), id);
    if (a_.stream || state == states.end()) return program()[id].name;
    const auto k = static_cast<size_t>(state - states.begin());
    if (const auto& part = part_of(id))
      return step < part->first ? program()[id].name : step < part->end ? rest_name(k) : next_name(k);
    return is_renewed(k) && step >= gap_of(id).end ? next_name(k) : program()[id].name;
  }

  void steps() {
    const std::vector<int64_t> live_bytes = buffer_bytes();
    for (size_t s = 0; s < operations_.size(); ++s) {
      const auto step = static_cast<int64_t>(s);
      const program::Operation& operation = program()[operations_[s]];
      StepRow row;
      row.step = step;
      row.kernel = operation.control == program::Control::loop     ? "loop"
                   : operation.control == program::Control::branch ? "branch"
                   : operation.kernel.empty()                      ? "none"
                                              : operation.kernel.substr(operation.kernel.starts_with("tarn_") ? 5 : 0);
      row.op = operation.op;
      row.nodes = operation.nodes;
      row.form = operation.note;
      row.macs = operation.macs;
      row.parameters = operation.parameters;
      for (const Argument& a : operation.arguments) {
        if (a.role == Argument::Role::weight) row.weight_bytes += program()[a.weight].bytes();
        if (!a.tensor.valid()) continue;
        const std::string name = name_in(a.tensor, step);
        if (a.role == Argument::Role::read) row.reads.push_back(name);
        if (a.role == Argument::Role::scratch) row.scratch.push_back(name);
        if (a.role == Argument::Role::write || a.role == Argument::Role::update) {
          if (row.writes.empty()) row.shape = program()[a.tensor].type.shape;
          row.writes.push_back(name);
        }
      }
      row.live_bytes = live_bytes[s];
      r_.steps.push_back(std::move(row));
    }
  }

  void memory() {
    for (const StepRow& row : r_.steps) {
      if (row.live_bytes > r_.steps[static_cast<size_t>(r_.peak_step)].live_bytes) r_.peak_step = row.step;
    }
    if (r_.steps.empty()) {
      r_.activations = r_.arena;
      return;
    }
    const StepRow& peak = r_.steps[static_cast<size_t>(r_.peak_step)];
    for (const TensorRow& t : r_.tensors) {
      if (t.kind == "scratch" && t.first <= peak.step && peak.step < t.end) r_.scratch += t.bytes;
    }
    r_.activations = peak.live_bytes - r_.scratch;
    r_.padding = r_.arena - peak.live_bytes;
  }

  void time() {
    r_.time = time_figures(a_, a_.options.target);
    for (size_t s = 0; r_.time && s < r_.time->steps.size(); ++s) {
      if (!r_.time->steps[s]) continue;
      r_.steps[s].instructions = r_.time->steps[s]->instructions;
      r_.steps[s].cycles = r_.time->steps[s]->cycles;
    }
  }

  int bank_of(TensorId id) const {
    const int item = a_.planning.item_of[a_.storage[id].buffer.pos()];
    return a_.banked && item >= 0 ? a_.banked->bank_of[static_cast<size_t>(item)] : -1;
  }

  // From addresses that run on through all banks to offsets within each: what people and C see.
  void banks() {
    if (!a_.banked) return;
    const lifetimes::Banked& banked = *a_.banked;
    for (size_t b = 0; b < banked.plans.size(); ++b) {
      const lifetimes::Bank& bank = a_.options.memory.banks[b];
      const lifetimes::BankPlan& plan = banked.plans[b];
      const std::string symbol = names_.prefix + "_arena" + (a_.several_arenas() ? "_" + bank.name : "");
      r_.banks.push_back({bank.name, bank.section, plan.arena > 0 ? symbol : "", bank.dma, plan.arena <= bank.bytes,
                          bank.bytes, plan.arena, plan.lower_bound, to_string(plan.proof), plan.base, plan.traffic, 0});
    }
    for (size_t t = 0; t < row_of_.size(); ++t) {
      if (row_of_[t] < 0) continue;
      BankRow& bank = r_.banks[static_cast<size_t>(bank_of(TensorId(t)))];
      TensorRow& row = r_.tensors[static_cast<size_t>(row_of_[t])];
      row.bank = bank.name;
      *row.offset -= bank.base;
      ++bank.tensors;
    }
    auto place = [&](Port& port, TensorId id) {
      if (!port.offset) return;
      const BankRow& bank = r_.banks[static_cast<size_t>(bank_of(id))];
      port.bank = bank.name;
      *port.offset -= bank.base;
    };
    for (size_t i = 0; i < r_.inputs.size(); ++i) place(r_.inputs[i], program().inputs[i]);
    for (size_t i = 0; i < r_.outputs.size(); ++i) place(r_.outputs[i], program().outputs[i]);
    SplitRow split{banked.cost, banked.cost_bound, to_string(banked.proof), banked.fits, banked.proved, {}};
    for (int item : banked.core)
      split.core.push_back(program()[a_.storage[a_.planning.items[static_cast<size_t>(item)]].tensors[0]].name);
    r_.split = std::move(split);
  }

  const Analysis& a_;
  Report& r_;
  emit::CNames names_;
  std::vector<program::OperationId> operations_;  // by step
  std::vector<Life> lives_;
  std::vector<int> row_of_;
};

}  // namespace

Report make_report(const Analysis& analysis, std::vector<std::string> command) {
  Report report;
  report.command = std::move(command);
  ReportBuilder(analysis, report).make();
  return report;
}

}  // namespace tarn::report
