// Storage: which tensors share memory by construction. Reshapes and slices lie in their source; parts of a
// concatenation are made where the whole will be. Each group is one buffer, planned as one.
#pragma once
#include <vector>

#include "program/program.h"

namespace tarn::lifetimes {

using program::OperationId;
using program::Program;
using program::TensorId;

struct BufferTag;
using BufferId = Index<BufferTag>;

struct ShareOptions {
  bool views = true, in_place = true, overlap = true;
  bool parts = true;  // views: parts of the channels are made where the whole will be
  // Ranges of columns lie in their wholes, where all that touches them works by lines. For plans by lines alone.
  bool columns = false;
  // The caller hands each range of an input's columns over by itself, instead of the input.
  bool pieces = false;
  bool operator==(const ShareOptions&) const = default;
};

// Where a tensor lies within its buffer.
struct Place {
  BufferId buffer;
  int64_t offset = 0;       // bytes
  int64_t pixel_pitch = 0;  // elements from one pixel to the next
  int64_t line_pitch = 0;   // elements from one line to the next: pixels * pixel_pitch
};

struct Buffer {
  int64_t bytes = 0;
  std::vector<TensorId> tensors;  // the first is the one that spans the buffer
  bool external = false;          // the caller's memory (--io caller): not in the arena
};

// A range of columns of an input that is handed over by itself.
struct Piece {
  TensorId part, input;
  int64_t first_column = 0;
};

struct Storage {
  std::vector<Buffer> buffers;
  std::vector<Place> places;    // by tensor
  std::vector<TensorId> whole;  // by tensor: the one it lies in, or none
  std::vector<bool>
      made_in_whole;           // by tensor: it is written before its whole is (a part), not taken from it (a slice)
  std::vector<bool> left_out;  // by operation: only moved bytes that now lie where they should
  std::vector<Piece> pieces;   // in the order in which they are needed

  const Place& operator[](TensorId id) const { return places[id.pos()]; }
  Buffer& operator[](BufferId id) { return buffers[id.pos()]; }
  const Buffer& operator[](BufferId id) const { return buffers[id.pos()]; }
};

// `caller_io`: inputs and outputs are the caller's, each in memory of its own.
Storage assign_storage(const Program& program, const ShareOptions& share, bool caller_io);

}  // namespace tarn::lifetimes
