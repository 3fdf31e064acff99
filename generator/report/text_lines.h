// The lines of the text report, by what they tell. Each adds its own where there is something to tell; to_text joins
// them.
#pragma once
#include <string>
#include <vector>

#include "report/report.h"

namespace tarn::report {

std::string bytes(int64_t n);                      // "12,288 B"
std::string percent(int64_t part, int64_t whole);  // "12 %"; "-" of nothing
std::string tenths(int64_t part, int64_t whole);   // "12.3 %"
std::string decibels(double value);                // "41.2 dB"

void bank_lines(const Report& r, std::vector<std::string>& lines);
void compare_lines(const Report& r, std::vector<std::string>& lines);
// How a network runs by lines, and what the other ways would give.
void stream_lines(const Report& r, std::vector<std::string>& lines);
// Ways that another one beats are left out; the JSON report has them all.
void pareto_lines(const Report& r, std::vector<std::string>& lines);
void sweep_lines(const Report& r, std::vector<std::string>& lines);
void symbolic_lines(const Report& r, std::vector<std::string>& lines);
void grid_lines(const Report& r, std::vector<std::string>& lines);

// What is kept from run to run: how much, and which output is which input, the copied ones first.
void state_lines(const Report& r, std::vector<std::string>& lines);
// Weights in fewer bits: what they take of what they took, those with the most noise first.
void weight_lines(const Report& r, std::vector<std::string>& lines);
// What a run reads of its weights.
void transfer_lines(const Report& r, std::vector<std::string>& lines);
// Shares of zeros, by weight.
void sparsity_lines(const Report& r, std::vector<std::string>& lines);

void verify_lines(const Report& r, std::vector<std::string>& lines);

}  // namespace tarn::report
