"""JSON of a schema as the dataclasses that describe it."""
from __future__ import annotations

import dataclasses
import typing


def build(kind: typing.Any, value: typing.Any) -> typing.Any:
    """A value of JSON as the annotated type `kind`; keys that this version does not know are left out."""
    if value is None:
        return None
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Union:
        return build(next(a for a in arguments if a is not type(None)), value)
    if origin is list:
        return [build(arguments[0], item) for item in value]
    if not dataclasses.is_dataclass(kind):
        return value
    hints = typing.get_type_hints(kind)
    keys = {field.name: field.name.rstrip("_") for field in dataclasses.fields(kind)}
    return kind(**{name: build(hints[name], value[key]) for name, key in keys.items() if key in value})


def read(kind: typing.Any, data: typing.Dict[str, typing.Any], schema: str, key: typing.Optional[str] = None) -> typing.Any:
    """What `data` holds, or holds under `key`, as `kind`, with the JSON beside it; ValueError where it is of another schema."""
    if data.get("schema") != schema:
        raise ValueError(f"this is not a {schema} but {data.get('schema')!r}")
    told = build(kind, data if key is None else data[key])
    told.raw = data
    return told
