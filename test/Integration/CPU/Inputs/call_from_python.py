"""Runs a norm through benchmark/peers/mlafuse_library.py on memory of Python's own.

usage: call_from_python.py PEERS_DIRECTORY RUNTIME LIBRARY UNFUSED_LIBRARY

The unfused one needs a workspace.
"""

import array
import sys

sys.path.insert(0, sys.argv[1])
import mlafuse_library

ROWS, WIDTH = 3, 512


class Tensor:
    """What mlafuse_library asks of a PyTorch tensor."""

    class device:
        index = None

    def __init__(self, dtype, typecode, shape):
        self.dtype, self.shape = f"torch.{dtype}", shape
        size = 1
        for length in shape:
            size *= length
        self.memory = array.array(typecode, bytes(size * array.array(typecode).itemsize))

    def data_ptr(self):
        return self.memory.buffer_info()[0]

    def stride(self):
        return [self.shape[1], 1] if len(self.shape) == 2 else [1]


def bf16(value):
    """The upper half of an f32 that has no bits below it."""
    return array.array("I", array.array("f", [value]).tobytes())[0] >> 16


def print_error(call):
    try:
        call()
    except (mlafuse_library.MLAFuseError, ValueError) as error:
        print("error:", error)


def main(runtime_path, path, unfused_path):
    runtime = mlafuse_library.Runtime(runtime_path, backend="cpu")
    library = runtime.load(path)
    x = Tensor("bfloat16", "H", [ROWS, WIDTH])
    w = Tensor("bfloat16", "H", [WIDTH])
    q = Tensor("float8_e4m3fn", "B", [ROWS, WIDTH])
    s = Tensor("float32", "f", [ROWS, 1])
    for row in range(ROWS):
        for column in range(WIDTH):
            x.memory[row * WIDTH + column] = bf16(float(row + 1))
    for column in range(WIDTH):
        w.memory[column] = bf16(2.0)
    library.bind("norm_quantize", [x, w, q, s])()
    # Rows of one value are normalized to 1; 448 has the code 0x7e.
    print("codes", sorted(set(q.memory)), "scales", [round(v * 448, 3) for v in s.memory])
    print_error(lambda: library.bind("norm_quantize", [x, w, q]))

    unfused = runtime.load(unfused_path)
    print_error(lambda: unfused.bind("norm_quantize", [x, w, q, s]))
    # The type is known; this function has another.
    fnuz = Tensor("float8_e4m3fnuz", "B", [ROWS, WIDTH])
    library.bind("norm_quantize", [x, w, fnuz, s])
    print_error(
        lambda: library.bind(
            "norm_quantize", [x, w, Tensor("complex64", "B", [ROWS, WIDTH]), s]
        )
    )
    print_error(lambda: mlafuse_library.Runtime(runtime_path, backend="rocm"))


main(*sys.argv[2:])
