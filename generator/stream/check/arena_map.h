// Which line of which memory stands where in the arena.
#pragma once
#include <cstdint>
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
    auto it = pieces_.upper_bound(first);
    if (it != pieces_.begin()) --it;
    while (it != pieces_.end() && it->first < end) {
      const int64_t from = it->first;
      const Piece piece = it->second;
      if (piece.end <= first) {
        ++it;
        continue;
      }
      it = pieces_.erase(it);
      if (from < first) pieces_[from] = {first, piece.tag, piece.start};
      if (piece.end > end) {
        pieces_[end] = {piece.end, piece.tag, piece.start};
        break;
      }
    }
  }

  std::map<int64_t, Piece> pieces_;
};

}  // namespace tarn::stream
