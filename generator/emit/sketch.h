// The example of an Arduino library: what its sketch does with the network's ports, as text.
#pragma once
#include <string>

#include "compile.h"
#include "report/report.h"

namespace tarn::emit {

struct Sketch {
  std::string buffers, setup, run;
};

Sketch make_sketch(const Analysis& analysis, const report::Report& report);

}  // namespace tarn::emit
