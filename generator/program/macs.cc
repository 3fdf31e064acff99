#include "program/macs.h"

namespace tarn::program {

int64_t macs_of(const Program& program) {
  int64_t macs = 0;
  for (const Operation& operation : program.operations) macs += operation.macs;
  return macs;
}

}  // namespace tarn::program
