// ByteRows: the rows of a matrix of 8-bit integers, some at a time, for weights that are too large to be copied whole.
#pragma once
#include <span>
#include <vector>

#include "tensor/constant.h"

namespace tarn {

class ByteRows {
 public:
  // Of a constant that outlives this; `length` elements a row.
  ByteRows(const Constant& source, int64_t length);

  // The next rows one after the other, where they lie or in a copy that stays until this is called again. Rows that are
  // asked for in their order are read together.
  std::span<const uint8_t> rows(int64_t first, int64_t count);
  const int8_t* codes(int64_t row) { return reinterpret_cast<const int8_t*>(rows(row, 1).data()); }

 private:
  const Constant& source_;
  int64_t length_, all_;
  std::span<const uint8_t> there_;
  std::vector<uint8_t> copy_;
  int64_t first_ = 0, count_ = 0;  // rows in the copy
};

}  // namespace tarn
