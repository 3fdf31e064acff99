// Whole networks through the planner.
//
//   bench_arena sharing FOLDER           for every FOLDER/*/model.onnx: the arena with and without each kind of
//   sharing, its proof,
//                                        CPU time of the planning alone
//   bench_arena order FOLDER...          the execution order of least peak: its proof and CPU time
//   bench_arena peers FOLDER PEERS.tsv   the arena beside the smallest that other tools need for the same model
//
// Effort 1. Goals: proof and 100 ms for at most 500 tensors; orders proved in 1 s; no arena above another tool's
// without tiles, but for alignment. What misses one is marked '*'; the exit status tells whether something does.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "compile.h"
#include "models/manifest.h"
#include "plan_layers.h"
#include "schedule/schedule.h"
#include "support/text.h"

namespace {

using namespace tarn;
namespace fs = std::filesystem;

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }
long as_long(int64_t value) { return static_cast<long>(value); }

struct Network {
  std::string name, path;
  std::map<std::string, int64_t> dims;
};

// "input:float['batch', 3]->[2, 3]": batch and input:0, as tarn names an axis without a name, are 2.
std::map<std::string, int64_t> parse_dims(const std::string& inputs) {
  std::map<std::string, int64_t> dims;
  const std::regex input("(\\S+):\\w+\\[([^\\]]*)\\]->\\[([^\\]]*)\\]");
  for (std::sregex_iterator at(inputs.begin(), inputs.end(), input), end; at != end; ++at) {
    const std::vector<std::string> declared = split((*at)[2].str(), ','), used = split((*at)[3].str(), ',');
    for (size_t axis = 0; axis < std::min(declared.size(), used.size()); ++axis) {
      const int64_t value = std::atoll(used[axis].c_str());
      const std::string& text = declared[axis];
      const size_t open = text.find('\''), close = text.rfind('\'');
      if (open < close) dims[text.substr(open + 1, close - open - 1)] = value;
      dims[cat((*at)[1].str(), ":", axis)] = value;
    }
  }
  return dims;
}

std::vector<Network> networks_of(const std::string& folder) {
  std::vector<Network> networks;
  std::error_code missing;
  const auto inputs = models::read_manifest(folder + "/MANIFEST.tsv", "inputs");
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, missing)) {
    const fs::path path = entry.path() / "model.onnx";
    const std::string name = entry.path().filename().string();
    if (fs::exists(path))
      networks.push_back({name, path.string(),
                          inputs.contains(name) ? parse_dims(inputs.at(name)) : std::map<std::string, int64_t>{}});
  }
  std::sort(networks.begin(), networks.end(), [](const Network& a, const Network& b) { return a.name < b.name; });
  return networks;
}

// Dimensions that nobody binds are 1.
Result<Analysis> plan(const Network& network, int64_t alignment, bool blocks) {
  CompileOptions options;
  options.model_path = network.path;
  options.alignment = alignment;
  options.blocks = blocks;
  options.arena_only = true;  // operators without a kernel are fine
  options.stream.mode = stream::Mode::off;
  Result<Analysis> analysis = analyze(options);
  if (analysis || analysis.faults()[0].code != "E202") return analysis;
  const std::string hint = analysis.faults()[0].hint;
  const std::regex dim("--dim (\\S+)=1");
  for (std::sregex_iterator at(hint.begin(), hint.end(), dim), end; at != end; ++at) {
    const std::string name = (*at)[1];
    options.dims[name] = network.dims.contains(name) ? network.dims.at(name) : 1;
  }
  return analyze(options);
}

void for_each_planned(const std::string& folder, int64_t alignment, bool blocks,
                      const std::function<void(const Network&, const Analysis&)>& use) {
  std::vector<std::string> refused;
  for (const Network& network : networks_of(folder)) {
    const Result<Analysis> analysis = plan(network, alignment, blocks);
    if (analysis) use(network, *analysis);
    else refused.push_back(network.name + " " + analysis.faults()[0].code);
    std::fflush(stdout);
  }
  for (const std::string& text : refused) std::printf("refused: %s\n", text.c_str());
}

