#include "report/stream_figures.h"

#include <algorithm>
#include <map>

#include "support/text.h"

namespace tarn::report {

namespace {

using stream::LinePlan;
using stream::Memory;

std::string name_of(const program::Operation& operation) {
  return operation.nodes.empty() ? operation.kernel : operation.nodes.front();
}

const char* holds(const Memory& memory) {
  switch (memory.holds) {
    case Memory::Holds::tensor: return "tensor";
    case Memory::Holds::accumulator: return "accumulator";
    case Memory::Holds::scratch: return "scratch";
    case Memory::Holds::window: return "window";
    case Memory::Holds::history: return "history";
    case Memory::Holds::driver: return "driver";
  }
  return "?";
}

int64_t bytes_of(const Memory& memory) {
  if (memory.addressing != stream::Addressing::table) return memory.slots * memory.line_bytes;
  // Lines at any address: each counts once for every place it takes.
  std::vector<int64_t> places = memory.table;
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return (static_cast<int64_t>(places.size()) - (!places.empty() && places.front() < 0 ? 1 : 0)) * memory.line_bytes;
}

int64_t first_address(const Memory& memory) {
  if (memory.addressing != stream::Addressing::table) return memory.base;
  int64_t first = -1;
  for (int64_t at : memory.table) {
    if (at >= 0 && (first < 0 || at < first)) first = at;
  }
  return std::max<int64_t>(0, first);
}

std::string name_of(const Analysis& analysis, const Memory& memory) {
  if (memory.holds == Memory::Holds::driver) return "driver";
  if (memory.buffer) return analysis.program[analysis.stream->storage[memory.buffer].tensors[0]].name;
  if (memory.actor < 0) return "";
  const stream::Actor& actor = analysis.stream->actors[static_cast<size_t>(memory.actor)];
  return actor.operations.empty() ? "" : name_of(analysis.program[actor.operations.front()]);
}

// Memories that anything lies in: those of views, and the helpers of actors.
std::vector<bool> used_memories(const LinePlan& plan) {
  std::vector<bool> used(plan.memories.size(), false);
  const auto use = [&](int memory) {
    if (memory >= 0) used[static_cast<size_t>(memory)] = true;
  };
  for (const stream::LineView& view : plan.views) use(view.memory);
  for (const stream::Actor& actor : plan.actors) {
    use(actor.accumulator);
    use(actor.scratch);
    if (!actor.line_buffer) continue;
    use(actor.line_buffer->history);
    use(actor.line_buffer->memory);
  }
  use(plan.driver);
  return used;
}

void count(const Memory& memory, const LinesRow& row, StreamFigures& figures) {
  switch (memory.holds) {
    case Memory::Holds::accumulator: figures.accumulators += row.bytes; return;
    case Memory::Holds::scratch: figures.scratch += row.bytes; return;
    case Memory::Holds::window: figures.windows += row.bytes; return;
    case Memory::Holds::history: figures.histories += row.bytes; return;
    case Memory::Holds::driver: figures.driver += row.bytes; return;
    case Memory::Holds::tensor: break;
  }
  (row.kind == "input" ? figures.inputs : row.kind == "output" ? figures.outputs : figures.between) += row.bytes;
}

// Ranges of addresses that the lines of a table take.
std::vector<std::pair<int64_t, int64_t>> parts_of(const Memory& memory) {
  std::vector<std::pair<int64_t, int64_t>> parts;
  if (memory.addressing != stream::Addressing::table) return parts;
  std::vector<int64_t> places = memory.table;
  std::sort(places.begin(), places.end());
  for (int64_t at : places) {
    if (at < 0) continue;
    const int64_t end = at + memory.line_bytes;
    if (!parts.empty() && at <= parts.back().first + parts.back().second) {
      parts.back().second = std::max(parts.back().second, end - parts.back().first);
    } else {
      parts.emplace_back(at, memory.line_bytes);
    }
  }
  return parts;
}

// The steps of layers in which each memory holds something, by memory; a segment's layers run in turn, so all of them
// count.
std::vector<std::pair<int64_t, int64_t>> lives_of(const Analysis& analysis) {
  const LinePlan& plan = *analysis.stream;
  std::map<program::OperationId, int64_t> step_of;
  for (program::OperationId id : operations_of(plan)) step_of.emplace(id, static_cast<int64_t>(step_of.size()));
  const auto steps = static_cast<int64_t>(step_of.size());
  std::vector<std::pair<int64_t, int64_t>> lives(plan.memories.size(), {steps, 0});
  const auto live = [&](int memory, int64_t first, int64_t end) {
    if (memory < 0) return;
    auto& [from, to] = lives[static_cast<size_t>(memory)];
    from = std::min(from, first);
    to = std::max(to, end);
  };
  for (const stream::Segment& segment : plan.segments) {
    int64_t first = steps, end = 0;
    for (program::OperationId id : segment.operations) {
      first = std::min(first, step_of[id]);
      end = std::max(end, step_of[id] + 1);
    }
    for (size_t s = segment.first_step; s < segment.end_step; ++s) {
      const stream::Actor& actor = plan.actors[static_cast<size_t>(plan.steps[s].actor)];
      live(actor.accumulator, first, end);
      if (actor.line_buffer) live(actor.line_buffer->history, first, end);
      for (program::OperationId id : actor.operations) {
        live(actor.scratch, step_of[id], step_of[id] + 1);
        if (actor.line_buffer) live(actor.line_buffer->memory, step_of[id], step_of[id] + 1);
        for (const program::Argument& a : analysis.program[id].arguments) {
          if (a.tensor.valid()) live(plan.views[a.tensor.pos()].memory, first, end);
        }
      }
    }
  }
  for (program::TensorId id : analysis.program.inputs)
    live(plan.views[id.pos()].memory, plan.mode == stream::Mode::resident ? 0 : steps, 0);
  for (program::TensorId id : analysis.program.outputs)
    live(plan.views[id.pos()].memory, steps, plan.drain ? 0 : steps);
  live(plan.driver, 0, steps);
  return lives;
}

const char* kind_of(const Analysis& analysis, const Memory& memory) {
  if (memory.holds == Memory::Holds::scratch || memory.holds == Memory::Holds::window) return "scratch";
  if (memory.holds != Memory::Holds::tensor) return "state";
  const auto in = [&](const std::vector<program::TensorId>& ports) {
    return std::any_of(ports.begin(), ports.end(),
                       [&](program::TensorId id) { return analysis.stream->storage[id].buffer == memory.buffer; });
  };
  const std::vector<lifetimes::Piece>& pieces = analysis.stream->storage.pieces;
  const bool piece = std::any_of(pieces.begin(), pieces.end(), [&](const lifetimes::Piece& p) {
    return analysis.stream->storage[p.part].buffer == memory.buffer;
  });
  return piece || in(analysis.program.inputs) ? "input" : in(analysis.program.outputs) ? "output" : "activation";
}

// Bytes of the union of what lies in memory in one step of the layers.
int64_t bytes_at(const std::vector<LinesRow>& memories, int64_t step) {
  std::vector<std::pair<int64_t, int64_t>> places;
  for (const LinesRow& row : memories) {
    if (step < row.first || row.end <= step) continue;
    if (row.parts.empty()) places.emplace_back(row.offset, row.bytes);
    places.insert(places.end(), row.parts.begin(), row.parts.end());
  }
  std::sort(places.begin(), places.end());
  int64_t bytes = 0, top = 0;
  for (const auto& [offset, length] : places) {
    bytes += std::max<int64_t>(0, offset + length - std::max(top, offset));
    top = std::max(top, offset + length);
  }
  return bytes;
}

// From steps of whole layers to the segments in which they run.
void spread_lives(const Analysis& analysis, Report& report) {
  std::map<program::OperationId, size_t> segment_of;
  for (size_t s = 0; s < analysis.stream->segments.size(); ++s) {
    for (program::OperationId id : analysis.stream->segments[s].operations) segment_of[id] = s;
  }
  const std::vector<program::OperationId> operations = operations_of(*analysis.stream);
  const auto steps = static_cast<int64_t>(report.steps.size());
  std::vector<size_t> segment(report.steps.size(), 0);
  std::map<size_t, std::pair<int64_t, int64_t>> range;
  for (int64_t s = 0; s < steps; ++s) {
    const size_t at = segment_of[operations[static_cast<size_t>(s)]];
    segment[static_cast<size_t>(s)] = at;
    const auto [it, added] = range.try_emplace(at, s, s + 1);
    it->second.second = s + 1;
  }
  for (TensorRow& row : report.tensors) {
    if (row.first < steps) row.first = range[segment[static_cast<size_t>(row.first)]].first;
    if (row.end > 0)
      row.end = std::max(row.end, range[segment[static_cast<size_t>(std::min(row.end, steps) - 1)]].second);
  }
  report.peak_step = 0;
  for (StepRow& step : report.steps) {
    step.live_bytes = bytes_at(report.stream->memories, step.step);
    if (step.live_bytes > report.steps[static_cast<size_t>(report.peak_step)].live_bytes) report.peak_step = step.step;
  }
}

}  // namespace

namespace {

// A port that goes by lines, and the function that they go through.
void describe_port(const stream::Actor& actor, Report& report, std::vector<std::string>& calls) {
  if (actor.what == stream::Actor::What::operation || actor.pass > 0) return;
  const bool feed = actor.what == stream::Actor::What::feed;
  Port& port = (feed ? report.inputs : report.outputs)[actor.port];
  calls.push_back(cat(report.name, feed ? "_push_" : "_pull_", port.c_name));
  port.lines = actor.lines;
  const std::vector<int64_t>& dims = port.type.shape.dims;
  size_t first = !dims.empty() && dims[0] == 1 ? 1 : 0;
  int64_t lines = 1;
  while (first < dims.size() && lines != actor.lines) lines *= dims[first++];
  if (lines == actor.lines) port.line.assign(dims.begin() + static_cast<std::ptrdiff_t>(first), dims.end());
  else port.line = {port.type.shape.count() / actor.lines};
}

// ", one line a step, "
std::string lines_a_step(const LinePlan& plan) {
  int64_t most = 1;
  for (const stream::Actor& actor : plan.actors) most = std::max(most, actor.at_once);
  return most == 1 ? ", one line a step, " : cat(", up to ", most, " lines a step, ");
}

// What does work twice; nothing: none is.
std::string twice_in(const LinePlan& plan) {
  std::vector<std::string> ways;
  if (plan.stripes > 0) ways.push_back(cat(plan.stripes, " column stripes up to '", plan.stripes_end, "'"));
  if (plan.recomputed > 0)
    ways.push_back(cat("lines under ", plan.recomputed, plan.recomputed == 1 ? " window" : " windows", " recomputed"));
  return join(ways, ", ");
}

// What the bound holds for: any addresses of the lines, but this schedule and what is computed twice in it.
std::string bound_of(const LinePlan& plan) {
  if (plan.endless) return "lines as they come, one a step, rings that share nothing, nothing computed twice";
  const size_t segments = plan.segments.size();
  const std::string ways = twice_in(plan), twice = ways.empty() ? "nothing computed twice" : ways;
  return cat("this order of the layers, ", segments, segments == 1 ? " segment" : " segments", lines_a_step(plan),
             twice, plan.smallest_of_rings ? "; with rings of these lengths the arena is the smallest" : "");
}

}  // namespace

std::optional<int64_t> address_of(const LinePlan& plan, program::TensorId id) {
  const stream::LineView& view = plan.views[id.pos()];
  if (view.memory < 0) return {};
  const Memory& memory = plan.memories[static_cast<size_t>(view.memory)];
  if (memory.addressing == stream::Addressing::table) return first_address(memory) + view.offset;
  return memory.base + view.first_line % memory.slots * memory.line_bytes + view.offset;
}

std::vector<program::OperationId> operations_of(const LinePlan& plan) {
  std::vector<program::OperationId> operations;
  for (const stream::Actor& actor : plan.actors)
    operations.insert(operations.end(), actor.operations.begin(), actor.operations.end());
  return operations;
}

std::vector<program::OperationId> operations_in_order(const Analysis& analysis) {
  if (analysis.stream) return operations_of(*analysis.stream);
  std::vector<program::OperationId> order;
  for (const schedule::Step& step : analysis.schedule.steps) order.push_back(step.operation);
  return order;
}

void describe_stream(const Analysis& analysis, Report& report) {
  const LinePlan& plan = *analysis.stream;
  StreamFigures figures;
  figures.mode = to_string(plan.mode);
  figures.lines = to_string(plan.lines);
  figures.drain = plan.drain;
  figures.for_budget = !analysis.tried_lines.empty();
  for (const stream::Actor& actor : plan.actors) describe_port(actor, report, figures.calls);
  figures.bound_of = bound_of(plan);
  figures.steps = static_cast<int64_t>(plan.steps.size());
  figures.table_bytes = stream::table_bytes(plan);
  figures.stripes = plan.stripes;
  figures.stripes_end = plan.stripes_end;
  figures.recomputed = plan.recomputed;
  figures.twice = twice_in(plan);
  figures.extra_macs = plan.extra_macs;
  figures.plain_macs = plan.macs;
  for (const stream::Segment& segment : plan.segments) {
    figures.segments.emplace_back();
    for (program::OperationId id : segment.operations) figures.segments.back().push_back(name_of(analysis.program[id]));
  }
  const std::vector<bool> used = used_memories(plan);
  const std::vector<std::pair<int64_t, int64_t>> lives = lives_of(analysis);
  for (size_t m = 0; m < plan.memories.size(); ++m) {
    const Memory& memory = plan.memories[m];
    if (!used[m] || memory.line_bytes == 0) continue;
    figures.memories.push_back({name_of(analysis, memory), holds(memory), to_string(memory.addressing), memory.lines,
                                memory.slots, memory.line_bytes, bytes_of(memory), first_address(memory),
                                kind_of(analysis, memory), lives[m].first, lives[m].second, parts_of(memory)});
    count(memory, figures.memories.back(), figures);
  }
  report.stream = std::move(figures);
  report.arena = plan.arena;
  report.lower_bound = plan.bound;
  report.floor = floor_by_lines(analysis, {.mode = plan.mode, .drain = plan.drain});
  report.proof = planner::to_string(plan.proof);
  report.search_nodes = plan.search_nodes;
  if (plan.proof == planner::Proof::optimal) report.certificate = Certificate{.by = Certificate::By::lines};
  report.scratch = plan.bound_scratch;
  report.activations = plan.bound - plan.bound_scratch;
  report.padding = plan.arena - plan.bound;
  spread_lives(analysis, report);
}

int64_t floor_by_lines(const Analysis& analysis, const stream::Options& options) {
  int64_t floor = 0;
  const auto whole = [&](const std::vector<program::TensorId>& ports) {
    for (program::TensorId id : ports) floor = std::max(floor, analysis.program[id].type.bytes());
  };
  if (!options.drain) whole(analysis.program.outputs);
  if (options.mode == stream::Mode::resident) whole(analysis.program.inputs);
  return floor;
}

}  // namespace tarn::report
