"""What command lines of the simulators say of a launch."""

import argparse
import struct

from errors import SimulatorError
from guarded_buffer import GuardedBuffer

SCALARS = {"i32": "<i", "i64": "<q", "f32": "<f", "f64": "<d"}
ARGUMENT_HELP = (
    "the kernel's next argument: in:FILE, out:BYTES:FILE (starts as zeros), "
    "inout:FILE:FILE, i32:N, i64:N, f32:X or f64:X"
)


def sizes(text):
    """The argument of --grid and --block."""
    numbers = [int(number) for number in text.split(",")]
    if len(numbers) > 3 or min(numbers) < 1:
        raise argparse.ArgumentTypeError("one to three positive numbers are wanted")
    return (numbers + [1, 1])[:3]


class KernelArgument:
    """What --arg says: the bytes to pass, and the file that a buffer ends up in."""

    def __init__(self, text):
        kind, _, rest = text.partition(":")
        self.buffer, self.output = None, None
        try:
            if kind in SCALARS:
                number = float(rest) if kind[0] == "f" else int(rest, 0)
                self.value = struct.pack(SCALARS[kind], number)
                return
            self._read_buffer(kind, rest)
        except (ValueError, struct.error) as error:
            raise SimulatorError(f"--arg={text}: {error}; wanted: {ARGUMENT_HELP}")
        except OSError as error:
            raise SimulatorError(f"--arg={text}: {error.strerror}")
        self.value = struct.pack("<Q", self.buffer.address)

    def _read_buffer(self, kind, rest):
        if kind == "out":
            size, _, self.output = rest.partition(":")
            data = bytes(int(size, 0))
        elif kind in ("in", "inout"):
            path, _, output = rest.partition(":")
            self.output = output or None
            with open(path, "rb") as file:
                data = file.read()
        else:
            raise ValueError(f"'{kind}' is no kind of argument")
        if (self.output is not None) != (kind != "in") or self.output == "":
            raise ValueError("file names are missing or too many")
        self.buffer = GuardedBuffer(data)

    def write(self):
        if self.output:
            with open(self.output, "wb") as file:
                file.write(self.buffer.read())
