#include "suite/run.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <thread>

#include "suite/pool.h"
#include "support/text.h"
#include "verify/verify.h"

namespace tarn::suite {
namespace {

constexpr int64_t kCpuSeconds =
    1800;  // of planning and emitting one model; programs it starts have limits of their own

std::vector<Outcome> outcomes_of(const ModelJob& job, const JobEnd& end) {
  std::vector<Outcome> outcomes;
  for (const std::string& line : split(end.result, '\n')) {
    if (auto outcome = from_line(line)) outcomes.push_back(std::move(*outcome));
  }
  for (size_t i = outcomes.size(); i < job.on.size(); ++i) {
    Outcome outcome;
    outcome.name = job.name;
    outcome.on = job.on[i];
    outcome.code = end.out_of_time ? "time" : "crash";
    outcome.message = end.trouble + " " + end.err;
    outcome.seconds = end.seconds;
    std::replace(outcome.message.begin(), outcome.message.end(), '\n', ' ');
    std::replace(outcome.message.begin(), outcome.message.end(), '\t', ' ');
    outcomes.push_back(std::move(outcome));
  }
  return outcomes;
}

}  // namespace

std::vector<Outcome> run_models(const std::vector<ModelJob>& jobs, int workers,
                                const std::function<void(const Outcome&)>& each) {
  std::vector<std::vector<Outcome>> results(jobs.size());
  const bool terminal = isatty(2) != 0;
  size_t count = 0;
  const auto work = [&](size_t i) {
    std::string lines;
    for (const Outcome& outcome : jobs[i].work()) lines += to_line(outcome) + "\n";
    return lines;
  };
  const auto done = [&](size_t i, const JobEnd& end) {
    results[i] = outcomes_of(jobs[i], end);
    for (const Outcome& outcome : results[i]) {
      if (each) each(outcome);
    }
    if (terminal) std::fprintf(stderr, "\r%zu of %zu", ++count, jobs.size());
  };
  run_jobs(jobs.size(), workers, kCpuSeconds, work, done);
  if (terminal) std::fprintf(stderr, "\r                    \r");
  std::vector<Outcome> outcomes;
  for (const auto& mine : results) outcomes.insert(outcomes.end(), mine.begin(), mine.end());
  return outcomes;
}

int conclude(const std::string& expected_path, const std::string& head, bool change,
             const std::vector<Outcome>& outcomes) {
  Expectations expectations;
  const std::string fault = read_expectations(expected_path, expectations);
  if (!fault.empty()) {
    std::cerr << fault << "\n";
    return 1;
  }
  if (change) {
    update(expectations, outcomes);
    if (!write_expectations(expected_path, head, expectations)) {
      std::cerr << "cannot write " << expected_path << "\n";
      return 1;
    }
  }
  const std::vector<std::string> changes = differences(expectations, outcomes);
  if (changes.empty()) {
    std::cout << "As " << std::filesystem::path(expected_path).filename().string() << " says.\n";
    return 0;
  }
  std::cout << changes.size() << " differ from " << expected_path << ":\n";
  for (const std::string& line : changes) std::cout << "  " << line << "\n";
  return 1;
}

std::optional<std::vector<std::string>> target_names(std::vector<std::string> names) {
  for (std::string& name : names) {
    const std::optional<verify::Target> target = verify::parse_target(name);
    if (!target) {
      std::cerr << "no target " << name << "\n";
      return {};
    }
    name = to_string(*target);
  }
  return names;
}

int default_jobs() {
  const char* jobs = std::getenv("TARN_JOBS");
  if (jobs != nullptr && std::atoi(jobs) > 0) return std::atoi(jobs);
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

bool full_asked() {
  const char* full = std::getenv("TARN_FULL");
  return full != nullptr && *full != 0;
}

}  // namespace tarn::suite
