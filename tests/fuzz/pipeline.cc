#include "fuzz/pipeline.h"

#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <new>
#include <optional>
#include <variant>
#include <vector>

#include "advice/budget.h"
#include "cli/options.h"
#include "emit/depfile.h"
#include "emit/emit.h"
#include "report/compare_streams.h"
#include "report/report.h"
#include "report/zeros.h"
#include "sanitized.h"
#include "stream/make_plan.h"
#include "support/memory_limit.h"
#include "support/text.h"

namespace tarn::fuzz {

namespace {

constexpr int64_t kMegabyte = int64_t{1} << 20;

// Than the builds for which the limit is promised: seven times was measured for AddressSanitizer and
// UndefinedBehaviorSanitizer at -O1, and a busy machine's processors take longer for the same.
constexpr double kSlower = sanitized::kAddresses ? 12 : 1.5;

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Ends a run that hangs, by processor time: on a machine that is busy the clock says nothing.
void limit_processor(double seconds) {
  static const bool installed = [] {
    std::signal(SIGPROF, [](int) {
      constexpr std::string_view kText = "\nFINDING: it hangs, or takes far too long\n";
      [[maybe_unused]] const auto written = write(STDERR_FILENO, kText.data(), kText.size());
      _exit(99);
    });
    return true;
  }();
  (void)installed;
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  setitimer(ITIMER_PROF, &timer, nullptr);
}

// A varint of protobuf's wire format; moves `at` behind it.
uint64_t varint(std::span<const uint8_t> bytes, size_t& at) {
  uint64_t value = 0;
  for (int shift = 0; at < bytes.size() && shift < 64; shift += 7) {
    const uint8_t byte = bytes[at++];
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return value;
}

// ModelProto.doc_string, read from the wire without the rest.
std::string_view doc_string(std::span<const uint8_t> bytes) {
  constexpr uint64_t kDocString = 6;
  for (size_t at = 0; at < bytes.size();) {
    const uint64_t tag = varint(bytes, at);
    if ((tag & 7) == 0) {
      varint(bytes, at);
    } else if ((tag & 7) == 2) {
      const uint64_t length = varint(bytes, at);
      if (length > bytes.size() - at) return {};
      if (tag >> 3 == kDocString) return {reinterpret_cast<const char*>(bytes.data()) + at, length};
      at += length;
    } else {
      return {};
    }
  }
  return {};
}

// Everything behind the pipeline's first half: figures, budgets, advice, C, reports.
Outcome finish(const cli::Options& options, Result<Analysis> analysis, bool all_reports) {
  Outcome outcome;
  if (!analysis) {
    outcome.code = analysis.faults().front().code;
    for (const Diagnostic& d : analysis.faults()) {
      const DiagnosticKind* kind = find_diagnostic(d.code);
      if (kind == nullptr) outcome.finding = "a diagnostic's code is in no catalogue: " + d.code;
      if (d.message.empty()) outcome.finding = "a diagnostic without words: " + d.code;
      if (to_text(d).empty() || to_json(d).empty()) outcome.finding = "no text of " + d.code;
    }
    const int code = exit_code(analysis.faults());
    if (code < 2 || code > 6) outcome.finding = cat("an analysis ended in exit code ", code);
    return outcome;
  }
  for (const Diagnostic& d : analysis->warnings) {
    if (d.severity() != Severity::warning || find_diagnostic(d.code) == nullptr)
      outcome.finding = "no warning of the catalogue: " + d.code;
  }
  if (analysis->stream && !stream::not_emitted(analysis->program, *analysis->stream).empty()) {
    outcome.code = "E409";
    return outcome;
  }
  report::Report report = report::make_report(*analysis, {"tarn", "generate"});
  report::count_zeros(*analysis, report);
  const Diagnostics over = advice::check_budgets({options.ram, options.flash}, "model.onnx", report);
  if (analysis->stream || !analysis->tried_lines.empty()) report.streams = report::compare_streams(*analysis);
  if (!over.empty()) {
    report.advice =
        advice::advise(*analysis, report, options.ram, [](const Analysis&) { return std::optional<int64_t>(); });
    outcome.code = over.front().code;
  }
  if (report::to_text(report).empty()) outcome.finding = "a report without text";
  if (all_reports) {
    for (const char* format : {".md", ".csv", ".html"}) {
      const auto text = report::render(report, format);
      if (!text || text->empty()) outcome.finding = std::string("no report as ") + format;
    }
    (void)emit::depfile({"model.c"}, analysis->dependencies);
  }
  if (!over.empty()) return outcome;
  const Result<std::vector<emit::OutputFile>> files = emit::emit(*analysis, report, options.emit);
  if (!files) {
    outcome.code = files.faults().front().code;
    if (exit_code(files.faults()) > 4) outcome.finding = "emission ended in " + outcome.code;
    return outcome;
  }
  for (const emit::OutputFile& file : *files) {
    const int64_t before = outcome.output_bytes;
    file.write([&](std::string_view text) { outcome.output_bytes += static_cast<int64_t>(text.size()); });
    if (outcome.output_bytes == before && !file.name.ends_with(".bin")) outcome.finding = "an empty file";
  }
  outcome.emitted = true;
  return outcome;
}

// Nothing: they are no options that the command takes.
std::optional<cli::Options> parse(const std::string& path, const std::vector<std::string>& more) {
  std::vector<std::string> words{"generate", path, "-o", "/nonexistent", "--cc", "none"};
  words.insert(words.end(), more.begin(), more.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  auto parsed = cli::parse_options(cli::Command::generate, static_cast<int>(argv.size()), argv.data());
  if (std::holds_alternative<cli::UsageError>(parsed)) return {};
  return std::get<cli::Options>(std::move(parsed));
}

// Options are parsed once for each text.
const cli::Options& parsed_options(const std::string& text) {
  static std::map<std::string, cli::Options> known;
  if (const auto it = known.find(text); it != known.end()) return it->second;
  if (known.size() > 4096) known.clear();
  std::vector<std::string> words;
  if (text.find("--effort") == std::string::npos) words.insert(words.end(), {"--effort", "0"});
  for (const std::string& word : split(text, ' ')) {
    if (!word.empty()) words.push_back(word);
  }
  const auto parsed = parse(scratch_folder() + "/model.onnx", words);
  return known.emplace(text, parsed ? *parsed : cli::Options(parsed_options(""))).first->second;
}

// `bytes`: of the files that the model is made of.
Outcome run_with(const cli::Options& options, int64_t bytes) {
  const double limit = (10 + 2 * static_cast<double>(bytes) / static_cast<double>(kMegabyte)) * kSlower;
  limit_processor(1.5 * limit + 1);
  const double start = processor_seconds();
  limit_memory(most_on_heap(bytes), [] {});
  Outcome outcome;
  try {
    outcome = finish(options, analyze(options.compile), bytes % 8 == 0);
  } catch (const std::bad_alloc&) {
    outcome.code = "E413";  // what the command tells
  } catch (const std::exception& error) {
    outcome.finding = std::string("internal error: ") + error.what();
  }
  lift_memory_limit();
  outcome.memory_bytes = peak_memory();
  outcome.seconds = processor_seconds() - start;
  // Whoever caught what was thrown there told another story.
  if (memory_exceeded()) outcome.code = "E413";
  limit_processor(0);
  if (outcome.finding.empty() && outcome.seconds > limit) outcome.finding = cat("took ", outcome.seconds, " s");
  return outcome;
}

}  // namespace

const std::string& scratch_folder() {
  static const std::string folder = [] {
    const char* base = std::getenv("TARN_FUZZ_SCRATCH");
    const std::string path = base != nullptr ? std::string(base) : cat("/dev/shm/tarn-fuzz-", getpid());
    std::filesystem::create_directories(path);
    std::ofstream weights(path + "/weights.bin", std::ios::binary);
    for (int i = 0; i < 4096; ++i) weights.put(static_cast<char>(i * 37 % 61));
    return path;
  }();
  return folder;
}

std::string option_text(std::span<const uint8_t> model) {
  constexpr std::array kKnown{
      "--ram",          "--flash",         "--strategy",     "--order",  "--share",     "--align", "--io",
      "--input-layout", "--drain",         "--quantized-io", "--target", "--emit",      "--files", "--weights",
      "--libm",         "--output-layout", "--lines",        "--stream", "--recompute", "--scan",  "--bank",
      "--effort",       "--dim",           "--line-buffers", "--name",   "--cut",       "--state", "--pin"};
  const std::string text(doc_string(model));
  if (!text.starts_with("--") || text.size() > 200) return {};
  bool known = false;
  for (const std::string& word : split(text, ' ')) {
    if (word.starts_with("-")) known = std::find(kKnown.begin(), kKnown.end(), word) != kKnown.end();
    if (!known) return {};
  }
  return text;
}

Outcome run_pipeline(std::span<const uint8_t> model) {
  const auto bytes = static_cast<int64_t>(model.size());
  const cli::Options& options = parsed_options(option_text(model));
  std::ofstream(options.compile.model_path, std::ios::binary)
      .write(reinterpret_cast<const char*>(model.data()), static_cast<std::streamsize>(bytes));
  return run_with(options, bytes);
}

Outcome run_model(const std::string& path) {
  namespace fs = std::filesystem;
  int64_t bytes = 0;  // of the model, and of its external data
  for (const auto& entry : fs::directory_iterator(fs::path(path).parent_path())) {
    if (entry.is_regular_file() && (entry.path() == path || entry.path().extension() != ".onnx"))
      bytes += static_cast<int64_t>(entry.file_size());
  }
  return run_with(*parse(path, {}), bytes);
}

}  // namespace tarn::fuzz
