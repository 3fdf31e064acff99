// The plan of a network that runs line by line instead of layer by layer: who works when, and where each line lies.
//
// An actor makes lines: it takes in a line of an input, hands out a line of an output, or runs an operation. A step is
// some lines of one actor. The lines of an actor ascend from step to step, so a list of actors is the whole program.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lifetimes/storage.h"
#include "planner/plan.h"
#include "program/program.h"

namespace tarn::stream {

using program::OperationId;
using program::Program;
using program::Span;
using program::TensorId;

// resident: all of every input stands in the arena before the run. fed: inputs come line by line while the network
// runs. time: the same without end; what is handed out goes on as long as lines come.
enum class Mode { off, resident, fed, time, automatic };
enum class Lines { ring, table };

enum class Scan { rows, columns };  // what a line of an image is

struct Options {
  Mode mode = Mode::automatic;
  Scan scan = Scan::rows;
  bool drain = false;  // outputs are handed out line by line
  Lines lines = Lines::ring;
  bool line_buffers = true;  // layers joined into line-buffer operators where it pays
  double recompute = 0;      // multiplications that may be done twice, in percent of all
  bool operator==(const Options&) const = default;
};

// Memory for lines of equal size.
//   resident  line l lies at base + l * line_bytes; slots == lines
//   ring      line l lies at base + (l mod slots) * line_bytes
//   table     line l lies at table[l mod slots]: a ring of places that stand anywhere; slots may be lines
enum class Addressing { resident, ring, table };
struct Memory {
  enum class Holds {
    tensor,       // a tensor and all that lie in it
    accumulator,  // sums over lines, from the first line read to the last
    scratch,      // of kernels, while a step runs
    window,       // what a line-buffer operator has of tensors that lie nowhere, while a step of it runs
    history,      // lines of the middle tensor that a line-buffer operator keeps from step to step
    driver        // the driver's own state between calls
  };
  Holds holds = Holds::tensor;
  lifetimes::BufferId buffer;  // tensor: of LinePlan::storage
  int actor = -1;              // accumulator, scratch, history: whose
  int64_t lines = 1, line_bytes = 0;
  int64_t unit = 0;  // not 0: one ring, which begins again behind a multiple of so many lines
  Addressing addressing = Addressing::resident;
  int64_t base = 0, slots = 1;
  std::vector<int64_t> table;  // by slot; -1: no line of it is ever made

