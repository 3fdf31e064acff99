// All of a net in a digest.
#pragma once
#include "digest_plan.h"
#include "property/digest.h"
#include "stream/network/net.h"

namespace tarn::stream {

inline void add(tarn::test::Digest& digest, const Net& net) {
  for (const Memory& m : net.memories) {
    digest.add(m.holds).add(m.actor).add(m.lines).add(m.line_bytes);
    digest.add(m.buffer.valid() ? m.buffer.pos() : SIZE_MAX);
  }
  for (const std::string& name : net.names) digest.add(name);
  for (size_t m = 0; m < net.memories.size(); ++m) {
    digest.add(static_cast<bool>(net.contiguous[m])).add(static_cast<bool>(net.outside[m]));
    digest.add(static_cast<bool>(net.given[m])).add(static_cast<bool>(net.kept[m]));
  }
  for (const LineView& v : net.views)
    digest.add(v.memory).add(v.by_lines).add(v.first_line).add(v.offset).add(v.pixel_pitch);
  for (const NetNode& n : net.nodes) {
    add(digest, n.actor);
    digest.add(n.actor.tensor.valid() ? n.actor.tensor.pos() : SIZE_MAX);
    digest.add(n.lines).add(n.memory).add(n.made.first).add(n.made.end);
    digest.add(n.also).add(n.helpers).add(n.states).add(n.after).add(n.repeated);
    for (const Access& a : n.reads) {
      digest.add(a.memory).add(a.operation).add(a.argument).add(a.all.first).add(a.all.end).add(a.producers);
      digest.add(a.overlap_distance.value_or(-7));
      for (const Span& span : a.lines) digest.add(span.first).add(span.end);
    }
  }
  for (const std::vector<int>& eager : net.eager) digest.add(eager);
  digest.add(net.last_reader).add(net.driver);
}

}  // namespace tarn::stream
