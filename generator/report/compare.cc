#include "report/compare.h"

#include "plan_layers.h"

namespace tarn::report {

namespace {

using lifetimes::ShareOptions;
using planner::Strategy;
using schedule::OrderKind;

std::vector<std::string> names_of(const ShareOptions& share) {
  std::vector<std::string> names;
  if (share.views) names.push_back("views");
  if (share.in_place) names.push_back("in_place");
  if (share.overlap) names.push_back("overlap");
  return names;
}

}  // namespace

std::vector<CompareRow> compare_variants(const Analysis& analysis) {
  const ShareOptions all, none{false, false, false};
  const std::vector<Variant> variants = {
      // Without any sharing, by each strategy.
      {Strategy::naive, OrderKind::given, none},
      {Strategy::greedy_by_size, OrderKind::given, none},
      {Strategy::exact, OrderKind::given, none},
      {Strategy::exact, OrderKind::min_peak, none},
      // Each kind of sharing alone, then together.
      {Strategy::exact, OrderKind::min_peak, {true, false, false}},
      {Strategy::exact, OrderKind::min_peak, {true, true, false}},
      {Strategy::exact, OrderKind::given, all},
      // All sharing, by each strategy.
      {Strategy::greedy_by_size, OrderKind::min_peak, all},
      {Strategy::greedy_by_breadth, OrderKind::min_peak, all},
      {Strategy::first_fit, OrderKind::min_peak, all},
      {Strategy::best_fit, OrderKind::min_peak, all},
      {Strategy::hill_climb, OrderKind::min_peak, all},
      {Strategy::exact, OrderKind::min_peak, all},
  };
  std::vector<CompareRow> rows;
  for (const Variant& variant : variants) {
    const planner::Plan plan = plan_variant(analysis.program, analysis.options, variant).plan;
    rows.push_back({to_string(variant.strategy), to_string(variant.order), names_of(variant.share), plan.arena,
                    plan.lower_bound, to_string(plan.proof), plan.search_nodes});
  }
  return rows;
}

}  // namespace tarn::report
