"""Arguments of a compiled function: memref descriptors of tensors at addresses that
hold nothing."""

import ctypes
import math

from compiled_library import ELEMENT_BYTES

# Each tensor has an area of addresses of its own, the workspace the first.
AREA = 1 << 40


def evaluate(dim, symbols):
    """The value of a <dim> of the manifest (runtime/abi.h)."""
    if isinstance(dim, int):
        return dim
    if isinstance(dim, str):
        return symbols.setdefault(dim, 3)
    ((operation, operands),) = dim.items()
    values = [evaluate(operand, symbols) for operand in operands]
    if operation == "align":
        return -(-values[0] // values[1]) * values[1]
    if operation == "ceildiv":
        return -(-values[0] // values[1])
    return {"product": math.prod, "sum": sum}[operation](values)


class Tensor:
    """`offset`: elements between an aligned address and the first element. `gap`:
    elements after each row, if rows may have any."""

    def __init__(self, argument, symbols, area, offset, gap):
        shape = [evaluate(dim, symbols) for dim in argument["shape"]]
        bytes = ELEMENT_BYTES[argument["type"]]
        strides, stride = [1] * len(shape), 1
        for d in reversed(range(len(shape))):
            strides[d] = stride
            stride *= shape[d]
            if d == len(shape) - 1 and argument["layout"] == "strided":
                stride += gap
        self.name = argument["name"]
        self.address = area * AREA + offset * bytes
        # Of the descriptor, the runtime uses the address of the first element.
        self.descriptor = (ctypes.c_int64 * (3 + 2 * len(shape)))(
            self.address, self.address, 0, *shape, *strides
        )


def make_tensors(function, tokens, offset, gap):
    symbols = {"T": tokens, "pages": tokens // 16 + 2}
    return [
        Tensor(argument, symbols, area, offset, gap)
        for area, argument in enumerate(function["arguments"], 2)
    ]
