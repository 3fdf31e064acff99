// Which inferences the search uses; all but in tests and measurements. None of them changes the answer. And how often
// each of them decided something, so that a test of one can tell that it was reached.
#pragma once
#include <cstdint>

namespace tarn::schedule {

struct SearchFeatures {
  bool sections = true;       // graphs are cut where every order passes
  bool cut_bound = true;      // lower bounds by minimum cuts
  bool condense = true;       // parts with one way in and out become chains
  bool canonical = true;      // a graph that is one part is solved by its canonical order
  bool beam = true;           // good orders before the complete search
  bool freeing_sets = true;   // minimal freeing sets as moves, instead of single operators
  bool safe_moves = true;     // moves that cannot do harm are run at once, alone
  bool valley_jumps = true;   // drop the alternatives to a valley
  bool plain_search = true;   // the complete search is tried before implied orders are looked for
  bool exhaustion = true;     // the complete search at all; without it some bounds stay open
  bool implied_order = true;  // dependencies that follow from the top
  bool windows = true;        // improve windows of an order
};

struct SearchUse {
  uint64_t sections = 0;             // cuts between sections
  uint64_t step_bounds = 0;          // bounds that a minimum cut raised
  uint64_t condensed = 0;            // operators that condensing took away
  uint64_t canonical = 0;            // graphs solved by their canonical order
  uint64_t exhausted = 0;            // tops refuted by a search to its end
  uint64_t freeing_sets = 0;         // moves of several operators
  uint64_t safe_moves = 0;           // moves run without alternatives
  uint64_t valley_jumps = 0;         // alternatives dropped
  uint64_t known_failures = 0;       // states that had failed before
  uint64_t implied = 0;              // dependencies that follow from a top
  uint64_t implied_refutations = 0;  // tops refuted by them alone
  uint64_t windows = 0;              // orders improved by a window

  void add(const SearchUse& other) {
    sections += other.sections;
    step_bounds += other.step_bounds;
    condensed += other.condensed;
    canonical += other.canonical;
    exhausted += other.exhausted;
    freeing_sets += other.freeing_sets;
    safe_moves += other.safe_moves;
    valley_jumps += other.valley_jumps;
    known_failures += other.known_failures;
    implied += other.implied;
    implied_refutations += other.implied_refutations;
    windows += other.windows;
  }
};

}  // namespace tarn::schedule
