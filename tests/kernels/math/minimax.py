"""Minimax polynomials by the Remez exchange, in multiple precision (mpmath)."""
import mpmath as mp

mp.mp.prec = 260


def minimax(function, weight, first, end, degree, rounds=12):
    """Coefficients c of p(t) = sum c[k] t^k, t in [0, end - first], and max |(function(first + t) - p(t)) * weight|.

    Points of the exchange are taken from a fixed grid of Chebyshev nodes, so the answer is repeatable.
    """
    first, end = mp.mpf(first), mp.mpf(end)
    count = degree + 2
    last = 40 * count
    grid = [(end - first) / 2 * (1 - mp.cos(mp.pi * i / last)) for i in range(last + 1)]
    values = [function(first + t) for t in grid]
    weights = [weight(first + t) for t in grid]
    chosen = [round(last * i / (count - 1)) for i in range(count)]
    best = None
    for _ in range(rounds):
        left, right = mp.matrix(count, count), mp.matrix(count, 1)
        for row, k in enumerate(chosen):
            for power in range(degree + 1):
                left[row, power] = grid[k] ** power
            left[row, degree + 1] = (-1) ** row / weights[k]
            right[row] = values[k]
        solution = mp.lu_solve(left, right)
        coefficients = [solution[k] for k in range(degree + 1)]
        errors = [(v - horner(coefficients, t)) * w for t, v, w in zip(grid, values, weights)]
        worst = max(abs(e) for e in errors)
        if best is None or worst < best[1]:
            best = coefficients, worst
        extrema = sign_runs(errors)
        if worst < abs(solution[degree + 1]) * mp.mpf("1.001") or len(extrema) < count:
            break
        while len(extrema) > count:
            extrema.pop(0 if abs(errors[extrema[0]]) < abs(errors[extrema[-1]]) else -1)
        chosen = extrema
    return best


def horner(coefficients, t):
    value = mp.mpf(0)
    for c in reversed(coefficients):
        value = value * t + c
    return value


def sign_runs(errors):
    """The index of the largest error in each run of errors of one sign."""
    runs = []
    for k, e in enumerate(errors):
        if runs and (errors[runs[-1]] >= 0) == (e >= 0):
            if abs(e) > abs(errors[runs[-1]]):
                runs[-1] = k
        else:
            runs.append(k)
    return runs
