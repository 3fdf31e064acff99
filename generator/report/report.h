// Report: every figure that tarn tells, in one structure. Text, JSON and the other formats read it, and so do the
// comments in emitted files; nothing is computed twice.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compile.h"
#include "report/certificate.h"
#include "report/time_figures.h"
#include "symbolic/fit.h"
#include "symbolic/grid.h"

namespace tarn::report {

struct Port {
  std::string name, c_name, accessor;
  TensorType type;
  std::optional<int64_t> offset;      // absent: the caller's memory
  std::optional<graph::Codes> codes;  // handed over quantised (--quantized-io)
  bool channels_last = false;         // though the model has channels first
  bool columns = false;               // then: column by column
  std::string bank;                   // with --bank: where it lies; the offset counts from there
  int64_t passes = 0;                 // inputs by lines: how often all lines are handed over; 0: not by lines
  // By lines: how many the model has of it, and what one of them is, in the order of C: of [1,96,96,3] in 96 lines
  // [96,3].
  int64_t lines = 0;
  std::vector<int64_t> line;
};

struct Shares {
  std::string with, how;  // how: "view", "in_place" or "overlap"
  int64_t bytes = 0;
};

struct TensorRow {
  std::string name, c_name, kind;
  TensorType type;
  int64_t bytes = 0;
  std::optional<int64_t> offset;
  int64_t first = 0, end = 0;  // steps, half-open
  std::optional<Shares> shares;
  std::string bank;  // with --bank: where it lies; the offset counts from there
};

// A memory of --bank, and what the plan makes of it.
struct BankRow {
  std::string name, section, symbol;  // symbol: the fixed buffer in C; empty where nothing lies in the bank
  bool dma = true, fits = true;
  int64_t bytes = 0, arena = 0, lower_bound = 0;
  std::string proof;
  int64_t base = 0;     // where it begins when all banks are laid end to end
  int64_t traffic = 0;  // bytes read and written there in one run
  int64_t tensors = 0;
};

// How the tensors are divided among the banks: the cost is the traffic of each bank times its place in the list.
struct SplitRow {
  int64_t cost = 0, lower_bound = 0;
  std::string proof;
  bool fits = true, proved = true;  // proved: where it does not fit, no order fits
  std::vector<std::string> core;    // tensors for which there was no room together
};

// An output that a run leaves in the arena as the next run's input.
// Zeros of a constant, or of all (--sparsity): single elements, blocks of four along a row (1x4) and across rows (4x1),
// squares of 16 (4x4), and groups of four along a row of which at least two are zero (2:4).
struct SparsityRow {
  struct Blocks {
    int64_t zero = 0, all = 0;
    double share() const { return all == 0 ? 0 : static_cast<double>(zero) / static_cast<double>(all); }
  };
  std::string tensor, type;  // "in all", and none
  Blocks elements, along, across, squares, two_of_four;
};

// Weights of float layers that are stored in fewer bits (--weight-type), and packed ones (--weights packed), whose
// float_bytes are those that they take unpacked. snr_db: absent where nothing was rounded, or the values are not there.
struct WeightRow {
  std::string tensor, stored;
  int64_t bytes = 0, float_bytes = 0;
  std::optional<double> snr_db;
  std::optional<double> entropy_bytes;  // packed: with the best codes of single bytes that there are
};

// --weights stream: what a run reads. Nanoseconds where a bandwidth is given: of all transfers, and of those that are
// left when the step before has run; the latter only where its time is known.
struct TransferFigures {
  int64_t bytes = 0, reads = 0, buffer = 0;  // buffer: most bytes in the arena at a time
  int64_t bandwidth = 0;
  std::optional<int64_t> nanoseconds, stall;
};

// A state that is a history of lines (--stream time).
struct HistoryRow {
  std::string out, in;
  int64_t steps = 0;
};

struct StateRow {
  std::string out, in;
  int64_t bytes = 0;
  bool in_place = false;      // made where it lies
  std::string why;            // not in place: it is made elsewhere and copied because of this
  bool first = false;         // it begins with values of the model or a file, not with zeroes
  std::string note;           // what else a user should know; often empty
  std::string moves;          // a window of which each run moves what stays: why it is no ring
  std::string stored;         // "f16" or "int8": in fewer bits than the model has; "ring"
  int64_t float_bytes = 0;    // then: in float32
  double relative_error = 0;  // and how far a value may be off, as a part of the largest that its column has held
};

struct StepRow {
  int64_t step = 0;
  std::string kernel, op;
  std::vector<std::string> nodes;
  Shape shape;  // of the output
  int64_t macs = 0, parameters = 0, weight_bytes = 0;
  std::string form;              // of an integer layer: how its sums become codes
  std::optional<int64_t> zeros;  // elements of its weights that are 0, where they have been counted
  int64_t live_bytes = 0;        // of the union of the address ranges alive in this step
  std::vector<std::string> live, reads, writes, scratch;
  std::optional<int64_t> instructions, cycles;  // estimated, on the target
};

struct CompareRow {
  std::string strategy, order;
  std::vector<std::string> share;
  int64_t arena = 0, lower_bound = 0;
  std::string proof;
  uint64_t search_nodes = 0;
};

struct Budget {
  int64_t limit = 0, used = 0;
  bool fits = false, proved = false;
};

struct Advice {
  std::string change, options;
  int64_t arena = 0, ram = 0;
  bool fits = false;
  std::string proof, note;
  std::optional<int64_t> instructions, cycles;  // of a run, where time is what has to fit
  std::optional<int64_t> flash;                 // where that is
};

struct SweepRow {
  std::map<std::string, int64_t> dims;
  int64_t arena = 0, lower_bound = 0, macs = 0;
  std::optional<int64_t> instructions;  // of a run on the target, where all of it is modelled
  std::string proof;
  std::string fault;  // why there are no figures
};

// A tensor's sizes as expressions: of each axis, and in bytes.
struct SizedTensor {
  std::string name;
  std::vector<std::string> shape;
  std::string bytes;
};

// Figures as functions of several dimensions, exact at every point of the grid: each was planned.
struct Grid {
  std::vector<symbolic::Axis> axes;
  std::vector<std::vector<std::string>> tied;  // dimensions that are equal at each point; the first is the axis
  bool run_time = false;                       // one firmware for the grid: the sizes are set before a run
  bool open = false;               // nothing on the command line binds them: the grid is one of tarn's choice
  int64_t points = 0, proved = 0;  // planned; and those whose arena equals its bound
  std::vector<symbolic::Box> arena, lower_bound, macs, weights;
  std::vector<SizedTensor> tensors;  // those of every point, in the order of the report
};

// Figures as functions of a dimension that is not fixed, exact at every whole number of the range: each was planned.
struct Symbolic {
  std::string name;
  int64_t low = 0, high = 0;
  std::vector<symbolic::Piece> arena, lower_bound, macs, weights;
  int64_t proved = 0;                // points whose arena equals its bound
  std::vector<SizedTensor> tensors;  // those of every point, in the order of the report
  bool run_time = false;             // one firmware for the range: the size is set before a run
  bool open = false;                 // nothing on the command line binds it: the range is one of tarn's choice
  struct Beyond {
    int64_t n = 0, arena = 0;
    bool continues = false;  // it is what the arena's last formula gives
  };
  std::vector<Beyond> beyond;  // sizes behind an open range, each planned
  // With a RAM budget: the largest size within it, if one is; every larger one of the range was planned and is over.
  struct Fits {
    int64_t limit = 0;
    std::optional<int64_t> largest;
    bool proved = false;  // that none of the larger ones fits, whatever the plan
  };
  std::optional<Fits> fits;
};

// --dim-offsets.
struct DimOffsets {
  bool follow = false;  // the sizes: the arena is smaller then
  int64_t one_set = 0;  // what it takes where offsets are the same at every size, bytes
};

struct VerifyOutput {
  std::string name;
  double max_abs = 0, max_rel = 0;
  int64_t mismatches = 0;
  int64_t moved = 0;  // further apart than sums of floats are, by roundings to codes of code_bits
  int code_bits = 0;
  std::optional<double> snr_db;  // --weight-type: beside the float network's
};

// A value that a step makes, beside the reference's (verify --nodes).
struct NodeRow {
  int64_t step = 0;
  std::string tensor, op;
  std::vector<std::string> nodes;
  bool compared = false;  // the reference has this value
  double max_abs = 0, max_rel = 0;
  int64_t mismatches = 0;
};

struct VerifyRow {
  std::string on, board;
  std::vector<VerifyOutput> outputs;
  int64_t arena = 0, static_bytes = 0, text = 0, rodata = 0;
  std::optional<int64_t> stack, stack_bound, instructions, predicted;  // predicted: instructions
  int64_t predicted_least = 0, predicted_most = 0;                     // between which data decide
  std::optional<int64_t> cycles;                                       // of a real board
  std::string reference;                                               // "data", "naive" or "ort"
  std::string reference_detail;                                        // "onnxruntime 1.32.0"
  std::string noise_reference;                                         // what snr_db of the outputs compares with
  std::string nodes_reference;  // with --nodes: what the steps were compared with
  std::vector<NodeRow> nodes;
};

// Memory of a network that runs by lines.
struct LinesRow {
  std::string name, holds, addressing;
  int64_t lines = 0, slots = 0, line_bytes = 0, bytes = 0, offset = 0;
  std::string kind;  // as of a tensor: input, output, activation, scratch, state (sums, histories, the driver's)
  int64_t first = 0,
          end = 0;  // steps of the layers between which something lies there; the layers of a segment run in turn
  std::vector<std::pair<int64_t, int64_t>> parts;  // lines at any address: offset and bytes of each range
};

struct StreamFigures {
  std::string mode, lines, bound_of;
  bool drain = false;
  bool for_budget = false;         // chosen because whole layers exceed the budget
  std::vector<std::string> calls;  // the functions that lines go through; empty: NAME_run, as with whole layers
  int64_t steps = 0, table_bytes = 0;
  int64_t stripes = 0, extra_macs = 0, plain_macs = 0;  // plain: without the extra ones
  std::string stripes_end;                              // the tensor where they end
  int64_t recomputed = 0;                               // line-buffer operators that keep no lines
  std::string twice;                                    // what does work twice, in words; empty: nothing
  int64_t inputs = 0, outputs = 0, between = 0, accumulators = 0, histories = 0, windows = 0, scratch = 0,
          driver = 0;                              // bytes of memories
  std::vector<std::vector<std::string>> segments;  // the operators of each, by the name of their first node
  std::vector<LinesRow> memories;
};

// What another way of running would give.
struct StreamRow {
  std::string mode, lines;
  bool drain = false;
  int64_t stripes = 0, recomputed = 0, extra_macs = 0;
  int64_t arena = 0, bound = 0, table_bytes = 0;
  std::string proof;
  std::string fault;  // why there are no figures
};

// One way of running, among those that trade RAM for time.
struct ParetoRow {
  std::string options;
  int64_t arena = 0, bound = 0, macs = 0, extra_macs = 0, stripes = 0, passes = 0, table_bytes = 0;
  int64_t flash = 0;                    // weights, and tables of the driver by lines
  std::optional<int64_t> instructions;  // of a run on the target, where all of it is modelled
  std::string proof;
  bool chosen = false;     // what the report is of
  bool dominated = false;  // another row is as good in all figures and better in one
  bool twice = false;      // some work is done twice, if by stripes that cost nothing
};

constexpr const char* kNoPlanId = "0000000000000000";

struct Report {
  std::string version;
  std::string plan_id = kNoPlanId;  // of the files that are written with the report, see emit::plan_id()
  std::vector<std::string> command;
  // model
  std::string name, file, sha256;
  int opset = 0, nodes = 0;
  std::map<std::string, int64_t> dims;
  std::string io;  // "arena" or "caller"
  std::vector<Port> inputs, outputs;
  // ram, flash
  int64_t arena = 0, activations = 0, scratch = 0, padding = 0, static_bytes = 0;
  std::optional<int64_t> stack;
  std::vector<std::string> stack_path;  // the deepest chain of calls
  std::string compiler;                 // that stack and code were measured with
  int64_t weights = 0;
  std::optional<int64_t> code;
  int64_t ram_total() const { return arena + static_bytes + stack.value_or(0); }
  // plan
  std::string strategy, order, proof;
  std::vector<std::string> share;
  int64_t alignment = 0, lower_bound = 0, naive = 0;
  // No order, no way of running that the options allow, can be below `floor`. Where plans by lines were tried and
  // exceed the budget `layers_floor` is that of layers alone, and `least_lines` the smallest of those plans.
  int64_t floor = 0, layers_floor = 0;
  std::optional<int64_t> least_lines;
  int64_t peak_step = 0;
  uint64_t search_nodes = 0;
  std::optional<Certificate> certificate;  // where proof is "optimal", see certificate_of()
  int64_t macs = 0, parameters = 0;
  std::optional<TimeFigures> time;             // absent: no kernel is modelled on the target
  std::optional<int64_t> clock;                // of the target, in Hz
  std::optional<double> milliseconds() const;  // of a run at `clock`; absent where cycles are not known
  std::vector<BankRow> banks;
  std::optional<SplitRow> split;
  std::vector<TensorRow> tensors;
  std::vector<StepRow> steps;
  std::vector<StateRow> states;
  std::vector<HistoryRow> histories;
  std::vector<WeightRow> stored_weights;
  std::vector<SparsityRow> sparsity;  // the last row: in all
  std::optional<TransferFigures> transfers;
  int64_t stored_bytes = 0;  // of all of them; what two share, such as tied embeddings, once
  std::vector<CompareRow> compare;
  std::optional<StreamFigures> stream;  // absent: whole layers
  std::vector<StreamRow> streams;
  std::vector<ParetoRow> pareto;  // ascending RAM
  std::optional<Budget> ram_budget, flash_budget;
  std::optional<Budget> instruction_budget, time_budget;  // the latter in nanoseconds
  bool over_time() const {
    return (instruction_budget && !instruction_budget->fits) || (time_budget && !time_budget->fits);
  }
  std::vector<Advice> advice;
  std::vector<SweepRow> sweep;
  std::optional<Symbolic> symbolic;
  std::optional<DimOffsets> dim_offsets;
  std::optional<Grid> grid;
  std::vector<VerifyRow> verify;
  std::string missing_weights;  // an absent external file
};

Report make_report(const Analysis& analysis, std::vector<std::string> command);

// What the axes of a port are that has its channels last, "N, H, W, C", and the shape that it has in the model; empty
// where the port is as the model has it.
std::string axes_of(const Port& port);
Shape model_shape(const Port& port);

std::string to_text(const Report&);  // at most 40 lines
// How many steps were compared with what, and the first that differs.
std::string nodes_line(const VerifyRow&);
std::string to_json(const Report&);
std::string to_csv(const Report&);       // a row per step and per tensor
std::string to_markdown(const Report&);  // for a pull request
std::string to_html(const Report&);      // one page, no network
// By file extension: ".txt", ".json", ".csv", ".md", ".html"; empty for any other.
std::optional<std::string> render(const Report&, const std::string& extension);

}  // namespace tarn::report
