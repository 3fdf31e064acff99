"""Calibration data of a network of $TARN_SHARED_DIR: its stored inputs, and copies of them with noise (a tenth of their spread) from a fixed seed."""


def write(model, folder, count):
    """`count` samples of `model`, which has one input, as files in `folder`, which is made."""
    import numpy as np
    import onnx
    rng = np.random.default_rng(7)
    base = [onnx.numpy_helper.to_array(onnx.load_tensor(file)) for file in sorted(model.glob("test_data_set_*/input_0.pb"))]
    folder.mkdir()
    for i in range(count):
        array = base[i % len(base)]
        if i >= len(base):
            array = (array + rng.normal(0, 0.1, array.shape) * array.std()).astype(array.dtype)
        (folder / f"{i:03}.pb").write_bytes(onnx.numpy_helper.from_array(array).SerializeToString())
