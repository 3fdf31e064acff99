#include "program/line_form.h"

namespace tarn::program {

int64_t LineForm::lines_between() const {
  if (calls.empty()) return 1;
  for (const LineArgument& a : calls.front().arguments) {
    if (a.how == LineArgument::How::rows) return a.map.scale;
  }
  return 1;
}

}  // namespace tarn::program
