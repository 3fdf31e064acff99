// The pipeline: from a model file to a proved plan, one value after the other. analyze() is the table of contents.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "lifetimes/banks.h"
#include "lifetimes/planning.h"
#include "lifetimes/storage.h"
#include "model/model.h"
#include "passes/passes.h"
#include "planner/plan.h"
#include "program/program.h"
#include "requant/memo.h"
#include "schedule/schedule.h"
#include "size_box.h"
#include "stream/plan.h"
#include "support/result.h"
#include "tensor/accuracy.h"
#include "time/cost.h"

namespace tarn {

// How weights are stored (--weights): the first three differ in the files alone; `packed` is unpacked in the arena
// layer by layer; `stream` is read there by the caller; `image` stands apart from the code and is found by an address
// told at run time.
enum class WeightForm { automatic, c, incbin, packed, stream, image };

// Among CompileOptions::left_out: arithmetic of floats on constants is left to the firmware.
inline constexpr const char* kFoldFloats = "fold_floats";

struct RecomputeMemo;  // choose_stripes.h

struct CompileOptions {
  std::string model_path;
  std::string name;                              // prefix of every symbol; empty: the file's stem
  std::map<std::string, int64_t> dims;           // --dim
  SizeBox run_time;                              // --dim NAME=LOW..HIGH: one firmware for all of these sizes
  bool dim_offsets = false;                      // --dim-offsets: buffers may lie elsewhere at each of them
  std::map<std::string, std::string> constants;  // --const: input -> file
  // --quantize: the ONNX file that stands in for the one at model_path, and what else it was made from.
  std::shared_ptr<const std::string> quantised;
  std::vector<std::string> quantised_from;
  std::map<std::string, std::string> first_values;                   // --state OUT=IN:FILE.pb, by the input
  std::vector<WeightRule> weight_types;                              // --weight-type
  WeightForm weights = WeightForm::automatic;                        // --weights
  std::vector<std::pair<std::string, std::string>> weight_sections;  // --weights-section: layer, section of the linker
  int64_t weights_buffer = 8192;             // --weights-buffer: bytes for the weights of a step and of the next one
  std::optional<int64_t> weights_piece;      // bytes of a piece of a layer's weights at most; else half of the buffer
  bool weights_in_pieces = false;            // as --weights stream takes them, though they are linked; for comparison
  bool pack_constants = false;               // --weights packed: also those that could be spread out instead
  std::optional<int64_t> weights_bandwidth;  // --weights-bandwidth: bytes a second
  bool widen_weights = false;                // as floats of the same values, for comparison
  planner::Strategy strategy = planner::Strategy::automatic;
  schedule::OrderKind order = schedule::OrderKind::min_peak;
  lifetimes::ShareOptions share;
  int64_t alignment = 16;
  bool caller_io = false;
  std::vector<std::pair<std::string, std::string>> states;   // --state: an output kept as the next run's input
  bool states_by_name = false;                               // --state auto: and those that are one by their names
  program::StateType state_type = program::StateType::none;  // --state-type
  bool states_as_ports = false;  // for comparison: inputs and outputs stay, and what they hold goes through that type
  bool separate_states = false;  // --state-memory separate
  bool ring_states = false;      // --state-window ring
  bool histories = false;        // states are histories of signals that go on without end (--stream time)
  std::string cut;               // --cut: "A:B", tensors; empty: the whole graph
  bool nhwc_inputs = false, nhwc_outputs = false;
  bool quantized_io = false;
  std::string target = "generic";
  bool arena_only = false;  // --emit arena: operators without a kernel are fine
  int effort = 1;
  bool blocks = true;  // a slightly larger arena is fine where it lets layers run faster
  stream::Options stream;
  bool line_columns = false;  // images on their side, streaming or not
  bool line_inputs = false,
       line_outputs = false;            // handed over in the layout that streaming asks for, streaming or not
  std::optional<int64_t> time_steps;    // signals of another length than the model's inputs have
  std::optional<int64_t> arena_budget;  // what stream mode `auto` keeps to
  std::optional<int64_t> line_arena;    // --arena: what joined layers may take where that saves time
  std::optional<int64_t> flash_budget;  // weights beyond it: no plan by lines is searched, since none would help
  bool compared = false;                // a plan by lines beside another one: made with less work
  bool order_only = false;              // by lines: the layers are planned for the sake of their order alone
  bool sizes_only = false;              // one point of many: of the analysis arena, MACs, weights and tensors are asked
  lifetimes::BankOptions memory;        // --bank, --pin; without banks: one arena of any size
  timing::Memories memories;            // --flash-wait, --memory: what cycles wait for
  std::set<std::string> left_out;       // passes::optional_passes() that do not run, kFoldFloats: for tests
  // Of analyses that differ in stream.recompute alone.
  std::shared_ptr<RecomputeMemo> recompute_memo;
  // Of analyses whose options are copies of one another.
  std::shared_ptr<requant::Memo> fits = std::make_shared<requant::Memo>();
  std::shared_ptr<const model::Model> loaded;  // the model, where it has been read for many analyses
};

// Everything that is known of a model once it is planned. Later stages read it and change nothing.
// A state that a signal without end keeps among its lines (--stream time).
struct History {
  std::string out, in;
  int64_t steps = 0;
};

struct Analysis {
  CompileOptions options;
  std::string name;
  std::string sha256;
  std::map<std::string, int> opsets;
  std::map<std::string, int64_t> dims;  // symbols that were bound
  int model_nodes = 0;                  // in the file, before folding and fusing
  std::vector<std::string> input_names, output_names;
  std::vector<History> histories;
  std::vector<Accuracy> output_accuracy;  // what a comparison with another implementation may ask for
  std::vector<std::string> dependencies;  // files the result depends on: the model, its external data
  Diagnostics warnings;

