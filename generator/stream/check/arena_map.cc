#include "stream/check/arena_map.h"

#include <iterator>

namespace tarn::stream {

void ArenaMap::write(int64_t at, int64_t bytes, Tag tag) {
  if (bytes <= 0) return;
  split(at);
  split(at + bytes);
  pieces_.erase(pieces_.lower_bound(at), pieces_.lower_bound(at + bytes));
  pieces_[at] = {at + bytes, tag, at};
  next_ = pieces_.end();
}

bool ArenaMap::holds(int64_t at, int64_t bytes, Tag tag) const {
  if (bytes <= 0) return true;
  const auto it = next_ != pieces_.end() && next_->first == at ? next_ : pieces_.find(at);
  if (it == pieces_.end()) return false;
  next_ = std::next(it);
  return it->second.tag == tag && it->second.end >= at + bytes && it->second.start == at;
}

// A piece that reaches across `at` becomes two.
void ArenaMap::split(int64_t at) {
  const auto behind = pieces_.lower_bound(at);
  if (behind == pieces_.begin()) return;
  Piece& piece = std::prev(behind)->second;
  if (piece.end <= at) return;
  pieces_[at] = piece;
  piece.end = at;
}

}  // namespace tarn::stream
