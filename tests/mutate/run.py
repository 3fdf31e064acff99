#!/usr/bin/env python3
"""Mutation testing of the code that plans: small changes of planner, schedule, lifetimes, stream and FILES, each of which the tests
should notice. All mutants are compiled into one build (mutant schemata), and a mutant is one run of the test programs.

    tests/mutate/run.py [--build build] [--count 300] [--seed 1] [--jobs 1] [--only PATTERN] [--inferences] [--table FILE] [--list] [--trust] [--verbose] [--goal 97]

The build folder holds the test programs of the tree as it is; its compile and link commands are used for the mutants, which
go to BUILD/mutate. Prints each mutant that survives; those that survivors.tsv explains are counted apart. A mutant is caught
when a test fails, crashes, or takes ten times the processor time that it takes without. Exit status 1: fewer than the goal
are caught or explained."""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import random
import re
import resource
import shlex
import shutil
import subprocess
import sys
import threading

sys.dont_write_bytecode = True
import rewrite

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
AREAS = ["planner", "schedule", "lifetimes", "stream"]
# What plans outside their folders, each an area of its own.
FILES = {"generator/plan_steps.cc": "steps"}
# Test programs and which of their tests, by area: those that find most in the least time first.
TESTS = {
    "planner": [("unit_planner", "Pinned*:Differences*"), ("unit_planner", "Portfolio.*:Minimise.*:Validate*:Csv*:Split.*-*Wide*"),
                ("property_planner", "*Inference*-*PeelingAndParts:*RefutedCapacity"), ("property_planner", "*Pinned*"),
                ("unit_planner", "*"), ("property_planner", "BruteForce.*"),
                ("property_planner", "Searches.SoundAndComplete:Searches.TimeOut*:Searches.GivingUp*:*PeelingAndParts:*RefutedCapacity")],
    "schedule": [("unit_schedule", "*"), ("property_schedule", "Pinned*"), ("property_schedule", "*Inference*"),
                 ("property_schedule", "LeastPeak*"), ("unit_compile", "*-Pinned*"), ("unit_compile", "Pinned*")],
    "lifetimes": [("unit_lifetimes", "*"), ("property_stream", "PinnedStripes*"), ("property_lifetimes", "*"),
                  ("unit_compile", "Pinned*"), ("unit_compile", "*-Pinned*"), ("property_stream", "*Inference*:Pinned*-PinnedStripes*")],
    "stream": [("unit_stream", "*"), ("property_stream", "PinnedStripes*:PinnedParts*"), ("property_stream", "*Inference*:PinnedNets*:PinnedFaults*:LongerSteps.Are*"),
               ("unit_compile", "*-Pinned*"), ("property_stream", "Pinned*-PinnedNets*:PinnedStripes*:PinnedParts*:PinnedFaults*"),
               ("unit_compile", "Pinned*"), ("property_stream", "*-Pinned*:*Inference*")],
    "steps": [("unit_compile", "Steps*"), ("unit_compile", "*-Pinned*:Steps*"), ("unit_compile", "Pinned*")],
}
LEAST_SECONDS, TIMES_SLOWER, MOST_MEMORY = 3, 10, 3 << 30
MOST_MUTANTS = 1 << 16  # as mutation.h has it


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def sources():
    found = []
    for area in AREAS:
        for folder, _, names in os.walk(os.path.join(ROOT, "generator", area)):
            found += [os.path.relpath(os.path.join(folder, n), ROOT) for n in names if n.endswith((".cc", ".h"))]
    return sorted(found + list(FILES))


def area_of(path):
    return FILES.get(path) or path.split("/")[1]


def draw(seed):
    """All points of all sources, in an order that the seed chooses."""
    points = []
    for path in sources():
        points += rewrite.points_of(path, read(os.path.join(ROOT, path)))
    random.Random(seed).shuffle(points)
    return points


def inferences(file):
    """The mutants of a table such as inferences.tsv as points."""
    points = []
    for path, code, new, claim in table(file):
        before, old, after = code.replace("\\n", "\n").split("@")
        text = read(os.path.join(ROOT, path))
        if text.count(before + old + after) != 1:
            sys.exit(f"{file}: '{before + old + after}' stands {text.count(before + old + after)} times in {path}")
        start = text.index(before + old + after) + len(before)
        end = start + len(old)
        old, new = (code.replace("{", "{{").replace("}", "}}") for code in (old, new))
        changed = (f"if (::tarn_mutation::on({{n}})) {{{{ {new} }}}} else {old}" if old.endswith(";") else
                   f"(::tarn_mutation::on({{n}}) ? ({new}) : ({old}))")
        line = text[text.rfind("\n", 0, start) + 1:text.index("\n", start)].strip()
        points.append(rewrite.Point(path, text.count("\n", 0, start) + 1, line, claim,
                                    [(start, end, changed)]))
    return points


