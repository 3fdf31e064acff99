#!/usr/bin/env python3
"""Where the polynomial coefficients in runtime/maths come from: prints them as C, with the error of each fit.

    python3 -m venv v && v/bin/pip install mpmath && v/bin/python coefficients.py [NAME...]
    v/bin/python coefficients.py --check ../../../runtime/maths

A polynomial is a list of fixed-point integers, lowest power first; "sign" tells how Horner's steps combine:
'+' adds every term, '-' subtracts (the series alternates and all partial sums stay positive), 's' two's complement.
Those of functions of many floats at a time (FLOAT_FITS) are floats.
"""
import pathlib
import sys

import mpmath as mp

from minimax import minimax

TINY = mp.mpf(10) ** -30


def odd(function, sign):
    """t(z) in function(x) = x * (1 + sign * z * t(z)), z = x^2, and the weight that makes its error one of function."""

    def tail(z):
        x = mp.sqrt(max(z, TINY))
        return sign * (function(x) / x - 1) / max(z, TINY)

    def weight(z):
        x = mp.sqrt(max(z, TINY))
        return (z + mp.mpf(2) ** -20) * x / function(x)

    return tail, weight


def even(function, sign):
    """t(z) in function(x) = 1 + sign * z * t(z), z = x^2, and its weight."""

    def tail(z):
        return sign * (function(mp.sqrt(max(z, TINY))) - 1) / max(z, TINY)

    def weight(z):
        return (z + mp.mpf(2) ** -20) / function(mp.sqrt(z))

    return tail, weight


def relative(function):
    return function, lambda x: 1 / function(x)


def exp2_slope(f):
    return mp.expm1(f * mp.ln2) / f if f else mp.ln2


def log1p_slope(f):
    return mp.log1p(f) / f if abs(f) > TINY else mp.mpf(1)


def expm1_slope(x):
    return mp.expm1(x) / x if abs(x) > TINY else mp.mpf(1)


def erf_slope(z):
    x = mp.sqrt(max(z, TINY))
    return mp.erf(x) / x


def erfc_bits(x):
    return -mp.log(mp.erfc(x), 2)


def erfc_bits_weight(x):
    """An error of d bits in erfc is one of erfc * ln 2 * d in erf = 1 - erfc."""
    return mp.erfc(x) * mp.ln2 / mp.erf(x)


def erfcx_over_w(w):
    """exp(x^2) erfc(x) / w with w = 2 / (2 + x)."""
    x = 2 / w - 2
    return mp.exp(x * x) * mp.erfc(x) / w


def log2_curve(w):
    """(1/ln 2 - log2(1+r)/r) / r for r = w/8 - 1/16: what is left of log2 after its linear term."""
    r = w / 8 - mp.mpf(1) / 16
    if abs(r) < TINY:
        return 1 / (2 * mp.ln2)
    return (1 / mp.ln2 - mp.log1p(r) / r / mp.ln2) / r


