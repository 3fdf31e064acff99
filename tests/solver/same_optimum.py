#!/usr/bin/env python3
"""The planner's optima against CP-SAT's, on problems of 10 to 40 items with overlap distances and rings.

    same_optimum.py SOLVER_PROBLEMS [COUNT]

CP-SAT gets the rules anew, from lives and pairs, and half a minute at most for each problem.
"""
import json
import os
import pathlib
import subprocess
import sys


def run_with_ortools():
    """Starts again with the python that has ortools; 77, which is a skipped test, where there is none."""
    cache = os.environ.get('TARN_CACHE_DIR') or (os.environ.get('XDG_CACHE_HOME') or os.path.expanduser('~/.cache')) + '/tarn'
    for root in sorted(pathlib.Path(cache).glob('ortools-*/installed.ok')):
        python = root.parent / 'venv/bin/python'
        if python != pathlib.Path(sys.executable):
            os.execv(python, [python, '-B', *sys.argv])
    print('SKIPPED: no ortools; .ci/ortools.sh installs it')
    sys.exit(77)


try:
    from ortools.sat.python import cp_model
except ImportError:
    run_with_ortools()


def optimum(problem):
    """The least arena and the greatest lower bound that CP-SAT finds."""
    model = cp_model.CpModel()
    items = problem['items']
    most = sum(size + alignment for size, _, _, alignment in items) + 100
    arena = model.new_int_var(0, most, 'arena')
    base = []
    for size, _, _, alignment in items:
        at = alignment * model.new_int_var(0, most // alignment, '')
        model.add(at + size <= arena)
        base.append(at)
    listed = {(min(a, b), max(a, b)) for a, b, _ in problem['pairs']}
    forbidden = [tuple(pair) for pair in problem['pairs']]
    for b, (_, first, end, _) in enumerate(items):
        for a, (_, other_first, other_end, _) in enumerate(items[:b]):
            if (a, b) not in listed and first < other_end and other_first < end:
                forbidden.append((a, b, [[-items[b][0], items[a][0]]]))
    for a, b, intervals in forbidden:
        free, least = [], -2 * most
        for low, high in intervals:  # open, ascending
            free.append([least, low])
            least = high
        free.append([least, 2 * most])
        model.add_linear_expression_in_domain(base[b] - base[a], cp_model.Domain.from_intervals([f for f in free if f[0] <= f[1]]))
    model.minimize(arena)
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = 30
    solver.parameters.num_workers = 2
    status = solver.solve(model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return most, 0
    return round(solver.objective_value), round(solver.best_objective_bound)


def main():
    count = sys.argv[2] if len(sys.argv) > 2 else '48'
    lines = subprocess.run([sys.argv[1], count], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    wrong, proved_here, proved_there, both = 0, 0, 0, 0
    for number, line in enumerate(lines):
        problem = json.loads(line)
        arena, bound = optimum(problem)
        proved_here += problem['arena'] == problem['bound']
        proved_there += arena == bound
        both += problem['arena'] == problem['bound'] and arena == bound
        if not problem['valid'] or problem['bound'] > arena or bound > problem['arena']:
            wrong += 1
            print(f'problem {number}: tarn {problem["arena"]}, at least {problem["bound"]}; CP-SAT {arena}, at least {bound}')
    print(f'{len(lines)} problems: {proved_here} proved by tarn, {proved_there} by CP-SAT, {both} by both and equal; {wrong} wrong')
    # A comparison that compares nothing is a failure too.
    return 1 if wrong or both < len(lines) * 3 // 4 else 0


sys.exit(main())
