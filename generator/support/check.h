// Faults of ours, as opposed to the user's: TARN_CHECK throws InternalError, which main turns into exit code 70.
#pragma once
#include <stdexcept>
#include <string>

namespace tarn {

struct InternalError : std::logic_error {
  using std::logic_error::logic_error;
};

[[noreturn]] inline void internal_error(const char* file, int line, const std::string& what) {
  throw InternalError(std::string(file) + ":" + std::to_string(line) + ": " + what);
}

}  // namespace tarn

#define TARN_CHECK(condition)                                                        \
  do {                                                                               \
    if (!(condition)) ::tarn::internal_error(__FILE__, __LINE__, "not " #condition); \
  } while (0)
#define TARN_FAIL(what) ::tarn::internal_error(__FILE__, __LINE__, what)
