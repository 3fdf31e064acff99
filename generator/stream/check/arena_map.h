// Which line of which memory stands where in the arena.
#pragma once
#include <cstdint>
#include <iterator>
#include <map>

namespace tarn::stream {

class ArenaMap {
 public:
  struct Tag {
    int memory = -1;
    int64_t line = 0;
    bool operator==(const Tag&) const = default;
  };

  // [at, at + bytes) now belongs to `tag`; what stood there is gone.
  void write(int64_t at, int64_t bytes, Tag tag) {
    if (bytes <= 0) return;
    erase(at, at + bytes);
    pieces_[at] = {at + bytes, tag, at};
  }

  // All of [at, at + bytes) was written as `tag`, and from there on.
  bool holds(int64_t at, int64_t bytes, Tag tag) const {
    if (bytes <= 0) return true;
    const auto it = pieces_.find(at);
    return it != pieces_.end() && it->second.tag == tag && it->second.end >= at + bytes && it->second.start == at;
  }

 private:
  struct Piece {
    int64_t end = 0;
    Tag tag;
    int64_t start = 0;  // address of the line's first byte; a remainder of a line begins elsewhere
  };

  void erase(int64_t first, int64_t end) {
    split(first);
    split(end);
    pieces_.erase(pieces_.lower_bound(first), pieces_.lower_bound(end));
  }

  // A piece that reaches across `at` becomes two.
  void split(int64_t at) {
    const auto behind = pieces_.lower_bound(at);
    if (behind == pieces_.begin()) return;
    Piece& piece = std::prev(behind)->second;
    if (piece.end <= at) return;
    pieces_[at] = piece;
    piece.end = at;
  }

  std::map<int64_t, Piece> pieces_;
};

}  // namespace tarn::stream
