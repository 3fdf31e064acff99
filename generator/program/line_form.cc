#include "program/line_form.h"

#include <algorithm>

namespace tarn::program {

const LineArgument* LineCall::rows() const {
  const auto found = std::find_if(arguments.begin(), arguments.end(),
                                  [](const LineArgument& a) { return a.how == LineArgument::How::rows; });
  return found == arguments.end() ? nullptr : &*found;
}

int64_t LineForm::lines_between() const {
  const LineArgument* rows = calls.empty() ? nullptr : calls.front().rows();
  return rows ? rows->map.scale : 1;
}

}  // namespace tarn::program