  int64_t address(int64_t line) const {
    return addressing == Addressing::table ? table[static_cast<size_t>(line % slots)]
                                           : base + line % slots * line_bytes;
  }
};

// Those of lines [first, end) of `memory` that share bytes with line `line` of `other`, in ascending order.
std::vector<int64_t> lines_over(const Memory& memory, program::Span lines, const Memory& other, int64_t line);

// Where a tensor lies. By lines: its line l is the memory's line first_line + l, `offset` bytes into it. Not by lines:
// its lines are not those of the memory, which is then resident wherever they matter; the tensor begins first_line *
// line_bytes + offset bytes into it.
struct LineView {
  int memory = -1;  // -1: not in the arena
  bool by_lines = true;
  int64_t first_line = 0;
  int64_t offset = 0;       // bytes
  int64_t pixel_pitch = 0;  // elements from one pixel to the next
};

// A line-buffer operator: the operations before `mid` make only the lines of its input that are new, in a window of
// some columns; older lines stand in the history; the operations after it turn `chunk` pixels of it into output at
// once. Step r, for each chunk of output columns: window <- new columns of the new lines; mid reads old lines from the
// history, new ones from the window; columns that no later chunk reads go from the window to the history. See the notes
// [chunks] and [recompute] in chains.h.
struct LineBuffer {
  size_t mid = 0;     // position in Actor::operations
  int64_t chunk = 1;  // output pixels of mid worked on at a time
  int history = -1;  // memory of history_lines lines of the middle tensor, line l in slot l mod history_lines; -1: none
  int64_t history_lines = 0;
  bool recompute = false;                        // each step makes all lines under its window, and keeps none
  int64_t window_lines = 0, window_columns = 0;  // of the middle tensor; column c lies at c mod window_columns
  int memory = -1;                               // of the window and of what is made of it; -1: neither
  int64_t window = 0;                            // bytes into it
  std::vector<int64_t> made;  // by operation: bytes into it where its chunk lies; -1: window or output
};

struct Actor {
  enum class What { feed, drain, operation };
  What what = What::operation;
  size_t port = 0;           // feed, drain: position in Program::inputs or ::outputs
  TensorId tensor;           // feed, drain: what the lines are stored to or come from: the port's, or columns of it
  int64_t first_column = 0;  // feed: of the columns that are kept of a line
  int64_t pass = 0;          // feed: how often the input has been handed over before
  // One; a line-buffer operator: in the order of data. A feed: none, or one that makes the lines that are kept of the
  // lines that come, which then never stand in the arena.
  std::vector<OperationId> operations;
  int64_t lines = 1;    // it makes in all; accumulate: takes in
  int64_t at_once = 1;  // so many in a step, or those that are left; what it reads and makes then lies apart
  bool joined = false;  // the lines of a step stand side by side in all memories: the kernel makes them as one line
  bool whole = false;   // all its lines in one step; its operands and result are resident
  // An elementwise operation on dense tensors, made in the lines of its memories, which need not be those of its
  // tensors.
  bool flat = false;
  // A line made lies over parts of a line that its (last) operation reads: that may read no block of pixels ahead.
  bool overlapping = false;
  bool accumulate = false;             // a step takes in one line of its operand; the last one makes the output
  int64_t gathered = 0;                // not 0: sums over so many lines of its operand, made anew for each line
  int accumulator = -1, scratch = -1;  // memories
  std::optional<LineBuffer> line_buffer;
};

struct Step {
  int actor = 0;
  int64_t first_line = 0, lines = 1;  // made; accumulate: taken in
};

// The steps as a looped schedule (Bhattacharyya, Murthy and Lee, 1996): a list of loops, each of which calls its actors
// in order, `times` times. Which line an actor makes follows from the number of times it has been called.
struct ScheduleLoop {
  std::vector<int> actors;
  int64_t times = 1;
};

// A periodic plan: the loops before `prologue` run once, those from there on are repeated for ever. After every
// `passes` repetitions each actor's count of lines is lowered by the lines that it made in them. Those are a multiple
// of the slots of every ring it works on, so that the addresses of the lines continue unchanged and the counters never
// overflow.
struct Endless {
  size_t prologue = 0;
  int64_t passes = 1;
  std::vector<int64_t> lines;  // by actor, in one pass
};

// Consecutive operations whose lines are made in turn. All that comes before is finished, what crosses is resident.
struct Segment {
  size_t first_step = 0, end_step = 0;
  std::vector<OperationId> operations;
  int64_t bound = 0;  // of this segment alone
};

struct LinePlan {
  Mode mode = Mode::off;
  bool drain = false;
  Lines lines = Lines::ring;
  lifetimes::Storage storage;  // which tensors lie in which, as this plan has it
  std::vector<Memory> memories;
  std::vector<LineView> views;  // by tensor
  std::vector<Actor> actors;
  std::vector<Step> steps;
  std::vector<ScheduleLoop> loops;
  std::vector<Segment> segments;
  int driver = -1;  // memory of the driver's state
  int64_t arena = 0;
  int64_t bound = 0;          // most bytes of lines alive at once: no addresses for these steps need less
  int64_t bound_scratch = 0;  // how much of these is scratch
  planner::Proof proof = planner::Proof::none;
  // Not optimal, but nothing smaller exists with rings of these lengths: the packer's search ended.
  bool smallest_of_rings = false;
  uint64_t search_nodes = 0;
  int64_t stripes = 0;               // of columns, in which the leading part runs; 0: it runs once
  std::string stripes_end;           // the tensor at its end
  int64_t recomputed = 0;            // line-buffer operators that keep no lines
  int64_t extra_macs = 0, macs = 0;  // of work done twice; of the network without it
  std::optional<Endless> endless;    // `steps` hold each of its loops once
};

// Does it do work twice that a plan without stripes and recomputed lines does once?
inline bool works_twice(const LinePlan& plan) { return plan.stripes > 0 || plan.recomputed > 0; }

// How often an input is handed over from its first line to its last: once, or once for each stripe.
int64_t passes_of(const LinePlan& plan, size_t port);

// Bytes of constant data: the looped schedule (one for each actor, three for each loop) and the tables of addresses.
int64_t table_bytes(const LinePlan& plan);

// A counter of lines, where no actor makes more than so many.
int64_t counter_bytes(int64_t most_lines, Mode mode);

// The driver's state: its place in the looped schedule, the height of the run where that is open (`sized`), and a
// counter of lines for each actor.
int64_t driver_bytes(size_t actors, int64_t most_lines, Mode mode, bool sized = false);
// The most that a counter of lines comes to: whole steps, so that the last may count lines that there are not.
int64_t most_lines(const std::vector<Actor>& actors);
// Those of an actor's step that begins with line `first`, which an actor of one line a step may exceed: plans without
// end go on.
int64_t lines_of_step(const Actor& actor, int64_t first);

// A line-buffer operator's layer at `position` makes pixels over those that it reads, or over others that are still
// read.
bool writes_over_reads(const Actor& actor, size_t position);

// Of each actor, whether a step runs it. Windows may see nothing but padding: what they stand on is never made then.
std::vector<bool> running_actors(const LinePlan& plan);

std::string to_string(Mode);
std::string to_string(Lines);
std::string to_string(Addressing);

}  // namespace tarn::stream
