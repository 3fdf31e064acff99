// Models through the pool, outcomes back; the end of a run, as every suite prints it.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "suite/expected.h"
#include "suite/outcome.h"

namespace tarn::suite {

struct ModelJob {
  std::string name;
  std::vector<std::string> on;  // targets, in the order of the outcomes
  std::function<std::vector<Outcome>()> work;
};

// Runs the jobs in their order, `workers` at a time; outcomes come in the same order. A crash, an endless loop or a
// missing outcome is a failure of that model. `each` is called for every outcome as it comes; it may be null.
std::vector<Outcome> run_models(const std::vector<ModelJob>& jobs, int workers,
                                const std::function<void(const Outcome&)>& each);

// Reads the list, updates it if asked to, prints what differs. The exit status of the suite.
int conclude(const std::string& expected_path, const std::string& head, bool update,
             const std::vector<Outcome>& outcomes);

// Targets by their full names; nothing, and a line on stderr, for one that is none.
std::optional<std::vector<std::string>> target_names(std::vector<std::string> names);

// Two processors' worth of jobs on two processors; $TARN_JOBS when set.
int default_jobs();
// Is $TARN_FULL set and not empty?
bool full_asked();

}  // namespace tarn::suite
