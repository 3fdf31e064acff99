// Replaces operator new and delete. Under AddressSanitizer they lie on its malloc, so that it still sees every block; a
// limit that its own operator new knew of could not throw.
#include "support/memory_limit.h"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

namespace tarn {

namespace {

std::atomic<int64_t> live{0}, peak{0}, most{INT64_MAX};
std::atomic<bool> exceeded{false};
std::atomic<void (*)()> when_beyond{nullptr};

// False beyond the limit.
bool take(int64_t bytes) {
  const int64_t now = live.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  if (now > peak.load(std::memory_order_relaxed)) peak.store(now, std::memory_order_relaxed);
  return now <= most.load(std::memory_order_relaxed);
}

void give(int64_t bytes) { live.fetch_sub(bytes, std::memory_order_relaxed); }

// Block by block is dear enough to count only what the allocator says of it.
void* try_allocate(size_t bytes, size_t alignment) {
  return alignment > 0 ? std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment)
                       : std::malloc(bytes > 0 ? bytes : 1);
}

void* allocate(size_t bytes, size_t alignment) {
  const auto asked = static_cast<int64_t>(std::min<size_t>(bytes, size_t{1} << 60));
  for (;;) {
    // What is beyond the limit must not be tried: it may be all of the machine's memory.
    if (!take(asked)) {
      give(asked);
      exceeded = true;
      if (void (*const beyond)() = when_beyond) beyond();
      throw std::bad_alloc();
    }
    if (void* p = try_allocate(bytes, alignment)) {
      take(static_cast<int64_t>(malloc_usable_size(p)) - asked);
      return p;
    }
    give(asked);
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

// Every form is replaced: with one of them from elsewhere, such as AddressSanitizer, blocks would be given back to
// another allocator than they came from.
void* allocate_or_null(size_t bytes, size_t alignment) noexcept {
  try {
    return allocate(bytes, alignment);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void release(void* p) {
  if (p == nullptr) return;
  give(static_cast<int64_t>(malloc_usable_size(p)));
  std::free(p);
}

thread_local const AtWork* at_work = nullptr;

}  // namespace

void limit_memory(int64_t bytes, void (*beyond)()) {
  const int64_t now = live;
  peak = now;
  exceeded = false;
  when_beyond = beyond;
  most = bytes > INT64_MAX - now ? INT64_MAX : now + bytes;
}

void allow_memory_for(int64_t model_bytes) {
  if (most != INT64_MAX) most = std::max<int64_t>(most, most_on_heap(model_bytes));
}

void lift_memory_limit() {
  most = INT64_MAX;
  when_beyond = nullptr;
}

int64_t peak_memory() { return peak; }
bool memory_exceeded() { return exceeded; }

AtWork::AtWork(const Work& work) : work_(work), around_(at_work) { at_work = this; }
AtWork::~AtWork() { at_work = around_; }
Work AtWork::innermost() { return at_work != nullptr ? at_work->work_ : Work{}; }

}  // namespace tarn

// NOLINTBEGIN(misc-new-delete-overloads)
void* operator new(size_t bytes) { return tarn::allocate(bytes, 0); }
void* operator new[](size_t bytes) { return tarn::allocate(bytes, 0); }
void* operator new(size_t bytes, std::align_val_t a) { return tarn::allocate(bytes, static_cast<size_t>(a)); }
void* operator new[](size_t bytes, std::align_val_t a) { return tarn::allocate(bytes, static_cast<size_t>(a)); }
void* operator new(size_t bytes, const std::nothrow_t&) noexcept { return tarn::allocate_or_null(bytes, 0); }
void* operator new[](size_t bytes, const std::nothrow_t&) noexcept { return tarn::allocate_or_null(bytes, 0); }
void* operator new(size_t bytes, std::align_val_t a, const std::nothrow_t&) noexcept {
  return tarn::allocate_or_null(bytes, static_cast<size_t>(a));
}
void* operator new[](size_t bytes, std::align_val_t a, const std::nothrow_t&) noexcept {
  return tarn::allocate_or_null(bytes, static_cast<size_t>(a));
}
void operator delete(void* p) noexcept { tarn::release(p); }
void operator delete[](void* p) noexcept { tarn::release(p); }
void operator delete(void* p, size_t) noexcept { tarn::release(p); }
void operator delete[](void* p, size_t) noexcept { tarn::release(p); }
void operator delete(void* p, std::align_val_t) noexcept { tarn::release(p); }
void operator delete[](void* p, std::align_val_t) noexcept { tarn::release(p); }
void operator delete(void* p, size_t, std::align_val_t) noexcept { tarn::release(p); }
void operator delete[](void* p, size_t, std::align_val_t) noexcept { tarn::release(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { tarn::release(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { tarn::release(p); }
void operator delete(void* p, std::align_val_t, const std::nothrow_t&) noexcept { tarn::release(p); }
void operator delete[](void* p, std::align_val_t, const std::nothrow_t&) noexcept { tarn::release(p); }
// NOLINTEND(misc-new-delete-overloads)
