#include "cli/progress_line.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "support/progress.h"

namespace tarn::cli {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kQuiet = std::chrono::seconds(1);
constexpr auto kBetween = std::chrono::milliseconds(100);

Clock::time_point next;
bool shown = false;

void show(const char* what, uint64_t count) {
  const Clock::time_point now = Clock::now();
  if (now < next) return;
  next = now + kBetween;
  shown = true;
  if (count > 0) std::fprintf(stderr, "\r\033[Ktarn: %s, %llu", what, static_cast<unsigned long long>(count));
  else std::fprintf(stderr, "\r\033[Ktarn: %s", what);
  std::fflush(stderr);
}

}  // namespace

ProgressLine::ProgressLine() {
  if (::isatty(STDERR_FILENO) == 0) return;
  next = Clock::now() + kQuiet;
  shown = false;
  progress_listener = show;
}

ProgressLine::~ProgressLine() {
  progress_listener = nullptr;
  clear();
}

void ProgressLine::clear() {
  if (!shown) return;
  shown = false;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
}

}  // namespace tarn::cli
