#include "planner/svg.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "planner/phases.h"
#include "planner/random.h"

namespace tarn::planner {

namespace {

constexpr int kLeft = 90, kTop = 30, kWidth = 1100, kHeight = 620;
constexpr size_t kMostDrawn = 20'000;

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '&': out += "&amp;"; break;
      case '"': out += "&quot;"; break;
      default: out += static_cast<unsigned char>(c) < 32 ? ' ' : c;
    }
  }
  return out;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

class Drawing {
 public:
  Drawing(const Problem& problem, const Plan& plan) : problem_(problem), plan_(plan) {
    bool any = false;
    for (const Item& item : problem.items) {
      if (!is_alive(item)) continue;
      first_ = any ? std::min(first_, item.first) : item.first;
      end_ = any ? std::max(end_, item.end) : item.end;
      any = true;
    }
    top_ = std::max<Bytes>(1, std::max(plan.arena, problem.capacity.value_or(0)));
  }

  std::string run() {
    out_ =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1220 700\" font-family=\"sans-serif\" "
        "font-size=\"12\">\n"
        "<rect width=\"1220\" height=\"700\" fill=\"white\"/>\n";
    std::vector<int> order(problem_.items.size());
    std::iota(order.begin(), order.end(), 0);
    if (order.size() > kMostDrawn) {
      const auto area = [&](int i) { return width(item(i)) * static_cast<double>(item(i).size); };
      std::ranges::sort(order, {}, [&](int i) { return std::pair(-area(i), i); });
      order.resize(kMostDrawn);
    }
    for (int i : order) draw_item(i);
    draw_level(plan_.arena, "arena", "#222222");
    if (plan_.lower_bound < plan_.arena) draw_level(plan_.lower_bound, "bound", "#b00020");
    out_ += "<path d=\"M90 30V650H1190\" fill=\"none\" stroke=\"#222222\"/>\n";
    out_ += "<text x=\"90\" y=\"670\">" + std::to_string(first_) +
            "</text><text x=\"1190\" y=\"670\" text-anchor=\"end\">" + std::to_string(end_) +
            "</text><text x=\"640\" y=\"670\" text-anchor=\"middle\">time</text>\n</svg>\n";
    return std::move(out_);
  }

 private:
  const Item& item(int i) const { return problem_.items[static_cast<size_t>(i)]; }
  double x(Instant at) const {
    return kLeft + kWidth * (static_cast<double>(at) - static_cast<double>(first_)) /
                       std::max(1.0, static_cast<double>(end_) - static_cast<double>(first_));
  }
  double y(Offset at) const { return kTop + kHeight * (1 - static_cast<double>(at) / static_cast<double>(top_)); }
  double width(const Item& i) const { return x(i.end) - x(i.first); }

  void draw_item(int i) {
    const Offset base = plan_.offsets[static_cast<size_t>(i)];
    const std::string colour = "hsl(" + std::to_string(mix(static_cast<uint64_t>(i)) % 360) + ",60%,72%)";
    for (const Phase& p : phases_of(item(i))) {
      const Offset low = base + p.byte_first, high = base + p.byte_end;
      out_ += "<rect x=\"" + number(x(p.first)) + "\" y=\"" + number(y(high)) + "\" width=\"" +
              number(x(p.end) - x(p.first)) + "\" height=\"" + number(y(low) - y(high)) + "\" fill=\"" + colour +
              "\" stroke=\"#444444\" stroke-width=\"0.4\"><title>" + escaped(item(i).id) + ": " +
              std::to_string(item(i).size) + " bytes at " + std::to_string(base) + ", [" +
              std::to_string(item(i).first) + ", " + std::to_string(item(i).end) + ")</title></rect>\n";
    }
  }

  void draw_level(Bytes level, const std::string& name, const std::string& colour) {
    out_ += "<path d=\"M90 " + number(y(level)) + "H1190\" stroke=\"" + colour +
            "\" stroke-dasharray=\"5 4\"/><text x=\"84\" y=\"" + number(y(level) + 4) +
            "\" text-anchor=\"end\" fill=\"" + colour + "\">" + name + " " + std::to_string(level) + "</text>\n";
  }

  const Problem& problem_;
  const Plan& plan_;
  Instant first_ = 0, end_ = 1;
  Bytes top_ = 1;
  std::string out_;
};

}  // namespace

std::string draw_svg(const Problem& problem, const Plan& plan) { return Drawing(problem, plan).run(); }

}  // namespace tarn::planner
