#include "stream/check/arena_map.h"

#include <iterator>

namespace tarn::stream {

void ArenaMap::write(int64_t at, int64_t bytes, Tag tag) {
  if (bytes <= 0) return;
  split(at);
  split(at + bytes);
  const auto first = pieces_.lower_bound(at), end = pieces_.lower_bound(at + bytes);
  for (auto lost = first; lost != end; ++lost) lose(lost->second.tag);
  pieces_.erase(first, end);
  pieces_[at] = {at + bytes, tag, at};
  next_ = pieces_.end();
  extend(tag);
}

void ArenaMap::lose(Tag tag) {
  Run& run = runs_[tag.memory];
  if (tag.line >= run.first && tag.line < run.end) run.first = tag.line + 1;
}

void ArenaMap::extend(Tag tag) {
  Run& run = runs_[tag.memory];
  if (tag.line == run.end) ++run.end;
  else run = {tag.line, tag.line + 1};
}

bool ArenaMap::intact(int memory, int64_t first, int64_t end) const {
  const auto run = runs_.find(memory);
  return run != runs_.end() && run->second.first <= first && end <= run->second.end;
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
