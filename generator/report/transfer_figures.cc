#include "report/transfer_figures.h"

#include <algorithm>

#include "emit/transfers.h"
#include "schedule/read_ahead.h"

namespace tarn::report {

namespace {

constexpr int64_t kSecond = 1'000'000'000;

int64_t duration(int64_t amount, int64_t per_second) {
  return static_cast<int64_t>(static_cast<double>(amount) * static_cast<double>(kSecond) /
                              static_cast<double>(per_second));
}

}  // namespace

std::optional<TransferFigures> transfer_figures(const Analysis& analysis, const Report& report) {
  if (!emit::reads_weights(analysis)) return {};
  const program::Program& program = analysis.program;
  const std::vector<schedule::Step>& steps = analysis.schedule.steps;
  TransferFigures figures;
  figures.bandwidth = analysis.options.weights_bandwidth.value_or(0);
  std::optional<int64_t> stall = 0;
  int64_t before = 0;  // bytes in the arena for the step before
  for (size_t s = 0; s < steps.size(); ++s) {
    const program::Operation& operation = program[steps[s].operation];
    const bool ahead = schedule::is_read_ahead(program, analysis.schedule, s);
    const int64_t buffer = operation.staging ? program[operation.staging->buffer].bytes() : 0;
    figures.buffer = std::max(figures.buffer, buffer + (ahead ? before : 0));
    before = buffer;
    if (!operation.staging) continue;
    int64_t bytes = 0;
    for (const emit::Transfer& transfer : emit::transfers_of(program, *operation.staging)) {
      bytes += transfer.bytes;
      ++figures.reads;
    }
    figures.bytes += bytes;
    if (figures.bandwidth == 0) continue;
    const int64_t reading = duration(bytes, figures.bandwidth);
    const std::optional<int64_t> instructions = ahead ? report.steps[s - 1].instructions : int64_t{0};
    if (!report.clock || !instructions) stall.reset();
    if (stall) *stall += std::max<int64_t>(0, reading - duration(*instructions, *report.clock));
  }
  if (figures.bandwidth == 0) return figures;
  figures.nanoseconds = duration(figures.bytes, figures.bandwidth);
  figures.stall = stall;
  return figures;
}

}  // namespace tarn::report
