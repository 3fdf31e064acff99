#!/usr/bin/env python3
"""Writes tarn/report.py, the dataclasses of a report, from generator/report/report.schema.json; --check: exits 1 where they differ."""
import json
import keyword
import pathlib
import sys

here = pathlib.Path(__file__).resolve().parent
SCHEMA = here.parent / "report" / "report.schema.json"
OUTPUT = here / "tarn" / "report.py"
NAMES = {"macs": "GridMacs", "memories": "Memory", "bytes": "StreamBytes", "totals": "Totals", "shares": "Sharing", "streams": "ComparedStream"}
SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
HEAD = '''"""A report as dataclasses, key by key as in the JSON ("schema": "tarn-report/1"). Sizes are bytes; steps are half-open: first, end.

Written by make_report.py from report.schema.json; not to be edited. A key that is a word of Python's has an underscore behind it.
"""
from __future__ import annotations

import dataclasses
import typing

from ._json import read
'''


def class_name(key):
    if key in NAMES:
        return NAMES[key]
    name = "".join(part.capitalize() for part in key.split("_"))
    if name.endswith("ies"):
        return name[:-3] + "y"
    return name[:-1] if name.endswith("s") and not name.endswith("ss") else name


def python_name(key):
    return key + "_" if keyword.iskeyword(key) else key


class Writer:
    def __init__(self, schema):
        # The report's own keys have the plain names, whatever stands inside the others.
        self.kept = {class_name(key): value.get("items", value) for key, value in schema["properties"].items()}
        self.classes = {}  # name: text; definitions stand before their users
        self.shapes = {}  # name: the properties it was made from

    def class_of(self, key, schema, owner):
        name = class_name(key)
        kept = schema if owner == "Report" else self.kept.get(name, schema)
        if self.shapes.get(name, kept) != schema:
            name = owner + name
        if name not in self.shapes:
            self.shapes[name] = schema
            self.classes[name] = self.text_of(name, schema)
        return name

    def type_of(self, key, schema, owner):
        kind = schema.get("type")
        if kind is None:
            kinds = {SCALARS.get(type_of_constant(v)) for v in schema.get("enum", [])} - {None}
            return kinds.pop() if len(kinds) == 1 else "typing.Any"
        if isinstance(kind, list):
            only = [k for k in kind if k != "null"]
            return f"typing.Optional[{SCALARS[only[0]]}]"
        if kind == "array":
            return f"typing.List[{self.type_of(key, schema['items'], owner)}]"
        if kind != "object":
            return SCALARS[kind]
        if "properties" in schema:
            return self.class_of(key, schema, owner)
        return f"typing.Dict[str, {self.type_of(key, schema['additionalProperties'], owner)}]"

    def text_of(self, name, schema):
        needed, optional = [], []
        for key, value in schema["properties"].items():
            kind = self.type_of(key, value, name)
            note = f"  # {value['description']}" if "description" in value else ""
            if key in schema.get("required", []):
                needed.append(f"    {python_name(key)}: {kind}{note}")
                continue
            empty = " = dataclasses.field(default_factory=list)" if kind.startswith("typing.List") else " = None"
            kind = kind if kind.startswith(("typing.List", "typing.Optional")) else f"typing.Optional[{kind}]"
            optional.append(f"    {python_name(key)}: {kind}{empty}{note}")
        doc = f'    """{schema["description"]}"""\n\n' if "description" in schema else ""
        return f"@dataclasses.dataclass\nclass {name}:\n{doc}" + "\n".join(needed + optional)


def type_of_constant(value):
    return {str: "string", bool: "boolean", int: "integer", float: "number"}.get(type(value))


def main():
    schema = json.loads(SCHEMA.read_text())
    writer = Writer(schema)
    report = writer.text_of("Report", schema)
    report += '''
    raw: typing.Dict[str, typing.Any] = dataclasses.field(default_factory=dict, repr=False, compare=False)  # the JSON itself

    @classmethod
    def from_json(cls, data: typing.Dict[str, typing.Any]) -> Report:
        """A report as `json.load` reads it; ValueError where it is of another schema."""
        return read(cls, data, "tarn-report/1")'''
    text = "\n\n\n".join([HEAD.rstrip("\n")] + list(writer.classes.values()) + [report]) + "\n"
    if sys.argv[1:] == ["--check"]:
        if OUTPUT.read_text() != text:
            sys.exit(f"{OUTPUT} is not what {SCHEMA.name} says: run {pathlib.Path(__file__).name}")
        return
    if sys.argv[1:]:
        sys.exit(__doc__)
    OUTPUT.write_text(text)


if __name__ == "__main__":
    main()
