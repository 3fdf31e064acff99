"""Random networks as people export them, small, by seed: build(seed, kind) gives an onnx model and inputs for it."""
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

KINDS = ['conv', 'qdq', 'qoperator', 'recurrent', 'attention', 'elementwise', 'signal', 'dynamic']


class Network:
    """Nodes and weights as they are added. A tensor is its name; its shape is in `shapes`."""

    def __init__(self, seed, opset=17):
        self.random = np.random.default_rng(seed)
        self.opset = opset
        self.nodes, self.weights, self.inputs, self.shapes = [], [], [], {}
        self.quantised = False

    def one_in(self, n):
        return self.random.integers(n) == 0

    def below(self, n):
        return int(self.random.integers(n))

    def pick(self, items):
        return items[self.below(len(items))]

    def input(self, shape, dtype=np.float32):
        name = f'in{len(self.inputs)}'
        self.inputs.append((name, tuple(shape), dtype))
        self.shapes[name] = tuple(shape)
        return name

    def constant(self, array):
        name = f'w{len(self.weights)}'
        self.weights.append(numpy_helper.from_array(np.asarray(array), name))
        self.shapes[name] = np.shape(array)
        return name

    def normal(self, *shape, scale=1.0):
        return self.constant((self.random.normal(size=shape) * scale).astype(np.float32))

    def ints(self, *values):
        return self.constant(np.array(values, np.int64))

    def add(self, op, inputs, shape, outputs=1, **attributes):
        names = [f't{len(self.nodes)}_{i}' if i else f't{len(self.nodes)}' for i in range(outputs)]
        self.nodes.append(helper.make_node(op, inputs, names, name=f'n{len(self.nodes)}', **attributes))
        shapes = shape if isinstance(shape, list) else [shape]
        for name, s in zip(names, shapes):
            self.shapes[name] = tuple(int(d) for d in s)
        return names[0] if outputs == 1 else names

    def model(self, outputs):
        outputs = list(dict.fromkeys(outputs))
        ports = [helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(np.dtype(t)), s) for n, s, t in self.inputs]
        made = [helper.make_empty_tensor_value_info(o) for o in outputs]
        graph = helper.make_graph(self.nodes, 'random', ports, made, self.weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid('', self.opset)], ir_version=10 if self.opset > 20 else 8)
        return onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True)

    def sample(self):
        values = {}
        for name, shape, dtype in self.inputs:
            dtype = np.dtype(dtype)
            if dtype == np.bool_:
                values[name] = self.random.integers(0, 2, shape).astype(dtype)
            elif dtype.kind in 'iu':
                values[name] = self.random.integers(0, 4, shape).astype(dtype)
            else:
                values[name] = self.random.normal(size=shape).astype(dtype)
        return values


def activation(net, x):
    shape = net.shapes[x]
    kind = net.below(9)
    if kind < 3:
        return net.add('Relu', [x], shape)
    if kind == 3:
        return net.add('Clip', [x, net.constant(np.float32(0)), net.constant(np.float32(6))], shape)
    if kind == 4:
        return net.add('LeakyRelu', [x], shape, alpha=0.1)
    if kind == 5:
        return net.add('HardSwish', [x], shape)
    if kind == 6:
        return net.add('Mul', [x, net.add('Sigmoid', [x], shape)], shape)
    if kind == 7:
        return net.add(net.pick(['Tanh', 'Elu', 'Softplus', 'HardSigmoid', 'Sigmoid']), [x], shape)
    return net.add('PRelu', [x, net.normal(shape[1], *[1] * (len(shape) - 2), scale=0.2)], shape)


