#!/usr/bin/env python3
"""Signal to quantisation noise at the outputs: tarn quantize against onnxruntime's quantize_static.

    quantise.py TARN FOLDER... [--samples N] [--tests N]
    quantise.py TARN --all        every float network of $TARN_SHARED_DIR that has stored data

Each FOLDER holds model.onnx and test_data_set_N. Networks are calibrated on the stored inputs and copies of them with
noise (a tenth of their spread), and compared on other copies, all from a fixed seed: on many, for of a dozen one that is
cut off at the end of a range decides. onnxruntime quantises per channel,
QDQ, int8, by its four calibration methods, behind its own pre-processing and, below opset 13, onnx's converter (a scale
for each channel needs 13); all files run in onnxruntime without
optimisation. Prints a row per network and output, and what tarn gains on the best of the four; needs onnx and
onnxruntime.
"""
import argparse
import contextlib
import glob
import logging
import os
import pathlib
import subprocess
import sys
import tempfile
import time

try:
    import numpy as np
    import onnx
    import onnx.version_converter
    import onnxruntime as ort
    from onnx import numpy_helper
    from onnxruntime.quantization import CalibrationDataReader, CalibrationMethod, QuantFormat, QuantType, quantize_static
    from onnxruntime.quantization.shape_inference import quant_pre_process
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

METHODS = {"minmax": CalibrationMethod.MinMax, "percentile": CalibrationMethod.Percentile,
           "entropy": CalibrationMethod.Entropy, "distribution": CalibrationMethod.Distribution}
NOISE = 0.1


class Reader(CalibrationDataReader):
    def __init__(self, samples):
        self.samples = iter(samples)

    def get_next(self):
        return next(self.samples, None)


def stored(folder, names):
    sets = []
    for d in sorted(glob.glob(f"{folder}/test_data_set_*")):
        files = [f"{d}/input_{i}.pb" for i in range(len(names))]
        sets.append({n: numpy_helper.to_array(onnx.load_tensor(f)) for n, f in zip(names, files)})
    return sets


def noisy(sample, rng):
    spread = lambda a: np.asarray(a + rng.normal(0, NOISE, a.shape) * a.std(), a.dtype) if a.dtype.kind == "f" else a
    return {n: spread(a) for n, a in sample.items()}


def run(model, samples):
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return [session.run(None, s) for s in samples]


def snr(want, got):
    """By output; the mean over outputs is told."""
    rows = []
    for o in range(len(want[0])):
        if want[0][o].dtype.kind != "f":
            continue
        signal = sum(float((w[o].astype(np.float64) ** 2).sum()) for w in want)
        noise = sum(float(((w[o].astype(np.float64) - g[o]) ** 2).sum()) for w, g in zip(want, got))
        rows.append(120.0 if noise == 0 else min(120.0, 10 * np.log10(max(signal, 1e-300) / noise)))
    return float(np.mean(rows))


def others(model, calibration, tests, want, scratch):
    results = {}
    prepared = f"{scratch}/prepared.onnx"
    with contextlib.suppress(Exception):
        loaded = onnx.load(model)
        if max(o.version for o in loaded.opset_import if o.domain in ("", "ai.onnx")) < 13:
            onnx.save(onnx.version_converter.convert_version(loaded, 13), f"{scratch}/newer.onnx")
            model = f"{scratch}/newer.onnx"
    try:
        quant_pre_process(model, prepared, skip_symbolic_shape=True)
    except Exception:
        prepared = model
    for name, method in METHODS.items():
        out = f"{scratch}/{name}.onnx"
        try:
            with open(os.devnull, "w") as null, contextlib.redirect_stdout(null):
                quantize_static(prepared, out, Reader(calibration), quant_format=QuantFormat.QDQ, per_channel=True,
                                activation_type=QuantType.QInt8, weight_type=QuantType.QInt8, calibrate_method=method)
            results[name] = snr(want, run(out, tests))
        except Exception:
            results[name] = float("nan")
    return results


