#!/usr/bin/env python3
"""The mutator itself: which places it finds, and that what it writes compiles, does the same without a mutant and something
else with each. Compiles one small program."""
import collections
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import rewrite
import run

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = """#include <algorithm>
#include <cstdio>
#include <vector>
// a < b in a comment, "c == d" in a string
constexpr int kMost = 4 + 1;

bool chosen(int a, int b) {
  if (a < b && b != 7) return true;
  return a > 5 || b == 2;
}
int among(const std::vector<int>& v) {
  int sum = 0;
  for (size_t i = 0; i + 1 < v.size(); ++i) {
    if (v[i] == 3) continue;
    sum += std::max(v[i], v[i + 1]) - 2;
  }
  return std::min<int>(sum, kMost + 40);
}
int main() {
  int sum = 0;
  for (int a = 0; a < 9; ++a) {
    for (int b = 0; b < 9; ++b) std::printf("%d", chosen(a, b));
  }
  sum = among({1, 3, 5, 2, 8, 3});
  std::printf(" %d %d\\n", sum, among({30, 30, 30, 3}));
  return 0;
}
"""


class Rewrite(unittest.TestCase):
    def setUp(self):
        self.points = rewrite.points_of("x.cc", SOURCE)

    def test_finds_every_kind(self):
        changes = {p.change for p in self.points}
        for wanted in ["< -> <=", "< -> >=", "!= -> ==", "== -> !=", "> -> >=", "left of && dropped", "right of || dropped",
                       "+ 1 -> + 0", "- -> +", "max -> min", "min -> max", "return not true", "statement dropped",
                       "if never", "if always"]:
            self.assertIn(wanted, changes)

    def test_leaves_comments_strings_and_constants_alone(self):
        for p in self.points:
            self.assertNotIn("comment", p.text)
            self.assertNotIn("constexpr", p.text)
            self.assertNotIn("#include", p.text)

    def test_lines_stay(self):
        text = rewrite.rewrite(SOURCE, list(enumerate(rewrite.apart(self.points), 1)))
        self.assertEqual(text.count("\n"), SOURCE.count("\n"))

    def test_endless_loops_are_left_by_break_alone(self):
        for leave, count in (("return 1", 0), ("break", 1)):
            text = f"int f() {{\n  while (true) {{\n    if (g(2)) {leave};\n  }}\n  return 2;\n}}\n"
            self.assertEqual(sum(p.change == "while never" for p in rewrite.points_of("x.cc", text)), count)

    def test_the_same_points_each_time(self):
        self.assertEqual(self.points, rewrite.points_of("x.cc", SOURCE))

    def test_each_mutant_does_something_else(self):
        compiler = os.environ.get("CXX") or shutil.which("c++")
        numbered = list(enumerate(rewrite.apart(self.points), 1))
        with tempfile.TemporaryDirectory() as folder:
            source, program = os.path.join(folder, "x.cc"), os.path.join(folder, "x")
            with open(source, "w", encoding="utf-8") as f:
                f.write(rewrite.rewrite(SOURCE, numbered))
            subprocess.run([compiler, "-std=c++20", "-O0", "-w", "-include", os.path.join(HERE, "mutation.h"), source, "-o",
                            program], check=True)

            def output(mutant):
                try:
                    return subprocess.run([program], env={**os.environ, "TARN_MUTANT": str(mutant)}, capture_output=True,
                                          timeout=5).stdout
                except subprocess.TimeoutExpired:
                    return b"for ever"
            plain = output(0)
            self.assertTrue(plain.endswith(b" 45\n"), plain)
            same = [p.change + ": " + p.text for n, p in numbered if output(n) == plain]
            # Equivalent here: sum is 0 before it is set, and each of two equal values is the largest.
            self.assertLessEqual(len(same), 4, same)
            self.assertGreater(len(numbered), 20)


class Tables(unittest.TestCase):
    def test_each_survivor_is_one_place(self):
        places = collections.Counter(run.key(p) for p in run.draw(1))
        for row in run.explained():
            self.assertEqual(places[row], 1, row)

    def test_mutants_by_hand_stand_where_they_say(self):
        points = run.inferences("inferences.tsv")  # which looks for their code
        self.assertGreaterEqual(len(points), 30)
        self.assertEqual(len(run.take(points, len(points), set())), len(points), "two change the same code")


if __name__ == "__main__":
    unittest.main()
