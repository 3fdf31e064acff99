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

// At one instruction per cycle where no cycles are known.
std::optional<int64_t> ticks_of(const StepRow& step) { return step.cycles ? step.cycles : step.instructions; }

}  // namespace

std::optional<TransferFigures> transfer_figures(const Analysis& analysis, const Report& report) {
  if (!emit::reads_weights(analysis)) return {};
  const program::Program& program = analysis.program;
  const std::vector<schedule::Step>& steps = analysis.schedule.steps;
  TransferFigures figures;
  figures.bandwidth = analysis.options.weights_bandwidth.value_or(0);
  std::optional<int64_t> stall = 0;
  const auto buffer_of = [&](size_t s) {
    const std::optional<program::Staging>& staging = program[steps[s].operation].staging;
    return staging ? program[staging->buffer].bytes() : int64_t{0};
  };
  for (size_t s = 0; s < steps.size(); ++s) {
    const program::Operation& operation = program[steps[s].operation];
    if (!operation.staging) continue;
    const size_t begin = schedule::read_begin(program, analysis.schedule, s);
    figures.buffer = std::max(figures.buffer, buffer_of(s) + (begin < s ? buffer_of(begin) : 0));
    int64_t bytes = 0;
    for (const emit::Transfer& transfer : emit::transfers_of(program, *operation.staging)) {
      bytes += transfer.bytes;
      ++figures.reads;
    }
    figures.bytes += bytes;
    if (figures.bandwidth == 0) continue;
    const int64_t reading = duration(bytes, figures.bandwidth);
    int64_t computing = 0;  // while it goes on
    for (size_t other = begin; other < s; ++other) {
      const std::optional<int64_t> ticks = ticks_of(report.steps[other]);
      if (!report.clock || !ticks) stall.reset();
      else computing += duration(*ticks, *report.clock);
    }
    if (!report.clock) stall.reset();
    if (stall) *stall += std::max<int64_t>(0, reading - computing);
  }
  if (figures.bandwidth == 0) return figures;
  figures.nanoseconds = duration(figures.bytes, figures.bandwidth);
  figures.stall = stall;
  return figures;
}

}  // namespace tarn::report
