// Line-buffer operators: a layer with a k x k window, the layers before it that make its input, and those after it that
// take its output pixel by pixel, run as one.
//
// note [chunks]: let `mid` be the layer with the window, of k lines and stride s, and E its input. Step r makes output
// line r in chunks of some pixels. For each chunk, the layers before mid make the columns of E that are new, of the s
// lines that are new, in a window; mid takes older lines from the history; the layers after it make output pixels of
// the chunk. Columns that no later chunk reads move from the window over the line in the history that this step reads
// for the last time. So k - s lines of E are kept instead of k, none of mid's output, and nothing is computed twice.
// Step 0 needs more than s new lines where the window begins inside the image: those beyond the window go straight into
// the history.
//
// note [recompute]: the other end of that trade (Alwani et al., "Fused-Layer CNN Accelerators", 2016, call the two
// reuse and recompute): nothing is kept, each step makes all k lines under its window anew, and each line of E is
// computed about k / s times. That pays where E has many more channels than what it is made of, whose k lines are held
// instead.
#pragma once
#include <vector>

#include "stream/plan.h"

namespace tarn::stream {

struct Chain {
  std::vector<OperationId> operations;  // in the order of data; each but the last is read by the next alone
  size_t mid = 0;                       // position of the one with the window
  int64_t chunk = 6;                    // output pixels at a time
  bool recompute = false;               // keeps no lines: see note [recompute]
};

// Which layers may join, given the order in which operations run. Chains share no operation.
std::vector<Chain> find_chains(const Program& program, const lifetimes::Storage& storage,
                               const std::vector<OperationId>& order);

// What a chain needs, line by line.
struct ChainShape {
  TensorId middle, result;  // mid's input; what the last operation makes
  std::vector<Span> fresh;  // by output line: the lines of `middle` made with it; the first includes all before, where
                            // none is made twice
  int64_t history_lines = 0;  // 0: none is kept, or there is no layer before mid
  int64_t history_bytes = 0;
  int64_t window_bytes = 0;   // of LineBuffer::memory
  int64_t scratch_bytes = 0;  // of kernels
  LineBuffer form;            // without `history` and `memory`
};
ChainShape shape_of(const Program& program, const Chain& chain);

// Multiplications that a chain does beyond one run of each of its layers.
int64_t extra_macs_of(const Program& program, const Chain& chain);

// By output pixel: the columns of a walked operand that a call for it reads.
std::vector<Span> columns_read(const Program& program, const program::Operation& operation, size_t argument);

// By chunk of so many of these pixels: the first column that it or a later one reads, of `columns` in all, and the end
// of what has been read with it.
std::vector<Span> columns_of_chunks(const std::vector<Span>& reads, int64_t chunk, int64_t columns);

// The main operand of an operation within a chain: the tensor that the one before it makes, for the first the first it
// reads.
size_t main_argument(const Program& program, const Chain& chain, size_t position);

}  // namespace tarn::stream
