"""A report as dataclasses, key by key as in the JSON ("schema": "tarn-report/1"). Sizes are bytes; steps are half-open: first, end.

Written by make_report.py from report.schema.json; not to be edited. A key that is a word of Python's has an underscore behind it.
"""
from __future__ import annotations

import dataclasses
import typing

from ._json import read


@dataclasses.dataclass
class Model:
    name: str
    file: str
    sha256: str
    opset: int
    nodes: int
    dims: typing.Dict[str, int]


@dataclasses.dataclass
class Input:
    name: str
    c_name: str
    accessor: str
    dtype: str
    shape: typing.List[int]
    bytes: int
    offset: typing.Optional[int]
    bank: typing.Optional[str] = None  # with --bank: where it lies; offset counts from there
    scale: typing.Optional[float] = None  # with --quantized-io: what one code stands for
    zero_point: typing.Optional[int] = None
    axes: typing.Optional[str] = None  # handed over channels last: what the axes of shape are, N, H, W, C; or N, W, H, C: column by column
    model_shape: typing.List[int] = dataclasses.field(default_factory=list)  # with axes: the shape in the model, N, C and the rest
    lines: typing.Optional[int] = None  # pushed or pulled by lines: how many
    line: typing.List[int] = dataclasses.field(default_factory=list)  # the shape of one line, in the order of C
    passes: typing.Optional[int] = None  # fed by lines: how often all lines are handed over, first to last


@dataclasses.dataclass
class Output:
    name: str
    c_name: str
    accessor: str
    dtype: str
    shape: typing.List[int]
    bytes: int
    offset: typing.Optional[int]
    bank: typing.Optional[str] = None  # with --bank: where it lies; offset counts from there
    scale: typing.Optional[float] = None  # with --quantized-io: what one code stands for
    zero_point: typing.Optional[int] = None
    axes: typing.Optional[str] = None  # handed over channels last: what the axes of shape are, N, H, W, C; or N, W, H, C: column by column
    model_shape: typing.List[int] = dataclasses.field(default_factory=list)  # with axes: the shape in the model, N, C and the rest
    lines: typing.Optional[int] = None  # pushed or pulled by lines: how many
    line: typing.List[int] = dataclasses.field(default_factory=list)  # the shape of one line, in the order of C


@dataclasses.dataclass
class Ram:
    arena: int
    activations: int
    scratch: int
    padding: int
    static: int
    stack: typing.Optional[int]
    total: int


@dataclasses.dataclass
class Flash:
    weights: int
    code: typing.Optional[int]


@dataclasses.dataclass
class CertificateTensor:
    name: str
    bytes: int
    first: int
    end: int


@dataclasses.dataclass
class Forbidden:
    above: int
    below: int


@dataclasses.dataclass
class Pair:
    a: int
    b: int
    forbidden: typing.List[Forbidden]


@dataclasses.dataclass
class Certificate:
    by: str
    every_order: bool
    step: typing.Optional[int] = None
    instant: typing.Optional[int] = None
    nodes: typing.Optional[int] = None
    tensors: typing.List[CertificateTensor] = dataclasses.field(default_factory=list)
    pairs: typing.List[Pair] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Plan:
    strategy: str
    order: str
    share: typing.List[str]
    align: int
    arena: int
    lower_bound: int
    proof: str
    naive: int
    floor: int
    peak_step: int
    search_nodes: int
    certificate: typing.Optional[Certificate] = None


@dataclasses.dataclass
class StreamBytes:
    inputs: int
    outputs: int
    between: int
    accumulators: int
    histories: int
    windows: int
    scratch: int
    driver: int


@dataclasses.dataclass
class Segment:
    nodes: typing.List[str]


@dataclasses.dataclass
class Part:
    offset: int
    bytes: int


@dataclasses.dataclass
class Memory:
    name: str
    holds: str
    addressing: str
    lines: int
    slots: int
    line_bytes: int
    bytes: int
    offset: int
    kind: str
    first: int
    end: int
    parts: typing.List[Part] = dataclasses.field(default_factory=list)  # lines at any address: the address ranges that they take