def ours(tarn, model, calibration, names, tests, want, scratch, more):
    for i, sample in enumerate(calibration):
        os.makedirs(f"{scratch}/data/set_{i}")
        for j, n in enumerate(names):
            pathlib.Path(f"{scratch}/data/set_{i}/input_{j}.pb").write_bytes(
                numpy_helper.from_array(sample[n]).SerializeToString())
    start = time.time()
    done = subprocess.run([tarn, "quantize", model, "--data", f"{scratch}/data", "-o", f"{scratch}/tarn.onnx", *more],
                          capture_output=True, text=True, timeout=900)
    seconds = time.time() - start
    if done.returncode != 0:
        return float("nan"), seconds, done.stderr.strip().splitlines()[0][:150] if done.stderr else ""
    floats = done.stderr.count("W403")
    return snr(want, run(f"{scratch}/tarn.onnx", tests)), seconds, f"{floats} operators in floats" if floats else ""


def float_networks(shared):
    """Those with layers of float weights and stored inputs, up to 8 MB."""
    found = []
    for path in sorted([*shared.glob("models/*/model.onnx"), *shared.glob("exported/*/model.onnx")]):
        if path.stat().st_size > 8 << 20 or not (path.parent / "test_data_set_0").exists():
            continue
        model = onnx.load(path, load_external_data=False)
        ops = {n.op_type for n in model.graph.node}
        quantised = any(o in ops for o in ("QuantizeLinear", "DequantizeLinear", "MatMulNBits", "Quant", "RequantShift")) or any(
            o.startswith("QLinear") or o.endswith("Integer") or o.startswith("QGemm") for o in ops)
        halves = any(t.data_type in (onnx.TensorProto.FLOAT16, onnx.TensorProto.BFLOAT16) for t in model.graph.initializer)
        if not quantised and not halves and ops & {"Conv", "Gemm", "MatMul", "ConvTranspose"}:
            found.append(str(path.parent))
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tarn")
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--samples", type=int, default=24)
    parser.add_argument("--tests", type=int, default=48)
    parser.add_argument("--with", dest="more", default="", help="further options of tarn quantize")
    options = parser.parse_args()
    if options.all:
        options.folders = float_networks(pathlib.Path(os.environ["TARN_SHARED_DIR"]))
    logging.disable(logging.CRITICAL)
    gains, wins = [], 0
    print(f"{'network':32} " + " ".join(f"{m:>12}" for m in METHODS) + f" {'tarn':>8} {'gain':>7} {'s':>6}")
    for folder in options.folders:
        model = f"{folder}/model.onnx"
        with tempfile.TemporaryDirectory() as scratch:
            names = [i.name for i in ort.InferenceSession(model, providers=["CPUExecutionProvider"]).get_inputs()]
            base, rng = stored(folder, names), np.random.default_rng(7)
            if not base:
                print(f"{os.path.basename(folder):32} no stored data")
                continue
            more = lambda n: [noisy(base[i % len(base)], rng) for i in range(n)]
            calibration = base + more(max(0, options.samples - len(base)))
            tests = more(options.tests)
            want = run(model, tests)
            theirs = others(model, calibration, tests, want, scratch)
            mine, seconds, note = ours(os.path.abspath(options.tarn), model, calibration, names, tests, want, scratch,
                                       options.more.split())
        best = np.nanmax(list(theirs.values())) if not np.isnan(list(theirs.values())).all() else float("nan")
        gain = mine - best
        print(f"{os.path.basename(os.path.normpath(folder)):32} " + " ".join(f"{v:12.2f}" for v in theirs.values()) +
              f" {mine:8.2f} {gain:7.2f} {seconds:6.1f} {note}", flush=True)
        if not np.isnan(gain):
            gains.append(gain)
            wins += gain >= 0
    if not gains:
        return 77
    print(f"at least as good in {wins} of {len(gains)}; mean gain {np.mean(gains):.2f} dB")
    return 0 if wins >= 0.9 * len(gains) and np.mean(gains) >= 2 else 1


if __name__ == "__main__":
    sys.exit(main())
