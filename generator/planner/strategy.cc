#include "planner/plan.h"

namespace tarn::planner {

namespace {
struct StrategyName {
  Strategy strategy;
  const char* text;
};
constexpr StrategyName kStrategyNames[] = {
    {Strategy::naive, "naive"},
    {Strategy::greedy_by_size, "greedy_by_size"},
    {Strategy::greedy_by_breadth, "greedy_by_breadth"},
    {Strategy::first_fit, "first_fit"},
    {Strategy::best_fit, "best_fit"},
    {Strategy::hill_climb, "hill_climb"},
    {Strategy::exact, "exact"},
    {Strategy::automatic, "auto"},
};
}  // namespace

std::string to_string(Strategy strategy) {
  for (const StrategyName& name : kStrategyNames) {
    if (name.strategy == strategy) return name.text;
  }
  return "?";
}

std::optional<Strategy> strategy_from(const std::string& text) {
  for (const StrategyName& name : kStrategyNames) {
    if (text == name.text) return name.strategy;
  }
  return {};
}

std::string to_string(Proof proof) {
  switch (proof) {
    case Proof::none: return "none";
    case Proof::optimal: return "optimal";
    case Proof::best_found: return "best_found";
    case Proof::infeasible: return "infeasible";
    case Proof::undecided: return "undecided";
  }
  return "?";
}

}  // namespace tarn::planner
