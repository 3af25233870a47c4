"""Buffers that end where memory ends: an access past one faults."""

import ctypes
import mmap

from errors import SimulatorError

_libc = ctypes.CDLL(None, use_errno=True)
_libc.mmap.restype = ctypes.c_void_p
_libc.mmap.argtypes = [
    ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int,
    ctypes.c_long,
]  # fmt: skip
_libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
PROT_NONE, PROT_READ_WRITE = 0, mmap.PROT_READ | mmap.PROT_WRITE
PAGE = mmap.PAGESIZE
ALIGNMENT = 16


class GuardedBuffer:
    """Lies between two pages that nobody may touch, and ends at most 15 bytes before
    the second one, since it is aligned to 16."""

    def __init__(self, data):
        self.size = len(data)
        inner = (self.size + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT
        pages = (inner + PAGE - 1) // PAGE * PAGE
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
        start = _libc.mmap(None, pages + 2 * PAGE, PROT_NONE, flags, -1, 0)
        failed = start == ctypes.c_void_p(-1).value
        if failed or (
            pages and _libc.mprotect(start + PAGE, pages, PROT_READ_WRITE) != 0
        ):
            raise SimulatorError(f"no memory is left for a buffer of {pages} bytes")
        self.address = start + PAGE + pages - inner
        ctypes.memmove(self.address, bytes(data), self.size)

    def read(self):
        return ctypes.string_at(self.address, self.size)