@dataclasses.dataclass
class Stream:
    mode: str
    drain: bool
    for_budget: bool  # chosen because whole layers exceed the budget
    calls: typing.List[str]  # the functions that lines go through; empty: NAME_run, as with whole layers
    lines: str
    bound_of: str
    steps: int
    table_bytes: int
    stripes: int
    recomputed: int  # line-buffer operators that make the lines under their windows anew
    extra_macs: int
    bytes: StreamBytes
    segments: typing.List[Segment]
    memories: typing.List[Memory]
    stripes_end: typing.Optional[str] = None


@dataclasses.dataclass
class Pareto:
    options: str
    ram: int
    flash: int
    instructions: typing.Optional[int]
    arena: int
    bound: int
    macs: int
    extra_macs: int
    stripes: int
    passes: int
    table_bytes: int
    proof: str
    chosen: bool
    dominated: bool


@dataclasses.dataclass
class ComparedStream:
    mode: str
    drain: bool
    lines: str
    arena: typing.Optional[int] = None
    bound: typing.Optional[int] = None
    table_bytes: typing.Optional[int] = None
    stripes: typing.Optional[int] = None
    recomputed: typing.Optional[int] = None
    extra_macs: typing.Optional[int] = None
    proof: typing.Optional[str] = None
    fault: typing.Optional[str] = None


@dataclasses.dataclass
class BudgetRam:
    limit: int
    used: int
    fits: bool
    proved: bool


@dataclasses.dataclass
class BudgetFlash:
    limit: int
    used: int
    fits: bool
    proved: bool


@dataclasses.dataclass
class Instruction:
    limit: int
    used: int
    fits: bool
    proved: bool


@dataclasses.dataclass
class Nanosecond:
    limit: int
    used: int
    fits: bool
    proved: bool


@dataclasses.dataclass
class Budget:
    ram: typing.Optional[BudgetRam] = None
    flash: typing.Optional[BudgetFlash] = None
    instructions: typing.Optional[Instruction] = None
    nanoseconds: typing.Optional[Nanosecond] = None


@dataclasses.dataclass
class Compare:
    strategy: str
    order: str
    share: typing.List[str]
    arena: int
    lower_bound: int
    proof: str
    search_nodes: int


@dataclasses.dataclass
class Sweep:
    dims: typing.Dict[str, int]
    arena: typing.Optional[int] = None
    lower_bound: typing.Optional[int] = None
    proof: typing.Optional[str] = None
    macs: typing.Optional[int] = None
    instructions: typing.Optional[int] = None
    fault: typing.Optional[str] = None


@dataclasses.dataclass
class DimOffset:
    follow: bool
    one_set: int


@dataclasses.dataclass
class Beyond:
    n: int
    arena: int
    continues: bool


@dataclasses.dataclass
class Arena:
    from_: int
    to: int
    expression: str


@dataclasses.dataclass
class LowerBound:
    from_: int
    to: int
    expression: str


@dataclasses.dataclass
class Fit:
    limit: int
    largest: typing.Optional[int]
    proved: bool


@dataclasses.dataclass
class Symbolic:
    dims: typing.Dict[str, typing.List[int]]
    proved: int
    arena: typing.List[Arena]
    lower_bound: typing.List[LowerBound]
    shapes: typing.Dict[str, typing.List[str]]
    bytes: typing.Dict[str, str]
    macs: str
    weights: str
    run_time: typing.Optional[bool] = None
    open: typing.Optional[bool] = None
    beyond: typing.List[Beyond] = dataclasses.field(default_factory=list)
    fits: typing.Optional[Fit] = None


@dataclasses.dataclass
class GridArena:
    from_: typing.Dict[str, int]
    to: typing.Dict[str, int]
    expression: str


@dataclasses.dataclass
class GridLowerBound:
    from_: typing.Dict[str, int]
    to: typing.Dict[str, int]
    expression: str


@dataclasses.dataclass
class GridMacs:
    from_: typing.Dict[str, int]
    to: typing.Dict[str, int]
    expression: str


