#include "cli/compile_options.h"

#include <algorithm>
#include <set>

#include "cli/size_literal.h"
#include "emit/names.h"
#include "program/store_states.h"
#include "support/nearest.h"
#include "support/text.h"

namespace tarn::cli {

const std::vector<std::string>& known_targets() {
  static const std::vector<std::string> targets = {"generic",    "host",      "x86-64-v3", "x86-64-v4", "aarch64",
                                                   "cortex-m0",  "cortex-m3", "cortex-m4", "cortex-m7", "cortex-m33",
                                                   "cortex-m55", "rv32imac",  "rv32imafc"};
  return targets;
}

std::string full_target(const std::string& name) {
  return name.size() >= 2 && name[0] == 'm' && std::isdigit(static_cast<unsigned char>(name[1])) ? "cortex-" + name
                                                                                                 : name;
}

namespace {

const std::vector<std::string> kStrategies = {
    "naive", "greedy_by_size", "greedy_by_breadth", "first_fit", "best_fit", "hill_climb", "exact", "auto"};

lifetimes::ShareOptions read_share(Reader& reader) {
  lifetimes::ShareOptions share{false, false, false};
  if (reader.text("share") == "none") return share;
  for (const std::string& item : split(reader.text("share"), ',')) {
    if (item == "views") share.views = true;
    else if (item == "in_place") share.in_place = true;
    else if (item == "overlap") share.overlap = true;
    else reader.fault("--share takes views, in_place, overlap or none, not '" + item + "'");
  }
  return share;
}

// SIZE[@SECTION][,dma=no]
bool read_bank(const std::string& text, lifetimes::Bank& bank) {
  const std::vector<std::string> parts = split(text, ',');
  const size_t at = parts[0].find('@');
  const auto bytes = parse_size(parts[0].substr(0, at));
  if (!bytes) return false;
  bank.bytes = *bytes;
  if (at != std::string::npos) bank.section = parts[0].substr(at + 1);
  const bool named = std::all_of(bank.section.begin(), bank.section.end(),
                                 [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '.'; });
  if (!named || (at != std::string::npos && bank.section.empty())) return false;
  for (size_t i = 1; i < parts.size(); ++i) {
    if (parts[i] != "dma=no" && parts[i] != "dma=yes") return false;
    bank.dma = parts[i] == "dma=yes";
  }
  return true;
}

void read_banks(Reader& reader, lifetimes::BankOptions& memory) {
  std::set<std::string> names;
  for (const std::string& item : reader.texts("bank")) {
    const size_t at = item.find('=');
    lifetimes::Bank bank;
    bank.name = item.substr(0, at);
    if (at == std::string::npos || !read_bank(item.substr(at + 1), bank)) {
      reader.fault("--bank takes NAME=SIZE[@SECTION][,dma=no], not '" + item + "'");
    } else if (bank.name.empty() || emit::identifier(bank.name) != bank.name) {
      reader.fault(
          "--bank takes a C identifier as name (no reserved word, and not a, p, arena, lines, status or step), not '" +
          bank.name + "'");
    } else if (!names.insert(upper(bank.name)).second) {
      reader.fault("--bank " + bank.name + " is given twice");
    } else {
      memory.banks.push_back(std::move(bank));
    }
  }
  if (memory.banks.size() > planner::kMostBanks)
    reader.fault(cat("--bank is given ", memory.banks.size(), " times; at most ", planner::kMostBanks));
  reader.pairs("pin", [&](const std::string& tensor, const std::string& name) {
    if (names.contains(upper(name)) && std::any_of(memory.banks.begin(), memory.banks.end(),
                                                   [&](const lifetimes::Bank& b) { return b.name == name; })) {
      memory.pins.emplace_back(tensor, name);
    } else {
      reader.fault("--pin " + tensor + "=" + name + " names no bank: there is no --bank " + name + "=SIZE");
    }
  });
}

// The forms that weights are read through at run time take the plan by layers.
void read_weights(Reader& reader, CompileOptions& compile) {
  compile.weights =
      static_cast<WeightForm>(reader.choice("weights", {"auto", "c", "incbin", "packed", "stream", "image"}));
  const bool packed = compile.weights == WeightForm::packed, linked = compile.weights <= WeightForm::incbin;
  const bool streamed = compile.weights == WeightForm::stream;
  if (!streamed && (reader.has("weights-buffer") || reader.has("weights-bandwidth")))
    reader.fault("--weights-buffer and --weights-bandwidth are for --weights stream");
  if (reader.has("weights-buffer")) compile.weights_buffer = reader.size("weights-buffer").value_or(0);
  if (streamed && compile.weights_buffer < 64) reader.fault("--weights-buffer takes at least 64 bytes");
  if (reader.has("weights-bandwidth")) {
    compile.weights_bandwidth = parse_frequency(reader.text("weights-bandwidth"));
    if (!compile.weights_bandwidth)
      reader.fault("--weights-bandwidth takes bytes a second, such as 20M, not '" + reader.text("weights-bandwidth") +
                   "'");
  }
  reader.pairs("weights-section", [&](const std::string& layer, const std::string& section) {
    const bool good = !section.empty() && std::all_of(section.begin(), section.end(), [](unsigned char c) {
      return c < 128 && (std::isalnum(c) || c == '_' || c == '.');
    });
    if (layer.empty() || !good) {
      reader.fault("--weights-section takes LAYER=SECTION, such as 'conv*=.qspi', not '" + layer + "=" + section + "'");
    }
    compile.weight_sections.emplace_back(layer, section);
  });
  if (linked) return;
  const std::string named = "--weights " + reader.text("weights");
  if (!packed && !compile.weight_sections.empty())
    reader.fault("--weights-section places what is linked with the code: not with " + named);
  if (compile.stream.mode != stream::Mode::off && compile.stream.mode != stream::Mode::automatic)
    reader.fault(named + " is of a plan by layers: not with --stream " + reader.text("stream"));
  compile.stream.mode = stream::Mode::off;
}

void read_stream(Reader& reader, stream::Options& stream) {
  stream.mode = std::vector<stream::Mode>{
      stream::Mode::off, stream::Mode::resident, stream::Mode::fed, stream::Mode::time,
      stream::Mode::automatic}[reader.choice("stream", {"off", "resident", "fed", "time", "auto"})];
  stream.drain = reader.has("drain");
  stream.scan = reader.choice("scan", {"rows", "columns"}) == 1 ? stream::Scan::columns : stream::Scan::rows;
  if (stream.scan == stream::Scan::columns && stream.mode == stream::Mode::time)
    reader.fault("--scan columns is for images; with --stream time a line is a step of a signal");
  stream.recompute = reader.percent("recompute", 1000);
  if (stream.recompute > 0 && (stream.mode == stream::Mode::off || stream.mode == stream::Mode::time))
    reader.fault("--recompute is for networks that run by lines; it needs --stream resident, fed or auto");
  stream.line_buffers = reader.choice("line-buffers", {"off", "on"}) == 1;
  stream.lines = reader.choice("lines", {"ring", "table"}) == 1 ? stream::Lines::table : stream::Lines::ring;
  if (stream.mode == stream::Mode::time) {
    if (stream.lines == stream::Lines::table)
      reader.fault("--lines table has an address for each line; with --stream time there is no last one");
    stream.drain = true;
  }
}

void read_states(Reader& reader, CompileOptions& compile) {
  compile.states_by_name = reader.has_value("state", "auto");
  reader.pairs(
      "state",
      [&](const std::string& out, const std::string& given) {
        // Names of inputs may hold a colon; files of first values end in .pb.
        const size_t colon = given.rfind(':');
        const bool file = colon != std::string::npos && colon > 0 && given.ends_with(".pb");
        const std::string in = file ? given.substr(0, colon) : given;
        if (file) compile.first_values[in] = given.substr(colon + 1);
        compile.states.emplace_back(out, in);
      },
      "auto");
  if (reader.has("state-type")) {
    const auto type = program::state_type_from(reader.text("state-type"));
    if (type) compile.state_type = *type;
    else reader.fault("--state-type is f16 or int8, not '" + reader.text("state-type") + "'");
    if (compile.states.empty() && !compile.states_by_name)
      reader.fault("--state-type is how states are kept: name them with --state OUT=IN, or --state auto");
  }
  compile.ring_states = reader.has("state-window") && reader.choice("state-window", {"moved", "ring"}) == 1;
  if (compile.ring_states && compile.state_type != program::StateType::none)
    reader.fault("--state-window ring keeps windows as the floats that they are; it takes no --state-type");
  if (compile.ring_states && compile.states.empty() && !compile.states_by_name)
    reader.fault("--state-window is how states are kept: name them with --state OUT=IN, or --state auto");
  compile.separate_states = reader.has("state-memory") && reader.choice("state-memory", {"arena", "separate"}) == 1;
}

// With --stream time a state is what the signal was before.
void check_histories(Reader& reader, CompileOptions& compile) {
  compile.histories = compile.stream.mode == stream::Mode::time && (compile.states_by_name || !compile.states.empty());
  if (!compile.histories) return;
  if (!compile.first_values.empty())
    reader.fault("--stream time: states are histories of lines and begin with zeroes, not with the values of a file");
  if (compile.state_type != program::StateType::none)
    reader.fault("--stream time: states are histories of lines; it takes no --state-type");
  if (compile.ring_states) reader.fault("--stream time: states are histories of lines; it takes no --state-window");
}

void read_weight_types(Reader& reader, CompileOptions& compile) {
  for (const std::string& item : reader.texts("weight-type")) {
    if (const auto rule = weight_rule_from(item)) compile.weight_types.push_back(*rule);
    else
      reader.fault(
          "--weight-type takes [LAYER=]model, f32 or f16, or [LAYER=]int8 or int4 with :tensor, :channel or :block=N, "
          "and "
          ",asymmetric, not '" +
          item + "'");
  }
}

void read_planning(Reader& reader, CompileOptions& compile) {
  const auto strategy = planner::strategy_from(reader.text("strategy"));
  if (strategy) compile.strategy = *strategy;
  else
    reader.fault("--strategy does not know '" + reader.text("strategy") + "'; it is one of " + join(kStrategies) +
                 did_you_mean(reader.text("strategy"), kStrategies));
  const auto order = schedule::order_from(reader.text("order"));
  if (order) compile.order = *order;
  else reader.fault("--order is given or min_peak, not '" + reader.text("order") + "'");
  compile.share = read_share(reader);
  compile.alignment = reader.number("align", 1, 1 << 16);
  if ((compile.alignment & (compile.alignment - 1)) != 0) reader.fault("--align takes a power of two");
}

// What divides the memory divides a plan by layers; a plan by lines is one ring of memory.
void check_by_layers(Reader& reader, CompileOptions& compile) {
  if (compile.separate_states) {
    if (!compile.memory.banks.empty())
      reader.fault("--state-memory separate divides the memory in two; it takes no --bank, which has --pin for states");
    if (compile.stream.mode != stream::Mode::off && compile.stream.mode != stream::Mode::automatic)
      reader.fault("--state-memory separate divides a plan by layers; it takes no --stream");
    compile.stream.mode = stream::Mode::off;
  }
  if (!compile.memory.banks.empty()) {
    if (compile.stream.mode != stream::Mode::off && compile.stream.mode != stream::Mode::automatic)
      reader.fault("--bank divides a plan by layers; it takes no --stream");
    compile.stream.mode = stream::Mode::off;
  }
}

}  // namespace

void read_compile(Reader& reader, CompileOptions& compile) {
  if (reader.has("name")) {
    compile.name = reader.text("name");
    if (emit::prefix_identifier(compile.name) != compile.name)
      reader.fault("--name takes a C identifier, not '" + compile.name + "'");
  }
  reader.pairs("const", [&](const std::string& name, const std::string& file) { compile.constants[name] = file; });
  read_states(reader, compile);
  if (reader.has("cut")) {
    compile.cut = reader.text("cut");
    if (compile.cut.find(':') == std::string::npos)
      reader.fault("--cut takes two tensors A:B, not '" + compile.cut + "'");
  }
  read_weight_types(reader, compile);
  read_banks(reader, compile.memory);
  read_planning(reader, compile);
  compile.caller_io = reader.choice("io", {"arena", "caller"}) == 1;
  read_stream(reader, compile.stream);
  check_histories(reader, compile);
  check_by_layers(reader, compile);
  read_weights(reader, compile);
  compile.nhwc_inputs = reader.choice("input-layout", {"model", "nhwc"}) == 1;
  compile.quantized_io = reader.has("quantized-io");
  compile.nhwc_outputs = reader.choice("output-layout", {"model", "nhwc"}) == 1;
  const std::string target = full_target(reader.text("target"));
  if (std::find(known_targets().begin(), known_targets().end(), target) == known_targets().end()) {
    reader.fault("--target does not know '" + reader.text("target") + "'; it is one of " + join(known_targets()) +
                 did_you_mean(target, known_targets()));
  }
  compile.target = target;
  compile.effort = static_cast<int>(reader.number("effort", 0, 3));
}

}  // namespace tarn::cli
