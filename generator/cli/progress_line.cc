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

Clock::time_point start, next;
Clock::duration between_lines;
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

// Without a terminal: whole lines, seldom, with the time that has passed.
void say(const char* what, uint64_t count) {
  const Clock::time_point now = Clock::now();
  if (now < next) return;
  next = now + between_lines;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - start).count();
  if (count > 0)
    std::fprintf(stderr, "tarn: %s, %llu, after %lld s\n", what, static_cast<unsigned long long>(count),
                 static_cast<long long>(seconds));
  else std::fprintf(stderr, "tarn: %s, after %lld s\n", what, static_cast<long long>(seconds));
  std::fflush(stderr);
}

}  // namespace

ProgressLine::ProgressLine(bool lines, std::chrono::milliseconds between) {
  const bool terminal = ::isatty(STDERR_FILENO) != 0;
  if (!terminal && !lines) return;
  start = Clock::now();
  between_lines = between;
  next = start + (terminal ? Clock::duration(kQuiet) : between_lines);
  shown = false;
  progress_listener = terminal ? show : say;
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
