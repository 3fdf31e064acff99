// Whole networks from a folder that is not part of the repository: TARN_SHARED_DIR, by default ../shared beside it,
// with models/ and exported/ in it: NAME/model.onnx, NAME/test_data_set_N, and MANIFEST.tsv, which binds the dimensions
// of those without data. A network with data is verified with its default plan; one without, against itself without any
// sharing; one whose weights are not there is analysed. With --lines they run line by line. The run agrees with
// expected.txt or fails.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cxxopts.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <regex>
#include <set>

#include "model/load_onnx.h"
#include "models/manifest.h"
#include "sampling.h"
#include "suite/run.h"
#include "suite/table.h"
#include "suite/verify_model.h"
#include "suite/with_constants.h"
#include "suite/without_passes.h"
#include "support/text.h"
#include "verify/files.h"

namespace tarn::models {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHead =
    "# The networks that do not pass, one a line: name, target (or \"analyze\"), verdict, code, reason.\n"
    "# Whatever differs from this list fails the run. `models --all --on TARGETS --update` writes it; reasons of "
    "unchanged lines stay.\n";

const std::set<std::string> kWays = {"resident", "fed", "drained", "table"};

struct Arguments {
  std::string shared, expected;
  bool all = false, without_passes = false, constants = false, sanitize = false, update = false, list = false;
  int jobs = 1;
  std::string filter, subset;
  std::vector<std::string> on;
  size_t turns = 0;   // targets that a network takes of `on`; 0: all
  std::string lines;  // a way of running by lines; empty: by layers
};

struct Network {
  std::string name, path;  // "models/mnist_8"
  std::map<std::string, int64_t> dims;
  bool has_data = false;
};

// "batch_size=2 sequence=14": the values bound where the stored outputs were made.
std::map<std::string, int64_t> parse_dims(const std::string& text) {
  std::map<std::string, int64_t> dims;
  for (const std::string& part : split(text, ' ')) {
    const size_t equals = part.find('=');
    if (equals == std::string::npos || equals == 0 || part[0] == '?') continue;
    const int64_t value = std::atoll(part.c_str() + equals + 1);
    if (value > 0) dims[part.substr(0, equals)] = value;
  }
  return dims;
}

std::vector<Network> find_networks(const std::string& shared) {
  std::vector<Network> networks;
  std::error_code missing;
  for (const char* group : {"models", "exported"}) {
    const auto dims = read_manifest(cat(shared, "/", group, "/MANIFEST.tsv"), "dyn_dims_used");
    for (const fs::directory_entry& entry : fs::directory_iterator(cat(shared, "/", group), missing)) {
      Network network;
      const std::string folder = entry.path().filename().string();
      network.name = cat(group, "/", folder);
      network.path = (entry.path() / "model.onnx").string();
      if (!fs::exists(network.path)) continue;
      const Result<std::vector<std::string>> data = verify::data_folders(network.path);
      network.has_data = !data || !data->empty();  // what cannot be looked through fails when it is verified
      if (!network.has_data && dims.contains(folder)) network.dims = parse_dims(dims.at(folder));
      networks.push_back(std::move(network));
    }
  }
  std::sort(networks.begin(), networks.end(), [](const Network& a, const Network& b) { return a.name < b.name; });
  return networks;
}

// Names, one a line, of a file beside expected.txt. Those behind a "+ " only with TARN_FULL=1.
std::set<std::string> read_subset(const std::string& path) {
  std::set<std::string> names;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    const bool rare = line.starts_with("+ ");
    if (!rare || suite::full_asked()) names.insert(rare ? line.substr(2) : line);
  }
  return names;
}

// Every network on some targets, every target with some networks: neighbours and those three further, by turns.
std::vector<std::string> targets_of(size_t network, const Arguments& arguments) {
  if (arguments.turns == 0 || arguments.turns >= arguments.on.size()) return arguments.on;
  std::vector<std::string> chosen;
  for (size_t i = 0; i < arguments.turns; ++i) chosen.push_back(arguments.on[(network + 3 * i) % arguments.on.size()]);
  return chosen;
}

bool weights_are_missing(const std::string& path) {
  const Result<model::Model> model = model::load_onnx(path);
  if (!model) return false;
  return std::any_of(model->warnings.begin(), model->warnings.end(),
                     [](const Diagnostic& d) { return d.code == "W101"; });
}

