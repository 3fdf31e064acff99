// Whether this program runs under AddressSanitizer: gcc says it by a macro, clang as a feature.
#pragma once

namespace tarn::sanitized {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kAddresses = true;
#elif defined(__has_feature)
constexpr bool kAddresses = __has_feature(address_sanitizer);
#else
constexpr bool kAddresses = false;
#endif

}  // namespace tarn::sanitized
