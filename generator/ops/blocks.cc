// DepthToSpace and SpaceToDepth: blocks of pixels to channels and back, one strided copy in either layout.
#include "ops/movement.h"
#include "ops/spatial.h"
#include "ops/walks.h"

namespace tarn::ops {

namespace {

using program::Span;

// The six axes of the image with its blocks apart: sizes, and strides in x.
struct Blocks {
  std::vector<int64_t> dims, strides;
};

// Channels first: n, c, h, w; the strides of the four in x are given by position in `at`.
struct Image {
  int64_t n, c, h, w;        // sizes of the smaller picture with the fewer channels
  int64_t xn, xc, xh, xw;    // strides in x of its own axes
  int64_t block_h, block_w;  // strides in x of the two axes within a block
};

// y in its own order: channels first, or last.
Blocks depth_to_space(const Image& i, int64_t block, bool channels_last) {
  if (channels_last) return {{i.n, i.h, block, i.w, block, i.c}, {i.xn, i.xh, i.block_h, i.xw, i.block_w, i.xc}};
  return {{i.n, i.c, i.h, block, i.w, block}, {i.xn, i.xc, i.xh, i.block_h, i.xw, i.block_w}};
}

Blocks space_to_depth(const Image& i, int64_t block, bool channels_last) {
  if (channels_last) return {{i.n, i.h, i.w, block, block, i.c}, {i.xn, i.xh, i.xw, i.block_h, i.block_w, i.xc}};
  return {{i.n, block, block, i.c, i.h, i.w}, {i.xn, i.block_h, i.block_w, i.xc, i.xh, i.xw}};
}

std::vector<Span> each(int64_t count, int64_t times, int64_t per) {
  // Position i of the output needs `times` positions from i / per * times on.
  std::vector<Span> spans;
  for (int64_t i = 0; i < count; ++i) spans.push_back({i / per * times, i / per * times + times});
  return spans;
}

std::optional<Fault> lower_blocks(const Node& node, Lowering& low) {
  const Shape &x = low.shape(node.inputs[0]), &y = low.shape(node.outputs[0]);
  const int64_t block = node.integer("blocksize", 0);
  const bool last = node.channels_last, to_space = node.op == "DepthToSpace";
  const std::string mode = node.text("mode", "DCR");
  if (x.rank() != 4 || block < 1 || block > (1 << 15)) return Fault{"needs an image and a blocksize", "", "E208"};
  if (mode != "DCR" && mode != "CRD") return Fault{"unknown mode '" + mode + "'"};
  const int64_t channels = x[last ? 3 : 1], h = x[last ? 1 : 2], w = x[last ? 2 : 3], area = block * block;
  if (to_space ? channels % area != 0 : h % block != 0 || w % block != 0)
    return Fault{"blocks do not fit " + to_string(x)};
  const std::vector<int64_t> s = strides_of(x);
  const int64_t sn = s[0], sc = s[last ? 3 : 1], sh = s[last ? 1 : 2], sw = s[last ? 2 : 3];
  Blocks blocks;
  if (to_space) {
    // The channel axis of x splits into block, block, channels (DCR) or channels, block, block (CRD).
    const int64_t c = channels / area;
    const bool depth_first = mode == "DCR";
    blocks = depth_to_space({x[0], c, h, w, sn, depth_first ? sc : sc * area, sh, sw,
                             depth_first ? sc * c * block : sc * block, depth_first ? sc * c : sc},
                            block, last);
  } else {
    blocks =
        space_to_depth({x[0], channels, h / block, w / block, sn, sc, sh * block, sw * block, sh, sw}, block, last);
  }
  Argument from = low.read(node.inputs[0]);
  if (from.role == Argument::Role::read) {
    std::vector<std::vector<Span>> spans(4);
    const int line_axis = last ? 1 : 2;
    for (int axis : {line_axis, line_axis + 1}) {
      spans[static_cast<size_t>(axis)] = to_space ? each(y[axis], 1, block) : each(y[axis], block, 1);
    }
    // Channels first: a channel of y comes from all those of x that it splits into, or the other way round.
    if (!last) spans[1].assign(static_cast<size_t>(y[1]), Span{0, x[1]});
    from.walk = axes_walk(x, y, spans);
  }
  return lower_strided(node, low, std::move(from), low.write(node.outputs[0]), low.dtype(node.inputs[0]), blocks.dims,
                       blocks.strides, 0);
}

// Both know images with the channels last as well.
std::optional<std::vector<int>> permute_blocks(Graph&, Node& node, const std::vector<int>& to) {
  if (node.channels_last || to != std::vector<int>{0, 3, 1, 2}) return {};
  node.channels_last = true;
  return to;
}

}  // namespace

std::vector<OperatorEntry> blocks_entries() {
  std::vector<OperatorEntry> entries;
  for (const char* op : {"DepthToSpace", "SpaceToDepth"}) {
    OperatorEntry entry{"", op, "any", lower_blocks};
    entry.layout = Layout::axes;
    entry.permute = permute_blocks;
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace tarn::ops
