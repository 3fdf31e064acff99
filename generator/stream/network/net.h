// What streaming sees of a program: memories of lines, and nodes that read and make them line by line.
//
//   node 0  feed        makes line r of memory 0
//   node 1  conv 3x3    line r needs lines r-1 .. r+1 of memory 0, makes line r of memory 1
//   node 2  mean        takes in line r of memory 1, makes memory 2 with the last
//   node 3  dense       whole: all of memory 2, all of memory 3
#pragma once
#include <optional>
#include <vector>

#include "stream/network/chains.h"
#include "stream/plan.h"

namespace tarn::stream {

// What a node reads of one memory.
struct Access {
  int memory = 0;
  size_t operation = 0;     // position in the actor's operations
  int argument = -1;        // of that operation
  std::vector<Span> lines;  // by line of the node, in lines of the memory; empty: `all`, for each of its lines
  Span all;
  // The line that the node makes may begin this many bytes below a line that dies with it, or further below; absent:
  // the two are disjoint. Counted from line to line of the memories.
  std::optional<int64_t> overlap_distance;
  std::vector<int> producers;  // nodes that make some of what is read, ascending

  Span at(int64_t line) const { return lines.empty() ? all : lines[static_cast<size_t>(line)]; }
};

struct NetNode {
  Actor actor;
  int64_t lines = 1;  // steps; a whole node has one step for all of `made`
  std::vector<Access> reads;
  int memory = -1;           // made; -1: handed out
  Span made;                 // lines of the memory
  std::vector<int> also;     // further memories made as a whole, with the last step
  std::vector<int> helpers;  // scratch memories: line r is alive in step r
  std::vector<int> states;   // memories of accumulators and histories: alive from the first step to the last
  int after = -1;            // a node that has made all of its lines before this one makes any: an input's pass before
  bool repeated = false;     // another pass follows
};

struct Net {
  std::vector<Memory> memories;         // without addresses
  std::vector<std::string> names;       // by memory
  std::vector<bool> contiguous;         // by memory: it is addressed as one piece
  std::vector<bool> outside;            // by memory: the caller's, takes no room
  std::vector<bool> given;              // by memory: complete before the first step
  std::vector<bool> kept;               // by memory: alive after the last step
  std::vector<LineView> views;          // by tensor
  int driver = -1;                      // memory of the driver's state
  std::vector<NetNode> nodes;           // in an order in which each can run after the others
  std::vector<std::vector<int>> eager;  // by node: those that take in its lines as soon as they are made
  std::vector<int> last_reader;         // by node: the last that reads what it makes; -1: none
};

// `order`: operations that storage leaves, those whose data another needs first. obstacle(program) is empty: each
// tensor has elements. `at_once`: lines that steps make where that spares time, at the cost of memory.
Net make_net(const Program& program, const lifetimes::Storage& storage, const std::vector<OperationId>& order,
             const Options& options, const std::vector<Chain>& chains, int64_t at_once = 1);

// What the node of an operation reads and makes: all but its helpers and states. Memories that its kernel takes as one
// piece become contiguous.
NetNode operation_node(const Program& program, const lifetimes::Storage& storage, Net& net, OperationId id);

// An operation that makes line r of its result of line r of an input, or of a piece of it, and of nothing else that is
// computed, can run on the caller's line as it comes: a feed, and what comes stands nowhere. Absent: it cannot, or
// somebody else needs that input too.
struct Taken {
  TensorId operand;  // the input or the piece
  NetNode node;      // but for its port
};
std::optional<Taken> take_line_by_line(const Program& program, const lifetimes::Storage& storage, Net& net,
                                       const std::vector<OperationId>& order, OperationId id);

// What the node of a chain reads and makes, for the memories that `net` has: all but the node's helpers and states.
NetNode chain_node(const Program& program, const Net& net, const Chain& chain, const ChainShape& shape);

// Fills Access::producers, eager and last_reader of a net whose nodes are all there.
void find_producers(const Program& program, Net& net);

// Why a program cannot run by lines at all; empty: it can.
std::string obstacle(const Program& program);

}  // namespace tarn::stream
