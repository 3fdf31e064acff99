#include "lifetimes/planning.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "lifetimes/slow_sharings.h"
#include "planner/conflicts.h"
#include "program/blocks.h"
#include "schedule/read_ahead.h"

namespace tarn::lifetimes {

namespace {

using program::Argument;
using program::Operation;

struct Uses {
  std::vector<int64_t> born, last;  // by buffer: steps; -1: before the first step / never
  std::vector<bool> exists;
  std::vector<StateGap> gap;  // by buffer, see note [gaps]
  std::vector<std::optional<StatePart>> part;
};

// The gap of a state: from the last step that reads what the run before left to the one that writes what the next run
// will read. A step in a branch or loop, or one that does both, leaves none.
StateGap gap_of(const Program& program, const Storage& storage, const schedule::Schedule& schedule, BufferId state) {
  StateGap gap;
  bool written = false;
  for (size_t s = 0; s < schedule.steps.size(); ++s) {
    const schedule::Step& step = schedule.steps[s];
    bool reads = false, writes = false;
    for (const Argument& a : program[step.operation].arguments) {
      if (!a.tensor.valid() || storage[a.tensor].buffer != state) continue;
      (a.role == Argument::Role::write ? writes : reads) = true;
    }
    if (writes && written) return {};  // part by part: some of the old one may still be there
    if (writes) {
      written = true;
      gap.end = static_cast<int64_t>(s);
      gap.exists = !reads && step.parent < 0;
    }
    if (!reads || written) continue;
    auto outermost = static_cast<int64_t>(s);
    for (int64_t up = step.parent; up >= 0; up = schedule.steps[static_cast<size_t>(up)].parent) outermost = up;
    gap.first = schedule.steps[static_cast<size_t>(outermost)].end;
    gap.last_reader = step.parent < 0 ? static_cast<int64_t>(s) : -1;
  }
  return written ? gap : StateGap{};
}

std::optional<StatePart> part_of(const Program& program, const schedule::Schedule& schedule, size_t state) {
  const std::optional<program::Span> needed = program.kept[state].needed;
  if (!needed) return {};
  for (size_t s = 0; s < schedule.steps.size(); ++s) {
    for (const Argument& a : program[schedule.steps[s].operation].arguments) {
      if (a.tensor == program.states[state] && a.role == Argument::Role::write && s > 1)
        return StatePart{1, static_cast<int64_t>(s), needed->first, needed->end};
    }
  }
  return {};
}

Uses find_uses(const Program& program, const Storage& storage, const schedule::Schedule& schedule) {
  const size_t n = storage.buffers.size();
  const auto steps = static_cast<int64_t>(schedule.steps.size());
  Uses uses{std::vector<int64_t>(n, -1), std::vector<int64_t>(n, -1), std::vector<bool>(n, false),
            std::vector<StateGap>(n), std::vector<std::optional<StatePart>>(n)};
  auto touch = [&](TensorId id, int64_t step) {
    const size_t b = storage[id].buffer.pos();
    uses.born[b] = uses.exists[b] ? std::min(uses.born[b], step) : step;
    uses.exists[b] = true;
    uses.last[b] = std::max(uses.last[b], step);
  };
  // What a branch or loop uses of the buffers around it stays there for as long as it runs: a loop comes back.
  const program::Blocks blocks = program::find_blocks(program);
  std::vector<int> home(n, -1);
  for (size_t t = 0; t < program.tensors.size(); ++t) {
    if (blocks.home[t] >= 0) {
      int& h = home[storage.places[t].buffer.pos()];
      h = blocks.common(h, blocks.home[t]);
    }
  }
  for (TensorId id : program.inputs) touch(id, -1);
  for (int64_t s = 0; s < steps; ++s) {
    const OperationId operation = schedule.steps[static_cast<size_t>(s)].operation;
    if (schedule::is_read_ahead(program, schedule, static_cast<size_t>(s)))
      touch(program[operation].staging->buffer,
            static_cast<int64_t>(schedule::read_begin(program, schedule, static_cast<size_t>(s))));
    for (const Argument& a : program[operation].arguments) {
      if (!a.tensor.valid()) continue;
      touch(a.tensor, s);
      int block = blocks.of[operation.pos()];
      for (int64_t up = schedule.steps[static_cast<size_t>(s)].parent; block != home[storage[a.tensor].buffer.pos()];
           up = schedule.steps[static_cast<size_t>(up)].parent) {
        touch(a.tensor, up);
        touch(a.tensor, schedule.steps[static_cast<size_t>(up)].end - 1);
        block = blocks.blocks[static_cast<size_t>(block)].parent;
      }
    }
  }
  for (TensorId id : program.outputs) touch(id, steps);
  for (TensorId id : program::held_tensors(program)) {
    touch(id, -1);
    touch(id, steps);
    const BufferId b = storage[id].buffer;
    uses.gap[b.pos()] = gap_of(program, storage, schedule, b);
  }
  for (size_t k = 0; k < program.kept.size(); ++k)
    uses.part[storage[program.states[k]].buffer.pos()] = part_of(program, schedule, k);
  if (program.set_size.valid()) {
    touch(program.set_size, -1);
    touch(program.set_size, steps);
  }
  // Sizes known only at run time are asked for after the run, and by every step that works with them.
  for (TensorId id : program.symbols) {
    if (id.valid()) touch(id, steps);
  }
  return uses;
}

// Is there another use for the giver's bytes once the step is done? A taker may hold what was in a state until the next
// one is written over it: then each of the two sharings needs the other.
enum class Ends { no, yes, with_other };
Ends ends_in(const Uses& uses, BufferId giver, BufferId taker, int64_t step) {
  const StateGap &given = uses.gap[giver.pos()], &taken = uses.gap[taker.pos()];
  if (taken.exists) {
    const int64_t born = uses.born[giver.pos()];
    if (uses.last[giver.pos()] != step || born < taken.first - 1) return Ends::no;  // a state lives to the end
    return born >= taken.first ? Ends::yes : taken.last_reader == born ? Ends::with_other : Ends::no;
  }
  if (!given.exists) return uses.last[giver.pos()] == step ? Ends::yes : Ends::no;
  if (given.last_reader != step || uses.last[taker.pos()] > given.end) return Ends::no;
  return uses.last[taker.pos()] < given.end ? Ends::yes : Ends::with_other;
}

// Which operands of a step may be overlapped by its output, and how.
std::vector<Sharing> find_sharings(const Program& program, const Storage& storage, const Uses& uses,
                                   const schedule::Schedule& schedule, const ShareOptions& share) {
  std::vector<Sharing> sharings;
  std::set<std::pair<BufferId, BufferId>> needs_other;
  if (!share.in_place && !share.overlap) return sharings;
  for (size_t s = 0; s < schedule.steps.size(); ++s) {
    const auto step = static_cast<int64_t>(s);
    const Operation& operation = program[schedule.steps[s].operation];
    const int y = first_output(operation);
    if (y < 0) continue;
    const BufferId taker = storage[operation.arguments[static_cast<size_t>(y)].tensor].buffer;
    const StateGap& taken = uses.gap[taker.pos()];
    if (storage[taker].external || (uses.born[taker.pos()] != step && (!taken.exists || taken.end != step))) continue;
    std::map<BufferId, Sharing> by_giver;
    std::vector<BufferId> refused;
    for (size_t a = 0; a < operation.arguments.size(); ++a) {
      const Argument& argument = operation.arguments[a];
      if (!argument.tensor.valid()) continue;
      const BufferId giver = storage[argument.tensor].buffer;
      if (argument.role != Argument::Role::read) {
        refused.push_back(giver);
        continue;
      }
      const Ends ends = !storage[giver].external ? ends_in(uses, giver, taker, step) : Ends::no;
      const auto reach = ends != Ends::no ? reach_of(program, storage, operation, a) : std::nullopt;
      const bool allowed =
          reach &&
          ((share.overlap && !reach->same_place) ||
           (share.in_place && reach->below <= 0 &&
            storage[argument.tensor].offset == storage[operation.arguments[static_cast<size_t>(y)].tensor].offset));
      if (!allowed) {
        refused.push_back(giver);
        continue;
      }
      auto [it, added] = by_giver.try_emplace(giver, Sharing{taker, giver, step, {}});
      if (ends == Ends::with_other) needs_other.emplace(std::min(giver, taker), std::max(giver, taker));
      it->second.reaches.push_back(*reach);
    }
    for (BufferId id : refused) by_giver.erase(id);
    for (auto& [giver, sharing] : by_giver) sharings.push_back(std::move(sharing));
  }
  const auto two = [](const Sharing& s) { return std::pair(std::min(s.giver, s.taker), std::max(s.giver, s.taker)); };
  std::map<std::pair<BufferId, BufferId>, int> count;
  for (const Sharing& sharing : sharings) ++count[two(sharing)];
  std::erase_if(sharings, [&](const Sharing& s) { return needs_other.contains(two(s)) && count[two(s)] < 2; });
  return sharings;
}

// Buffers alive throughout each step, in bytes.
std::vector<int64_t> live_by_step(const Storage& storage, const Uses& uses, size_t steps) {
  std::vector<int64_t> live(steps + 1, 0);  // differences first
  for (size_t b = 0; b < storage.buffers.size(); ++b) {
    if (!uses.exists[b] || storage.buffers[b].external) continue;
    const int64_t first = std::max<int64_t>(0, uses.born[b]),
                  last = std::min(uses.last[b], static_cast<int64_t>(steps) - 1);
    live[static_cast<size_t>(first)] += storage.buffers[b].bytes;
    live[static_cast<size_t>(last) + 1] -= storage.buffers[b].bytes;
    if (const StateGap& gap = uses.gap[b]; gap.exists) {
      live[static_cast<size_t>(gap.first)] -= storage.buffers[b].bytes;
      live[static_cast<size_t>(gap.end)] += storage.buffers[b].bytes;
    }
    if (const auto& part = uses.part[b]) {
      const int64_t rest = storage.buffers[b].bytes - (part->end_byte - part->first_byte);
      live[static_cast<size_t>(part->first)] -= rest;
      live[static_cast<size_t>(part->end)] += rest;
    }
  }
  for (size_t s = 1; s <= steps; ++s) live[s] += live[s - 1];
  return live;
}

// Bytes that must be apart in a step with the given sharings (of that step), `live` of them in buffers (note
// [overlap]). Nothing: within larger buffers the moments of one tensor say too little, the planner's own bound remains.
std::optional<int64_t> bytes_apart(const Program& program, const Storage& storage, const Operation& operation,
                                   int64_t live, const std::vector<Sharing*>& sharings, bool blocks) {
  std::vector<size_t> arguments;
  const BufferId taker = sharings[0]->taker;
  int64_t apart = live - storage[taker].bytes;
  for (const Sharing* sharing : sharings) {
    apart -= storage[sharing->giver].bytes;
    arguments.push_back(sharing->reaches[0].argument);
    if (storage[sharing->giver].tensors.size() != 1 || sharing->reaches.size() != 1 || sharing->reaches[0].same_place)
      return {};
  }
  if (storage[taker].tensors.size() != 1) return {};
  return apart + live_bytes(program, storage, operation, arguments, blocks);
}

// Lets kernels work on whole blocks of pixels in the steps where that fits `budget` bytes, and returns a bound for the
// planner.
int64_t allow_blocks(const Program& program, const Storage& storage, const schedule::Schedule& schedule,
                     const Uses& uses, int64_t budget, std::vector<Sharing>& sharings) {
  const std::vector<int64_t> live = live_by_step(storage, uses, schedule.steps.size());
  std::vector<std::vector<Sharing*>> by_step(schedule.steps.size());
  for (Sharing& sharing : sharings) by_step[static_cast<size_t>(sharing.step)].push_back(&sharing);
  int64_t bound = 0;
  for (size_t s = 0; s < schedule.steps.size(); ++s) {
    if (by_step[s].empty()) {
      bound = std::max(bound, live[s]);
      continue;
    }
    const Operation& operation = program[schedule.steps[s].operation];
    std::optional<int64_t> apart = bytes_apart(program, storage, operation, live[s], by_step[s], false);
    const std::optional<int64_t> blocks =
        budget > 0 ? bytes_apart(program, storage, operation, live[s], by_step[s], true) : std::nullopt;
    if (blocks.value_or(live[s]) <= budget) {
      apart = blocks;
      for (Sharing* sharing : by_step[s]) {
        for (Reach& reach : sharing->reaches) reach = *reach_of(program, storage, operation, reach.argument, true);
      }
    }
    if (apart) bound = std::max(bound, *apart);
  }
  return bound;
}

// What the planning forbids or the other one does. Both are of the same program at different sizes.
Planning hold_both(Planning planning, const Planning& other) {
  for (size_t i = 0; i < planning.problem.items.size(); ++i)
    planning.problem.items[i].size = std::max(planning.problem.items[i].size, other.problem.items[i].size);
  // A buffer gives its bytes in one step, that of its last use or, of a state, of its last reader.
  const auto same_in_other = [&](const Sharing& sharing) {
    return std::find_if(other.sharings.begin(), other.sharings.end(),
                        [&](const Sharing& o) { return o.giver == sharing.giver; });
  };
  // Pairs: where a state is handed on and comes back, one sharing is not there without the other.
  std::set<size_t> lost;
  for (const Sharing& sharing : planning.sharings) {
    if (same_in_other(sharing) == other.sharings.end()) lost.insert(sharing.pair);
  }
  planning = without_pairs(std::move(planning), lost);
  for (const Sharing& sharing : planning.sharings) {
    planner::Pair& pair = planning.problem.pairs[sharing.pair];
    const planner::Pair& more = other.problem.pairs[same_in_other(sharing)->pair];
    for (const planner::Forbidden& f : more.forbidden)
      pair.forbidden.push_back(more.a == pair.a ? f : planner::Forbidden{-f.hi, -f.lo});
    pair.forbidden = planner::join_forbidden(std::move(pair.forbidden));
  }
  return planning;
}

// Its bytes are another one's in the last step of its life, or were one's in the first.
struct Shared {
  bool gives = false, takes = false;
};

// When a buffer lives, in steps, and the item that is placed for it; none for memory of the caller.
std::optional<planner::Item> make_item(const Program& program, const Storage& storage, const Uses& uses, size_t b,
                                       int64_t steps, const Shared& shared, Life& life) {
  life = {std::max<int64_t>(0, uses.born[b]), std::min(uses.last[b], steps) + (uses.last[b] < steps ? 1 : 0)};
  // Something that lives before the first step only (an input nobody reads) still holds the first instant.
  life.end = std::max(life.end, life.first + (steps > 0 ? 1 : 0));
  if (storage.buffers[b].external) return {};
  planner::Item item;
  item.id = program[storage.buffers[b].tensors[0]].name;
  item.size = storage.buffers[b].bytes;
  if (program.set_size_first && storage[program.set_size].buffer == BufferId(b)) item.offset = 0;
  item.first = 2 * life.first + (shared.takes ? 1 : 0);
  item.end = std::max<int64_t>(2 * life.end - (shared.gives ? 1 : 0), item.first + 1);
  if (uses.last[b] >= steps) item.end = 2 * steps + 1;
  if (const StateGap& gap = uses.gap[b]; gap.exists) {
    life.gap = gap;
    item.first = 2 * life.first;
    const planner::Gap hole{2 * gap.first - (shared.gives ? 1 : 0), 2 * gap.end + (shared.takes ? 1 : 0), {}, {}};
    if (hole.first < hole.end) item.gaps.push_back(hole);
  }
  if (const auto& part = uses.part[b]) {
    life.part = part;
    item.gaps.push_back({2 * part->first, 2 * part->end, part->first_byte, part->end_byte});
  }
  return item;
}

// What the sharings allow instead of the plain rule. A state is written over what was written over it: both sharings
// are of one pair.
void add_pairs(const Program& program, const Storage& storage, const schedule::Schedule& schedule,
               const ShareOptions& share, Planning& planning) {
  std::map<std::pair<int, int>, size_t> pairs;
  for (Sharing& sharing : planning.sharings) {
    std::vector<planner::Forbidden> forbidden;
    const Operation& operation = program[schedule.steps[static_cast<size_t>(sharing.step)].operation];
    for (const Reach& reach : sharing.reaches) {
      const std::vector<planner::Forbidden> more = forbidden_for(storage, operation, reach, share);
      forbidden.insert(forbidden.end(), more.begin(), more.end());
    }
    const int giver = planning.item_of[sharing.giver.pos()], taker = planning.item_of[sharing.taker.pos()];
    const auto back = pairs.find({taker, giver});
    if (back == pairs.end()) {
      sharing.pair = planning.problem.pairs.size();
      pairs[{giver, taker}] = sharing.pair;
      planning.problem.pairs.push_back({giver, taker, planner::join_forbidden(std::move(forbidden))});
      continue;
    }
    sharing.pair = back->second;
    planner::Pair& pair = planning.problem.pairs[sharing.pair];
    for (const planner::Forbidden& f : forbidden) pair.forbidden.push_back({-f.hi, -f.lo});
    pair.forbidden = planner::join_forbidden(std::move(pair.forbidden));
  }
}

Planning planning_of(const Program& program, const Storage& storage, const schedule::Schedule& schedule,
                     const PlanningOptions& options) {
  const auto steps = static_cast<int64_t>(schedule.steps.size());
  const Uses uses = find_uses(program, storage, schedule);
  Planning planning;
  planning.sharings = find_sharings(program, storage, uses, schedule, options.share);
  planning.problem.known_bound =
      allow_blocks(program, storage, schedule, uses, options.block_budget, planning.sharings);
  planning.item_of.assign(storage.buffers.size(), -1);
  planning.lives.resize(storage.buffers.size());

  std::vector<Shared> shared(storage.buffers.size());
  for (const Sharing& sharing : planning.sharings) {
    shared[sharing.giver.pos()].gives = true;
    shared[sharing.taker.pos()].takes = true;
  }
  for (size_t b = 0; b < storage.buffers.size(); ++b) {
    if (!uses.exists[b]) continue;
    std::optional<planner::Item> item = make_item(program, storage, uses, b, steps, shared[b], planning.lives[b]);
    if (!item) continue;
    item->alignment = options.alignment;
    planning.item_of[b] = static_cast<int>(planning.items.size());
    planning.items.push_back(BufferId(b));
    planning.problem.items.push_back(std::move(*item));
  }
  add_pairs(program, storage, schedule, options.share, planning);
  return planning;
}

}  // namespace

Planning make_planning(const Program& program, const Storage& storage, const schedule::Schedule& schedule,
                       const PlanningOptions& options) {
  Planning planning = planning_of(program, storage, schedule, options);
  // Other bytes of a state are free at each size.
  for (size_t i = 0; !options.sizes.empty() && i < planning.items.size(); ++i) {
    if (planning.lives[planning.items[i].pos()].part) planning.problem.items[i].gaps.clear();
    planning.lives[planning.items[i].pos()].part.reset();
  }
  for (const AtSize& size : options.sizes) {
    // Whether blocks of pixels are safe is looked at once offsets are known, at each size.
    const Planning other =
        planning_of(*size.program, *size.storage, schedule, {options.share, options.alignment, 0, {}});
    planning = hold_both(std::move(planning), other);
  }
  return planning;
}

}  // namespace tarn::lifetimes