@dataclasses.dataclass
class GridWeight:
    from_: typing.Dict[str, int]
    to: typing.Dict[str, int]
    expression: str


@dataclasses.dataclass
class Grid:
    dims: typing.Dict[str, typing.List[int]]
    tied: typing.List[typing.List[str]]
    points: int
    proved: int
    arena: typing.List[GridArena]
    lower_bound: typing.List[GridLowerBound]
    macs: typing.List[GridMacs]
    weights: typing.List[GridWeight]
    shapes: typing.Dict[str, typing.List[str]]
    bytes: typing.Dict[str, str]
    run_time: typing.Optional[bool] = None
    open: typing.Optional[bool] = None


@dataclasses.dataclass
class History:
    out: str
    in_: str
    steps: int


@dataclasses.dataclass
class State:
    out: str
    in_: str
    bytes: int
    in_place: bool
    why: str
    first_values: bool
    note: typing.Optional[str] = None
    moves: typing.Optional[str] = None
    stored: typing.Optional[str] = None
    float_bytes: typing.Optional[int] = None
    relative_error: typing.Optional[float] = None


@dataclasses.dataclass
class Weight:
    tensor: str
    stored: str
    bytes: int
    float_bytes: int
    snr_db: typing.Optional[float]
    entropy_bytes: typing.Optional[float] = None


@dataclasses.dataclass
class Transfer:
    bytes: int
    reads: int
    buffer: int
    bandwidth: typing.Optional[int]
    nanoseconds: typing.Optional[int]
    stall: typing.Optional[int]


@dataclasses.dataclass
class Sparsity:
    tensor: str
    type: str
    elements: int
    zeros: int
    zero: float
    blocks_1x4: float
    blocks_4x1: float
    blocks_4x4: float
    two_of_four: float


@dataclasses.dataclass
class Advice:
    change: str
    options: str
    arena: int
    ram: int
    fits: bool
    proof: str
    note: str
    instructions: typing.Optional[int] = None
    flash: typing.Optional[int] = None
    cycles: typing.Optional[int] = None


@dataclasses.dataclass
class Bank:
    name: str
    section: str
    symbol: str
    dma: bool
    size: int
    arena: int
    fits: bool
    lower_bound: int
    proof: str
    traffic: int
    tensors: int
    base: int  # where it begins when all banks are laid end to end


@dataclasses.dataclass
class Split:
    """cost: the traffic of each bank times its place in the list"""

    cost: int
    lower_bound: int
    proof: str
    fits: bool
    proved: bool
    core: typing.List[str]


@dataclasses.dataclass
class Sharing:
    with_: str
    how: str
    bytes: int


@dataclasses.dataclass
class Tensor:
    name: str
    c_name: str
    kind: str
    dtype: str
    shape: typing.List[int]
    bytes: int
    offset: typing.Optional[int]
    first: int
    end: int
    shares: typing.Optional[Sharing] = None
    bank: typing.Optional[str] = None  # with --bank: where it lies; offset counts from there


@dataclasses.dataclass
class Step:
    step: int
    kernel: str
    op: str
    nodes: typing.List[str]
    shape: typing.List[int]
    macs: int
    params: int
    weight_bytes: int
    live_bytes: int
    live: typing.List[str]
    reads: typing.List[str]
    writes: typing.List[str]
    scratch: typing.List[str]
    zeros: typing.Optional[int] = None
    instructions: typing.Optional[int] = None
    cycles: typing.Optional[int] = None


@dataclasses.dataclass
class Totals:
    macs: int
    params: int


@dataclasses.dataclass
class Code:
    wait: int
    line: int


@dataclasses.dataclass
class TimeMemoryWeight:
    wait: int
    line: int


@dataclasses.dataclass
class TimeMemory:
    code: Code
    weights: TimeMemoryWeight


@dataclasses.dataclass
class Published:
    board: str
    measurements: int
    mean_error: float
    worst_error: float


