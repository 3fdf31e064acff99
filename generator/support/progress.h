// Long work says now and then how far it is, for a person who waits. Nothing that is found depends on it.
#pragma once
#include <cstdint>

namespace tarn {

// Set by the command line alone; none: nobody listens.
inline void (*progress_listener)(const char* what, uint64_t count) = nullptr;

inline void note_progress(const char* what, uint64_t count) {
  if (progress_listener != nullptr) progress_listener(what, count);
}

// For the innermost loops: every 4096th time.
inline void note_some_progress(const char* what, uint64_t count) {
  if ((count & 0xfff) == 0) note_progress(what, count);
}

}  // namespace tarn
