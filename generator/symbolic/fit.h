// Formulas of one whole number that give exactly the values known at every point of a range.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tarn::symbolic {

// For each whole number in from..to the expression gives the value.
struct Piece {
  int64_t from = 0, to = 0;
  std::string expression;  // "64*N + 128", "floor(N/2) + 1", "16*ceil(N/4) + 4*N*N"
  bool operator==(const Piece&) const = default;
};

// The values at from, from + 1, ... as few pieces: a sum of a multiple of N*N, of N, of quotients rounded down or up
// and of a constant in each. A piece is compared with every value in it. One that no such sum continues holds a single
// point, its value.
std::vector<Piece> fit(const std::string& name, int64_t from, const std::vector<int64_t>& values);

// What the last piece gives at `n`, which lies behind its end; nothing where it is a single point.
std::optional<int64_t> continued(int64_t from, const std::vector<int64_t>& values, int64_t n);

// The same as an expression in C of an int32_t variable that is exact in 32 bits for each point. Nothing where that
// takes more than three pieces, or numbers of more bits on the way.
std::optional<std::string> to_c(const std::string& variable, int64_t from, const std::vector<int64_t>& values);

// A name as it stands in expressions: in quotes where it would read as arithmetic.
std::string shown(const std::string& name);

// One line: the only piece's expression, else "EXPRESSION for 1..4, EXPRESSION for 5..9".
std::string to_text(const std::vector<Piece>& pieces);

}  // namespace tarn::symbolic