def take(points, count, left_out):
    """The first `count` of them that compile and do not overlap."""
    by_file, taken = collections.defaultdict(list), []
    for point in points:
        if (point.path, point.line, point.change) in left_out:
            continue
        if len(rewrite.apart(by_file[point.path] + [point])) == len(by_file[point.path]):
            continue
        by_file[point.path].append(point)
        taken.append(point)
        if len(taken) == count:
            break
    return taken


class Build:
    def __init__(self, build, work):
        self.build = os.path.abspath(build)
        self.work = os.path.abspath(work or os.path.join(build, "mutate"))
        with open(os.path.join(self.build, "compile_commands.json"), encoding="utf-8") as f:
            entries = json.load(f)
        compiled = [c["file"] for c in entries if re.search(r"generator/CMakeFiles/\w+\.dir/Unity/", c["file"])]
        commands = [c["command"] for c in entries if "/tarn_core.dir/" in c["command"] and c["file"].endswith((".cc", "_cxx.cxx"))]
        # One set of options and one precompiled header for all: those of the core, which is built at -O1.
        self.options = shlex.split(commands[0])
        self.units, self.objects = self.read_units(compiled), {}

    def read_units(self, compiled):
        """Which sources are compiled together, by source: a unit is linked as a whole. `compiled`: files of commands, as those of
        earlier ways to group lie beside them."""
        units = {path: (path,) for path in sources() if path.endswith(".cc")}
        for unity in (name for name in compiled if "/Unity/" in name):
            with open(unity, encoding="utf-8") as f:
                named = [os.path.relpath(os.path.join(ROOT, name), ROOT) for name in re.findall(r'#include "([^"]+)"', f.read())]
            units.update({path: tuple(named) for path in named if path in units})
        return units

    def write(self, numbered):
        by_file = collections.defaultdict(list)
        for number, point in numbered:
            by_file[point.path].append((number, point))
        # What stands beside one of FILES too: it includes by names that begin in its own folder.
        beside = {os.path.join(os.path.dirname(path), name) for path in FILES
                  for name in os.listdir(os.path.join(ROOT, os.path.dirname(path))) if name.endswith((".cc", ".h"))}
        for path in sorted({*sources(), *beside}):
            target = os.path.join(self.work, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            text = read(os.path.join(ROOT, path))
            text = rewrite.rewrite(text, by_file.get(path, []))
            if not os.path.exists(target) or read(target) != text:
                with open(target, "w", encoding="utf-8") as f:
                    f.write(text)
        return self.affected(set(by_file))

    def affected(self, changed):
        """The units of the areas with sources that are among `changed` or include one of them."""
        includes = {}
        for path in sources():
            text = read(os.path.join(ROOT, path))
            includes[path] = {os.path.join("generator", name) for name in re.findall(r'#include "([^"]+)"', text)}
        reach = set(changed)
        while True:
            more = {p for p, names in includes.items() if p not in reach and names & reach}
            if not more:
                return sorted({self.units[p] for p in reach if p.endswith(".cc")})
            reach |= more

    def object_of(self, unit):
        return os.path.join(self.work, unit[0]) + ".o"

    def compile(self, unit, only_check=False):
        out = self.object_of(unit)
        target = os.path.join(self.work, unit[0])
        if len(unit) > 1:
            target = out + ".cc"
            with open(target, "w", encoding="utf-8") as f:
                f.writelines(f'#include "{self.work}/{path}"\n' for path in unit)
        options = [f"-I{self.work}/generator" if o == f"-I{ROOT}/generator" else o for o in self.options]
        at = options.index(f"-I{self.work}/generator")
        options.insert(at + 1, f"-I{ROOT}/generator")
        cut = options.index("-o")
        options = [o for o in options[:cut] if o != "-Werror" and not o.startswith("-W")] + ["-w", "-O1", "-D_GLIBCXX_ASSERTIONS"]
        options += ["-fsyntax-only"] if only_check else []
        done = subprocess.run(options + ["-include", os.path.join(HERE, "mutation.h"), "-o", out, "-c", target],
                              cwd=self.build, capture_output=True, text=True)
        return unit, out, done.returncode, done.stderr

    def failures(self, units, jobs):
        """Checks that they compile; the lines of the mutated sources that the errors name, and all that the messages name."""
        lines, mentioned = set(), set()
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for unit, out, status, errors in pool.map(lambda u: self.compile(u, only_check=True), units):
                if status == 0:
                    continue
                everywhere = re.findall(rf"{re.escape(self.work)}/([\w/.]+):(\d+)", errors)
                named = re.findall(rf"{re.escape(self.work)}/([\w/.]+):(\d+):\d+: error", errors) or everywhere
                if not named:
                    sys.exit(f"{unit[0]} does not compile:\n{errors[:4000]}")
                lines |= {(name, int(line)) for name, line in named}
                mentioned |= {(name, int(line)) for name, line in everywhere}
        return lines, mentioned

    def compile_all(self, units, jobs):
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for unit, out, status, errors in pool.map(self.compile, units):
                if status != 0:
                    sys.exit(f"{unit[0]} does not compile:\n{errors[:4000]}")
                self.objects[unit] = out

    def link(self, program):
        lines = subprocess.run(["ninja", "-t", "commands", program], cwd=self.build, capture_output=True, text=True,
                               check=True).stdout.splitlines()
        command = shlex.split(lines[-1].split(" && ")[1])
        at = command.index("-o")
        out = os.path.join(self.work, program)
        first = next(i for i, word in enumerate(command) if word.endswith(".o"))
        planner_only = not any("tarn_core" in word for word in command)
        objects = [o for unit, o in sorted(self.objects.items()) if not planner_only or "/planner/" in unit[0]]
        command[at + 1] = out
        subprocess.run(command[:first] + objects + command[first:], cwd=self.build, check=True)
        return out


def run(program, tests, mutant, seconds, reached=None):
    """Whether the tests pass; the processor time they took. `reached`: see mutation.h."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "TARN_MUTANT": str(mutant), "GTEST_FAIL_FAST": "1"}
    if reached:
        environment["TARN_MUTANT_REACHED"] = reached
    child = subprocess.Popen([program, "--gtest_filter=" + tests, "--gtest_brief=1"], env=environment, preexec_fn=limit,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        status = child.wait(timeout=60 * seconds)
    except subprocess.TimeoutExpired:  # waits without working: a lock
        child.kill()
        status = child.wait()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return status == 0, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def key(point):
    return (point.path, point.text, point.change)


class Programs:
    """The mutated test programs, linked and timed without a mutant when first asked for. Tests that never come to a
    mutant's place pass with it as they do without."""

    def __init__(self, build):
        self.build, self.linked, self.limits, self.reached, self.lock = build, {}, {}, {}, threading.Lock()
        self.caught = collections.Counter()  # by source, program and tests

    def time(self, program, tests):
        reached = os.path.join(self.build.work, "reached")
        with open(reached, "wb") as f:
            f.write(bytes(MOST_MUTANTS))
        passes, seconds = run(self.linked[program], tests, 0, 600, reached)
        if not passes:
            sys.exit(f"{program} {tests} fails without any mutant")
        with open(reached, "rb") as f:
            self.reached[program, tests] = f.read()
        self.limits[program, tests] = int(LEAST_SECONDS + TIMES_SLOWER * seconds)

    def passes(self, program, tests, mutant):
        with self.lock:
            if program not in self.linked:
                self.linked[program] = self.build.link(program)
            if (program, tests) not in self.limits:
                self.time(program, tests)
        return (not self.reached[program, tests][mutant] or
                run(self.linked[program], tests, mutant, self.limits[program, tests])[0])

    def catch(self, path, groups, mutant):
        """What catches the mutant, if anything does. What caught most mutants of the same source is asked first."""
        for group in sorted(groups, key=lambda group: -self.caught[path, group]):
            if not self.passes(*group, mutant):
                self.caught[path, group] += 1
                return " ".join(group)
        return None


def compiled(build, points, count, jobs, built):
    """Compiles the first `count` points that compile, and returns them. `built`: takes what the last call left, if that was
    the same choice of the same sources."""
    memory = os.path.join(build.work, "left_out.json")
    choice = hashlib.sha256(repr((count, points, [read(os.path.join(HERE, name))
                                                  for name in ("mutation.h", "rewrite.py")])).encode()).hexdigest()
    if built:
        with open(memory, encoding="utf-8") as f:
            last = json.load(f)
        if last["choice"] != choice:
            sys.exit("--built: the mutants that are compiled are not those of this choice; call once without --built")
        taken = take(points, count, {tuple(entry) for entry in last["left_out"]})
        affected = build.write(list(enumerate(taken, 1)))
        build.objects = {unit: build.object_of(unit) for unit in affected}
        return taken
    shutil.rmtree(build.work, ignore_errors=True)
    left_out = set()
    while True:
        taken = take(points, count, left_out)
        affected = build.write(list(enumerate(taken, 1)))
        lines, mentioned = build.failures(affected, jobs)
        if not lines:
            break
        at = [{(p.path, p.line, p.change) for p in taken if (p.path, p.line) in of} for of in (lines, mentioned)]
        bad = at[0] or at[1]  # an error may be reported where what is changed is called
        if not bad:
            sys.exit(f"no mutant stands where the compiler fails: {sorted(lines)}")
        left_out |= bad
    build.compile_all(affected, jobs)
    with open(memory, "w", encoding="utf-8") as f:
        json.dump({"choice": choice, "left_out": sorted(left_out)}, f)
    print(f"compiled {len(taken)} mutants; {len(left_out)} places do not compile changed", flush=True)
    return taken


def table(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as f:
        return [line.rstrip("\n").split("\t") for line in f if line.strip() and not line.startswith("#")]


def explained():
    """Survivors with the reason why each does no harm: path, text of the line, change, reason."""
    return {tuple(row[:3]): row[3] for row in table("survivors.tsv")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--work", help="where the mutants go; BUILD/mutate by default. One call at a time works there")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--goal", type=float, default=97, help="percent that must be caught or explained")
    parser.add_argument("--only", default="", help="only points in whose 'path: text: change' this pattern is found")
    parser.add_argument("--inferences", action="store_true", help="the mutants of inferences.tsv too, before those that are drawn")
    parser.add_argument("--table", default="inferences.tsv", help="what --inferences runs: a file of the same form")
    parser.add_argument("--list", action="store_true", help="only lists the mutants")
    parser.add_argument("--first", type=int, default=1, help="the first mutant to run; those before it are built only")
    parser.add_argument("--last", type=int, default=10**9, help="the last one; 0: compiles them and runs none")
    parser.add_argument("--numbers", help="only these of them, as 3,17,20: survivors of an earlier run")
    parser.add_argument("--built", action="store_true", help="the mutants of the last call with the same choice are compiled")
    parser.add_argument("--groups", type=int, default=99, help="only the first so many groups of tests, those that find most")
    parser.add_argument("--trust", action="store_true", help="does not run those that survivors.tsv explains")
    parser.add_argument("--verbose", action="store_true", help="prints the mutants that are caught too, and by what")
    options = parser.parse_args()
    by_hand, drawn = ([p for p in points if re.search(options.only, f"{p.path}: {p.text}: {p.change}")]
                      for points in (inferences(options.table) if options.inferences else [], draw(options.seed)))
    points, options.count = by_hand + drawn, len(by_hand) + options.count
    if options.list:
        for n, p in enumerate(take(points, options.count, set()), 1):
            print(f"{n}\t{p.path}:{p.line}\t{p.change}\t{p.text}")
        return 0
    build = Build(options.build, options.work)
    taken = compiled(build, points, options.count, options.jobs, options.built)
    if options.last == 0:
        return 0
    programs, reasons, caught, harmless, survivors = Programs(build), explained(), 0, 0, []

    def judge(number, point):
        if options.trust and key(point) in reasons:
            return None
        return programs.catch(point.path, TESTS[area_of(point.path)][:options.groups], number)
    numbers = {int(n) for n in options.numbers.split(",")} if options.numbers else None
    chosen = [(n, p) for n, p in enumerate(taken, 1)
              if options.first <= n <= options.last and (numbers is None or n in numbers)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for (number, point), by in zip(chosen, pool.map(lambda c: judge(*c), chosen)):
            if by:
                caught += 1
                if options.verbose:
                    print("\t".join(["caught", str(number), f"{point.path}:{point.line}", point.change, point.text, by]), flush=True)
            elif key(point) in reasons:
                harmless += 1
            else:
                survivors.append(point)
                print("\t".join(["survives", str(number), f"{point.path}:{point.line}", point.change, point.text]), flush=True)
    total = max(1, len(chosen))
    print(f"{len(chosen)} mutants (seed {options.seed}): {caught} caught, {harmless} harmless for the reasons in "
          f"survivors.tsv, {len(survivors)} survive; {100 * (caught + harmless) / total:.1f} % of {options.goal} %")
    return 0 if 100 * (caught + harmless) >= options.goal * len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
