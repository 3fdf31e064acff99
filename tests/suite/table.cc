#include "suite/table.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "support/text.h"

namespace tarn::suite {

std::string counts_table(const std::vector<Group>& groups) {
  std::string out;
  char line[200];
  std::snprintf(line, sizeof line, "%-34s %7s %7s %7s %8s\n", "", "models", "passed", "failed", "refused");
  out += line;
  for (const Group& group : groups) {
    int counts[3] = {};
    for (const Outcome& o : group.outcomes) ++counts[static_cast<int>(o.verdict)];
    std::snprintf(line, sizeof line, "%-34s %7zu %7d %7d %8d\n", group.title.c_str(), group.outcomes.size(),
                  counts[static_cast<int>(Verdict::passed)], counts[static_cast<int>(Verdict::failed)],
                  counts[static_cast<int>(Verdict::refused)]);
    out += line;
  }
  return out;
}

std::string reasons_table(const std::vector<Outcome>& outcomes, Verdict verdict) {
  std::map<std::string, std::set<std::string>> names;  // by reason
  for (const Outcome& o : outcomes) {
    if (o.verdict == verdict) names[kind_of(o)].insert(o.name);
  }
  std::vector<std::pair<std::string, std::set<std::string>>> sorted(names.begin(), names.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.size() > b.second.size(); });
  std::string out;
  for (const auto& [reason, models] : sorted) {
    char count[16];
    std::snprintf(count, sizeof count, "%5zu  ", models.size());
    out += count + reason + "  [" + *models.begin() + (models.size() > 1 ? ", ..." : "") + "]\n";
  }
  return out;
}

std::string duration(double seconds) {
  char text[64];
  if (seconds < 100) std::snprintf(text, sizeof text, "%.1f s", seconds);
  else
    std::snprintf(text, sizeof text, "%d min %02d s", static_cast<int>(seconds) / 60, static_cast<int>(seconds) % 60);
  return text;
}

}  // namespace tarn::suite
