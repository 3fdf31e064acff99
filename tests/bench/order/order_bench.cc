// Orders of least peak on families of graphs. `bench_order goals` is the table with its goals; the other modes take a
// family.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>

#include "bench/order/families.h"
#include "schedule/min_peak.h"

using namespace tarn::schedule;

namespace {
double cpu() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

OrderProblem read(const char* path) {
  OrderProblem p;
  std::ifstream f(path);
  std::string k;
  size_t nt, no;
  f >> nt >> no;
  std::vector<int> prod(nt);
  for (size_t i = 0; i < nt; ++i) {
    OrderTensor t;
    int kept;
    f >> k >> t.bytes >> prod[i] >> kept;
    t.input = prod[i] < 0;
    t.kept = kept;
    p.tensors.push_back(t);
  }
  for (size_t v = 0; v < no; ++v) {
    OrderOperator o;
    size_t c;
    f >> k >> o.scratch >> c;
    o.inputs.resize(c);
    for (int& x : o.inputs) f >> x;
    f >> c;
    o.outputs.resize(c);
    for (int& x : o.outputs) f >> x;
    f >> c;
    o.donations.resize(c);
    for (auto& d : o.donations) f >> d.giver >> d.taker >> d.saves;
    p.operators.push_back(o);
  }
  return p;
}

// Seconds; whether the order was proved comes back in `proved`.
double report(const std::string& name, const OrderProblem& p, bool* proved = nullptr) {
  std::vector<int> o(p.operators.size());
  for (size_t i = 0; i < o.size(); ++i) o[i] = static_cast<int>(i);
  const double t0 = cpu();
  SearchFeatures features;
  if (const char* off = getenv("OFF")) {
    std::string s = off;
    features.cut_bound = s.find('b') == s.npos;
    features.valley_jumps = s.find('v') == s.npos;
    features.freeing_sets = s.find('m') == s.npos;
    features.beam = s.find('w') == s.npos;
    features.condense = features.canonical = s.find('c') == s.npos;
  }
  const Bytes given = peak_of(p, o);
  Order r = min_peak_with(p, {getenv("EFFORT") ? atoi(getenv("EFFORT")) : 1}, features);
  const double t = cpu() - t0;
  printf("%-30s ops=%5zu given=%ld best=%ld bound=%ld %s states=%lu cpu=%.4f\n", name.c_str(), p.operators.size(),
         given, r.peak, r.lower_bound, r.peak == r.lower_bound ? "OPTIMAL" : "OPEN", r.search_states, t);
  fflush(stdout);
  if (proved) *proved = r.peak == r.lower_bound;
  return t;
}

// Cell networks of 254 operators and random-wired ones, five each, beside their goals: all proved, none slower than so
// many seconds.
int bench_goals() {
  using namespace families;
  struct Goal {
    const char* name;
    int nodes;
    unsigned family;
    double seconds;
  };
  constexpr Goal kGoals[] = {{"cells, 254 operators", 14, 5, 0.020},
                             {"random-wired 32", 32, 0, 2},
                             {"random-wired 64", 64, 1, 2},
                             {"random-wired 100", 100, 2, 2}};
  int missed = 0;
  for (const Goal& goal : kGoals) {
    int proved = 0;
    double slowest = 0;
    for (unsigned s = 0; s < 5; ++s) {
      Rng r(100 * goal.family + s);
      const Wiring w = goal.family == 5 ? cells(goal.nodes, r) : watts_strogatz(goal.nodes, 4, .75, r);
      bool done = false;
      slowest = std::max(slowest, report(goal.name + ("/" + std::to_string(s)), problem_of(w), &done));
      proved += done;
    }
    const bool misses = proved < 5 || slowest > goal.seconds;
    missed += misses;
    printf("%-22s proved %d of 5, the slowest in %.4f s; goal: all, in %.3f s each%s\n", goal.name, proved, slowest,
           goal.seconds, misses ? " *" : "");
  }
  return missed > 0;
}
}  // namespace
int main(int argc, char** argv) {
  using namespace families;
  std::string mode = argc > 1 ? argv[1] : "";
  if (mode == "goals") return bench_goals();
  if (mode == "ws" || mode == "nas" || mode == "wsb" || mode == "er") {
    unsigned n = static_cast<unsigned>(atoi(argv[2]));
    unsigned seeds = argc > 3 ? static_cast<unsigned>(atoi(argv[3])) : 5;
    for (unsigned s = 0; s < seeds; ++s) {
      unsigned fam = mode == "nas" ? (n == 2    ? 3u
                                      : n == 6  ? 4u
                                      : n == 14 ? 5u
                                                : 100 + n)
                     : n == 32     ? 0
                     : n == 64     ? 1u
                     : n == 100    ? 2u
                                   : n;
      Wiring w;
      if (mode == "ws" || mode == "nas") {
        Rng r(100 * fam + s);
        w = mode == "ws" ? watts_strogatz(static_cast<int>(n), 4, .75, r) : cells(static_cast<int>(n), r);
      } else {
        Rng r(1000 + s);
        w = watts_strogatz(static_cast<int>(n), 4, .75, r);
        if (mode == "er") w = erdos_renyi(static_cast<int>(n), r);
        else give_bytes(w, r);
      }
      report(mode + std::to_string(n) + "/" + std::to_string(s), problem_of(w));
    }
    return 0;
  }
  if (mode == "big") {
    std::string only = argc > 2 ? argv[2] : "";
    const auto run = [&](const std::string& name, auto make) {
      if (name.find(only) != name.npos) {
        Rng r(1);
        report(name, make(r));
      }
    };
    run("layer20x250", [](Rng& r) { return layered(250, 20, Sharing::in_place, r); });
    run("layer200x25", [](Rng& r) { return layered(25, 200, Sharing::in_place, r); });
    run("layer500x10", [](Rng& r) { return layered(10, 500, Sharing::in_place, r); });
    run("lattice70b", [](Rng& r) { return lattice(70, 70, true, r); });
    run("ws1000", [](Rng& r) { return problem_of(watts_strogatz(1000, 4, .75, r)); });
    run("ws5000", [](Rng& r) { return problem_of(watts_strogatz(5000, 4, .75, r)); });
    run("sp5000", [](Rng& r) { return series_parallel(5000, Sharing::in_place, r); });
    run("fork500x10", [](Rng& r) { return fork_join(1, 500, 10, false, Sharing::in_place, r); });
    run("nas300", [](Rng& r) { return problem_of(cells(300, r)); });
    run("ws20000", [](Rng& r) { return problem_of(watts_strogatz(20000, 4, .75, r)); });
    run("chain20000", [](Rng& r) { return chain(20000, Sharing::rows, r); });
    return 0;
  }
  if (mode == "more") {
    const char* names[] = {"none", "inplace", "rows"};
    std::string only = argc > 2 ? argv[2] : "";
    for (int sh = 0; sh < 3; ++sh) {
      const Sharing share = static_cast<Sharing>(sh);
      const auto run = [&](const std::string& name, const OrderProblem& p) {
        if (name.find(only) != name.npos) report(name + " " + names[sh], p);
      };
      for (int budget : {30, 60, 120, 240, 480})
        for (unsigned s = 0; s < 3; ++s) {
          Rng r(s);
          run("sp" + std::to_string(budget) + "/" + std::to_string(s), series_parallel(budget, share, r));
        }
      for (int b : {4, 8, 16, 32})
        for (int d : {1, 3, 8})
          for (bool eq : {false, true}) {
            Rng r(7);
            run("fork" + std::to_string(b) + "x" + std::to_string(d) + (eq ? "=" : "~"),
                fork_join(3, b, d, eq, share, r));
          }
      for (int d : {4, 6})
        for (bool n : {false, true}) run("unet" + std::to_string(d) + (n ? "++" : ""), unet(d, n, share));
      for (int d : {6, 12, 24}) run("dense" + std::to_string(d), densenet(3, d, share));
      if (sh == 0)
        for (int n : {5, 8, 12, 16, 24})
          for (bool b : {false, true}) {
            Rng r(3);
            run("lattice" + std::to_string(n) + (b ? "b" : ""), lattice(n, n, b, r));
          }
      for (int h : {2, 4, 8, 16}) run("transf" + std::to_string(h), transformer(4, h, share));
      for (int w : {3, 6, 10, 20})
        for (int d : {5, 10, 30})
          for (unsigned s = 0; s < 2; ++s) {
            Rng r(s);
            run("layer" + std::to_string(w) + "x" + std::to_string(d) + "/" + std::to_string(s),
                layered(d, w, share, r));
          }
      {
        Rng r(1);
        run("chain20000", chain(20000, share, r));
      }
    }
    return 0;
  }
  for (int i = 1; i < argc; ++i) {
    std::string nm = argv[i];
    report(nm.substr(nm.rfind('/') + 1), read(argv[i]));
  }
}