void print_line(const suite::Outcome& o) {
  std::string more;
  if (o.verdict == suite::Verdict::passed) {
    if (o.error > 0) {
      char text[32];
      std::snprintf(text, sizeof text, ", error %.1e", o.error);
      more += text;
    }
    if (o.stack) more += cat(", stack ", *o.stack, o.stack_bound ? cat(" of at most ", *o.stack_bound) : "");
    if (o.instructions) more += cat(", ", *o.instructions, " instructions");
  } else {
    more = cat(", ", o.code, o.op.empty() ? "" : " " + o.op, ": ", o.message.substr(0, 160));
  }
  std::printf("%-52s %-11s %-8s %6.2f s", o.name.c_str(), o.on.c_str(), to_string(o.verdict).c_str(), o.seconds);
  if (o.proof.empty()) {
    std::printf("%s\n", more.c_str());
  } else {
    std::printf(" %5lld nodes %11lld MACs %9lld parameters, arena %9lld, bound %9lld, %s, naive %lld%s\n",
                static_cast<long long>(o.nodes), static_cast<long long>(o.macs), static_cast<long long>(o.parameters),
                static_cast<long long>(o.arena), static_cast<long long>(o.lower_bound), o.proof.c_str(),
                static_cast<long long>(o.naive), more.c_str());
  }
  std::fflush(stdout);
}

// One of kWays.
stream::Options way_of(const std::string& lines) {
  stream::Options way;
  way.mode = lines == "resident" ? stream::Mode::resident : stream::Mode::fed;
  way.drain = lines == "drained";
  way.lines = lines == "table" ? stream::Lines::table : stream::Lines::ring;
  return way;
}

std::vector<suite::ModelJob> make_jobs(const std::vector<Network>& networks, const Arguments& arguments) {
  suite::Settings settings;
  settings.sanitize = arguments.sanitize;
  std::vector<suite::ModelJob> jobs;
  for (const Network& network : networks) {
    const std::vector<std::string> on = targets_of(jobs.size(), arguments);
    settings.targets.clear();
    for (const std::string& name : on) settings.targets.push_back(*verify::parse_target(name));
    cli::Options options;
    options.compile.model_path = network.path;
    options.compile.dims = network.dims;
    if (!arguments.lines.empty()) options.compile.stream = way_of(arguments.lines);
    if (arguments.without_passes) {
      jobs.push_back({network.name, {"host"}, [=, name = network.name] {
                        return std::vector{suite::run_without_passes(name, options, suite::full_asked() ? -1 : 2)};
                      }});
    } else if (arguments.constants) {
      jobs.push_back({network.name, {"host"}, [=, name = network.name] {
                        return suite::network_with_constants(name, options, settings);
                      }});
    } else if (!network.has_data && weights_are_missing(network.path)) {
      jobs.push_back({network.name, {"analyze"}, [=, name = network.name] {
                        return std::vector<suite::Outcome>{suite::analyze_model(name, options)};
                      }});
    } else {
      jobs.push_back(
          {network.name, on, [=, name = network.name] { return suite::verify_model(name, options, settings); }});
    }
  }
  return jobs;
}

void print_tables(const std::vector<suite::Outcome>& outcomes) {
  std::map<std::string, suite::Group> groups;
  double worst = 0;
  std::string deepest;
  for (const suite::Outcome& o : outcomes) {
    suite::Group& group = groups[o.on];
    group.title = o.on;
    group.outcomes.push_back(o);
    if (!o.stack || !o.stack_bound || *o.stack == 0) continue;
    const double ratio = static_cast<double>(*o.stack_bound) / static_cast<double>(*o.stack);
    if (ratio > worst) {
      worst = ratio;
      deepest = o.name + " on " + o.on;
    }
  }
  std::vector<suite::Group> list;
  for (const auto& [on, group] : groups) list.push_back(group);
  std::cout << "\n" << suite::counts_table(list);
  for (suite::Verdict verdict : {suite::Verdict::failed, suite::Verdict::refused}) {
    const std::string reasons = suite::reasons_table(outcomes, verdict);
    if (!reasons.empty())
      std::cout << "\n" << (verdict == suite::Verdict::failed ? "Failed" : "Refused") << ", by reason:\n" << reasons;
  }
  if (worst > 0) std::printf("\nStack: the bound is at most %.3f times what was used (%s).\n", worst, deepest.c_str());
}

