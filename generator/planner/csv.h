// Planning problems as CSV tables, in the format of the minimalloc project.
//
//   id,lower,upper,size        columns in any order; also: alignment, hint, offset (fixed), gaps
//   b1,0,3,4                   lifetimes are half-open; a column named `end` instead of `upper` includes its instant
//
// Gaps are written `a-b` or `a-b@lo:hi`, separated by spaces. Reading stops at the first empty line.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "planner/problem.h"

namespace tarn::planner {

struct CsvFault {
  size_t line = 0;  // from 1
  std::string message;
};

struct CsvTable {
  Problem problem;
  std::vector<CsvFault> faults;  // the first hundred; if there are any, `problem` is of no use
};

CsvTable read_csv(std::string_view text);

// The table `text`, from which `offsets` were planned, with the column `offset` added or replaced.
std::string with_offsets(std::string_view text, const std::vector<Offset>& offsets);

}  // namespace tarn::planner