def pow_table(steps, fraction):
    """Reciprocals c and -log2(c) for `steps` equal steps of the bits of a number in [sqrt(1/2), sqrt(2)).

    c is in units of 2^-7 (as many more bits as there are more steps), and 1 where the step holds 1.
    Returns also the largest |m c - 1|.
    """
    first = ROOT_HALF_BITS
    unit = 128 * steps // 16
    rows, worst = [], mp.mpf(0)
    for step in range(steps):
        ends = []
        for bits in (first + step * (2**23 // steps), first + (step + 1) * (2**23 // steps)):
            exponent, mantissa = bits >> 23, bits & 0x7FFFFF
            ends.append(mp.mpf(2**23 + mantissa) * mp.mpf(2) ** (exponent - 150))
        c = int(mp.nint(2 * unit / (ends[0] + ends[1])))
        if ends[0] <= 1 < ends[1]:
            c = unit
        worst = max([worst] + [abs(m * c / unit - 1) for m in ends])
        rows.append((c, int(mp.nint(-mp.log(mp.mpf(c) / unit, 2) * 2**fraction))))
    return rows, worst


def exp_curve(r):
    """(e^r - 1 - r) / r^2."""
    return (mp.expm1(r) - r) / r**2 if abs(r) > TINY else mp.mpf(1) / 2


def erfc_nats(x):
    return -mp.log(mp.erfc(x))


ROOT2 = mp.sqrt(2)
ROOT_HALF_BITS = 0x3F3504F3
LOG_FIRST = mp.mpf(-0x4AFB0D00) / 2**32  # the float next to sqrt(1/2), less 1
LOG_FIRST_F64 = mp.mpf(-0x4AFB0CCC06219B7C) / 2**64  # sqrt(1/2) - 1, rounded down
EIGHTH = (mp.pi / 4) ** 2
POW_END = mp.mpf("0.0393")
W_END = mp.mpf(2) / mp.mpf("2.5")

# name, (function, weight), first, end, variable, degree, fraction bits, sign
FITS = [
    ("exp2_q31", (exp2_slope, lambda f: f / 2**f + TINY), 0, 1, "x", 5, 31, "+"),
    ("log_q31", relative(log1p_slope), LOG_FIRST, ROOT2 - 1, "x-first", 9, 31, "-"),
    ("expm1f", relative(expm1_slope), -0.5, 0.5, "x-first", 6, 31, "+"),
    ("tanhf", odd(mp.tanh, -1), 0, 0.25, "x", 4, 32, "-"),
    ("sinf", odd(mp.sin, -1), 0, EIGHTH, "x", 3, 32, "-"),
    ("cosf", even(mp.cos, -1), 0, EIGHTH, "x", 3, 32, "-"),
    ("asinf", odd(mp.asin, 1), 0, 0.25, "x", 4, 32, "+"),
    ("atanf", odd(mp.atan, -1), 0, 1, "x", 8, 32, "-"),
    ("sinhf", odd(mp.sinh, 1), 0, 0.25, "x", 2, 32, "+"),
    ("erff", relative(erf_slope), 0, 1, "x", 6, 31, "-"),
    ("erff_tail", (erfc_bits, erfc_bits_weight), 1, 3.95, "(x-first)/4", 6, 26, "s"),
    ("erfcf", relative(erfcx_over_w), 2 / mp.mpf("12.1"), W_END, "x from 0", 10, 31, "s"),
    ("powf", (log2_curve, lambda w: abs(w / 8 - mp.mpf(1) / 16) + TINY), 0.5 - 8 * POW_END, 0.5 + 8 * POW_END,
     "x from 0", 4, 32, "-"),
    ("exp2_f64", relative(exp2_slope), 0, 1, "x", 11, 62, "s"),
    ("log_f64", relative(log1p_slope), LOG_FIRST_F64, ROOT2 - 1, "(x-first)*5/4", 21, 62, "s"),
    ("sin_f64", odd(mp.sin, -1), 0, EIGHTH, "x", 6, 62, "s"),
    ("cos_f64", even(mp.cos, -1), 0, EIGHTH, "x", 6, 62, "s"),
    ("asin_f64", odd(mp.asin, 1), 0, 0.25, "x", 12, 62, "s"),
    ("atan_f64", odd(mp.atan, -1), 0, 1, "x", 20, 62, "s"),
    ("erf_f64", relative(erf_slope), 0, 1, "x", 12, 62, "s"),
    ("erf_tail_f64", (erfc_bits, erfc_bits_weight), 1, 2, "x-first", 13, 56, "s"),
    ("erf_tail2_f64", (erfc_bits, erfc_bits_weight), 2, 6, "(x-first)/4", 13, 56, "s"),
    ("pow_f64", (log2_curve, lambda w: abs(w / 8 - mp.mpf(1) / 16) + TINY), 0.5 - 8 * POW_END, 0.5 + 8 * POW_END,
     "x from 0", 10, 62, "s"),
]

HALF_LN2 = mp.ln2 / 2
FLOAT_FITS = [
    ("exp_many", (exp_curve, lambda r: r * r * mp.exp(-r) + TINY), -HALF_LN2, HALF_LN2, "x from 0", 4),
    ("tanh_many", odd(mp.tanh, 1), 0, mp.mpf("0.390625"), "x", 4),
    ("erf_many", (lambda z: erf_slope(z) - 1, lambda z: 1 / erf_slope(z)), 0, 1, "x", 6),
    ("erf_many_tail", (erfc_nats, lambda x: mp.erfc(x) / mp.erf(x)), 1, 3.95, "x-first", 6),
]


def shifted(coefficients, by):
    """Coefficients of p(t - by) in powers of t."""
    out = [mp.mpf(0)] * len(coefficients)
    for k, c in enumerate(coefficients):
        for j in range(k + 1):
            out[j] += c * mp.binomial(k, j) * mp.mpf(-by) ** (k - j)
    return out


def fit(function, weight, first, end, variable, degree):
    coefficients, error = minimax(function, weight, first, end, degree)
    if variable.startswith("(x-first)/"):
        coefficients = [c * int(variable[10:]) ** k for k, c in enumerate(coefficients)]
    if variable == "(x-first)*5/4":
        coefficients = [c * mp.mpf("0.8") ** k for k, c in enumerate(coefficients)]
    if variable == "x from 0":
        coefficients = shifted(coefficients, first)
    return coefficients, error


def polynomials():
    """Name, comment, integers and their bits, for every polynomial."""
    for name, (function, weight), first, end, variable, degree, fraction, sign in FITS:
        coefficients, error = fit(function, weight, first, end, variable, degree)
        values = [int(mp.nint(c * 2**fraction)) for c in coefficients]
        if sign == "-":
            values = [v * (-1) ** k for k, v in enumerate(values)]
        assert sign == "s" or min(values) >= 0, name
        if name.startswith("exp2"):
            assert sum(values) <= 2**fraction, "2^f would reach 2"
        comment = (f"[{mp.nstr(first, 6)}, {mp.nstr(end, 6)}], variable {variable}, Q{fraction}, "
                   f"error 2^{mp.nstr(mp.log(error, 2), 4)}")
        yield name, comment, values, 64 if fraction > 32 else 32


def as_float(value):
    """The nearest float as C has it in hexadecimal."""
    exponent = int(mp.floor(mp.log(abs(value), 2)))
    mantissa = int(mp.nint(abs(value) * mp.mpf(2) ** (23 - exponent)))
    return f"0x1.{(mantissa << 1) & 0xffffff:06x}p{exponent:+d}f" if mantissa < 2**24 else f"0x1.000000p{exponent + 1:+d}f"


def float_polynomials():
    for name, (function, weight), first, end, variable, degree in FLOAT_FITS:
        coefficients, error = fit(function, weight, first, end, variable, degree)
        yield name, f"variable {variable}, error 2^{mp.nstr(mp.log(error, 2), 4)}", coefficients


def tables():
    for name, fraction, bits in (("powf_table", 55, 64), ("pow_table_f64", 115, 128)):
        rows, worst = pow_table(16, fraction)
        yield name, f"-log2(c), |m c - 1| <= {mp.nstr(worst, 6)}", [v for _, v in rows], bits
        yield name + "_reciprocals", "c in Q7", [c for c, _ in rows], 8
    with mp.workprec(1400):
        digits = int(mp.floor(2 / mp.pi * mp.mpf(2) ** 1216))
    yield "two_over_pi", "32 bits each", [(digits >> (1216 - 32 * k)) % 2**32 for k in range(1, 38)], 32


def words(values, bits):
    """The values as the C source has them: words of at most 64 bits, high one first."""
    for value in values:
        value %= 2**bits
        if bits == 8:
            yield f"{value}u"
        elif bits == 128:
            yield f"0x{value >> 64:016x}u"
            yield f"0x{value % 2**64:016x}u"
        else:
            yield f"0x{value:0{bits // 4}x}u"


def main(arguments):
    """With --check FOLDER: whether every number (or its negative) stands in a C file of the folder."""
    folder = arguments[1] if arguments[:1] == ["--check"] else None
    source = ""
    if folder:
        source = "".join(path.read_text() for path in sorted(pathlib.Path(folder).glob("tarn_math_*.[ch]")))
    missing = 0
    for name, comment, values, bits in [*polynomials(), *tables()]:
        if folder:
            for word, negative in zip(words(values, bits), words([-v for v in values], bits)):
                if word not in source and negative not in source:
                    print(f"{name}: {word} is not in {folder}")
                    missing += 1
        elif not arguments or name in arguments:
            print(f"{name}: {comment}\n  " + ", ".join(words(values, bits)))
    for name, comment, values in float_polynomials():
        if folder:
            for word in map(as_float, values):
                if word not in source:
                    print(f"{name}: {word} is not in {folder}")
                    missing += 1
        elif not arguments or name in arguments:
            print(f"{name}: {comment}\n  " + ", ".join(("-" if v < 0 else "") + as_float(v) for v in values))
    return missing != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
