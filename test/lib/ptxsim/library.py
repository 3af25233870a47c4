"""Loads a translated module and runs its kernels in this process."""

import ctypes

import simulated_library
from errors import SimulatorError


class _Parameter(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p), ("offset", ctypes.c_uint32),
        ("size", ctypes.c_uint32), ("is_pointer", ctypes.c_uint32),
    ]  # fmt: skip


class _Kernel(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p), ("parameter_bytes", ctypes.c_uint32),
        ("shared_bytes", ctypes.c_uint32), ("local_bytes", ctypes.c_uint32),
        ("max_threads", ctypes.c_uint32),
        ("block_size", ctypes.c_uint32 * 3), ("parameter_count", ctypes.c_uint32),
        ("parameters", ctypes.POINTER(_Parameter)),
    ]  # fmt: skip


class _Launch(ctypes.Structure):
    _fields_ = [
        ("grid", ctypes.c_uint32 * 3), ("block", ctypes.c_uint32 * 3),
        ("parameters", ctypes.c_char_p), ("parameter_bytes", ctypes.c_uint64),
        ("dynamic_shared_bytes", ctypes.c_uint32), ("seed", ctypes.c_uint32),
        ("overlaps_previous", ctypes.c_uint32),
        ("describe_address", ctypes.c_void_p),
    ]  # fmt: skip


class _Result(ctypes.Structure):
    _fields_ = [("message", ctypes.c_char * 1024)]


class Library:
    """The functions of runtime/ptxsim.h."""

    def __init__(self, path):
        self._library = ctypes.CDLL(path)
        self._library.ptxsim_get_kernel.restype = ctypes.POINTER(_Kernel)
        self.kernels = [
            self._library.ptxsim_get_kernel(k).contents
            for k in range(self._library.ptxsim_kernel_count())
        ]

    def find(self, name):
        """The index of the kernel of that name; without a name, of the only one."""
        return simulated_library.find(self.kernels, name)

    def launch(self, index, grid, block, values, shared=0, seed=0, overlaps=False):
        """Runs the kernel; `values`: the bytes of each parameter. `overlaps`: it may
        begin before the launch ahead ends."""
        kernel = self.kernels[index]
        parameters = kernel.parameters[: kernel.parameter_count]
        memory = simulated_library.pack(
            kernel, parameters, values, kernel.parameter_bytes
        )
        launch = _Launch(
            (ctypes.c_uint32 * 3)(*grid), (ctypes.c_uint32 * 3)(*block),
            memory, len(memory), shared, seed, overlaps, None,
        )  # fmt: skip
        result = _Result()
        if self._library.ptxsim_launch(index, ctypes.byref(launch), ctypes.byref(result)):
            raise SimulatorError(result.message.decode())
