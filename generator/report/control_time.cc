#include "report/control_time.h"

#include <algorithm>

#include "program/operands.h"
#include "program/weight_bytes.h"

namespace tarn::report {

namespace {

using program::Argument;
using program::Control;
using program::Operation;
using program::OperationId;

// Is it the constant truth?
bool is_true(const program::Weight& weight) {
  const std::vector<uint8_t> bytes = program::bytes_of(weight);
  return bytes.size() == 1 && bytes[0] != 0;
}

// The operation of a body that writes a tensor.
const Operation* writer_of(const Analysis& analysis, const std::vector<OperationId>& body, program::TensorId tensor) {
  for (const OperationId id : body) {
    const Operation& operation = analysis.program[id];
    for (const Argument& a : operation.arguments) {
      if (a.tensor == tensor && (a.role == Argument::Role::write || a.role == Argument::Role::update))
        return &operation;
    }
  }
  return nullptr;
}

// Does something in the body say that the loop ends? Not where the condition stays what it is, or becomes true.
bool may_end_early(const Analysis& analysis, const Operation& loop) {
  constexpr int kMostCopies = 8;
  const Argument& condition = program::loop_operands(loop).condition;
  if (condition.role == Argument::Role::none) return false;
  const Operation* writer = writer_of(analysis, loop.bodies[0], condition.tensor);
  for (int copies = 0; writer && copies < kMostCopies; ++copies) {
    if (writer->kernel != "tarn_copy") return true;
    const Argument& from = program::source_operand(*writer);
    if (from.role == Argument::Role::weight) return !is_true(analysis.program[from.weight]);
    if (from.tensor == condition.tensor) return false;
    writer = writer_of(analysis, loop.bodies[0], from.tensor);
    if (!writer) return true;  // made outside: which it is, data say
  }
  return writer != nullptr;
}

class Walk {
 public:
  Walk(const Analysis& analysis, const std::vector<timing::Prediction>& one)
      : analysis_(analysis), steps_(analysis.schedule.steps), one_(one), times_(one.size(), 0) {}

  ControlTime all() {
    const Sum sum = inside(0, steps_.size(), -1, nullptr);
    count(0, steps_.size(), -1, nullptr, 1);
    return {std::move(times_), sum.least, sum.most};
  }

 private:
  struct Sum {
    double least = 0, usual = 0, most = 0;
  };

  const Operation& operation(size_t s) const { return analysis_.program[steps_[s].operation]; }
  size_t end_of(size_t s) const { return static_cast<size_t>(steps_[s].end); }

  // The steps [from, to) right inside step `parent`, of one of its bodies or of all.
  template <class Visit>
  void each(size_t from, size_t to, int64_t parent, const std::vector<OperationId>* body, Visit visit) const {
    for (size_t s = from; s < to; ++s) {
      if (steps_[s].parent != parent) continue;
      if (body && std::find(body->begin(), body->end(), steps_[s].operation) == body->end()) continue;
      visit(s);
    }
  }

  Sum body_of(size_t s, size_t b) const {
    return inside(s + 1, end_of(s), static_cast<int64_t>(s), &operation(s).bodies[b]);
  }

  Sum inside(size_t from, size_t to, int64_t parent, const std::vector<OperationId>* body) const {
    Sum sum;
    each(from, to, parent, body, [&](size_t s) {
      if (one_[s].cost)
        sum = {sum.least + one_[s].least, sum.usual + one_[s].cost->instructions, sum.most + one_[s].most};
      if (operation(s).control == Control::loop) {
        const Trips trips = trips_of(analysis_, operation(s)).value_or(Trips{});
        const Sum trip = body_of(s, 0);
        sum.least += static_cast<double>(trips.least) * trip.least;
        sum.usual += static_cast<double>(trips.most) * trip.usual;
        sum.most += static_cast<double>(trips.most) * trip.most;
      } else if (operation(s).control == Control::branch) {
        const Sum a = body_of(s, 0), b = body_of(s, 1);
        sum.least += std::min(a.least, b.least);
        sum.usual += std::max(a.usual, b.usual);
        sum.most += std::max(a.most, b.most);
      }
    });
    return sum;
  }

  void count(size_t from, size_t to, int64_t parent, const std::vector<OperationId>* body, double times) {
    each(from, to, parent, body, [&](size_t s) {
      times_[s] = times;
      const auto go_on = [&](size_t b, double so_many) {
        count(s + 1, end_of(s), static_cast<int64_t>(s), &operation(s).bodies[b], so_many);
      };
      if (operation(s).control == Control::loop)
        go_on(0, times * static_cast<double>(trips_of(analysis_, operation(s)).value_or(Trips{}).most));
      if (operation(s).control == Control::branch) go_on(body_of(s, 0).usual >= body_of(s, 1).usual ? 0 : 1, times);
    });
  }

  const Analysis& analysis_;
  const std::vector<schedule::Step>& steps_;
  const std::vector<timing::Prediction>& one_;
  std::vector<double> times_;
};

}  // namespace

std::optional<Trips> trips_of(const Analysis& analysis, const Operation& loop) {
  const bool counts_trips = loop.arguments.size() > 3;  // or else a run of fewer than there is room for is an error
  const bool early = may_end_early(analysis, loop);
  if (loop.trips) {
    constexpr int64_t kBound = int64_t{1} << 40;  // more stand for as many as data ask for
    const int64_t most = std::min(*loop.trips, loop.max_trips.value_or(*loop.trips));
    if (most > kBound) return {};
    return Trips{early && (counts_trips || !loop.max_trips) ? 0 : most, most};
  }
  if (!loop.max_trips) return {};
  return Trips{counts_trips ? 0 : *loop.max_trips, *loop.max_trips};
}

std::string unbounded_loop(const Analysis& analysis) {
  for (const Operation& operation : analysis.program.operations) {
    if (operation.control == Control::loop && !trips_of(analysis, operation))
      return "a loop runs as often as data say, without a bound";
  }
  return "";
}

ControlTime control_time(const Analysis& analysis, const std::vector<timing::Prediction>& one) {
  return Walk(analysis, one).all();
}

timing::Prediction control_prediction(const Analysis& analysis, const std::string& target, const Operation& operation) {
  timing::Terms terms{{"call", 1}};
  if (operation.control == Control::loop)
    terms.push_back({"trips", static_cast<double>(trips_of(analysis, operation).value_or(Trips{}).most)});
  return timing::predict_terms(target, operation.control == Control::loop ? timing::kLoop : timing::kBranch, terms);
}

timing::Prediction saved_inside(const std::string& target) {
  return timing::predict_terms(target, timing::kLoop, {{"inside", -1}});
}

}  // namespace tarn::report
