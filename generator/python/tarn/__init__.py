"""tarn from Python: does a model fit, and the C that runs it.

    import tarn
    report = tarn.analyze("kws.onnx", ram="64K", target="cortex-m4")
    print(report.ram.total, report.plan.proof)
    tarn.generate("kws.onnx", "firmware", ram="64K")
    tarn.verify("kws.onnx", on="host,cortex-m4")
    tarn.quantize("kws.onnx", "kws_int8.onnx", data="samples")

Keyword arguments are the options of the command line, with _ for -: `input_layout="nhwc"`, `dim={"batch": 1}`, `drain=True`,
`bank=["fast=16K", "slow=64K"]`. A model is a path, an onnx.ModelProto, or the bytes of one. Failures raise `tarn.Error`
or what derives from it, with every diagnostic.
"""
from __future__ import annotations

import os
import typing

from ._command import (Diagnostic, Error, InvalidModel, Mismatch, NotSupported, OverBudget, Result, UsageError, executable, run,
                       run_quantize)
from .quantised import Quantised
from .report import Report

__all__ = ["Diagnostic", "Error", "InvalidModel", "Mismatch", "NotSupported", "OverBudget", "Quantised", "Report", "Result",
           "UsageError", "analyze", "executable", "generate", "quantize", "run", "verify"]

Size = typing.Union[int, str]  # bytes, or "64K", "1.5M" (K = 1024)
Path = typing.Union[str, "os.PathLike[str]"]
Model = typing.Union[Path, bytes, typing.Any]  # a path, bytes, or an onnx.ModelProto


def analyze(model: Model, *, ram: typing.Optional[Size] = None, flash: typing.Optional[Size] = None,
            target: typing.Optional[str] = None, dim: typing.Optional[typing.Mapping[str, int]] = None,
            stream: typing.Optional[str] = None, **options: typing.Any) -> Report:
    """Plans a model and reports; writes no file. OverBudget, with the report, where it does not fit `ram` or `flash`."""
    return run("analyze", model, dict(ram=ram, flash=flash, target=target, dim=dim, stream=stream, **options)).report


def generate(model: Model, output: Path, *, name: typing.Optional[str] = None, ram: typing.Optional[Size] = None,
             flash: typing.Optional[Size] = None, target: typing.Optional[str] = None,
             dim: typing.Optional[typing.Mapping[str, int]] = None, stream: typing.Optional[str] = None,
             **options: typing.Any) -> Report:
    """analyze(), and the C files in the folder `output`; on failure nothing there is changed."""
    return run("generate", model, dict(output=output, name=name, ram=ram, flash=flash, target=target, dim=dim, stream=stream,
                                       **options)).report


def verify(model: Model, *, on: typing.Union[str, typing.Sequence[str]] = "host", reference: typing.Optional[str] = None,
           data: typing.Union[Path, typing.Sequence[Path], None] = None, **options: typing.Any) -> Report:
    """Compiles and runs the emitted code on this machine and on emulated boards, and compares; `report.verify` has the figures.

    Mismatch where an output differs from the reference."""
    boards = on if isinstance(on, str) else ",".join(on)
    return run("verify", model, dict(on=boards, reference=reference, data=data, **options)).report


def quantize(model: Model, output: Path, *, data: typing.Optional[Path] = None, max_loss: typing.Optional[str] = None,
             ram: typing.Optional[Size] = None, flash: typing.Optional[Size] = None, **options: typing.Any) -> Quantised:
    """Writes a float model as one of 8-bit codes, from the samples in the folder `data`; says what that does to its outputs.

    Without data only with `dynamic=True`. UsageError where the data do not fit the model, OverBudget where no bits keep
    to the bounds."""
    return run_quantize(model, dict(output=output, data=data, max_loss=max_loss, ram=ram, flash=flash, **options))
