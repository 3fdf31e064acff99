#!/usr/bin/env python3
"""The front of assignments that `tarn quantize --front` tells, each one made, planned and run again from the options told.

    front.py TARN NAME=MODEL:DATA:RAM... [--loss 1%] [--least 5] [--with OPTIONS]
    front.py TARN --digits examples/digits    a small network, with less tried than by default: the test of the default run
    front.py TARN --all examples/digits       digits and ResNet-8 as they are by default

Every row must give, by its options alone, a file whose arena and weights are those told and whose emitted code `tarn verify` finds equal to
onnxruntime's outputs (where a Python has it, else to its plan without sharing). Prints the fronts; fails where one has fewer than --least rows.
"""
import argparse
import json
import os
import pathlib
import re
import shlex
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import noisy_copies  # noqa: E402

SHARED = pathlib.Path(os.environ.get("TARN_SHARED_DIR", "/nowhere"))
QUICK = "--ranges minmax --rounding nearest --bias-correction off"


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} ends with {done.returncode}:\n{done.stderr}{done.stdout}")
    return done.stdout


def has_onnxruntime():
    python = os.environ.get("TARN_PYTHON", "python3")
    return subprocess.run([python, "-c", "import onnxruntime"], capture_output=True).returncode == 0


def digits(example, folder):
    """The network and 64 of its digits."""
    rows = re.findall(r'"([a-q]{64})"', (example / "samples.h").read_text())[:64]
    (folder / "digits").mkdir()
    for i, row in enumerate(rows):
        (folder / "digits" / f"{i:03}.bin").write_bytes(struct.pack("<64f", *((ord(c) - ord("a")) / 16 for c in row)))
    return f"digits={example / 'digits.onnx'}:{folder / 'digits'}:2100"


def stored(name, folder, ram):
    """A network of $TARN_SHARED_DIR with samples."""
    model = SHARED / "exported" / name
    noisy_copies.write(model, folder / name, 24)
    return f"{name}={model / 'model.onnx'}:{folder / name}:{ram}"


def check(tarn, model, data, row, folder, reference, more):
    file, report = folder / "row.onnx", folder / "row.json"
    run(tarn, "quantize", model, "--data", data, "-o", file, *more, *shlex.split(row["options"]))
    run(tarn, "analyze", file, "--report", report)
    planned = json.loads(report.read_text())
    arena, weights = planned["ram"]["arena"], planned["flash"]["weights"]
    if (arena, weights) != (row["arena"], row["weights"]):
        sys.exit(f"{row['options']}: told {row['arena']} and {row['weights']} bytes, planned {arena} and {weights}")
    run(tarn, "verify", file, "--reference", reference, "--on", "host")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tarn", type=pathlib.Path)
    parser.add_argument("networks", nargs="*")
    parser.add_argument("--digits", type=pathlib.Path)
    parser.add_argument("--all", type=pathlib.Path)
    parser.add_argument("--with", dest="more", default="", help="further options of tarn quantize")
    parser.add_argument("--loss", default="1%")
    parser.add_argument("--least", type=int, default=5)
    options = parser.parse_args()
    tarn = options.tarn.resolve()
    reference = "ort" if has_onnxruntime() else "naive"
    short = []
    data = tempfile.TemporaryDirectory()
    if options.digits or options.all:
        options.networks.append(digits(options.digits or options.all, pathlib.Path(data.name)))
    if options.digits:
        options.more = QUICK
    if options.all:
        options.networks.append(stored("mlpt_ic_resnet8", pathlib.Path(data.name), "160K"))
    more = options.more.split()
    for network in options.networks:
        name, rest = network.split("=", 1)
        model, samples, ram = rest.rsplit(":", 2)
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            report = folder / "front.json"
            run(tarn, "quantize", model, "--data", samples, "-o", folder / "best.onnx", *more, "--ram", ram, "--max-loss", options.loss, "--front",
                "--report", report)
            told = json.loads(report.read_text())["quantize"]
            front = told["front"]
            print(f"{name}, --ram {ram}: {len(front)} assignments, {told['loss']['kind']}; each verified against {reference}")
            for row in front:
                check(tarn, model, samples, row, folder, reference, more)
                print(f"  {'>' if row['chosen'] else ' '} loss {100 * row['loss']:5.2f} %  {row['snr_db']:5.1f} dB  arena {row['arena']:7}  weights "
                      f"{row['weights']:7}  {row['options'] or '8 bits throughout'}", flush=True)
        if len(front) < options.least or sum(row["chosen"] for row in front) != 1:
            short.append(name)
    if short:
        print("fewer rows than asked for: " + ", ".join(short))
    return 1 if short else 0


sys.exit(main())
