// Many small jobs, each in a process of its own: a crash or an endless loop is that job's result and nobody else's.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace tarn::suite {

struct JobEnd {
  bool ended = false;   // by itself, with all of its result
  std::string result;   // what the job returned
  std::string trouble;  // how it ended otherwise: "signal 11 (Segmentation fault)"
  bool out_of_time = false;
  std::string err;     // the last of what it wrote to stderr
  double seconds = 0;  // wall time
};

// Runs job(0) .. job(count - 1) in forked children, at most `workers` at a time, in this order; `done` is called in the
// parent, as they end. `cpu_seconds` limits the processor time of a job itself; programs it starts have limits of their
// own.
void run_jobs(size_t count, int workers, int64_t cpu_seconds, const std::function<std::string(size_t)>& job,
              const std::function<void(size_t, const JobEnd&)>& done);

}  // namespace tarn::suite
