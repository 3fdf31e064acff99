#!/usr/bin/env python3
# SPDX-License-Identifier: MIT-0
"""Trains the digits network, and writes what the example needs: digits.onnx, samples.h, training.json.

Data: the 1797 scanned 8x8 digits that scikit-learn carries. A fifth is held out of training.
Needs: pip install numpy scikit-learn onnx. Takes half a minute; no other step of the example runs it.
"""
import json
import pathlib

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from sklearn.datasets import load_digits

HERE = pathlib.Path(__file__).resolve().parent
EPOCHS, BATCH, RATE = 60, 32, 2e-3


def columns(image):
    """[n, c, h, w] -> [n, h*w, c*9]: what a 3x3 kernel with a border of one sees at every pixel."""
    n, c, h, w = image.shape
    padded = np.pad(image, ((0, 0), (0, 0), (1, 1), (1, 1)))
    taps = [padded[:, :, y:y + h, x:x + w] for y in range(3) for x in range(3)]
    return np.stack(taps, axis=2).reshape(n, c * 9, h * w).transpose(0, 2, 1)


def image_of(gradient, shape):
    """The transpose of columns(): adds what every tap says back onto its pixel."""
    n, c, h, w = shape
    taps = gradient.transpose(0, 2, 1).reshape(n, c, 9, h, w)
    padded = np.zeros((n, c, h + 2, w + 2), np.float32)
    for tap in range(9):
        y, x = divmod(tap, 3)
        padded[:, :, y:y + h, x:x + w] += taps[:, :, tap]
    return padded[:, :, 1:-1, 1:-1]


class ConvReluPool:
    """3x3 convolution, Relu, 2x2 maximum."""

    def __init__(self, rng, inputs, outputs):
        scale = np.sqrt(2 / (inputs * 9))
        self.values = [(rng.standard_normal((outputs, inputs * 9)) * scale).astype(np.float32),
                       np.zeros(outputs, np.float32)]

    def forward(self, image):
        n, _, h, w = self.shape = image.shape
        self.seen = columns(image)
        raw = (self.seen @ self.values[0].T + self.values[1]).transpose(0, 2, 1)
        quads = raw.reshape(n, -1, h // 2, 2, w // 2, 2).transpose(0, 1, 2, 4, 3, 5).reshape(n, -1, h // 2, w // 2, 4)
        self.winner = quads.argmax(axis=-1)[..., None]
        best = np.take_along_axis(quads, self.winner, -1)[..., 0]
        self.alive = best > 0
        return best * self.alive

    def backward(self, gradient):
        n, outputs, h, w = gradient.shape
        quads = np.zeros((n, outputs, h, w, 4), np.float32)
        np.put_along_axis(quads, self.winner, (gradient * self.alive)[..., None], -1)
        raw = quads.reshape(n, outputs, h, w, 2, 2).transpose(0, 2, 4, 3, 5, 1).reshape(n, 4 * h * w, outputs)
        self.gradients = [np.einsum('npo,npk->ok', raw, self.seen, optimize=True), raw.sum((0, 1))]
        return image_of(raw @ self.values[0], self.shape)


class Linear:
    def __init__(self, rng, inputs, outputs):
        self.values = [(rng.standard_normal((outputs, inputs)) / np.sqrt(inputs)).astype(np.float32),
                       np.zeros(outputs, np.float32)]

    def forward(self, image):
        self.shape = image.shape
        self.seen = image.reshape(len(image), -1)
        return self.seen @ self.values[0].T + self.values[1]

    def backward(self, gradient):
        self.gradients = [gradient.T @ self.seen, gradient.sum(0)]
        return (gradient @ self.values[0]).reshape(self.shape)


def train(layers, images, labels, rng):
    moments = [[(np.zeros_like(v), np.zeros_like(v)) for v in layer.values] for layer in layers]
    step = 0
    for epoch in range(EPOCHS):
        order = rng.permutation(len(images))
        rate = RATE * (1 - epoch / EPOCHS)
        for first in range(0, len(order), BATCH):
            batch = order[first:first + BATCH]
            scores = images[batch]
            for layer in layers:
                scores = layer.forward(scores)
            scores = np.exp(scores - scores.max(1, keepdims=True))
            gradient = scores / scores.sum(1, keepdims=True)
            gradient[np.arange(len(batch)), labels[batch]] -= 1
            gradient /= len(batch)
            for layer in reversed(layers):
                gradient = layer.backward(gradient)
            step += 1
            for layer, memory in zip(layers, moments):  # Adam
                for value, slope, (mean, square) in zip(layer.values, layer.gradients, memory):
                    mean += 0.1 * (slope - mean)
                    square += 0.001 * (slope * slope - square)
                    value -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)


