#include "report/certificate.h"

#include <algorithm>

#include "planner/bounds.h"

namespace tarn::report {

namespace {

std::vector<CertificateItem> named(const Analysis& analysis, const std::vector<int>& items) {
  std::vector<CertificateItem> rows;
  for (const int i : items) {
    const planner::Item& item = analysis.planning.problem.items[static_cast<size_t>(i)];
    const lifetimes::BufferId buffer = analysis.planning.items[static_cast<size_t>(i)];
    const program::TensorId tensor = analysis.storage[buffer].tensors.front();
    rows.push_back({analysis.program[tensor].name, item.size, item.first, item.end});
  }
  return rows;
}

// The pairs among `items`, by positions there.
std::vector<CertificatePair> pairs_among(const planner::Problem& problem, const std::vector<int>& items) {
  std::vector<int64_t> place(problem.items.size(), -1);
  for (size_t k = 0; k < items.size(); ++k) place[static_cast<size_t>(items[k])] = static_cast<int64_t>(k);
  std::vector<CertificatePair> rows;
  for (const planner::Pair& pair : problem.pairs) {
    const int64_t a = place[static_cast<size_t>(pair.a)], b = place[static_cast<size_t>(pair.b)];
    if (a < 0 || b < 0) continue;
    CertificatePair row{a, b, {}};
    for (const planner::Forbidden& f : pair.forbidden) row.forbidden.emplace_back(f.lo, f.hi);
    rows.push_back(std::move(row));
  }
  return rows;
}

bool without_gaps(const planner::Problem& problem, const std::vector<int>& items) {
  return std::all_of(items.begin(), items.end(),
                     [&](int i) { return problem.items[static_cast<size_t>(i)].gaps.empty(); });
}

// Items that do not fit into fewer bytes than `arena`; none where few nodes do not show any.
std::vector<int> core_below(planner::Problem problem, int64_t arena) {
  problem.known_bound = 0;
  problem.capacity = arena - 1;
  for (planner::Item& item : problem.items) item.hint.reset();
  planner::Plan plan = planner::solve(problem, planner::Strategy::exact, {0});
  if (plan.proof != planner::Proof::infeasible) return {};
  return std::move(plan.core);
}

}  // namespace

std::string to_string(Certificate::By by) {
  switch (by) {
    case Certificate::By::peak: return "peak of step";
    case Certificate::By::core: return "core";
    case Certificate::By::search: return "exhausted search";
    case Certificate::By::lines: return "lines of a step";
  }
  return "";
}

std::optional<Certificate> certificate_of(const Analysis& analysis) {
  const planner::Plan& plan = analysis.plan;
  if (plan.proof != planner::Proof::optimal || analysis.banked) return std::nullopt;
  const planner::Problem& problem = analysis.planning.problem;
  Certificate certificate;
  const planner::PeakSet peak = planner::peak_set(problem);
  if (planner::reachable_arena(problem, peak.bytes) >= plan.arena && without_gaps(problem, peak.items)) {
    certificate.instant = peak.at;
    certificate.items = named(analysis, peak.items);
    return certificate;
  }
  if (const std::vector<int> core = core_below(problem, plan.arena); !core.empty() && without_gaps(problem, core)) {
    certificate.by = Certificate::By::core;
    certificate.items = named(analysis, core);
    certificate.pairs = pairs_among(problem, core);
    return certificate;
  }
  certificate.by = Certificate::By::search;
  certificate.nodes = plan.search_nodes;
  return certificate;
}

}  // namespace tarn::report
