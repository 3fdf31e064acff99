#!/usr/bin/env python3
"""From a float network to 8-bit firmware that has run on an emulated Cortex-M4, in one command: `tarn verify --quantize`.

    firmware.py TARN [NAME...] [--samples N]    networks of $TARN_SHARED_DIR; all by default
    firmware.py TARN --quick                    those of a few seconds

The command quantises from stored inputs and copies of them with noise, compiles for a Cortex-M4, runs the samples in the emulator and compares every
output with onnxruntime's (where a Python has it, else with the plan without sharing). Prints how long it took and what arena and weights take beside those
of the float network; `*` marks what misses its goal. The time that is held to its goal is that of processors, which other work on the machine lengthens
less. Ends with 1 where one does not verify, or misses a goal that is not listed in KNOWN.
"""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import noisy_copies  # noqa: E402

SHARED = pathlib.Path(os.environ.get("TARN_SHARED_DIR", "/nowhere"))
FLASH = 0.28

# name: share of the float plan's arena, processor seconds, further options. Floats at the ports would be the largest tensors of some: there these are codes too.
GOALS = {
    "mlpt_ic_resnet8": (0.29, 60, []),
    "mlpt_kws_dscnn": (0.29, 60, []),
    "mlpt_vww_mobilenet_v1_025_96": (0.29, 60, ["--quantized-io"]),
    "mlpt_ad_fcae_dynb": (0.4, 10, ["--quantized-io"]),
    "mobilenet_v2_035_96": (0.29, 60, ["--quantized-io"]),
    "mobilevit_tiny": (0.4, 60, ["--quantized-io"]),
    "vit_tiny_32": (0.4, 60, ["--quantized-io"]),
    "kws_gru_uni": (0.4, 60, []),
    "tcn_causal_kws": (0.29, 60, []),
}
QUICK = ["mlpt_ad_fcae_dynb", "kws_gru_uni", "tcn_causal_kws"]
# What misses its goal so far: by name, of time, RAM and weights.
KNOWN = {}


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} ends with {done.returncode}:\n{done.stderr}{done.stdout}")


def has_onnxruntime():
    python = os.environ.get("TARN_PYTHON", "python3")
    return subprocess.run([python, "-c", "import onnxruntime"], capture_output=True).returncode == 0


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def sizes(report):
    told = json.loads(report.read_text())
    return told["ram"]["arena"], told["flash"]["weights"]


def measure(tarn, name, count, reference, scratch):
    """Seconds, those of processors, and the shares of arena and weights."""
    model, data, more = SHARED / "exported" / name, scratch / name, GOALS[name][2]
    dims = ["--dim", "batch_size=1"] if name.endswith("_dynb") else []
    noisy_copies.write(model, data, count)
    run(tarn, "analyze", model / "model.onnx", *dims, "--target", "cortex-m4", "--report", scratch / "floats.json")
    begun, before = time.monotonic(), processor_seconds()
    run(tarn, "verify", model / "model.onnx", *dims, "--quantize", data, *more, "--on", "cortex-m4", "--target", "cortex-m4", "--reference", reference, "--report", scratch / "codes.json")
    seconds, processor = time.monotonic() - begun, processor_seconds() - before
    floats, codes = sizes(scratch / "floats.json"), sizes(scratch / "codes.json")
    return seconds, processor, codes[0] / floats[0], codes[1] / floats[1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tarn", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--samples", type=int, default=24)
    options = parser.parse_args()
    tarn, reference = options.tarn.resolve(), "ort" if has_onnxruntime() else "naive"
    failures = []
    print(f"{'network':30} {'s':>6} {'CPU s':>6} {'RAM':>6} {'weights':>8}   verified on cortex-m4 against {reference}")
    for name in options.names or (QUICK if options.quick else GOALS):
        with tempfile.TemporaryDirectory() as scratch:
            try:
                figures = measure(tarn, name, options.samples, reference, pathlib.Path(scratch))
            except SystemExit as failed:
                print(f"{name:30} {failed}", flush=True)
                failures.append(f"{name}: does not verify")
                continue
        goals = (GOALS[name][1], GOALS[name][0], FLASH)
        missed = [what for what, figure, goal in zip(("time", "RAM", "weights"), figures[1:], goals) if figure > goal]
        print(f"{name:30} {figures[0]:6.1f} {figures[1]:6.1f} {figures[2]:6.2f} {figures[3]:8.3f}   {'* ' + ', '.join(missed) if missed else ''}", flush=True)
        failures += [f"{name}: {what}" for what in missed if what not in KNOWN.get(name, ())]
    if failures:
        print("failures: " + "; ".join(failures))
    return 1 if failures else 0


sys.exit(main())
