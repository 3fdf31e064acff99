// The packing problem: items with lifetimes and sizes, one address space, as small as possible.
// Nothing here knows of ONNX, tensors or kernels; `tarn plan` solves these problems straight from a CSV file.
//
//   address
//    5 |                     A [0,2) size 3  at 0
//    4 |   BBBBBBBBB         B [1,4) size 2  at 3
//    3 |   BBBBBBBBB         C [2,4) size 2  at 0, where A was
//    2 |AAAAAA
//    1 |AAAAAACCCCCC         arena 5 = the most that is alive at one instant (1), so no plan can be smaller
//    0 |AAAAAACCCCCC
//      +--0--1--2--3--> time, counted in instants; lifetimes are half-open
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tarn::planner {

using Bytes = int64_t;    // a size, or a distance between addresses
using Offset = int64_t;   // an address within the arena
using Instant = int64_t;  // a position in time

// An interval of an item's life in which it holds nothing, or only the bytes [window_first, window_end) of itself.
struct Gap {
  Instant first = 0, end = 0;  // half-open
  std::optional<Bytes> window_first, window_end;
  bool operator==(const Gap&) const = default;
};

struct Item {
  std::string id;
  Bytes size = 0;
  Instant first = 0, end = 0;    // half-open; first == end: never alive, costs nothing
  Bytes alignment = 1;           // the offset is a multiple of it
  std::optional<Offset> offset;  // fixed by the caller
  std::optional<Offset> hint;    // a starting point for searches; never binding
  std::vector<Gap> gaps;         // within [first, end), ascending, disjoint
  bool operator==(const Item&) const = default;
};

// An open interval of forbidden differences: lo < difference < hi is not allowed.
struct Forbidden {
  Bytes lo = 0, hi = 0;
  bool operator==(const Forbidden&) const = default;
};

// What holds between two items, when it is not the plain rule. The plain rule: items that share an instant are
// disjoint, that is offset(b) - offset(a) is not in (-size(b), size(a)); others are free.
// A pair replaces that rule for its two items, whether their lifetimes meet or not: an output may start a few bytes
// below the input it replaces; two rings of lines may interleave (several intervals).
struct Pair {
  int a = 0, b = 0;                  // positions in Problem::items, a != b; a pair of items is listed once
  std::vector<Forbidden> forbidden;  // differences offset(b) - offset(a); ascending, disjoint; empty: free
  bool operator==(const Pair&) const = default;
};

struct Problem {
  std::vector<Item> items;
  std::vector<Pair> pairs;
  std::optional<Bytes> capacity;  // absent: minimise
  Bytes known_bound = 0;          // a lower bound that the caller has proved by other means; 0: none
  bool operator==(const Problem&) const = default;
};

}  // namespace tarn::planner