constexpr lifetimes::ShareOptions kNone{false, false, false};

int bench_sharing(const std::string& folder) {
  struct Way {
    const char* name;
    planner::Strategy strategy;
    schedule::OrderKind order;
    lifetimes::ShareOptions share;
  };
  using planner::Strategy;
  using schedule::OrderKind;
  constexpr Way kWays[] = {{"naive", Strategy::naive, OrderKind::given, kNone},
                           {"greedy_by_size", Strategy::greedy_by_size, OrderKind::given, kNone},
                           {"exact", Strategy::exact, OrderKind::given, kNone},
                           {"+ min_peak", Strategy::exact, OrderKind::min_peak, kNone},
                           {"+ views", Strategy::exact, OrderKind::min_peak, {true, false, false}},
                           {"+ in_place", Strategy::exact, OrderKind::min_peak, {false, true, false}},
                           {"+ overlap", Strategy::exact, OrderKind::min_peak, {false, false, true}},
                           {"no views", Strategy::exact, OrderKind::min_peak, {false, true, true}},
                           {"no in_place", Strategy::exact, OrderKind::min_peak, {true, false, true}},
                           {"no overlap", Strategy::exact, OrderKind::min_peak, {true, true, false}}};
  std::printf("%-32s tensors %12s  %-10s     ms", "arena in bytes, effort 1", "all", "proof");
  for (const Way& way : kWays) std::printf(" %14s", way.name);
  std::printf("\n");
  int missed = 0, count = 0, small = 0;
  double log_sum[std::size(kWays)] = {};
  for_each_planned(folder, 16, true, [&](const Network& network, const Analysis& analysis) {
    const double start = cpu_seconds();
    const Planned best =
        plan_variant(analysis.program, analysis.options, {Strategy::automatic, OrderKind::min_peak, {}});
    const double ms = 1000 * (cpu_seconds() - start);
    const size_t tensors = best.planning.items.size();
    const bool misses = tensors <= 500 && (best.plan.proof != planner::Proof::optimal || ms > 100);
    missed += misses;
    small += tensors <= 500;
    ++count;
    std::printf("%-32s %7zu %12ld  %-10s %6.1f%c", network.name.substr(0, 32).c_str(), tensors,
                as_long(best.plan.arena), to_string(best.plan.proof).c_str(), ms, misses ? '*' : ' ');
    for (size_t w = 0; w < std::size(kWays); ++w) {
      const planner::Plan other =
          plan_variant(analysis.program, analysis.options, {kWays[w].strategy, kWays[w].order, kWays[w].share}).plan;
      log_sum[w] += std::log(static_cast<double>(std::max<int64_t>(1, other.arena)) /
                             static_cast<double>(std::max<int64_t>(1, best.plan.arena)));
      std::printf(" %14ld", as_long(other.arena));
    }
    std::printf("\n");
  });
  std::printf("%-72s", "geometric mean, divided by that with all sharing");
  for (double sum : log_sum) std::printf(" %14.3f", std::exp(sum / std::max(1, count)));
  std::printf("\n%d networks, %d of at most 500 tensors; %d miss a goal\n", count, small, missed);
  return missed > 0;
}

