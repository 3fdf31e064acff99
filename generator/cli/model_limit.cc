#include "cli/model_limit.h"

#include <new>

#include "cli/terminal.h"
#include "support/early_end.h"
#include "support/memory_limit.h"
#include "support/text.h"

namespace tarn::cli {

namespace {

constexpr int kWithoutLimit = 3;  // of effort

const Options* limited = nullptr;

void end_beyond_limit() {
  if (is_uninterrupted()) throw std::bad_alloc();
  const Options& options = *limited;
  lift_memory_limit();
  const Work work = AtWork::innermost();
  Where where;
  where.file = options.compile.model_path;
  if (work.node >= 0) where.node = work.node;
  where.node_name = work.name;
  where.op = work.op;
  where.tensor = work.tensor;
  std::string message = "it takes more than 256 MB and three times the model's size of memory";
  if (!work.what.empty()) message += cat(", ", work.what);
  if (work.count > 0) message += cat(" ", work.count, " ", work.unit);
  const Diagnostic told{"E413", where, message, "the sizes of its tensors and the number of nodes decide"};
  print({told}, options.json_diagnostics);
  end_early(exit_code({told}));
}

}  // namespace

ModelLimit::ModelLimit(const Options& options) : outermost_(limited == nullptr) {
  if (!outermost_ || options.compile.effort >= kWithoutLimit) return;
  limited = &options;
  limit_memory(most_on_heap(0), end_beyond_limit);
}

ModelLimit::~ModelLimit() {
  if (!outermost_) return;
  lift_memory_limit();
  limited = nullptr;
}

}  // namespace tarn::cli
