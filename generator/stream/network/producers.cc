// Links nodes: which nodes make the lines that a node reads, and which nodes take lines in as soon as they are made.
#include <map>

#include "stream/network/grid.h"
#include "stream/network/net.h"

namespace tarn::stream {

namespace {

using program::Argument;

// Of each line of a memory, the bytes of some pixels that a tensor takes: parts of a concatenation share lines and
// pixels, stripes share lines and channels.
struct Part {
  int64_t pitch = 0;  // bytes from pixel to pixel; 0: any byte of the line
  Span pixels, bytes;
};

bool meet(const Span& a, const Span& b) { return a.first < b.end && b.first < a.end; }

bool meet(const Part& a, const Part& b) {
  return a.pitch == 0 || a.pitch != b.pitch || (meet(a.pixels, b.pixels) && meet(a.bytes, b.bytes));
}

// What a node makes of a memory.
struct Made {
  int node = 0;
  Span lines;
  Part part;
};

class Linker {
 public:
  Linker(const Program& program, Net& net) : program_(program), net_(net) {}

  void run() {
    net_.eager.resize(net_.nodes.size());
    net_.last_reader.assign(net_.nodes.size(), -1);
    for (size_t n = 0; n < net_.nodes.size(); ++n) {
      for (Access& access : net_.nodes[n].reads) link(static_cast<int>(n), access);
      note_made(static_cast<int>(n));
    }
  }

 private:
  const LineView& view(TensorId id) const { return net_.views[id.pos()]; }
  const Memory& memory(TensorId id) const { return net_.memories[static_cast<size_t>(view(id).memory)]; }

  Part part_of(TensorId id) const {
    const LineView& v = view(id);
    if (!v.by_lines) return {};
    const program::Tensor& t = program_[id];
    const int64_t pitch = v.pixel_pitch * t.element_bytes();
    const int64_t pixel = v.offset / pitch, byte = v.offset % pitch,
                  end = byte + t.geometry.channels * t.element_bytes();
    if (end > pitch) return {pitch, {pixel, pixel + t.geometry.pixels + 1}, {0, pitch}};
    return {pitch, {pixel, pixel + t.geometry.pixels}, {byte, end}};
  }

  TensorId tensor_of(const NetNode& node, const Access& access) const {
    if (node.actor.what == Actor::What::drain) return node.actor.tensor;
    return program_[node.actor.operations[access.operation]].arguments[static_cast<size_t>(access.argument)].tensor;
  }

  void link(int n, Access& access) {
    const NetNode& node = net_.nodes[static_cast<size_t>(n)];
    const TensorId id = tensor_of(node, access);
    const Part part = part_of(id);
    for (const Made& m : made_[access.memory]) {
      if (meet(m.lines, access.all) && meet(m.part, part)) access.producers.push_back(m.node);
    }
    const bool takes = node.actor.accumulate || node.actor.what == Actor::What::drain;
    if (takes && !access.lines.empty() && access.producers.size() == 1 && node.reads.size() == 1) {
      net_.eager[static_cast<size_t>(access.producers[0])].push_back(n);
    }
    for (int producer : access.producers) net_.last_reader[static_cast<size_t>(producer)] = n;
  }

  void note_made(int n) {
    NetNode& node = net_.nodes[static_cast<size_t>(n)];
    if (node.actor.what == Actor::What::drain) return;
    if (node.actor.operations.empty()) {
      made_[node.memory].push_back({n, node.made, {}});
      return;
    }
    for (const Argument& a : program_[node.actor.operations.back()].arguments) {
      if (!a.tensor.valid() || (a.role != Argument::Role::write && a.role != Argument::Role::update)) continue;
      const LineView& v = view(a.tensor);
      const Span lines = cover(program_, v, memory(a.tensor), a.tensor, {0, program_[a.tensor].geometry.lines});
      made_[v.memory].push_back({n, lines, part_of(a.tensor)});
    }
  }

  const Program& program_;
  Net& net_;
  std::map<int, std::vector<Made>> made_;
};

}  // namespace

void find_producers(const Program& program, Net& net) { Linker(program, net).run(); }

}  // namespace tarn::stream
