"""Loads a translated code object and runs its kernels in this process."""

import ctypes

import simulated_library
from errors import SimulatorError


class _Argument(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p), ("kind", ctypes.c_char_p),
        ("offset", ctypes.c_uint32), ("size", ctypes.c_uint32),
    ]  # fmt: skip


class _Kernel(ctypes.Structure):
    _fields_ = (
        [("name", ctypes.c_char_p)]
        + [(name, ctypes.c_uint32) for name in (
            "kernarg_bytes", "lds_bytes", "scratch_bytes", "vector_registers",
            "scalar_registers", "accumulators", "vector_spills", "scalar_spills",
            "max_workgroup_size",
        )]
        + [("workgroup_size", ctypes.c_uint32 * 3), ("wave_size", ctypes.c_uint32),
           ("argument_count", ctypes.c_uint32),
           ("arguments", ctypes.POINTER(_Argument))]
    )  # fmt: skip


class _Parameters(ctypes.Structure):
    _fields_ = [
        ("grid", ctypes.c_uint32 * 3), ("block", ctypes.c_uint32 * 3),
        ("kernarg", ctypes.c_char_p), ("kernarg_bytes", ctypes.c_uint64),
        ("dynamic_lds_bytes", ctypes.c_uint32), ("seed", ctypes.c_uint32),
        ("describe_address", ctypes.c_void_p),
    ]  # fmt: skip


class _Result(ctypes.Structure):
    _fields_ = [("instructions", ctypes.c_uint64), ("message", ctypes.c_char * 512)]


class Library:
    """The functions of runtime/amdsim.h."""

    def __init__(self, path):
        self._library = ctypes.CDLL(path)
        self._library.amdsim_get_kernel.restype = ctypes.POINTER(_Kernel)
        self.kernels = [
            self._library.amdsim_get_kernel(k).contents
            for k in range(self._library.amdsim_kernel_count())
        ]

    def find(self, name):
        """The index of the kernel of that name; without a name, of the only one."""
        return simulated_library.find(self.kernels, name)

    def launch(self, index, grid, block, values, lds=0, seed=0):
        """Runs the kernel; `values`: the bytes of each argument that is not hidden.
        Returns how many instructions all waves executed."""
        kernel = self.kernels[index]
        arguments = [
            argument
            for argument in kernel.arguments[: kernel.argument_count]
            if not argument.kind.startswith(b"hidden_")
        ]
        memory = simulated_library.pack(
            kernel, arguments, values, kernel.kernarg_bytes
        )
        parameters = _Parameters(
            (ctypes.c_uint32 * 3)(*grid), (ctypes.c_uint32 * 3)(*block),
            memory, len(memory), lds, seed, None,
        )  # fmt: skip
        result = _Result()
        status = self._library.amdsim_launch(
            index, ctypes.byref(parameters), ctypes.byref(result)
        )
        if status != 0:
            raise SimulatorError(result.message.decode())
        return result.instructions
