// C identifiers for what the model calls by any string it likes.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "program/program.h"

namespace tarn::emit {

// Letters, digits and underscores; never empty, never beginning with a digit, no C or C++ keyword.
std::string identifier(const std::string& name);
// The same for what every symbol begins with: "int" is good there, because "int_run" is.
std::string prefix_identifier(const std::string& name);

// Hands out each identifier once: a second "x" becomes "x_2".
class Names {
 public:
  std::string unique(const std::string& name);

 private:
  std::set<std::string> taken_;
};

// The names of one model's interface.
struct CNames {
  std::string prefix;                        // "kws"
  std::string capitals;                      // "KWS"
  std::vector<std::string> tensors;          // by tensor of the program
  std::vector<std::string> inputs, outputs;  // in the model's order
  std::vector<std::string> weights;          // by weight: "kws_w_conv1"
  std::string span;                          // "at_1_" in names of what only those sizes use; empty: the largest's

  std::string input_accessor(size_t i) const { return prefix + "_input_" + inputs[i]; }
  std::string output_accessor(size_t i) const { return prefix + "_output_" + outputs[i]; }
  // The parameter that stands for an output under --io caller; inputs may have the same name.
  std::string output_parameter(size_t i) const;
  std::string macro(const std::string& rest) const { return capitals + "_" + rest; }
};

CNames make_names(const std::string& prefix, const program::Program& program);

}  // namespace tarn::emit