// What differs from the published figures, one line each; see published.txt.
std::vector<std::string> compare_published(const std::string& path, const std::vector<suite::Outcome>& outcomes) {
  std::vector<std::string> differences;
  std::ifstream in(path);
  size_t compared = 0;
  for (std::string line; std::getline(in, line);) {
    const std::vector<std::string> fields = split(line, '\t');
    if (line.empty() || line[0] == '#' || fields.size() != 6) continue;
    const auto outcome =
        std::find_if(outcomes.begin(), outcomes.end(), [&](const suite::Outcome& o) { return o.name == fields[0]; });
    if (outcome == outcomes.end() || outcome->proof.empty()) continue;
    ++compared;
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", static_cast<double>(outcome->macs) / std::atof(fields[1].c_str()) / 1e9);
    if (text != fields[2]) differences.push_back(cat(fields[0], ": ", text, " GMACs; published: ", fields[2]));
    const int64_t wanted = std::atoll(fields[3].c_str()) - std::atoll(fields[4].c_str());
    if (wanted > 0 && wanted != outcome->parameters) {
      differences.push_back(
          cat(fields[0], ": ", outcome->parameters, " parameters; published: ", fields[3], " less ", fields[4]));
    }
  }
  if (compared > 0)
    std::cout << "\nPublished figures: " << compared << " networks compared, " << differences.size()
              << " differences\n";
  for (const std::string& difference : differences) std::cout << "  " << difference << "\n";
  return differences;
}

int run_networks(const Arguments& arguments) {
  std::vector<Network> networks = find_networks(arguments.shared);
  if (networks.empty()) {
    std::cout << "SKIPPED: no models in " << arguments.shared << " (TARN_SHARED_DIR names the folder)\n";
    return 77;
  }
  const std::string folder = fs::path(arguments.expected).parent_path().string();
  if (!arguments.all) {
    const std::set<std::string> chosen = read_subset(cat(folder, "/", arguments.subset, ".txt"));
    std::erase_if(networks, [&](const Network& network) { return !chosen.contains(network.name); });
    if (networks.size() != chosen.size()) {
      std::cout << networks.size() << " of the " << chosen.size() << " networks of " << arguments.subset
                << ".txt are there\n";
      return 1;
    }
  }
  if (!arguments.filter.empty()) {
    const std::regex filter(arguments.filter);
    std::erase_if(networks, [&](const Network& network) { return !std::regex_search(network.name, filter); });
  }
  if (arguments.without_passes || arguments.constants) {
    constexpr int kMostNodes = 500;  // each is compiled and run again and again
    std::erase_if(networks, [&](const Network& network) {
      const Result<model::Model> model = model::load_onnx(network.path);
      return !model || model->graph.nodes.size() > kMostNodes || weights_are_missing(network.path);
    });
  }
  // Two of three are left to continuous integration.
  if (!arguments.all && !sampling::larger() && arguments.filter.empty() && arguments.turns == 0) {
    std::vector<Network> taken;
    for (size_t i = 0; i < networks.size(); i += 3) taken.push_back(std::move(networks[i]));
    networks = std::move(taken);
  }
  if (arguments.list) {
    for (const Network& network : networks) std::cout << network.name << "\n";
    return 0;
  }
  if (!arguments.all && !suite::full_asked())
    std::cout << "A sample of " << networks.size() << " networks"
              << (arguments.turns > 0 ? cat(", each on ", arguments.turns, " of ", arguments.on.size(), " targets")
                                      : "")
              << ", told below; TARN_CI=1 takes more, TARN_FULL=1 all of " << arguments.subset
              << ".txt, --all every network" << std::endl;
  const auto start = std::chrono::steady_clock::now();
  const std::vector<suite::Outcome> outcomes =
      suite::run_models(make_jobs(networks, arguments), arguments.jobs, print_line);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  print_tables(outcomes);
  if (arguments.without_passes) std::cout << "\n" << suite::variants_line(outcomes) << "\n";
  if (arguments.constants) {
    int64_t turns = 0;
    for (const suite::Outcome& o : outcomes) turns += o.variants;
    std::cout << "\n" << turns << " times an input, or all of them, made constant\n";
  }
  std::cout << "\n"
            << networks.size() << " networks in " << suite::duration(seconds) << ", " << arguments.jobs
            << " at a time\n";
  const bool published = compare_published(folder + "/published.txt", outcomes).empty();
  return std::max(suite::conclude(arguments.expected, kHead, arguments.update, outcomes), published ? 0 : 1);
}

