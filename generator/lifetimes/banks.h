// Several memories: which buffers go where, and a plan for each. Views lie in their buffer and sharing joins buffers of
// one bank only, so both stay within a bank.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lifetimes/planning.h"
#include "planner/split.h"
#include "support/result.h"

namespace tarn::lifetimes {

struct Bank {
  std::string name;     // a C identifier
  int64_t bytes = 0;    // its capacity
  std::string section;  // of the linker script; empty: none
  bool dma = true;      // inputs and outputs may lie there
  bool operator==(const Bank&) const = default;
};

struct BankOptions {
  std::vector<Bank> banks;                                // the fastest first
  std::vector<std::pair<std::string, std::string>> pins;  // tensor, bank
};

struct BankPlan {
  int64_t base = 0;  // where its bytes begin in the one range of addresses that all offsets count in
  planner::Bytes arena = 0, lower_bound = 0;
  planner::Proof proof = planner::Proof::none;
  int64_t traffic = 0;  // bytes read and written there in one run
};

struct Banked {
  std::vector<int> bank_of;                     // by item of the planning
  std::vector<planner::Offset> offsets;         // by item, the bank's base included
  std::vector<BankPlan> plans;                  // by bank
  planner::Bytes cost = 0, cost_bound = 0;      // sum of traffic times the bank's number, and what no split goes below
  planner::Proof proof = planner::Proof::none;  // of the split
  bool fits = true;
  bool proved = true;     // that it does not fit, in no order
  std::vector<int> core;  // items for which there was no room together
  uint64_t search_nodes = 0;
  int64_t floor = 0;      // that no memory, divided or not, can go below
  int64_t arena() const;  // of all banks
  int64_t lower_bound() const;
};

// By tensor name, or its fault: E209 for a tensor that is not planned, E306 for pins and banks that contradict each
// other.
Result<std::vector<uint32_t>> allowed_banks(const Program& program, const Storage& storage, const Planning& planning,
                                            const BankOptions& options, const std::string& file);

// Bytes that one run reads from and writes to each item's buffer; the caller's own once.
std::vector<planner::Bytes> traffic_of(const Program& program, const Storage& storage,
                                       const schedule::Schedule& schedule, const Planning& planning);

struct BankRequest {
  std::vector<Bank> banks;
  std::vector<uint32_t> allowed;  // by item
  PlanningOptions planning;
  planner::Strategy strategy = planner::Strategy::automatic;
  planner::Limits limits;
  bool order_is_given = false;  // no other order may be taken
  int64_t floor = 0;            // proved: no plan in one memory is smaller, in whatever order that may be taken
  int64_t block_part = 0;       // a bank may grow by this part of itself, within its size, for blocks of pixels; 0: no
};

// Where nothing fits, a plan in which the slowest bank that helps is larger than it may be.
Banked plan_banks(const Program& program, const Storage& storage, const schedule::Schedule& schedule,
                  const Planning& planning, const BankRequest& request);

}  // namespace tarn::lifetimes
