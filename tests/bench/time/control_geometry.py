"""Loops and branches, (nodes, weights, inputs, output), around layers of random geometry."""
from onnx_bytes import BOOL, INT64, graph_attribute, node, tensor, value_info


# Of integers, which take the same whatever they are, on cores without instructions for floats too.
def numbers(rng, name, width):
    return tensor(name, (width,), [rng.randint(-99, 99) for _ in range(width)], INT64)


def scan_layer(rng, i, kind):
    """A state and a row for each trip; rows lie side by side, or apart along a later axis. Often nothing but the state comes out: as many rows in as out would be one term."""
    trips, width, axis, rows = rng.randint(1, 12), rng.randint(1, 60), rng.choice([0, 0, 1]), rng.random() < 0.5
    x = (trips, width) if axis == 0 else (width, trips)
    body = [node('Add', [f's{i}', f'p{i}'], f't{i}'), node('Mul', [f't{i}', f'w{i}'], f'o{i}')] + [node('Identity', [f'o{i}'], f'k{i}')] * rows
    body = graph_attribute('body', body, [value_info(f'{n}{i}', (width,), INT64) for n in 'sp'], [value_info(f'{n}{i}', (width,), INT64) for n in 'ok'[:1 + rows]])
    made = [node('Scan', [f'u{i}', f'x{i}'], [f'y{i}', f'z{i}'][:1 + rows], [('num_scan_inputs', 1), ('scan_input_axes', [axis])], graphs=[body])]
    return made, [numbers(rng, f'w{i}', width)], [(x, INT64), ((width,), INT64)], ((width,), INT64), [(f'z{i}', ((trips, width), INT64))] * rows


def loop_layer(rng, i, kind):
    """So many trips, which nothing ends early."""
    trips, width = rng.randint(1, 15), rng.randint(1, 60)
    held = [tensor(f'n{i}', (), [trips], INT64), tensor(f'a{i}', (), [True], BOOL), numbers(rng, f'w{i}', width)]
    body = [node('Identity', [f'c{i}'], f'g{i}'), node('Mul', [f's{i}', f'w{i}'], f't{i}'), node('Add', [f't{i}', f'w{i}'], f'o{i}')]
    body = graph_attribute('body', body, [value_info(f'j{i}', (), INT64), value_info(f'c{i}', (), BOOL), value_info(f's{i}', (width,), INT64)],
                           [value_info(f'g{i}', (), BOOL), value_info(f'o{i}', (width,), INT64)])
    return [node('Loop', [f'n{i}', f'a{i}', f'x{i}'], f'y{i}', graphs=[body])], held, [((width,), INT64)], ((width,), INT64)


def branch_layer(rng, i, kind):
    """Branches that take the same."""
    width = rng.randint(1, 400)
    bodies = [graph_attribute(name, [node('Mul', [f'u{i}', f'w{i}'], f'{name}{i}')], [], [value_info(f'{name}{i}', (width,), INT64)]) for name in ('then_branch', 'else_branch')]
    return [node('If', [f'x{i}'], f'y{i}', graphs=bodies)], [numbers(rng, f'w{i}', width)], [((), BOOL), ((width,), INT64)], ((width,), INT64)


MAKERS = {'scan': scan_layer, 'loop': loop_layer, 'branch': branch_layer}
KINDS = ['scan', 'scan', 'loop', 'branch']


def layer(rng, i, kind):
    return MAKERS[kind](rng, i, kind)
