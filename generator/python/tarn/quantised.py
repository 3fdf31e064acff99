"""What `tarn quantize` tells, as dataclasses, key by key as in the JSON ("schema": "tarn-quantize/1"). Sizes are bytes, noise is in decibels
below the signal; None where there is no noise at all."""
from __future__ import annotations

import dataclasses
import typing

from ._json import read


@dataclasses.dataclass
class OutputNoise:
    name: str
    snr_db: typing.Optional[float]
    agreement: float  # share of samples whose largest element is the same
    worst_snr_db: typing.Optional[float]
    worst_sample: int


@dataclasses.dataclass
class LayerNoise:
    name: str
    op: str
    bits: int
    type: str
    snr_db: typing.Optional[float]


@dataclasses.dataclass
class Accuracy:
    """Samples that are right, of those with labels."""

    samples: int
    before: int
    after: int


@dataclasses.dataclass
class ArenaSizes:
    arena_before: int
    arena_after: int


@dataclasses.dataclass
class WeightSizes:
    weights_before: int
    weights_after: int


@dataclasses.dataclass
class Loss:
    kind: str
    share: float
    most: typing.Optional[float] = None  # --max-loss


@dataclasses.dataclass
class Assignment:
    """Bits of all layers; `options` are those that give it again."""

    loss: float
    snr_db: typing.Optional[float]
    arena: int
    weights: int
    instructions: typing.Optional[int]
    fits: bool
    chosen: bool
    options: str
    types: typing.List[str]


@dataclasses.dataclass
class Sensitivity:
    """Noise of the outputs when one layer alone has so many bits."""

    name: str
    op: str
    int4_db: typing.Optional[float]
    int8_db: typing.Optional[float]
    int16_db: typing.Optional[float]


@dataclasses.dataclass
class Quantised:
    samples: int
    outputs: typing.List[OutputNoise]
    layers: typing.List[LayerNoise]  # the noisiest first
    ram: ArenaSizes
    flash: WeightSizes
    instructions: typing.Optional[int] = None
    accuracy: typing.Optional[Accuracy] = None
    loss: typing.Optional[Loss] = None  # with max_loss, ram, flash, ...: what was chosen, among which
    front: typing.List[Assignment] = dataclasses.field(default_factory=list)
    sensitivity: typing.List[Sensitivity] = dataclasses.field(default_factory=list)
    raw: typing.Dict[str, typing.Any] = dataclasses.field(default_factory=dict, repr=False, compare=False)  # the JSON itself

    @classmethod
    def from_json(cls, data: typing.Dict[str, typing.Any]) -> Quantised:
        """A report as `json.load` reads it; ValueError where it is of another schema."""
        return read(cls, data, "tarn-quantize/1", "quantize")
