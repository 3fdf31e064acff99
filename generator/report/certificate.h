// Certificate: by what an arena is proved to be the least of its plan, with all that someone needs who derives it
// again.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compile.h"

namespace tarn::report {

struct CertificateItem {
  std::string name;  // of the first tensor of its buffer
  int64_t bytes = 0;
  int64_t first = 0, end = 0;  // instants, half-open: 2s while step s reads, 2s + 1 once it has written
};

// Open intervals in which offset(b) - offset(a) must not lie; in place of the rule that what shares an instant is
// disjoint. a, b: positions in Certificate::items.
struct CertificatePair {
  int64_t a = 0, b = 0;
  std::vector<std::pair<int64_t, int64_t>> forbidden;
};

struct Certificate {
  enum class By {
    peak,    // `items` are alive together at `instant`, disjoint in every plan, and take the whole arena
    core,    // `items` with `pairs` do not fit into fewer bytes than the arena
    search,  // a search over all placements in fewer bytes ended without any; `nodes`
    lines    // by lines: those alive in one step take the whole arena
  };
  By by = By::peak;
  int64_t instant = 0;
  std::vector<CertificateItem> items;
  std::vector<CertificatePair> pairs;
  uint64_t nodes = 0;
  bool every_order = false;  // no other order has a plan with fewer bytes either
};
std::string to_string(Certificate::By);  // "peak of step", "core", "exhausted search", "lines of a step"

// The certificate of the plan by layers; absent where it is not proved to be optimal, and with several memories, where
// each bank has a proof of its own. Searches the core once more, with few nodes.
std::optional<Certificate> certificate_of(const Analysis& analysis);

}  // namespace tarn::report
