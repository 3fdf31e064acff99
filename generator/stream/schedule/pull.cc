#include "stream/schedule/pull.h"

#include <algorithm>

#include "planner/index.h"
#include "support/check.h"

namespace tarn::stream {

namespace {

class Puller {
 public:
  Puller(const Net& net, size_t first, size_t end, Progress& progress, std::vector<Step>& steps)
      : net_(net), first_(first), end_(end), done_(progress), steps_(steps) {}

  void run() {
    std::vector<size_t> results;
    for (size_t n = first_; n < end_; ++n) {
      const int last = net_.last_reader[n];
      if (last < 0 || Z(last) >= end_ || net_.kept[Z(net_.nodes[n].memory)]) results.push_back(n);
    }
    // All results of the segment advance by equal shares of their lines.
    while (true) {
      size_t next = end_;
      for (size_t n : results) {
        if (done_[n] >= net_.nodes[n].lines) continue;
        if (next == end_ || (done_[n] + 1) * net_.nodes[next].lines < (done_[next] + 1) * net_.nodes[n].lines) next = n;
      }
      if (next == end_) break;
      make(next, done_[next] + 1);
    }
    // The next pass of an input begins with its first line.
    for (size_t n = first_; n < end_; ++n) {
      if (net_.nodes[n].repeated) make(n, net_.nodes[n].lines);
    }
  }

 private:
  void make(size_t n, int64_t lines) {
    TARN_CHECK(n < end_ && (n >= first_ || done_[n] >= lines));
    while (done_[n] < lines) {
      const int64_t line = done_[n], end = line + lines_of(n);
      const int before = net_.nodes[n].after;
      if (line == 0 && before >= 0) make(Z(before), net_.nodes[Z(before)].lines);
      for (const Access& access : net_.nodes[n].reads) {
        for (int64_t l = line; l < end; ++l) need(access, access.at(l));
      }
      // An accumulating node may have taken this line in meanwhile.
      if (done_[n] == line) step(n);
    }
  }

  void need(const Access& access, Span lines) {
    if (lines.first >= lines.end) return;
    for (int producer : access.producers) {
      const NetNode& node = net_.nodes[Z(producer)];
      const int64_t made = std::clamp<int64_t>(lines.end - node.made.first, 0, node.lines);
      make(Z(producer), node.actor.accumulate ? node.lines : made);
    }
  }

  // Of its next step.
  int64_t lines_of(size_t n) const { return std::min(net_.nodes[n].actor.at_once, net_.nodes[n].lines - done_[n]); }

  void step(size_t n) {
    const int64_t lines = lines_of(n);
    steps_.push_back({static_cast<int>(n), done_[n], lines});
    done_[n] += lines;
    if (net_.nodes[n].actor.accumulate && done_[n] < net_.nodes[n].lines) return;
    // Such a reader reads nothing else.
    const bool all = done_[n] == net_.nodes[n].lines;
    for (int reader : net_.eager[n]) {
      const size_t r = Z(reader);
      if (r >= end_) continue;
      const Access& access = net_.nodes[r].reads[0];
      const int64_t made = net_.nodes[n].made.first + done_[n];
      while (done_[r] < net_.nodes[r].lines && (all || access.at(done_[r]).end <= made)) step(r);
    }
  }

  const Net& net_;
  size_t first_, end_;
  Progress& done_;
  std::vector<Step>& steps_;
};

}  // namespace

void pull_segment(const Net& net, size_t first, size_t end, Progress& progress, std::vector<Step>& steps) {
  Puller(net, first, end, progress, steps).run();
}

std::vector<Step> pull_all(const Net& net, const std::vector<bool>& cuts) {
  std::vector<Step> steps;
  Progress progress(net.nodes.size(), 0);
  size_t first = 0;
  for (size_t end = 1; end <= net.nodes.size(); ++end) {
    if (end < net.nodes.size() && !cuts[end] && end - first < kLongestSegment) continue;
    pull_segment(net, first, end, progress, steps);
    first = end;
  }
  // The caller hands over whole inputs, so lines that no node needs are taken as well.
  for (size_t n = 0; n < net.nodes.size(); ++n) {
    while (net.nodes[n].actor.what == Actor::What::feed && progress[n] < net.nodes[n].lines)
      steps.push_back({static_cast<int>(n), progress[n]++, 1});
  }
  return steps;
}

}  // namespace tarn::stream