def classify(layers, images):
    for layer in layers:
        images = layer.forward(images)
    return images.argmax(1)


def write_onnx(layers, path):
    first, second, last = layers
    weights = {
        'conv1_weight': first.values[0].reshape(-1, 1, 3, 3), 'conv1_bias': first.values[1],
        'conv2_weight': second.values[0].reshape(-1, len(first.values[1]), 3, 3), 'conv2_bias': second.values[1],
        'dense_weight': last.values[0], 'dense_bias': last.values[1]}
    conv = {'kernel_shape': [3, 3], 'pads': [1, 1, 1, 1]}
    pool = {'kernel_shape': [2, 2], 'strides': [2, 2]}
    nodes = [
        helper.make_node('Conv', ['image', 'conv1_weight', 'conv1_bias'], ['conv1'], 'conv1', **conv),
        helper.make_node('Relu', ['conv1'], ['relu1'], 'relu1'),
        helper.make_node('MaxPool', ['relu1'], ['pool1'], 'pool1', **pool),
        helper.make_node('Conv', ['pool1', 'conv2_weight', 'conv2_bias'], ['conv2'], 'conv2', **conv),
        helper.make_node('Relu', ['conv2'], ['relu2'], 'relu2'),
        helper.make_node('MaxPool', ['relu2'], ['pool2'], 'pool2', **pool),
        helper.make_node('Flatten', ['pool2'], ['flat'], 'flatten'),
        helper.make_node('Gemm', ['flat', 'dense_weight', 'dense_bias'], ['logits'], 'dense', transB=1),
        helper.make_node('Softmax', ['logits'], ['scores'], 'softmax', axis=1)]
    graph = helper.make_graph(
        nodes, 'digits', [helper.make_tensor_value_info('image', TensorProto.FLOAT, [1, 1, 8, 8])],
        [helper.make_tensor_value_info('scores', TensorProto.FLOAT, [1, 10])],
        [numpy_helper.from_array(np.ascontiguousarray(value), name) for name, value in weights.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid('', 17)], ir_version=8, producer_name='digits')
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, path)


def write_samples(images, labels, path):
    """One line a sample: its label, and a letter for the grey of each pixel, 'a' for 0 to 'q' for 16."""
    lines = ['/* Held-out digits, written by train.py: label, and the grey of 8x8 pixels, \'a\' for 0 to \'q\' for 16.',
             ' * E. Alpaydin, C. Kaynak: Optical Recognition of Handwritten Digits, UCI Machine Learning Repository, 1998;',
             ' * CC BY 4.0, DOI 10.24432/C50P49; rewritten as letters here. */',
             '#ifndef SAMPLES_H', '#define SAMPLES_H', '',
             'typedef struct {', '  int label;', '  char pixels[65];', '} sample;', '',
             f'#define SAMPLE_COUNT {len(labels)}', '', 'static const sample samples[SAMPLE_COUNT] = {']
    for image, label in zip(images, labels):
        text = ''.join(chr(ord('a') + int(grey)) for grey in image.ravel())
        lines.append(f'    {{{label}, "{text}"}},')
    path.write_text('\n'.join(lines + ['};', '', '#endif', '']))


def main():
    rng = np.random.default_rng(8)
    digits = load_digits()
    order = rng.permutation(len(digits.target))
    images, labels = digits.images[order][:, None], digits.target[order]
    scaled = (images / 16).astype(np.float32)
    held = len(labels) // 5
    layers = [ConvReluPool(rng, 1, 8), ConvReluPool(rng, 8, 16), Linear(rng, 64, 10)]
    train(layers, scaled[held:], labels[held:], rng)
    correct = int((classify(layers, scaled[:held]) == labels[:held]).sum())
    write_onnx(layers, HERE / 'digits.onnx')
    write_samples(images[:held], labels[:held], HERE / 'samples.h')
    result = {'samples': held, 'correct': correct, 'accuracy': round(correct / held, 4)}
    (HERE / 'training.json').write_text(json.dumps(result) + '\n')
    print(result)


main()
