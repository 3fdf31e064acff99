// tarn plan: the packer alone, on a CSV file.
#include <filesystem>
#include <fstream>
#include <iostream>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/progress_line.h"
#include "cli/size_literal.h"
#include "cli/terminal.h"
#include "emit/files.h"
#include "planner/csv.h"
#include "planner/svg.h"
#include "planner/validate.h"
#include "report/json_writer.h"
#include "support/check.h"
#include "support/printable.h"
#include "support/read_up_to.h"
#include "support/standard_streams.h"
#include "support/text.h"

namespace tarn::cli {

namespace {

struct PlanOptions {
  std::string problem, output, json, svg;
  std::optional<int64_t> capacity;
  planner::Strategy strategy = planner::Strategy::automatic;
  int effort = 1;
  bool json_diagnostics = false;
};

cxxopts::Options declare_plan() {
  cxxopts::Options options(
      "tarn plan",
      "Places buffers in one arena: the packer alone.\n\n"
      "PROBLEM.csv has a header and the columns id, lower, upper (half-open; or end, which is\n"
      "included) and size, and may have alignment, offset (fixed), hint and gaps (a-b or a-b@lo:hi).");
  options.positional_help("PROBLEM.csv").show_positional_help();
  auto text = [] { return cxxopts::value<std::string>(); };
  auto add = options.add_options();
  add("problem", "the table of buffers; also the word behind the command", text(), "PROBLEM.csv");
  add("capacity", "find a plan within this size (default: the smallest arena)", text(), "SIZE");
  add("o,output", "the same table with a column of offsets", text(), "FILE");
  add("json", "arena, bound, proof, core and search nodes", text(), "FILE");
  add("svg", "a picture of the plan", text(), "FILE");
  add("strategy", "naive, greedy_by_size, greedy_by_breadth, first_fit, best_fit, hill_climb, exact, auto",
      text()->default_value("auto"), "S");
  add("effort", "0 to 3: how far searches go, in nodes", text()->default_value("1"), "N");
  add("diagnostics", "text or json", text()->default_value("text"), "FORMAT");
  add("h,help", "this text");
  options.parse_positional({"problem"});
  return options;
}

std::vector<std::string> read_options(const cxxopts::ParseResult& parsed, PlanOptions& options) {
  std::vector<std::string> faults;
  for (const std::string& word : parsed.unmatched()) faults.push_back("unexpected argument '" + word + "'");
  const auto text = [&](const char* name) {
    return parsed.count(name) > 0 ? parsed[name].as<std::string>() : std::string();
  };
  options.problem = text("problem");
  if (options.problem.empty()) faults.push_back("no problem given");
  options.output = text("output");
  options.json = text("json");
  options.svg = text("svg");
  if (parsed.count("capacity") > 0) {
    options.capacity = parse_size(text("capacity"));
    if (!options.capacity)
      faults.push_back("--capacity takes a size such as 65536, 64K or 1.5M, not '" + text("capacity") + "'");
  }
  const std::string strategy = parsed["strategy"].as<std::string>(), effort = parsed["effort"].as<std::string>();
  if (const auto known = planner::strategy_from(strategy)) options.strategy = *known;
  else faults.push_back("--strategy does not know '" + strategy + "'; see --help");
  if (effort.size() == 1 && effort[0] >= '0' && effort[0] <= '3') options.effort = effort[0] - '0';
  else faults.push_back("--effort takes a number from 0 to 3, not '" + effort + "'");
  const std::string diagnostics = parsed["diagnostics"].as<std::string>();
  options.json_diagnostics = diagnostics == "json";
  if (diagnostics != "json" && diagnostics != "text")
    faults.push_back("--diagnostics is one of text, json, not '" + diagnostics + "'");
  return faults;
}

Result<std::string> read_file(const std::string& path) {
  constexpr size_t kMostBytes = size_t{1} << 32, kMostOfAPipe = size_t{1} << 28;
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return Diagnostic{"E101", {.file = path}, "it is a folder", {}};
  const bool regular = std::filesystem::is_regular_file(path, error);
  std::ifstream in(path, std::ios::binary);
  if (!in) return Diagnostic{"E101", {.file = path}, "cannot be read", {}};
  std::optional<std::string> text = read_up_to(in, regular ? kMostBytes : kMostOfAPipe);
  if (!text)
    return Diagnostic{
        "E110", {.file = path}, regular ? "larger than 4 GiB" : "no file, and gives more than 256 MiB", {}};
  if (in.bad()) return Diagnostic{"E101", {.file = path}, "cannot be read", {}};
  return std::move(*text);
}

Result<planner::Problem> read_problem(const std::string& path, const std::string& text) {
  planner::CsvTable table = planner::read_csv(text);
  Diagnostics faults;
  for (const planner::CsvFault& f : table.faults) {
    faults.push_back({"E110", {.file = path}, cat("line ", f.line, ": ", f.message), "see `tarn plan --help`"});
  }
  if (faults.empty()) {
    for (std::string& message : planner::check_problem(table.problem)) {
      faults.push_back({"E110", {.file = path}, std::move(message), {}});
      if (faults.size() == 100) break;
    }
  }
  if (!faults.empty()) return faults;
  return std::move(table.problem);
}

bool placed(const planner::Plan& plan) {
  return plan.proof != planner::Proof::infeasible && plan.proof != planner::Proof::undecided;
}

std::vector<std::string> core_ids(const planner::Problem& problem, const planner::Plan& plan) {
  std::vector<std::string> ids;
  for (int i : plan.core) ids.push_back(problem.items[static_cast<size_t>(i)].id);
  return ids;
}

std::string to_json(const planner::Problem& problem, const planner::Plan& plan, planner::Strategy strategy) {
  report::JsonWriter json;
  json.begin_object();
  json.key("strategy").value(planner::to_string(strategy));
  json.key("items").value(static_cast<int64_t>(problem.items.size()));
  json.key("capacity").value(problem.capacity);
  json.key("arena").value(placed(plan) ? std::optional<int64_t>(plan.arena) : std::nullopt);
  json.key("lower_bound").value(plan.lower_bound);
  json.key("proof").value(planner::to_string(plan.proof));
  json.key("core").list(core_ids(problem, plan));
  json.key("search_nodes").value(static_cast<int64_t>(plan.search_nodes));
  json.end_object();
  return json.text() + "\n";
}

std::string describe(const planner::Problem& problem, const planner::Plan& plan) {
  std::string text = cat("items  ", with_thousands(static_cast<int64_t>(problem.items.size())), "\n");
  if (problem.capacity) text += cat("limit  ", with_thousands(*problem.capacity), " B\n");
  if (placed(plan)) text += cat("arena  ", with_thousands(plan.arena), " B\n");
  text += cat("bound  ", with_thousands(plan.lower_bound), " B; no plan is smaller\n");
  text += cat("proof  ", planner::to_string(plan.proof), "\n");
  if (!plan.core.empty()) text += cat("core   ", printable(join(core_ids(problem, plan))), "\n");
  text += cat("nodes  ", with_thousands(static_cast<int64_t>(plan.search_nodes)), "\n");
  return text;
}

Diagnostics verdict(const PlanOptions& options, const planner::Problem& problem, const planner::Plan& plan) {
  if (plan.proof == planner::Proof::infeasible) {
    return {{"E304",
             {.file = options.problem},
             cat("cannot be placed together: ", join(core_ids(problem, plan))),
             problem.capacity ? cat("the capacity is ", *problem.capacity, " bytes")
                              : "two offsets are fixed onto each other"}};
  }
  if (plan.proof == planner::Proof::undecided) {
    return {{"E305",
             {.file = options.problem},
             cat("no plan within ", problem.capacity.value_or(0), " bytes was found, and none was ruled out"),
             {}}};
  }
  return {};
}

planner::Plan solve(const planner::Problem& problem, const PlanOptions& options) {
  const ProgressLine line(!options.json_diagnostics);
  return planner::solve(problem, options.strategy, {options.effort});
}

int solve_and_tell(const PlanOptions& options) {
  const auto fail = [&](const Diagnostics& faults) {
    print(faults, options.json_diagnostics);
    return exit_code(faults);
  };
  const Result<std::string> text = read_file(options.problem);
  if (!text) return fail(text.faults());
  Result<planner::Problem> problem = read_problem(options.problem, *text);
  if (!problem) return fail(problem.faults());
  problem->capacity = options.capacity;
  const planner::Plan plan = solve(*problem, options);
  const std::vector<planner::Violation> violations = planner::validate(*problem, plan);
  if (!violations.empty()) TARN_FAIL("invalid plan: " + violations.front().text);
  if (const Result<Done> told = print_result(describe(*problem, plan)); !told) return fail(told.faults());
  // The JSON tells of failures too; offsets and picture exist only if there is a plan.
  std::vector<emit::OutputFile> files;
  if (placed(plan) && !options.output.empty())
    files.push_back(emit::text_file(options.output, planner::with_offsets(*text, plan.offsets)));
  if (placed(plan) && !options.svg.empty())
    files.push_back(emit::text_file(options.svg, planner::draw_svg(*problem, plan)));
  if (!options.json.empty()) files.push_back(emit::text_file(options.json, to_json(*problem, plan, options.strategy)));
  const Result<Done> written = emit::write_files(".", files, {{options.problem}});
  if (!written) return fail(written.faults());
  const Diagnostics faults = verdict(options, *problem, plan);
  return faults.empty() ? 0 : fail(faults);
}

}  // namespace

std::string plan_help() { return declare_plan().help(); }

int run_plan(int argc, char** argv) {
  cxxopts::Options declared = declare_plan();
  PlanOptions options;
  std::vector<std::string> faults;
  try {
    const cxxopts::ParseResult parsed = parse(declared, argc, argv);
    if (parsed.count("help") > 0) {
      std::cout << declared.help();
      return 0;
    }
    faults = read_options(parsed, options);
  } catch (const cxxopts::exceptions::exception& error) {
    faults.push_back(error.what());
  }
  for (const std::string& message : faults) std::cerr << "tarn: " << message << "\n";
  return faults.empty() ? solve_and_tell(options) : 2;
}

}  // namespace tarn::cli
