"""How much of a slow test runs: by default a small part, which is printed; TARN_CI=1, as continuous integration sets it, a larger one;
TARN_FULL=1 everything."""
import os

FULL = os.environ.get('TARN_FULL', '') not in ('', '0')
LARGER = FULL or os.environ.get('TARN_CI', '') not in ('', '0')


def part(cases, each=2):
    """Of the sample of a default run one case of `each`, the first among them."""
    cases = list(cases)
    taken = cases if LARGER else cases[::each]
    if len(taken) < len(cases):
        print(f'{len(taken)} of the {len(cases)} that run with TARN_CI=1')
    return taken
