"""Loops and branches, (nodes, weights, inputs, output), around layers of random geometry."""
from more_geometry import floats
from onnx_bytes import BOOL, FLOAT, INT64, graph_attribute, node, tensor, value_info


def scan_layer(rng, i, kind):
    """A state and a row for each trip; rows lie side by side, or apart along a later axis."""
    trips, width, units = rng.randint(1, 12), rng.randint(1, 40), rng.randint(1, 40)
    axis = rng.choice([0, 0, 1])
    x = (trips, width) if axis == 0 else (width, trips)
    held = [floats(rng, f'w{i}', (width, units))]
    body = [node('MatMul', [f'p{i}', f'w{i}'], f'q{i}'), node('Add', [f's{i}', f'q{i}'], f't{i}'), node('Tanh', [f't{i}'], f'o{i}'), node('Identity', [f'o{i}'], f'k{i}')]
    body = graph_attribute('body', body, [value_info(f's{i}', (units,)), value_info(f'p{i}', (width,))], [value_info(f'o{i}', (units,)), value_info(f'k{i}', (units,))])
    y = (trips, units)
    return ([node('Scan', [f'u{i}', f'x{i}'], [f'y{i}', f'z{i}'], [('num_scan_inputs', 1), ('scan_input_axes', [axis])], graphs=[body])], held, [(x, FLOAT), ((units,), FLOAT)], ((units,), FLOAT), [(f'z{i}', (y, FLOAT))])


def loop_layer(rng, i, kind):
    """So many trips, which nothing ends early."""
    trips, width = rng.randint(1, 15), rng.randint(1, 60)
    held = [tensor(f'n{i}', (), [trips], INT64), tensor(f'a{i}', (), [True], BOOL), floats(rng, f'w{i}', (1, width))]
    body = [node('Identity', [f'c{i}'], f'g{i}'), node('Mul', [f's{i}', f'w{i}'], f't{i}'), node('Add', [f't{i}', f'w{i}'], f'o{i}')]
    body = graph_attribute('body', body, [value_info(f'j{i}', (), INT64), value_info(f'c{i}', (), BOOL), value_info(f's{i}', (1, width))],
                           [value_info(f'g{i}', (), BOOL), value_info(f'o{i}', (1, width))])
    return [node('Loop', [f'n{i}', f'a{i}', f'x{i}'], f'y{i}', graphs=[body])], held, [((1, width), FLOAT)], ((1, width), FLOAT)


def branch_layer(rng, i, kind):
    """Branches that take the same."""
    width = rng.randint(1, 400)
    held = [floats(rng, f'w{i}', (1, width))]
    bodies = [graph_attribute(name, [node('Mul', [f'u{i}', f'w{i}'], f'{name}{i}')], [], [value_info(f'{name}{i}', (1, width))]) for name in ('then_branch', 'else_branch')]
    return [node('If', [f'x{i}'], f'y{i}', graphs=bodies)], held, [((), BOOL), ((1, width), FLOAT)], ((1, width), FLOAT)


MAKERS = {'scan': scan_layer, 'loop': loop_layer, 'branch': branch_layer}
KINDS = ['scan', 'scan', 'loop', 'branch']


def layer(rng, i, kind):
    return MAKERS[kind](rng, i, kind)