  graph::Graph graph;
  program::Program program;
  lifetimes::Storage storage;
  schedule::Schedule schedule;
  lifetimes::Planning planning;
  planner::Plan plan;  // with banks: offsets count from the first bank's base, sums are over all banks
  std::optional<lifetimes::Banked> banked;
  std::optional<stream::LinePlan>
      stream;  // the network runs by lines; the plan above, by layers, is what it would be without, none with stripes
  struct Tried {
    stream::Options options;
    int64_t arena = 0, bound = 0, table_bytes = 0;
    planner::Proof proof = planner::Proof::none;
  };
  // Instructions of a run by layers, for a network by lines whose operations were lowered for lines of one pixel, with
  // which the same layers take longer, or for lines alone, of which whole layers have no model. Nothing where it is not
  // modelled.
  std::optional<int64_t> time_of_layers;
  std::vector<Tried> tried_lines;  // stream mode `auto`: plans by lines that were made because layers need too much
  std::optional<Tried> once;       // where work may be done twice: the plan by lines that does none
  int64_t naive_arena = 0;         // every tensor in memory of its own

  // Run-time dimensions: the network at each point of options.run_time, on this plan's offsets and schedule. What
  // stands above is the last, the largest in every dimension. Empty: all sizes are fixed.
  std::vector<Analysis> sizes;
  SizeBox every_size;  // the whole box, also where options.run_time is a part of it

  // --dim-offsets: the arena with one set of offsets for all sizes, and whether they follow the size since it is less
  // then.
  struct DimOffsets {
    bool follow = false;
    int64_t one_set = 0;  // bytes
  };
  std::optional<DimOffsets> dim_offsets;

  int64_t weight_bytes() const;
  bool lines_left_out = false;  // `auto` would have searched plans by lines, but the weights alone exceed the flash

  // Tells several arenas from one: how emitted code is handed its memory.
  bool several_arenas() const { return options.memory.banks.size() > 1; }
};

// What the options ask of the passes.
passes::PassOptions pass_options(const CompileOptions& options);

Result<Analysis> analyze(const CompileOptions& options);

// Reads the model once, for analyses whose options are copies of these. What is wrong with it the first of them tells.
void load_once(CompileOptions& options);

// The names of the dimensions of inputs that options.dims leaves open, each once, in the order of the inputs.
Result<std::vector<std::string>> open_dimensions(const CompileOptions& options);

// For a plan by lines that is to keep to `arena` bytes: thorough only where a quick look comes near them.
Result<Analysis> analyze_near(const CompileOptions& options, int64_t arena);

}  // namespace tarn
