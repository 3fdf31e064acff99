#!/usr/bin/env python3
"""Time of whole networks on this machine beside onnxruntime's, one thread each.

    run.py [--tarn build/tarn] [--target x86-64-v3] [--only squeezenet] [--seconds 0.5] [--rounds 5]

Needs onnxruntime, onnx and numpy in the Python that runs it. Both sides run in this process, in turns; a turn's time is
user time of the process divided by the runs in it, and the least of all turns counts: what disturbs a run only adds to
it. The first inputs stored beside a model are used, else random ones; copying them in is part of a run on both sides.
"""

import argparse
import ctypes
import json
import math
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

import numpy
import onnx
import onnxruntime
from onnx import numpy_helper

SHARED = pathlib.Path(os.environ.get("TARN_SHARED_DIR", "/work/shared"))
MODELS = [
    "models/light_squeezenet", "models/light_resnet50", "exported/mobilenet_v2_100_224_qdq_s8_pc",
    "exported/mlpt_ic_resnet8", "exported/mlpt_ic_resnet8_qop_s8_pc", "exported/mlpt_kws_dscnn",
    "exported/mlpt_kws_dscnn_qop_u8s8", "models/deeploy_cct_fp32_cct_1_32_32_8", "models/mnist_8",
    "models/onnx2tf_lstm_1layer_fixed", "exported/kws_lstm_uni", "exported/kws_gru_uni", "exported/bert_tiny",
    "exported/mobilenet_v2_035_96", "models/yunet_n_320", "models/micro_kws_m_static_fp32", "exported/convnext_tiny8",
    "exported/mlpt_vww_mobilenet_v1_025_96",
]
FLAGS = {
    "x86-64-v3": ["-march=x86-64-v3"],
    "x86-64-v4": ["-march=x86-64-v4"],
    "aarch64": ["-march=armv8-a"],
}
DRIVER = """
#include <string.h>
int bench(int (*run)(void *), void *arena, const void *const *from, const size_t *offset, const size_t *bytes, int inputs, int n)
{
    int status = 0;
    while (n-- > 0 && status == 0) {
        int i;
        for (i = 0; i < inputs; ++i) memcpy((char *)arena + offset[i], from[i], bytes[i]);
        status = run(arena);
    }
    return status;
}
"""


def user_seconds():
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


