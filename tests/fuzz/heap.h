// How much of the heap is in use: of everything that new hands out, or malloc where AddressSanitizer tells of it.
#pragma once
#include <cstdint>

namespace tarn::fuzz {

// Starts counting anew; beyond `most` bytes std::bad_alloc is thrown where that is possible.
void start_heap(int64_t most);
int64_t heap_peak();
bool heap_exceeded();
void stop_heap();

}  // namespace tarn::fuzz
