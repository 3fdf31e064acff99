"""The typed module over the executable that TARN names: reports, diagnostics, models handed over as bytes. python3 -m unittest."""
import dataclasses
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import typing
import unittest

import tarn
import tarn.report
from tarn._command import arguments

DIGITS = pathlib.Path(os.environ["TARN_TEST_MODEL"])  # examples/digits/digits.onnx


class Arguments(unittest.TestCase):
    def test_forms(self):
        self.assertEqual(arguments({"ram": "64K", "drain": True, "libm": False, "flash": None}), ["--ram=64K", "--drain"])
        self.assertEqual(arguments({"input_layout": "nhwc", "dim": {"n": 1, "t": 2}}), ["--input-layout=nhwc", "--dim=n=1", "--dim=t=2"])
        self.assertEqual(arguments({"bank": ["a=1K", "b=2K"], "data": pathlib.Path("d")}), ["--bank=a=1K", "--bank=b=2K", "--data=d"])


class Analyze(unittest.TestCase):
    def test_report_is_the_json(self):
        report = tarn.analyze(DIGITS, ram="64K")
        self.assertTrue(report.budget.ram.fits)
        self.assertEqual(report.ram.arena, report.raw["ram"]["arena"])
        self.assertEqual(report.ram.total, report.ram.arena + report.ram.static + (report.ram.stack or 0))
        self.assertEqual(report.plan.proof, "optimal")
        self.assertEqual(len(report.steps), len(report.raw["steps"]))
        self.assertEqual(self.as_json(report), {key: value for key, value in report.raw.items()})

    def as_json(self, value):
        """A report put back into the form it came from: nothing of it was lost or renamed."""
        if dataclasses.is_dataclass(value):
            names = {f.name: f.name.rstrip("_") for f in dataclasses.fields(value) if f.name != "raw"}
            fields = {f.name: f for f in dataclasses.fields(value)}
            empty = lambda f: f.default is None or f.default_factory is list
            return {key: self.as_json(getattr(value, name)) for name, key in names.items()
                    if not (empty(fields[name]) and getattr(value, name) in (None, []))}
        return [self.as_json(item) for item in value] if isinstance(value, list) else value

    def test_over_budget_carries_report_and_advice(self):
        with self.assertRaises(tarn.OverBudget) as caught:
            tarn.analyze(DIGITS, ram=100)
        error = caught.exception
        self.assertIn(error.exit_code, (5, 6))
        self.assertEqual(error.proved, error.exit_code == 5)
        self.assertFalse(error.report.budget.ram.fits)
        self.assertTrue(any(d.code in ("E301", "E302") and d.hint for d in error.diagnostics))
        self.assertIn("100", str(error))

    def test_models_as_bytes_and_with_serialize(self):
        data = DIGITS.read_bytes()

        class Proto:
            def SerializeToString(self):
                return data

        arena = tarn.analyze(DIGITS).ram.arena
        self.assertEqual(tarn.analyze(data).ram.arena, arena)
        self.assertEqual(tarn.analyze(Proto()).ram.arena, arena)

    def test_faults_are_exceptions(self):
        with self.assertRaises(tarn.UsageError):
            tarn.analyze(DIGITS, no_such_option=1)
        with self.assertRaises(tarn.InvalidModel) as caught:
            tarn.analyze(b"no model")
        self.assertTrue(caught.exception.diagnostics[0].code.startswith("E1"))
        with self.assertRaises(tarn.InvalidModel):
            tarn.analyze("there/is/no/such.onnx")

    def test_other_schemas_are_refused(self):
        with self.assertRaises(ValueError):
            tarn.report.Report.from_json({"schema": "tarn-report/2"})


class Files(unittest.TestCase):
    def test_generate_and_verify(self):
        with tempfile.TemporaryDirectory() as folder:
            report = tarn.generate(DIGITS, pathlib.Path(folder) / "made", name="digits")
            self.assertTrue((pathlib.Path(folder) / "made" / "digits.h").exists())
            self.assertEqual(report.model.name, "digits")
            with self.assertRaises(tarn.OverBudget):
                tarn.generate(DIGITS, pathlib.Path(folder) / "none", ram=100)
            self.assertFalse((pathlib.Path(folder) / "none").exists())
        verified = tarn.verify(DIGITS, on=["host"], reference="naive")
        self.assertEqual([run.on for run in verified.verify], ["host"])
        self.assertEqual(sum(out.mismatches for out in verified.verify[0].outputs), 0)


class Quantize(unittest.TestCase):
    def test_codes_and_what_they_cost(self):
        with tempfile.TemporaryDirectory() as folder:
            here = pathlib.Path(folder)
            (here / "samples").mkdir()
            for i in range(4):
                (here / "samples" / f"{i}.bin").write_bytes(struct.pack("<64f", *(((i + 3 * p) % 17) / 16 for p in range(64))))
            quick = {"ranges": "minmax", "rounding": "nearest", "bias_correction": "off"}
            told = tarn.quantize(DIGITS, here / "codes.onnx", data=here / "samples", **quick)
            self.assertEqual(told.samples, 4)
            self.assertGreater(told.outputs[0].snr_db, 20)
            self.assertEqual({layer.type for layer in told.layers}, {"int8"})
            self.assertLess(told.flash.weights_after, told.flash.weights_before)
            self.assertEqual(told.ram.arena_after, told.raw["quantize"]["ram"]["arena_after"])
            self.assertEqual(tarn.analyze(here / "codes.onnx").ram.arena, told.ram.arena_after)
            with self.assertRaises(tarn.UsageError) as caught:
                tarn.quantize(DIGITS, here / "none.onnx", data=here / "nowhere")
            self.assertEqual(caught.exception.diagnostics[0].code, "E420")
            self.assertFalse((here / "none.onnx").exists())

    def test_other_schemas_are_refused(self):
        with self.assertRaises(ValueError):
            tarn.Quantised.from_json({"schema": "tarn-report/1"})


class Command(unittest.TestCase):
    def test_python_m_tarn(self):
        done = subprocess.run([sys.executable, "-m", "tarn", "explain", "E301"], stdout=subprocess.PIPE, encoding="utf-8", check=True)
        self.assertIn("E301", done.stdout)
        self.assertEqual(subprocess.run([sys.executable, "-m", "tarn", "nothing"], stderr=subprocess.DEVNULL, check=False).returncode, 2)

    def test_every_annotation_resolves(self):
        for item in vars(tarn.report).values():
            if dataclasses.is_dataclass(item):
                typing.get_type_hints(item)


if __name__ == "__main__":
    unittest.main()
