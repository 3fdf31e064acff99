"""Runs the tarn executable: options from keyword arguments, diagnostics as exceptions."""
from __future__ import annotations

import contextlib
import dataclasses
import importlib.metadata
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import typing

from .quantised import Quantised
from .report import Report


def executable() -> str:
    """The tarn that is run: $TARN, else the one installed with this package, else the one on PATH. FileNotFoundError without any."""
    if os.environ.get("TARN"):
        return os.environ["TARN"]
    name = "tarn.exe" if os.name == "nt" else "tarn"
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        for file in importlib.metadata.files("tarn") or []:
            if file.name == name and pathlib.PurePath(file).parent.name == "bin":
                return os.fspath(pathlib.Path(str(file.locate())).resolve())
    found = shutil.which(name)
    if found is None:
        raise FileNotFoundError("there is no tarn executable: not in this package, not on PATH; TARN names one elsewhere")
    return found


@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """What tarn says of a model; `tarn explain CODE` says more of a code."""

    code: str
    severity: str  # error or warning
    message: str
    hint: str = ""
    file: str = ""
    node: typing.Optional[int] = None  # its place in the file
    node_name: str = ""
    op: str = ""
    tensor: str = ""

    def __str__(self) -> str:
        of = f"tensor '{self.tensor}': " if self.tensor else ""
        if self.node is not None or self.node_name:
            words = ["node", *([str(self.node)] if self.node is not None else []), *([f"'{self.node_name}'"] if self.node_name else [])]
            of = " ".join(words) + (f" ({self.op}): " if self.op else ": ") + of
        return f"{of}{self.severity} {self.code}: {self.message}" + (f"\n  hint: {self.hint}" if self.hint else "")


class Error(Exception):
    """A run of tarn that failed: every diagnostic, warnings too, and the exit code. `report` is there where a plan was made."""

    def __init__(self, exit_code: int, diagnostics: typing.Sequence[Diagnostic], report: typing.Optional[Report], text: str):
        self.exit_code = exit_code
        self.diagnostics = list(diagnostics)
        self.report = report
        super().__init__("\n".join(map(str, self.diagnostics)) or text.strip() or f"tarn ended with exit code {exit_code}")


class UsageError(Error):
    """Exit code 2: an option or a path that tarn does not take."""


class InvalidModel(Error):
    """Exit code 3: unreadable, or not a valid ONNX model."""


class NotSupported(Error):
    """Exit code 4: valid, but something in it cannot be lowered."""


class OverBudget(Error):
    """Exit codes 5 (proved) and 6 (not proved): it does not fit; `report.advice` says what would change that."""

    @property
    def proved(self) -> bool:
        return self.exit_code == 5


class Mismatch(Error):
    """Exit code 7: the emitted code computes something else than the reference; `report.verify` says where."""


_ERRORS = {2: UsageError, 3: InvalidModel, 4: NotSupported, 5: OverBudget, 6: OverBudget, 7: Mismatch}


@dataclasses.dataclass(frozen=True)
class Result:
    report: Report
    warnings: typing.List[Diagnostic]
    text: str  # the report as tarn prints it


def _size(value: typing.Any) -> str:
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def arguments(options: typing.Mapping[str, typing.Any]) -> typing.List[str]:
    """--options of keyword arguments: True is a flag, a sequence repeats, a mapping repeats KEY=VALUE; None and False are left out."""
    words: typing.List[str] = []
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(option)
        elif isinstance(value, typing.Mapping):
            words += [f"{option}={key}={_size(item)}" for key, item in value.items()]
        elif isinstance(value, (list, tuple, set, frozenset)):
            words += [f"{option}={_size(item)}" for item in value]
        else:
            words.append(f"{option}={_size(value)}")
    return words


@contextlib.contextmanager
def _model_file(model: typing.Any) -> typing.Iterator[str]:
    """The path of a model: a path as it is; bytes, or what has SerializeToString(), through a file that is removed behind."""
    if isinstance(model, (str, os.PathLike)):
        yield os.fspath(model)
        return
    data = model if isinstance(model, (bytes, bytearray, memoryview)) else model.SerializeToString()
    graph = getattr(model, "graph", None)
    with tempfile.TemporaryDirectory(prefix="tarn-python-") as folder:
        stem = "".join(c if c.isalnum() else "_" for c in getattr(graph, "name", "") or "model")
        path = pathlib.Path(folder) / f"{stem}.onnx"
        path.write_bytes(data)
        yield os.fspath(path)


def _diagnostics(text: str) -> typing.Tuple[typing.List[Diagnostic], str]:
    """The JSON lines of stderr, and what else stands there."""
    known = {field.name for field in dataclasses.fields(Diagnostic)}
    found, rest = [], []
    for line in text.splitlines():
        try:
            data = json.loads(line)
            found.append(Diagnostic(**{key: value for key, value in data.items() if key in known}))
        except (ValueError, TypeError, AttributeError):
            rest.append(line)
    return found, "\n".join(rest)


@dataclasses.dataclass(frozen=True)
class _Ended:
    exit_code: int
    told: typing.Optional[typing.Dict[str, typing.Any]]  # the JSON of --report
    diagnostics: typing.List[Diagnostic]
    text: str
    rest: str  # of stderr


def _started(command: str, model: typing.Any, options: typing.Mapping[str, typing.Any]) -> _Ended:
    with _model_file(model) as path, tempfile.TemporaryDirectory(prefix="tarn-python-") as folder:
        report_file = pathlib.Path(folder) / "report.json"
        words = [executable(), command, path, "--diagnostics=json", f"--report={report_file}", *arguments(options)]
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, encoding="utf-8", errors="replace", check=False)
        told = json.loads(report_file.read_text("utf-8")) if report_file.exists() else None
    diagnostics, rest = _diagnostics(done.stderr)
    return _Ended(done.returncode, told, diagnostics, done.stdout, rest)


def run(command: str, model: typing.Any, options: typing.Mapping[str, typing.Any]) -> Result:
    """One command over one model. Raises what its exit code stands for."""
    done = _started(command, model, options)
    report = Report.from_json(done.told) if done.told is not None else None
    if done.exit_code != 0 or report is None:
        raise _ERRORS.get(done.exit_code, Error)(done.exit_code, done.diagnostics, report, done.rest)
    return Result(report, done.diagnostics, done.text)


def run_quantize(model: typing.Any, options: typing.Mapping[str, typing.Any]) -> Quantised:
    """`tarn quantize`, whose report is of its own kind."""
    done = _started("quantize", model, options)
    if done.exit_code != 0 or done.told is None:
        raise _ERRORS.get(done.exit_code, Error)(done.exit_code, done.diagnostics, None, done.rest)
    return Quantised.from_json(done.told)
