// The onnx backend suite, model by model: planned, emitted and compiled with default options, run on stored inputs,
// compared by the suite's own rule. The run agrees with expected.txt or fails: what is listed there does not pass,
// everything else does.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cxxopts.hpp>
#include <filesystem>
#include <iostream>
#include <map>
#include <regex>

#include "conformance/catalogue.h"
#include "sampling.h"
#include "suite/expected.h"
#include "suite/run.h"
#include "suite/table.h"
#include "suite/verify_model.h"
#include "suite/with_constants.h"
#include "suite/without_passes.h"
#include "support/text.h"
#include "verify/toolchain.h"

namespace tarn::conformance {
namespace {

constexpr const char* kHead =
    "# The models of the onnx 1.22.0 backend suite that do not pass, one a line: name, target, verdict, code, reason.\n"
    "# Whatever differs from this list fails the run. `conformance --full --update` writes it; reasons of unchanged "
    "lines stay.\n"
    "# What is said of the host holds for boards too. Of the models that pass on the host, those of the sample are "
    "listed for boards.\n";

constexpr const char* kNoLines = "E311";

struct Arguments {
  std::string data, expected, work;
  bool full = false, sanitize = false, poison = false, update = false, list = false, verbose = false;
  int jobs = 1;
  size_t sample = 0;  // models when not all are run
  size_t each = 1;    // one of so many operators has models of its own among them
  std::string filter;
  std::string lines;  // empty: as tarn chooses
  bool constants = false, without_passes = false;
  std::vector<std::string> on;
};

std::vector<Entry> selection(const Arguments& arguments) {
  std::vector<Entry> entries = read_catalogue(arguments.data);
  if (!arguments.full && arguments.filter.empty()) entries = sample_of(entries, arguments.sample, arguments.each);
  if (arguments.filter.empty()) return entries;
  const std::regex filter(arguments.filter);
  size_t met = 0;
  std::erase_if(entries, [&](const Entry& entry) {
    return !std::regex_search(entry.name, filter) || met++ % arguments.each != 0;
  });
  return entries;
}

// The largest first: the last ones to end are then short.
std::vector<size_t> by_size(const std::vector<Entry>& entries) {
  std::vector<std::pair<int64_t, size_t>> sizes;
  for (size_t i = 0; i < entries.size(); ++i) {
    std::error_code ignored;
    const auto bytes = static_cast<int64_t>(std::filesystem::file_size(entries[i].path, ignored));
    sizes.emplace_back(entries[i].name.starts_with("light/") ? -(int64_t{1} << 40) : -bytes, i);
  }
  std::sort(sizes.begin(), sizes.end());
  std::vector<size_t> order;
  for (const auto& [bytes, i] : sizes) order.push_back(i);
  return order;
}

void print_line(const suite::Outcome& o) {
  const bool passed = o.verdict == suite::Verdict::passed;
  std::printf(
      "%-60s %-10s %-8s %5.2f s  %s\n", o.name.c_str(), o.on.c_str(), to_string(o.verdict).c_str(), o.seconds,
      passed ? (o.fixed.empty() ? "" : "fixed: " + o.fixed).c_str() : (o.code + " " + o.op + " " + o.message).c_str());
}

stream::Options lines_of(const Arguments& arguments, size_t turn) {
  stream::Options options;
  if (arguments.lines.empty()) return options;
  const bool mixed = arguments.lines == "mixed";
  options.mode = arguments.lines == "resident" || (mixed && turn % 2 == 0) ? stream::Mode::resident : stream::Mode::fed;
  options.drain = arguments.lines == "drained" || (mixed && turn % 2 == 1);
  return options;
}

std::vector<suite::Outcome> run_all(const std::vector<Entry>& entries, const Arguments& arguments) {
  suite::Settings settings;
  settings.targets.clear();
  for (const std::string& name : arguments.on) settings.targets.push_back(*verify::parse_target(name));
  // Compilers are asked once what they are: jobs inherit the answers.
  for (const verify::Target target : settings.targets) static_cast<void>(verify::find_toolchain(target));
  settings.sanitize = arguments.sanitize;
  settings.count_instructions = false;
  if (arguments.poison) settings.firmware_flags.push_back("-DTARN_POISON");
  std::vector<suite::ModelJob> jobs;
  for (size_t i : by_size(entries)) {
    const Entry& entry = entries[i];
    const size_t turn = jobs.size();
    jobs.push_back({entry.name, arguments.on, [&arguments, &entry, settings, turn] {
                      cli::Options options;
                      options.compile.model_path = entry.path;
                      options.compile.stream = lines_of(arguments, turn);
                      suite::Settings own = settings;
                      own.rule = suite::Rule{entry.relative, entry.absolute};
                      // Of most models what they give is asked, not how deep their stack is.
                      own.stack_bounds = sampling::larger() || turn % 8 == 0;
                      if (arguments.constants) {
                        const std::filesystem::path beside = std::filesystem::path(entry.path).parent_path();
                        return suite::run_with_constants(entry.name, options, own,
                                                         (beside / "test_data_set_0").string());
                      }
                      if (arguments.without_passes) {
                        const int pairs = suite::full_asked() ? -1 : 4;
                        return std::vector{suite::run_without_passes(entry.name, options, pairs, data_of(entry))};
                      }
                      return suite::verify_model(entry.name, options, own, data_of(entry));
                    }});
  }
  return suite::run_models(jobs, arguments.jobs,
                           arguments.verbose ? print_line : std::function<void(const suite::Outcome&)>());
}

void print_names(const std::vector<Entry>& entries) {
  std::string line;
  for (const Entry& entry : entries) {
    if (line.size() + entry.name.size() > 118) {
      std::puts(line.c_str());
      line.clear();
    }
    line += (line.empty() ? "" : " ") + entry.name;
  }
  std::puts(line.c_str());
}

void print_tables(const std::vector<Entry>& entries, const std::vector<suite::Outcome>& outcomes,
                  const Arguments& arguments) {
  std::map<std::string, Class> classes;
  for (const Entry& entry : entries) classes[entry.name] = entry.kind;
  for (const std::string& on : arguments.on) {
    std::vector<suite::Group> groups;
    std::vector<suite::Outcome> numeric;
    for (Class kind : kClasses) {
      suite::Group group{to_string(kind), {}};
      for (const suite::Outcome& o : outcomes) {
        if (o.on == on && classes[o.name] == kind) group.outcomes.push_back(o);
      }
      if (kind == Class::numeric) numeric = group.outcomes;
      if (!group.outcomes.empty()) groups.push_back(std::move(group));
    }
    std::cout << "\nOn " << on << ":\n" << suite::counts_table(groups);
    const auto fixed = std::count_if(outcomes.begin(), outcomes.end(), [&](const suite::Outcome& o) {
      return o.on == on && o.verdict == suite::Verdict::passed && !o.fixed.empty();
    });
    std::cout << fixed << " passed with inputs that decide shapes fixed to their stored values, as --const does\n";
    for (suite::Verdict verdict : {suite::Verdict::failed, suite::Verdict::refused}) {
      const std::string reasons = suite::reasons_table(numeric, verdict);
      if (!reasons.empty()) std::cout << "\nNumeric models " << to_string(verdict) << ", by reason:\n" << reasons;
    }
  }
}

int conform(const Arguments& arguments) {
  std::vector<Entry> entries = selection(arguments);
  if (arguments.constants || arguments.without_passes) {
    // What does not pass as it is says nothing; nor do models without stored inputs.
    suite::Expectations known;
    if (const std::string fault = suite::read_expectations(arguments.expected, known); !fault.empty()) {
      std::cerr << "conformance: " << fault << "\n";
      return 2;
    }
    std::erase_if(entries, [&](const Entry& entry) {
      const std::filesystem::path folder = std::filesystem::path(entry.path).parent_path() / "test_data_set_0";
      return known.contains({entry.name, "host"}) || !std::filesystem::exists(folder / "input_0.pb");
    });
  }
  if (entries.empty()) {
    std::cout << "SKIPPED: no models in " << arguments.data << "\n";
    return 77;
  }
  if (arguments.list) {
    for (const Entry& entry : entries)
      std::cout << entry.name << '\t' << to_string(entry.kind) << '\t' << join(entry.operators, " ") << "\n";
    return 0;
  }
  if (arguments.filter.empty() && !arguments.full) {
    std::cout << "A sample of " << entries.size() << " models; --full runs all:\n";
    print_names(entries);
    if (!sampling::larger())
      std::cout
          << "Models of one in " << arguments.each
          << " operators; with TARN_CI=1 of all. Stacks of every eighth have a bound; with TARN_CI=1 those of all.\n";
  }
  std::cout.flush();
  suite::use_ccache(arguments.work);
  const auto start = std::chrono::steady_clock::now();
  std::vector<suite::Outcome> outcomes = run_all(entries, arguments);
  // The list is the same on every machine.
  for (suite::Outcome& o : outcomes) {
    for (size_t at; (at = o.message.find(arguments.data + "/")) != std::string::npos;)
      o.message.erase(at, arguments.data.size() + 1);
  }
  const size_t whole = std::erase_if(outcomes, [](const suite::Outcome& o) { return o.code == kNoLines; });
  if (whole > 0) std::cout << "\n" << whole << " models cannot run by lines\n";
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  print_tables(entries, outcomes, arguments);
  if (arguments.without_passes) std::cout << suite::variants_line(outcomes) << "\n";
  std::cout << "\n"
            << entries.size() << " models in " << suite::duration(seconds) << ", " << arguments.jobs << " at a time\n";
  return suite::conclude(arguments.expected, kHead, arguments.update, outcomes);
}

int run(int argc, char** argv) {
  cxxopts::Options options("conformance", "The onnx backend suite through tarn.");
  options.add_options()("data", "the suite's data folder",
                        cxxopts::value<std::string>()->default_value(TARN_BACKEND_DATA))(
      "expected", "the list of models that do not pass", cxxopts::value<std::string>()->default_value(TARN_EXPECTED))(
      "work", "a folder for links to compilers", cxxopts::value<std::string>()->default_value("conformance.work"))(
      "full", "all models, not the sample (also: TARN_FULL=1)")(
      "sample", "how many models are one; half of them with TARN_CI=1, an eighth without",
      cxxopts::value<size_t>()->default_value("320"))(
      "each", "of so many operators, or models of a filter, one; all with TARN_CI=1",
      cxxopts::value<size_t>()->default_value("1"))(
      "lines", "by lines: resident, fed, drained (and fed), or mixed: resident and drained in turn",
      cxxopts::value<std::string>())("constants", "with each input in turn, and all together, made constant")(
      "without-passes", "with optional passes left out: each, some pairs (TARN_FULL=1: all), all together")(
      "on", "targets", cxxopts::value<std::vector<std::string>>())(
      "sanitize", "emitted code under AddressSanitizer and UndefinedBehaviorSanitizer")(
      "poison", "memory of no living buffer is poisoned before each step (-DTARN_POISON)")("update", "write the list")(
      "filter", "models whose name matches a regular expression", cxxopts::value<std::string>())(
      "quick", "the same, but all with --full or TARN_FULL=1", cxxopts::value<std::string>())(
      "jobs", "models at a time", cxxopts::value<int>())("list", "names, classes and operators of the selection")(
      "verbose", "one line a model")("help", "this text");
  const cxxopts::ParseResult given = options.parse(argc, argv);
  if (given.count("help")) {
    std::cout << options.help();
    return 0;
  }
  Arguments arguments;
  arguments.data = given["data"].as<std::string>();
  arguments.expected = given["expected"].as<std::string>();
  arguments.work = given["work"].as<std::string>();
  arguments.full = given.count("full") > 0 || suite::full_asked();
  arguments.sanitize = given.count("sanitize") > 0;
  arguments.poison = given.count("poison") > 0;
  arguments.update = given.count("update") > 0;
  arguments.list = given.count("list") > 0;
  arguments.verbose = given.count("verbose") > 0;
  arguments.sample = given["sample"].as<size_t>() / (sampling::larger() ? 2 : 8);
  if (!sampling::larger() && !arguments.full) arguments.each = std::max<size_t>(1, given["each"].as<size_t>());
  arguments.constants = given.count("constants") > 0;
  arguments.without_passes = given.count("without-passes") > 0;
  if (given.count("lines")) arguments.lines = given["lines"].as<std::string>();
  if (given.count("filter")) arguments.filter = given["filter"].as<std::string>();
  if (given.count("quick") && !arguments.full) arguments.filter = given["quick"].as<std::string>();
  arguments.jobs = given.count("jobs") ? given["jobs"].as<int>() : suite::default_jobs();
  const auto on = suite::target_names(given.count("on") ? given["on"].as<std::vector<std::string>>()
                                                        : std::vector<std::string>{"host"});
  if (!on) return 2;
  arguments.on = *on;
  return conform(arguments);
}

}  // namespace
}  // namespace tarn::conformance

int main(int argc, char** argv) {
  try {
    return tarn::conformance::run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "conformance: " << error.what() << "\n";
    return 2;
  }
}