@dataclasses.dataclass
class Slowest:
    step: int
    kernel: str
    instructions: int
    why: str
    cycles: typing.Optional[int] = None


@dataclasses.dataclass
class Time:
    target: str
    instructions: typing.Optional[int]
    least: int
    most: typing.Optional[int]
    cycles: typing.Optional[int]
    clock: typing.Optional[int]
    ms: typing.Optional[float]
    missing_steps: int
    missing_macs: int
    missing_kernels: typing.List[str]
    slowest: typing.List[Slowest]
    missing_because: typing.Optional[str] = None
    memories: typing.Optional[TimeMemory] = None
    cycles_by: typing.Optional[str] = None
    published: typing.Optional[Published] = None


@dataclasses.dataclass
class VerifyOutput:
    name: str
    max_abs: float
    max_rel: float
    mismatches: int
    moved: typing.Optional[int] = None
    snr_db: typing.Optional[float] = None


@dataclasses.dataclass
class Value:
    step: int
    tensor: str
    compared: bool
    max_abs: typing.Optional[float] = None
    max_rel: typing.Optional[float] = None
    mismatches: typing.Optional[int] = None


@dataclasses.dataclass
class Node:
    reference: str
    first: typing.Optional[int]
    values: typing.List[Value]


@dataclasses.dataclass
class Verify:
    on: str
    reference: str
    reference_detail: str
    outputs: typing.List[VerifyOutput]
    arena: int
    static: int
    stack: typing.Optional[int]
    stack_bound: typing.Optional[int]
    text: int
    rodata: int
    instructions: typing.Optional[int]
    board: typing.Optional[str] = None
    noise_reference: typing.Optional[str] = None
    nodes: typing.Optional[Node] = None
    predicted: typing.Optional[int] = None
    cycles: typing.Optional[int] = None


@dataclasses.dataclass
class Report:
    """What tarn tells of one model. Bytes are integers; steps are half-open: first, end."""

    schema: str
    tarn: str
    command: typing.List[str]
    model: Model
    io: str
    inputs: typing.List[Input]
    outputs: typing.List[Output]
    ram: Ram
    flash: Flash
    plan: Plan
    tensors: typing.List[Tensor]
    steps: typing.List[Step]
    totals: Totals
    compiler: typing.Optional[str] = None
    stack_path: typing.List[str] = dataclasses.field(default_factory=list)
    stream: typing.Optional[Stream] = None
    pareto: typing.List[Pareto] = dataclasses.field(default_factory=list)  # analyze --pareto: ascending RAM
    streams: typing.List[ComparedStream] = dataclasses.field(default_factory=list)
    budget: typing.Optional[Budget] = None
    compare: typing.List[Compare] = dataclasses.field(default_factory=list)
    sweep: typing.List[Sweep] = dataclasses.field(default_factory=list)
    dim_offsets: typing.Optional[DimOffset] = None
    symbolic: typing.Optional[Symbolic] = None
    grid: typing.Optional[Grid] = None
    histories: typing.List[History] = dataclasses.field(default_factory=list)
    states: typing.List[State] = dataclasses.field(default_factory=list)
    weights: typing.List[Weight] = dataclasses.field(default_factory=list)
    transfers: typing.Optional[Transfer] = None
    sparsity: typing.List[Sparsity] = dataclasses.field(default_factory=list)
    advice: typing.List[Advice] = dataclasses.field(default_factory=list)
    banks: typing.List[Bank] = dataclasses.field(default_factory=list)  # the memories of --bank, fastest first
    split: typing.Optional[Split] = None  # cost: the traffic of each bank times its place in the list
    time: typing.Optional[Time] = None
    verify: typing.List[Verify] = dataclasses.field(default_factory=list)
    raw: typing.Dict[str, typing.Any] = dataclasses.field(default_factory=dict, repr=False, compare=False)  # the JSON itself

    @classmethod
    def from_json(cls, data: typing.Dict[str, typing.Any]) -> Report:
        """A report as `json.load` reads it; ValueError where it is of another schema."""
        return read(cls, data, "tarn-report/1")