class Tarn:
    """The network as emitted for the target, in a shared object."""

    def __init__(self, tarn, target, model, feeds, folder):
        options = [] if target == "generic" else ["--target", target]
        subprocess.run([tarn, "generate", str(model), "-o", folder, "--name", "net", *options], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        report = json.loads(pathlib.Path(folder, "net.json").read_text())
        pathlib.Path(folder, "driver.c").write_text(DRIVER)
        objects = [str(path) for pattern in ("*.c", "*.S") for path in pathlib.Path(folder).glob(pattern)]
        library = folder + "/net.so"
        subprocess.run(["gcc", "-std=gnu99", "-O2", *FLAGS.get(target, []), "-shared", "-fPIC", "-I" + folder, "-DNET_NO_STATIC_ARENA",
                        *objects, "-lm", "-o", library], check=True)
        self.library = ctypes.CDLL(library)
        self.memory = ctypes.create_string_buffer(report["ram"]["arena"] + 4096)
        self.arena = ctypes.c_void_p((ctypes.addressof(self.memory) + 4095) // 4096 * 4096)
        self.kept = [numpy.ascontiguousarray(feeds[port["name"]]) for port in report["inputs"]]
        count = len(self.kept)
        self.arguments = [
            (ctypes.c_void_p * count)(*[value.ctypes.data for value in self.kept]),
            (ctypes.c_size_t * count)(*[port["offset"] for port in report["inputs"]]),
            (ctypes.c_size_t * count)(*[port["bytes"] for port in report["inputs"]]),
            count,
        ]
        self.outputs = report["outputs"]
        self.macs = report["totals"]["macs"]

    def run(self, n):
        if self.library.bench(self.library.net_run, self.arena, *self.arguments, n) != 0:
            raise RuntimeError("the run function failed")

    def output(self, i):
        """Output i as bytes."""
        return ctypes.string_at(self.arena.value + self.outputs[i]["offset"], self.outputs[i]["bytes"])


class Ort:
    def __init__(self, model, feeds):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self.session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        self.feeds = feeds
        self.binding = self.session.io_binding()
        for name, value in feeds.items():
            self.binding.bind_cpu_input(name, value)
        for output in self.session.get_outputs():
            self.binding.bind_output(output.name)

    def run(self, n):
        for _ in range(n):
            self.session.run_with_iobinding(self.binding)

    def outputs(self):
        return self.binding.copy_outputs_to_cpu()


def feeds_of(model):
    """The first stored inputs, else random ones; by name."""
    graph = onnx.load(str(model)).graph
    constants = {tensor.name for tensor in graph.initializer}
    inputs = [value for value in graph.input if value.name not in constants]
    feeds = {}
    random = numpy.random.default_rng(1)
    for i, value in enumerate(inputs):
        stored = model.parent / "test_data_set_0" / f"input_{i}.pb"
        if stored.exists():
            tensor = onnx.TensorProto()
            tensor.ParseFromString(stored.read_bytes())
            feeds[value.name] = numpy.ascontiguousarray(numpy_helper.to_array(tensor))
        else:
            shape = [max(1, dim.dim_value) for dim in value.type.tensor_type.shape.dim]
            dtype = onnx.helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type)
            feeds[value.name] = (random.standard_normal(shape) * (1 if dtype.kind == "f" else 20)).astype(dtype)
    return feeds


def runs_in(side, seconds):
    """How many runs take so much user time."""
    n = 1
    while True:
        begun = user_seconds()
        side.run(n)
        took = user_seconds() - begun
        if took >= seconds / 4:
            return max(1, round(n * seconds / took))
        n *= 4


def least(sides, seconds, rounds):
    """Microseconds of one run by side, in turns."""
    counts = [runs_in(side, seconds) for side in sides]
    best = [math.inf] * len(sides)
    for _ in range(rounds):
        for i, side in enumerate(sides):
            begun = user_seconds()
            side.run(counts[i])
            best[i] = min(best[i], (user_seconds() - begun) / counts[i] * 1e6)
    return best


def apart(tarn, ort):
    """Largest difference of the first output, relative to its largest element."""
    want = ort.outputs()[0]
    got = numpy.frombuffer(tarn.output(0), dtype=want.dtype).reshape(-1)[: want.size]
    scale = max(1e-30, numpy.abs(want.astype(numpy.float64)).max())
    return float(numpy.abs(got.astype(numpy.float64) - want.reshape(-1).astype(numpy.float64)).max() / scale)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tarn", default="build/tarn")
    parser.add_argument("--target", default="x86-64-v3")
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    print(f"{'network':<40} {'MACs':>12} {'tarn us':>10} {'ort us':>10} {'ratio':>6} {'differ':>8}")
    ratios = []
    for name in MODELS:
        if arguments.only not in name:
            continue
        files = sorted((SHARED / name).glob("*.onnx"))
        if not files:
            print(f"{name:<40} not there")
            continue
        feeds = feeds_of(files[0])
        with tempfile.TemporaryDirectory() as folder:
            tarn = Tarn(arguments.tarn, arguments.target, files[0], feeds, folder)
            ort = Ort(files[0], feeds)
            ours, theirs = least([tarn, ort], arguments.seconds, arguments.rounds)
            ratio = ours / theirs
            ratios.append(ratio)
            print(f"{pathlib.Path(name).name:<40} {tarn.macs:>12} {ours:>10.1f} {theirs:>10.1f} {ratio:>6.2f} {apart(tarn, ort):>8.1e}",
                  flush=True)
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"geometric mean {mean:.2f} (goal 1.5 for x86-64-v3, 5 for generic), largest {max(ratios):.2f} (goal 2.5)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
