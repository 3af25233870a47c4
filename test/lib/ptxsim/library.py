"""Loads a translated module and runs its kernels in this process."""

import ctypes

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
        names = [kernel.name.decode() for kernel in self.kernels]
        if name is None and len(names) == 1:
            return 0
        if name not in names:
            problem = f"no kernel '{name}'" if name else "name one of its kernels"
            raise SimulatorError(f"{problem}; it has: {', '.join(names)}")
        return names.index(name)

    def launch(self, index, grid, block, values, shared=0, seed=0):
        """Runs the kernel; `values`: the bytes of each parameter."""
        kernel = self.kernels[index]
        name, count = kernel.name.decode(), kernel.parameter_count
        if count != len(values):
            raise SimulatorError(
                f"kernel '{name}' takes {count} parameters, {len(values)} are given"
            )
        memory = bytearray(kernel.parameter_bytes)
        for parameter, value in zip(kernel.parameters[:count], values):
            if len(value) != parameter.size:
                raise SimulatorError(
                    f"kernel '{name}': '{parameter.name.decode()}' has "
                    f"{parameter.size} bytes, {len(value)} are given"
                )
            memory[parameter.offset : parameter.offset + parameter.size] = value
        launch = _Launch(
            (ctypes.c_uint32 * 3)(*grid), (ctypes.c_uint32 * 3)(*block),
            bytes(memory), len(memory), shared, seed, None,
        )  # fmt: skip
        result = _Result()
        if self._library.ptxsim_launch(index, ctypes.byref(launch), ctypes.byref(result)):
            raise SimulatorError(result.message.decode())