def conv(net, x, outputs=None, kernel=None, stride=None, same=False):
    n, channels, *size = net.shapes[x]
    axes = len(size)
    depthwise = outputs is None and channels > 1 and net.one_in(3)
    outputs = outputs or (channels * (1 + net.below(2)) if depthwise else 1 + net.below(12))
    group = channels if depthwise else 1
    if not depthwise and channels % 2 == 0 and outputs % 2 == 0 and net.one_in(6):
        group = 2
    kernels = [kernel or 1 + net.below(5) for _ in size]
    strides = [stride or net.pick([1, 1, 1, 2, 2, 3]) for _ in size]
    dilations = [1 if net.below(6) else 2 for _ in size]
    if same:
        kernels, strides, dilations = [net.pick([1, 3])] * axes, [1] * axes, [1] * axes
    reach = [d * (k - 1) + 1 for k, d in zip(kernels, dilations)]
    pads = [(r - 1) // 2 if same or net.below(3) else net.below(r) for r in reach]
    after = [r - 1 - p if same else (p if net.below(2) else net.below(r)) for r, p in zip(reach, pads)]
    out = [(s + a + b - r) // t + 1 if s + a + b >= r else 0 for s, a, b, r, t in zip(size, pads, after, reach, strides)]
    if min(out) < 1:
        return x
    taps = channels // group * int(np.prod(kernels))
    inputs = [x, net.normal(outputs, channels // group, *kernels, scale=(2 / taps) ** 0.5)]
    if net.below(4):
        inputs.append(net.normal(outputs, scale=0.2))
    y = net.add('Conv', inputs, (n, outputs, *out), kernel_shape=kernels, strides=strides, dilations=dilations, pads=pads + after, group=group)
    if net.one_in(4):
        c = outputs
        y = net.add('BatchNormalization', [y, net.normal(c), net.normal(c), net.normal(c, scale=0.1), net.constant(net.random.uniform(0.5, 2, c).astype(np.float32))], net.shapes[y])
    return activation(net, y) if net.below(5) else y


def pool(net, x):
    n, channels, *size = net.shapes[x]
    kernels, strides = [1 + net.below(3) for _ in size], [1 + net.below(2) for _ in size]
    pads = [net.below(k) for k in kernels] if net.one_in(3) else [0] * len(size)
    after = list(pads)
    ceil = net.one_in(4)
    out = []
    for s, k, t, p in zip(size, kernels, strides, pads):
        if s + 2 * p < k:
            return x
        length = (s + 2 * p - k + (t - 1 if ceil else 0)) // t + 1
        if ceil and (length - 1) * t >= s + p:
            length -= 1  # a window must begin inside the image or the padding before it
        out.append(length)
    attributes = dict(kernel_shape=kernels, strides=strides, pads=pads + after, ceil_mode=int(ceil))
    if net.one_in(2):
        return net.add('MaxPool', [x], (n, channels, *out), **attributes)
    return net.add('AveragePool', [x], (n, channels, *out), count_include_pad=net.below(2) if not ceil else 0, **attributes)


def image_layer(net, x):
    shape = net.shapes[x]
    n, c, *size = shape
    kind = net.below(16)
    if kind < 6:
        return conv(net, x)
    if kind == 6:
        return pool(net, x)
    if kind == 7:  # residual
        y = conv(net, x, outputs=c, same=True)
        y = conv(net, y, outputs=c, same=True) if net.one_in(2) else y
        return activation(net, net.add('Add', [y, x] if net.one_in(2) else [x, y], shape))
    if kind == 8:  # branches beside each other
        parts = [conv(net, x, outputs=1 + net.below(6), same=True) for _ in range(2 + net.below(2))]
        if net.one_in(3):
            parts.append(x)
        return net.add('Concat', parts, (n, sum(net.shapes[p][1] for p in parts), *size), axis=1)
    if kind == 9 and max(size) <= 16:
        # Between codes a third falls on whole numbers, and a rounding of floats decides which code ONNX Runtime gives.
        mode, scale = net.pick(['nearest', 'linear']), 2 if net.quantised else net.pick([2, 2, 3])
        scales = net.constant(np.array([1, 1] + [scale] * len(size), np.float32))
        return net.add('Resize', [x, '', scales], (n, c, *[s * scale for s in size]), mode=mode,
                       coordinate_transformation_mode=net.pick(['half_pixel', 'asymmetric']), nearest_mode='floor' if mode == 'nearest' else 'round_prefer_floor')
    if kind == 10:  # squeeze and excite
        s = net.add('GlobalAveragePool', [x], (n, c, *[1] * len(size)))
        s = net.add('Conv', [s, net.normal(c, c, *[1] * len(size), scale=c ** -0.5)], (n, c, *[1] * len(size)))
        return net.add('Mul', [x, net.add('Sigmoid', [s], net.shapes[s])], shape)
    if kind == 11 and max(size) <= 16:
        k, t, outputs = 1 + net.below(4), 1 + net.below(2), 1 + net.below(6)
        p = net.below((k + 1) // 2)
        out = [(s - 1) * t + k - 2 * p for s in size]
        if min(out) < 1:
            return x
        return net.add('ConvTranspose', [x, net.normal(c, outputs, *[k] * len(size), scale=(2 / c / k) ** 0.5), net.normal(outputs, scale=0.1)], (n, outputs, *out),
                       kernel_shape=[k] * len(size), strides=[t] * len(size), pads=[p] * 2 * len(size))
    if kind == 12:
        before, after = [net.below(3) for _ in size], [net.below(3) for _ in size]
        mode = net.pick(['constant', 'edge', 'reflect'])
        if mode == 'reflect' and min(size) < 4:
            mode = 'edge'
        return net.add('Pad', [x, net.ints(0, 0, *before, 0, 0, *after)], (n, c, *[s + a + b for s, a, b in zip(size, before, after)]), mode=mode)
    if kind == 13 and c >= 2:
        a = 1 + net.below(c - 1)
        parts = net.add('Split', [x, net.ints(a, c - a)], [(n, a, *size), (n, c - a, *size)], outputs=2, axis=1)
        first = conv(net, parts[0], outputs=a, same=True)
        return net.add('Concat', [first, parts[1]] if net.one_in(2) else [parts[1], first], shape, axis=1)
    if kind == 14 and len(size) == 2 and min(size) > 2:
        return crop(net, x)
    return activation(net, net.add('Add', [x, net.normal(1, c, *[1] * len(size), scale=0.3)], shape))


def crop(net, x):
    n, c, *size = net.shapes[x]
    starts, ends = [net.below(2) for _ in size], [s - net.below(2) for s in size]
    return net.add('Slice', [x, net.ints(*starts), net.ints(*ends), net.ints(*range(2, 2 + len(size)))], (n, c, *[e - s for s, e in zip(starts, ends)]))


def head(net, x):
    n, c, *size = net.shapes[x]
    kind = net.below(4)
    if kind == 0:
        return x
    if kind == 1:
        x = net.add('GlobalAveragePool', [x], (n, c, *[1] * len(size)))
        size = [1] * len(size)
    features = c * int(np.prod(size))
    x = net.add('Flatten', [x], (n, features)) if net.one_in(2) else net.add('Reshape', [x, net.ints(n, -1)], (n, features))
    classes = 1 + net.below(10)
    x = net.add('Gemm', [x, net.normal(classes, features, scale=features ** -0.5), net.normal(classes)], (n, classes), transB=1)
    return net.add('Softmax', [x], (n, classes), axis=-1) if net.one_in(3) else x


def convolutional(net, axes=2, most=7):
    size = [6 + net.below(18) for _ in range(axes)]
    x = net.input((1 if net.below(8) else 2, 1 + net.below(6), *size))
    seen = []
    for _ in range(2 + net.below(most)):
        x = image_layer(net, x)
        seen.append(x)
    y = head(net, x)
    outputs = [y] + [s for s in seen[:-1] if net.one_in(10)]
    return [o for o in outputs if o not in [i[0] for i in net.inputs]] or [activation(net, x)]


def recurrent(net):
    steps, batch, width = 1 + net.below(8), 1 + net.below(2), 1 + net.below(8)
    x = net.input((steps, batch, width))
    for _ in range(1 + net.below(2)):
        op, hidden = net.pick(['LSTM', 'GRU', 'RNN']), 1 + net.below(8)
        direction = net.pick(['forward', 'reverse', 'bidirectional'])
        d, gates = (2 if direction == 'bidirectional' else 1), {'LSTM': 4, 'GRU': 3, 'RNN': 1}[op]
        width = net.shapes[x][2]
        inputs = [x, net.normal(d, gates * hidden, width, scale=width ** -0.5), net.normal(d, gates * hidden, hidden, scale=hidden ** -0.5)]
        inputs.append(net.normal(d, 2 * gates * hidden, scale=0.2) if net.below(4) else '')
        inputs.append('')
        inputs.append(net.input((d, batch, hidden)) if net.one_in(3) else '')
        attributes = dict(hidden_size=hidden, direction=direction)
        if op == 'GRU':
            attributes['linear_before_reset'] = net.below(2)
        if op == 'LSTM' and inputs[-1] and net.one_in(2):
            inputs.append(net.normal(d, batch, hidden))
        while inputs[-1] == '':
            inputs.pop()
        y, h = net.add(op, inputs, [(steps, d, batch, hidden), (d, batch, hidden)], outputs=2, **attributes)
        if net.one_in(4):
            return [y, h]
        x = net.add('Transpose', [y], (steps, batch, d, hidden), perm=[0, 2, 1, 3])
        x = net.add('Reshape', [x, net.ints(steps, batch, -1)], (steps, batch, d * hidden))
    classes = 1 + net.below(6)
    y = net.add('MatMul', [x, net.normal(net.shapes[x][2], classes)], (steps, batch, classes))
    return [net.add('Add', [y, net.normal(classes)], (steps, batch, classes)), h]


def norm(net, x):
    shape = net.shapes[x]
    return net.add('LayerNormalization', [x, net.normal(shape[-1], scale=0.5), net.normal(shape[-1], scale=0.1)], shape, axis=-1)


def attention(net):
    batch, length, heads, each = 1 + net.below(2), 1 + net.below(10), net.pick([1, 2, 4]), net.pick([2, 4, 8])
    width = heads * each
    x = net.input((batch, length, width))
    for _ in range(1 + net.below(2)):
        start = x
        x = norm(net, x) if net.below(3) else x

        def project(t):
            y = net.add('MatMul', [t, net.normal(width, width, scale=width ** -0.5)], (batch, length, width))
            y = net.add('Add', [y, net.normal(width, scale=0.1)], (batch, length, width)) if net.below(3) else y
            y = net.add('Reshape', [y, net.ints(0, 0, heads, each)], (batch, length, heads, each))
            return net.add('Transpose', [y], (batch, heads, length, each), perm=[0, 2, 1, 3])

        q, k, v = project(x), project(x), project(x)
        kt = net.add('Transpose', [k], (batch, heads, each, length), perm=[0, 1, 3, 2])
        if net.one_in(2):
            q = net.add('Mul', [q, net.constant(np.float32(each ** -0.5))], net.shapes[q])
        s = net.add('MatMul', [q, kt], (batch, heads, length, length))
        if net.one_in(2):
            s = net.add('Div', [s, net.constant(np.float32(each ** 0.5))], net.shapes[s])
        if net.one_in(2):
            mask = np.triu(np.full((length, length), np.float32(-1e4)), 1)
            s = net.add('Add', [s, net.constant(mask)], net.shapes[s])
        s = net.add('Softmax', [s], net.shapes[s], axis=-1)
        y = net.add('MatMul', [s, v], (batch, heads, length, each))
        y = net.add('Transpose', [y], (batch, length, heads, each), perm=[0, 2, 1, 3])
        y = net.add('Reshape', [y, net.ints(batch, length, width)], (batch, length, width))
        y = net.add('MatMul', [y, net.normal(width, width, scale=width ** -0.5)], (batch, length, width))
        x = net.add('Add', [start, y], (batch, length, width))
        start, inner = x, 2 * width
        x = norm(net, x)
        x = net.add('MatMul', [x, net.normal(width, inner, scale=width ** -0.5)], (batch, length, inner))
        if net.one_in(2):
            e = net.add('Erf', [net.add('Div', [x, net.constant(np.float32(2 ** 0.5))], net.shapes[x])], net.shapes[x])
            x = net.add('Mul', [net.add('Mul', [x, net.add('Add', [e, net.constant(np.float32(1))], net.shapes[x])], net.shapes[x]), net.constant(np.float32(0.5))], net.shapes[x])
        else:
            x = activation3(net, x)
        x = net.add('MatMul', [x, net.normal(inner, width, scale=inner ** -0.5)], (batch, length, width))
        x = net.add('Add', [x, start], (batch, length, width))
    return [norm(net, x) if net.one_in(2) else x]


def activation3(net, x):
    return net.add(net.pick(['Relu', 'Tanh', 'Sigmoid', 'HardSwish']), [x], net.shapes[x])


def broadcast_shape(net, shape):
    cut = shape[net.below(len(shape) + 1):]
    return tuple(d if net.below(3) else 1 for d in cut)


def elementwise(net):
    rank = 1 + net.below(4)
    shape = tuple(1 + net.below(6) for _ in range(rank))
    live = [net.input(shape)]
    for _ in range(net.below(3)):
        live.append(net.input(broadcast_shape(net, shape) or (1,)))
    full = lambda *names: np.broadcast_shapes(*[net.shapes[n] for n in names])
    for _ in range(3 + net.below(10)):
        a, b = net.pick(live), net.pick(live)
        if net.one_in(2):
            b = net.normal(*broadcast_shape(net, shape))
        try:
            full(a, b)
        except ValueError:
            b = a
        kind = net.below(14)
        if kind < 4:
            y = net.add(net.pick(['Add', 'Sub', 'Mul', 'Max', 'Min']), [a, b] if net.one_in(2) else [b, a], full(a, b))
        elif kind == 4:
            d = net.add('Add', [net.add('Abs', [b], net.shapes[b]), net.constant(np.float32(0.5))], net.shapes[b])
            y = net.add('Div', [a, d], full(a, d))
        elif kind == 5:
            c = net.add(net.pick(['Greater', 'Less', 'GreaterOrEqual', 'LessOrEqual']), [a, b], full(a, b))
            y = net.add('Where', [c, a, b], full(a, b))
        elif kind == 6:
            axes = sorted({net.below(len(net.shapes[a])) for _ in range(2)}) if net.shapes[a] else []
            if not axes:
                continue
            kept = tuple(1 if i in axes else d for i, d in enumerate(net.shapes[a]))
            op = net.pick(['ReduceMean', 'ReduceMax', 'ReduceMin', 'ReduceSum', 'ReduceL2', 'ReduceSumSquare'])
            y = net.add(op, [a, net.ints(*axes)] if op == 'ReduceSum' else [a], kept, keepdims=1, **({} if op == 'ReduceSum' else {'axes': axes}))
        elif kind == 7:
            perm = [int(i) for i in net.random.permutation(len(net.shapes[a]))]
            t = net.add('Transpose', [a], tuple(net.shapes[a][i] for i in perm), perm=perm)
            t = net.add(net.pick(['Relu', 'Abs', 'Neg']), [t], net.shapes[t])
            y = net.add('Transpose', [t], net.shapes[a], perm=[int(i) for i in np.argsort(perm)])
        elif kind == 8:
            y = net.add('Softmax', [a], net.shapes[a], axis=-1) if net.shapes[a] else a
        elif kind == 9:
            i = net.add('Cast', [a], net.shapes[a], to=net.pick([TensorProto.INT32, TensorProto.FLOAT16, TensorProto.DOUBLE]))
            y = net.add('Cast', [i], net.shapes[a], to=TensorProto.FLOAT)
        else:
            op = net.pick(['Relu', 'Tanh', 'Sigmoid', 'Abs', 'Neg', 'Erf', 'Exp', 'Floor', 'Ceil', 'Round', 'Softsign', 'Sin', 'Cos', 'Atan', 'Sign', 'HardSigmoid', 'Selu', 'ThresholdedRelu'])
            x = net.add('Tanh', [a], net.shapes[a]) if op == 'Exp' else a
            y = net.add(op, [x], net.shapes[a])
        live.append(y)
    made = [v for v in live if v.startswith('t')]
    return [made[-1]] + [v for v in made[:-1] if net.one_in(6)]


def build(seed, kind):
    """(model, inputs by name)."""
    net = Network(seed)
    quantised = net.quantised = kind in ('qdq', 'qoperator', 'dynamic')
    if kind == 'signal':
        outputs = convolutional(net, axes=1)
    elif kind == 'conv' or quantised:
        outputs = convolutional(net, most=5 if quantised else 7)
    else:
        outputs = {'recurrent': recurrent, 'attention': attention, 'elementwise': elementwise}[kind](net)
    model, inputs = net.model(outputs), net.sample()
    return (quantise(net, model, kind) if quantised else model), inputs


def sums_saturate():
    """Without instructions for dot products of bytes (VNNI) ONNX Runtime on x86 adds pairs of products of int8 weights in 16 bits, which
    saturate; it asks for weights of 7 bits there (its documentation of quantisation, "reduce_range"). Its result is no reference else."""
    try:
        return 'vnni' not in open('/proc/cpuinfo').read()
    except OSError:
        return True


def quantise(net, model, kind):
    """As ONNX Runtime's own tool does it."""
    import logging
    import pathlib
    import tempfile
    from onnxruntime import quantization as q

    logging.disable(logging.WARNING)

    class Samples(q.CalibrationDataReader):
        def __init__(self):
            self.left = [net.sample() for _ in range(3)]

        def get_next(self):
            return self.left.pop() if self.left else None

    with tempfile.TemporaryDirectory() as folder:
        given, made = pathlib.Path(folder, 'given.onnx'), pathlib.Path(folder, 'made.onnx')
        onnx.save(model, given)
        signed = net.one_in(2)
        codes, weights = (q.QuantType.QInt8, q.QuantType.QInt8) if signed else (q.QuantType.QUInt8, net.pick([q.QuantType.QInt8, q.QuantType.QUInt8]))
        narrow = sums_saturate()  # per channel the tool makes int8 of what is asked for as uint8
        if kind == 'dynamic':
            q.quantize_dynamic(given, made, weight_type=weights, reduce_range=narrow, per_channel=bool(net.one_in(2)))
        else:
            extra = {'ActivationSymmetric': bool(signed and net.one_in(2)), 'WeightSymmetric': True}
            q.quantize_static(given, made, Samples(), activation_type=codes,
                              quant_format=q.QuantFormat.QDQ if kind == 'qdq' else q.QuantFormat.QOperator,
                              weight_type=weights, reduce_range=narrow, per_channel=bool(net.one_in(2)), extra_options=extra)
        return onnx.load(made)