int run(int argc, char** argv) {
  cxxopts::Options options("models", "Whole networks through tarn.");
  options.add_options()("shared", "the folder with models/ and exported/", cxxopts::value<std::string>())(
      "expected", "the list of networks that do not pass", cxxopts::value<std::string>()->default_value(TARN_EXPECTED))(
      "all", "every network (also: TARN_FULL=1)")("subset", "the networks of this list beside expected.txt",
                                                  cxxopts::value<std::string>()->default_value("quick"))(
      "on", "targets", cxxopts::value<std::vector<std::string>>())(
      "turns", "how many of them a network takes, in turn (half without TARN_CI=1, all with TARN_FULL=1)",
      cxxopts::value<size_t>())("sanitize", "emitted code under ASan and UBSan")("update", "write the list")(
      "filter", "networks whose name matches a regular expression", cxxopts::value<std::string>())(
      "full-only", "nothing unless TARN_FULL=1")(
      "lines", "run by lines: resident, fed, drained (and fed), table (fed, with the address of every line)",
      cxxopts::value<std::string>())(
      "without-passes",
      "networks of at most 500 nodes with optional passes left out: each, some pairs (TARN_FULL=1: all), all together")(
      "constants", "networks of at most 500 nodes with each input in turn, and all together, made constant")(
      "jobs", "networks at a time", cxxopts::value<int>())("list", "names of the selection")("help", "this text");
  const cxxopts::ParseResult given = options.parse(argc, argv);
  if (given.count("help")) {
    std::cout << options.help();
    return 0;
  }
  if (given.count("full-only") && !suite::full_asked()) {
    std::cout << "SKIPPED: only with TARN_FULL=1\n";
    return 77;
  }
  Arguments arguments;
  const char* shared = std::getenv("TARN_SHARED_DIR");
  arguments.shared = given.count("shared") ? given["shared"].as<std::string>()
                     : shared && *shared   ? shared
                                           : TARN_SOURCE_DIR "/../shared";
  arguments.expected = given["expected"].as<std::string>();
  if (given.count("lines")) arguments.lines = given["lines"].as<std::string>();
  if (given.count("lines") && !kWays.contains(arguments.lines)) {
    std::cerr << "models: --lines is one of " << join(kWays) << "\n";
    return 2;
  }
  arguments.without_passes = given.count("without-passes") > 0;
  arguments.constants = given.count("constants") > 0;
  arguments.subset = given["subset"].as<std::string>();
  if (!given.count("subset") && arguments.without_passes) arguments.subset = "passes";
  if (!given.count("subset") && arguments.constants) arguments.subset = "constants";
  arguments.all = given.count("all") > 0 || (suite::full_asked() && !given.count("subset"));
  arguments.sanitize = given.count("sanitize") > 0;
  arguments.update = given.count("update") > 0;
  arguments.list = given.count("list") > 0;
  if (given.count("filter")) arguments.filter = given["filter"].as<std::string>();
  if (given.count("turns") && !suite::full_asked())
    arguments.turns = std::max<size_t>(1, given["turns"].as<size_t>() / (sampling::larger() ? 1 : 2));
  arguments.jobs = given.count("jobs") ? given["jobs"].as<int>() : suite::default_jobs();
  const auto on = suite::target_names(given.count("on") ? given["on"].as<std::vector<std::string>>()
                                                        : std::vector<std::string>{"host"});
  if (!on) return 2;
  arguments.on = *on;
  return run_networks(arguments);
}

}  // namespace
}  // namespace tarn::models

int main(int argc, char** argv) {
  try {
    return tarn::models::run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "models: " << error.what() << "\n";
    return 2;
  }
}
