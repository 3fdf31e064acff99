#include "fuzz/heap.h"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

#if defined(__SANITIZE_ADDRESS__)
#define TARN_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TARN_ADDRESS_SANITIZER 1
#endif
#endif

namespace tarn::fuzz {

namespace {

std::atomic<int64_t> live{0}, peak{0}, most{INT64_MAX};
std::atomic<bool> exceeded{false};

// False beyond the limit.
bool take(int64_t bytes) {
  const int64_t now = live.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  if (now > peak.load(std::memory_order_relaxed)) peak.store(now, std::memory_order_relaxed);
  if (now <= most.load(std::memory_order_relaxed)) return true;
  exceeded = true;
  return false;
}

void give(int64_t bytes) { live.fetch_sub(bytes, std::memory_order_relaxed); }

}  // namespace

void start_heap(int64_t limit) {
  live = 0;
  peak = 0;
  exceeded = false;
  most = limit;
}

int64_t heap_peak() { return peak; }
bool heap_exceeded() { return exceeded; }
void stop_heap() { most = INT64_MAX; }

}  // namespace tarn::fuzz

#ifdef TARN_ADDRESS_SANITIZER

// Its allocator calls these; nothing may be thrown from them.
extern "C" {
int __sanitizer_install_malloc_and_free_hooks(void (*malloc_hook)(const volatile void*, size_t),
                                              void (*free_hook)(const volatile void*));
size_t __sanitizer_get_allocated_size(const volatile void* p);
}

namespace {

void on_malloc(const volatile void*, size_t bytes) { (void)tarn::fuzz::take(static_cast<int64_t>(bytes)); }
void on_free(const volatile void* p) {
  if (p != nullptr) tarn::fuzz::give(static_cast<int64_t>(__sanitizer_get_allocated_size(p)));
}
const int installed = __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);

}  // namespace

#else

namespace {

void* allocate(size_t bytes, size_t alignment) {
  // One allocation beyond the limit must not be tried: it may be all of the machine's memory.
  if (!tarn::fuzz::take(static_cast<int64_t>(std::min<size_t>(bytes, size_t{1} << 60)))) {
    tarn::fuzz::give(static_cast<int64_t>(std::min<size_t>(bytes, size_t{1} << 60)));
    throw std::bad_alloc();
  }
  void* p = alignment > 0 ? std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment)
                          : std::malloc(bytes > 0 ? bytes : 1);
  if (p == nullptr) throw std::bad_alloc();
  (void)tarn::fuzz::take(static_cast<int64_t>(malloc_usable_size(p)) - static_cast<int64_t>(bytes));
  return p;
}

void release(void* p) {
  if (p == nullptr) return;
  tarn::fuzz::give(static_cast<int64_t>(malloc_usable_size(p)));
  std::free(p);
}

}  // namespace

void* operator new(size_t bytes) { return allocate(bytes, 0); }
void* operator new[](size_t bytes) { return allocate(bytes, 0); }
void* operator new(size_t bytes, std::align_val_t a) { return allocate(bytes, static_cast<size_t>(a)); }
void* operator new[](size_t bytes, std::align_val_t a) { return allocate(bytes, static_cast<size_t>(a)); }
void operator delete(void* p) noexcept { release(p); }
void operator delete[](void* p) noexcept { release(p); }
void operator delete(void* p, size_t) noexcept { release(p); }
void operator delete[](void* p, size_t) noexcept { release(p); }
void operator delete(void* p, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, std::align_val_t) noexcept { release(p); }
void operator delete(void* p, size_t, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, size_t, std::align_val_t) noexcept { release(p); }

#endif