int bench_order(const std::vector<std::string>& folders) {
  std::printf("%-40s operators        given    least peak         bound  proved    states  seconds\n", "order");
  int missed = 0, count = 0;
  double total = 0, slowest = 0;
  for (const std::string& folder : folders) {
    for_each_planned(folder, 4, false, [&](const Network& network, const Analysis& analysis) {
      const double start = cpu_seconds();
      const schedule::Ordering ordering =
          schedule::make_ordering(analysis.program, analysis.storage, {}, schedule::OrderKind::min_peak, {1});
      const schedule::Order order = schedule::min_peak(ordering.problem, {1});
      const double seconds = cpu_seconds() - start;
      std::vector<int> given(ordering.problem.operators.size());
      for (size_t i = 0; i < given.size(); ++i) given[i] = static_cast<int>(i);
      const bool misses = order.peak > order.lower_bound || seconds > 1;
      missed += misses;
      ++count;
      total += seconds;
      slowest = std::max(slowest, seconds);
      std::printf("%-40s %9zu %12ld %13ld %13ld  %-6s %9lu %8.3f%c\n", network.name.substr(0, 40).c_str(), given.size(),
                  as_long(schedule::peak_of(ordering.problem, given)), as_long(order.peak), as_long(order.lower_bound),
                  order.peak == order.lower_bound ? "yes" : "no", static_cast<unsigned long>(order.search_states),
                  seconds, misses ? '*' : ' ');
    });
  }
  std::printf("%d graphs, %.2f s, the slowest %.3f s; %d miss a goal\n", count, total, slowest, missed);
  return missed > 0;
}

// The smallest figure of a line of peers.tsv without tiles, and with; 0: none.
struct Peer {
  std::string model;
  int64_t untiled = 0, tiled = 0;
};

std::vector<Peer> read_peers(const std::string& path) {
  std::vector<Peer> peers;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    const std::vector<std::string> fields = split(line, '\t');
    if (line.empty() || line[0] == '#' || fields.size() != 7 || fields[0] == "model") continue;
    Peer peer{fields[0]};
    for (size_t k = 2; k < 6; ++k) {  // max_live is no tool's
      const int64_t bytes = std::atoll(fields[k].c_str());
      if (bytes > 0 && (peer.untiled == 0 || bytes < peer.untiled)) peer.untiled = bytes;
    }
    peer.tiled = std::atoll(fields[6].c_str());
    peers.push_back(std::move(peer));
  }
  return peers;
}

int bench_peers(const std::string& folder, const std::string& path) {
  std::printf("%-40s %14s %14s  ratio  proof         (tiled by others)\n", "arena in bytes, by layers", "others' least",
              "tarn");
  constexpr int64_t kAlignment = 4;
  int missed = 0, count = 0, below = 0;
  double log_sum = 0;
  const std::vector<Network> networks = networks_of(folder);
  for (const Peer& peer : read_peers(path)) {
    const auto network =
        std::find_if(networks.begin(), networks.end(), [&](const Network& n) { return n.name == peer.model; });
    if (peer.untiled == 0 || network == networks.end()) continue;
    const Result<Analysis> analysis = plan(*network, kAlignment, false);
    if (!analysis) {
      std::printf("%-40s %14ld %14s  %s\n", peer.model.c_str(), as_long(peer.untiled), "-",
                  analysis.faults()[0].code.c_str());
      continue;
    }
    const int64_t arena = analysis->plan.arena;
    const double ratio = static_cast<double>(arena) / static_cast<double>(peer.untiled);
    // Each tensor may end on padding.
    const bool misses = arena > peer.untiled + kAlignment * 4;
    missed += misses;
    below += arena < peer.untiled;
    ++count;
    log_sum += std::log(ratio);
    std::printf("%-40s %14ld %14ld%c %6.3f  %-12s", peer.model.c_str(), as_long(peer.untiled), as_long(arena),
                misses ? '*' : ' ', ratio, to_string(analysis->plan.proof).c_str());
    if (peer.tiled > 0) std::printf("  (%ld)", as_long(peer.tiled));
    std::printf("\n");
    std::fflush(stdout);
  }
  std::printf("%d networks, %d below the others, %d above; geometric mean of the ratios %.3f\n", count, below, missed,
              std::exp(log_sum / std::max(1, count)));
  return missed > 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const std::string what = arguments.empty() ? "" : arguments[0];
  if (what == "sharing" && argc == 3) return bench_sharing(arguments[1]);
  if (what == "order" && argc > 2) return bench_order({arguments.begin() + 1, arguments.end()});
  if (what == "peers" && argc == 4) return bench_peers(arguments[1], arguments[2]);
  return std::fprintf(stderr, "usage: bench_arena sharing FOLDER | order FOLDER... | peers FOLDER PEERS.tsv\n"), 2;
}
