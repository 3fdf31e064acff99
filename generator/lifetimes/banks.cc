#include "lifetimes/banks.h"

#include <algorithm>

#include "planner/index.h"
#include "planner/split_relaxation.h"
#include "planner/validate.h"
#include "support/check.h"
#include "support/text.h"

namespace tarn::lifetimes {

namespace {

using planner::Bytes;
using program::Argument;

constexpr Bytes kBoundless = Bytes{1} << 60;

bool holds_ports(const Program& program, const Buffer& buffer) {
  return std::any_of(buffer.tensors.begin(), buffer.tensors.end(), [&](TensorId id) {
    return program[id].kind == program::Kind::input || program[id].kind == program::Kind::output;
  });
}

// The same storage in which only the given items' buffers are tarn's to place.
Storage only(const Storage& storage, const Planning& planning, const std::vector<int>& items) {
  Storage part = storage;
  for (Buffer& buffer : part.buffers) buffer.external = true;
  for (int i : items) part[planning.items[Z(i)]].external = storage[planning.items[Z(i)]].external;
  return part;
}

void check(const planner::Problem& problem, const planner::Plan& plan) {
  const std::vector<planner::Violation> violations = planner::validate(problem, plan);
  if (!violations.empty()) TARN_FAIL("invalid plan of a bank: " + violations.front().text);
}

// A plan of one bank by itself, with the bounds that its own sharing gives.
planner::Plan plan_bank(const Program& program, const Storage& storage, const schedule::Schedule& schedule,
                        const Planning& planning, const BankRequest& request, const std::vector<int>& items,
                        const planner::Plan& found) {
  const Planning own = make_planning(program, only(storage, planning, items), schedule, request.planning);
  TARN_CHECK(own.items.size() == items.size());
  planner::Plan plan = planner::solve(own.problem, request.strategy, request.limits);
  const bool searches =
      request.strategy == planner::Strategy::automatic || request.strategy == planner::Strategy::exact;
  if (searches && found.arena < plan.arena) {
    plan.offsets = found.offsets;
    plan.arena = found.arena;
    plan.proof = plan.arena <= plan.lower_bound ? planner::Proof::optimal : planner::Proof::best_found;
  }
  check(own.problem, plan);
  return plan;
}

// The same with slack for blocks of pixels, where that costs next to nothing and fits.
planner::Plan with_blocks(const Program& program, const Storage& storage, const schedule::Schedule& schedule,
                          const Planning& planning, const BankRequest& request, const std::vector<int>& items,
                          int64_t bytes, planner::Plan tight) {
  if (request.block_part == 0) return tight;
  PlanningOptions options = request.planning;
  options.block_budget = std::min(bytes, tight.arena + tight.arena / request.block_part);
  const Planning own = make_planning(program, only(storage, planning, items), schedule, options);
  planner::Plan plan = planner::solve(own.problem, request.strategy, request.limits);
  if (plan.arena > options.block_budget) return tight;
  check(own.problem, plan);
  plan.search_nodes += tight.search_nodes;
  return plan;
}

planner::SplitProblem split_problem(const Planning& planning, const BankRequest& request,
                                    const std::vector<Bytes>& traffic) {
  planner::SplitProblem problem;
  problem.problem = planning.problem;
  problem.problem.capacity.reset();
  problem.allowed = request.allowed;
  problem.traffic = traffic;
  // Sums over all items and banks stay far from overflow.
  const Bytes most = kBoundless / static_cast<Bytes>(planner::kMostBanks * (traffic.size() + 1));
  for (Bytes& t : problem.traffic) t = std::min(t, most);
  for (const Bank& bank : request.banks) problem.capacities.push_back(bank.bytes);
  return problem;
}

// No bank, or no division among them, holds what one step needs: then no order helps.
bool some_step_is_too_large(const Program& program, const Storage& storage, const schedule::Schedule& schedule,
                            const Planning& planning, const planner::SplitProblem& whole) {
  for (const schedule::Step& step : schedule.steps) {
    for (const bool before : {true, false}) {
      planner::SplitProblem one;
      one.capacities = whole.capacities;
      std::vector<int> seen;
      for (const Argument& a : program[step.operation].arguments) {
        if (!a.tensor.valid()) continue;
        // What is read is there when the step begins, what is written when it ends; its own memory all the while.
        if (a.role == (before ? Argument::Role::write : Argument::Role::read)) continue;
        const int i = planning.item_of[storage[a.tensor].buffer.pos()];
        if (i < 0 || std::find(seen.begin(), seen.end(), i) != seen.end()) continue;
        seen.push_back(i);
        planner::Item item;
        item.size = planning.problem.items[Z(i)].size;
        item.end = 1;
        one.problem.items.push_back(item);
        one.allowed.push_back(whole.allowed[Z(i)]);
        one.traffic.push_back(0);
      }
      const planner::SplitRelaxation::Answer answer = planner::SplitRelaxation(one).run({}, 4096);
      if (!answer.found && answer.complete) return true;
    }
  }
  return false;
}

bool proved_too_large(const Program& program, const Storage& storage, const schedule::Schedule& schedule,
                      const Planning& planning, const BankRequest& request, const planner::SplitProblem& problem,
                      const planner::Split& split) {
  if (request.order_is_given && split.proof == planner::Proof::infeasible) return true;
  Bytes capacity = 0;
  for (Bytes bank : problem.capacities) capacity += bank;
  if (request.floor > capacity) return true;
  return some_step_is_too_large(program, storage, schedule, planning, problem);
}

// The split, and where there is none, one with room where it is missing.
planner::Split split_somehow(planner::SplitProblem problem, const planner::Limits& limits,
                             const planner::Split& first) {
  if (first.found()) return first;
  for (size_t b = problem.capacities.size(); b-- > 0;) {
    const Bytes own = problem.capacities[b];
    problem.capacities[b] = kBoundless;
    planner::Split wider = planner::split(problem, {0});
    if (wider.found()) return wider;
    problem.capacities[b] = own;
  }
  std::fill(problem.capacities.begin(), problem.capacities.end(), kBoundless);
  return planner::split(problem, limits);
}

}  // namespace

int64_t Banked::arena() const {
  int64_t bytes = 0;
  for (const BankPlan& plan : plans) bytes += plan.arena;
  return bytes;
}

int64_t Banked::lower_bound() const {
  int64_t bytes = 0;
  for (const BankPlan& plan : plans) bytes += plan.lower_bound;
  return bytes;
}

Result<std::vector<uint32_t>> allowed_banks(const Program& program, const Storage& storage, const Planning& planning,
                                            const BankOptions& options, const std::string& file) {
  const uint32_t all = (1u << options.banks.size()) - 1;
  std::vector<uint32_t> allowed(planning.items.size(), all);
  Diagnostics faults;
  auto fault = [&](const char* code, const std::string& tensor, std::string what, std::string hint) {
    Where where;
    where.file = file;
    where.tensor = tensor;
    faults.push_back({code, where, std::move(what), std::move(hint)});
  };
  uint32_t reached = all;
  for (size_t b = 0; b < options.banks.size(); ++b) {
    if (!options.banks[b].dma) reached &= ~(1u << b);
  }
  for (size_t i = 0; i < allowed.size(); ++i) {
    if (!holds_ports(program, storage[planning.items[i]])) continue;
    allowed[i] = reached;
    if (reached == 0) {
      fault("E306", program[storage[planning.items[i]].tensors[0]].name,
            "it holds an input or output, and every bank has dma=no",
            "add a bank without dma=no, or hand inputs and outputs over with --io caller");
    }
  }
  std::map<size_t, std::string> pinned;  // by item: the tensor that did it
  for (const auto& [tensor, bank] : options.pins) {
    const auto at = std::find_if(options.banks.begin(), options.banks.end(),
                                 [&, name = bank](const Bank& b) { return b.name == name; });
    int item = -1;
    for (size_t t = 0; t < program.tensors.size(); ++t) {
      if (program.tensors[t].name == tensor) item = planning.item_of[storage.places[t].buffer.pos()];
      if (item >= 0) break;
    }
    if (item < 0 || at == options.banks.end()) {
      fault("E209", tensor, "--pin names a tensor that is not in the plan",
            "the JSON report lists the tensors there are; fused ones have no memory");
      continue;
    }
    const uint32_t mask = 1u << (at - options.banks.begin());
    const auto [first, is_new] = pinned.try_emplace(Z(item), tensor);
    if ((allowed[Z(item)] & mask) != 0) {
      allowed[Z(item)] = mask;
    } else if (!is_new) {
      fault("E306", tensor,
            "pinned to '" + bank + "', but it shares memory with '" + first->second + "', which is pinned elsewhere",
            "pin both to one bank, or keep them apart with --share in_place,overlap");
    } else {
      fault("E306", tensor, "pinned to '" + bank + "', which has dma=no and so holds no inputs or outputs",
            "pin it to another bank, or leave dma=no out");
    }
  }
  if (!faults.empty()) return faults;
  return allowed;
}

std::vector<Bytes> traffic_of(const Program& program, const Storage& storage, const schedule::Schedule& schedule,
                              const Planning& planning) {
  std::vector<Bytes> traffic(planning.items.size(), 0);
  auto add = [&](TensorId id, Bytes times) {
    const int i = planning.item_of[storage[id].buffer.pos()];
    if (i >= 0) traffic[Z(i)] += std::min(program[id].bytes(), Bytes{1} << 40) * times;
  };
  for (TensorId id : program.inputs) add(id, 1);
  for (TensorId id : program.outputs) add(id, 1);
  for (const schedule::Step& step : schedule.steps) {
    for (const Argument& a : program[step.operation].arguments) {
      if (!a.tensor.valid()) continue;
      add(a.tensor, a.role == Argument::Role::update || a.role == Argument::Role::scratch ? 2 : 1);
    }
  }
  return traffic;
}

Banked plan_banks(const Program& program, const Storage& storage, const schedule::Schedule& schedule,
                  const Planning& planning, const BankRequest& request) {
  const std::vector<Bytes> traffic = traffic_of(program, storage, schedule, planning);
  const planner::SplitProblem problem = split_problem(planning, request, traffic);
  const planner::Split first = planner::split(problem, request.limits);
  const planner::Split split = split_somehow(problem, request.limits, first);
  TARN_CHECK(split.found());

  Banked banked;
  banked.bank_of = split.bank;
  banked.cost = split.cost;
  banked.cost_bound = split.lower_bound;
  banked.proof = !first.found() ? first.proof : split.proof;
  banked.core = first.core;
  banked.floor = request.floor;
  banked.search_nodes = first.search_nodes + (!first.found() ? split.search_nodes : 0);
  banked.offsets.assign(planning.items.size(), 0);
  int64_t base = 0;
  const int64_t step = request.planning.alignment;
  for (int b = 0; b < static_cast<int>(request.banks.size()); ++b) {
    const std::vector<int> items = planner::items_of_bank(split.bank, b);
    planner::Plan plan = plan_bank(program, storage, schedule, planning, request, items, split.plans[Z(b)]);
    plan =
        with_blocks(program, storage, schedule, planning, request, items, request.banks[Z(b)].bytes, std::move(plan));
    BankPlan row{base, plan.arena, plan.lower_bound, plan.proof, 0};
    for (size_t k = 0; k < items.size(); ++k) {
      banked.offsets[Z(items[k])] = base + plan.offsets[k];
      row.traffic += traffic[Z(items[k])];
    }
    banked.search_nodes += plan.search_nodes;
    banked.fits = banked.fits && plan.arena <= request.banks[Z(b)].bytes;
    banked.plans.push_back(row);
    base += (plan.arena + step - 1) / step * step;
  }
  banked.proved = banked.fits || proved_too_large(program, storage, schedule, planning, request, problem, first);
  return banked;
}

}  // namespace tarn::lifetimes
