"""Compiled libraries on PyTorch tensors, through the C ABI of the runtime.

Tensors are handed over as DLPack tensors (mlafuse/runtime/dlpack.h), that is by
their pointers; nothing is copied. A launch goes to the stream that the call gives,
such as torch.cuda.current_stream().cuda_stream; without one to the device's default
stream, which need not be PyTorch's current one.
"""

import ctypes

# DLPack's codes: (kind, bits) of an element. One-byte types may come as bytes.
DL_TYPES = {
    "bfloat16": (4, 16),
    "float16": (2, 16),
    "float32": (2, 32),
    "float8_e4m3fn": (1, 8),
    "float8_e4m3fnuz": (1, 8),
    "float8_e5m2": (1, 8),
    "float8_e8m0fnu": (1, 8),
    "uint8": (1, 8),
    "int8": (1, 8),
    "int32": (0, 32),
    "int64": (0, 64),
}
# DLPack's code of the device that a backend opens.
DL_DEVICES = {"cpu": 1, "cuda": 2, "hip": 10}


class DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


def as_dltensor(tensor, device_type):
    """A DLTensor over the memory of a tensor, which must outlive it."""
    dtype = str(tensor.dtype).removeprefix("torch.")
    if dtype not in DL_TYPES:
        raise ValueError(f"a tensor of {dtype}; wanted one of {', '.join(DL_TYPES)}")
    kind, bits = DL_TYPES[dtype]
    sizes = ctypes.c_int64 * max(1, len(tensor.shape))
    return DLTensor(
        data=tensor.data_ptr(),
        device_type=device_type,
        device_id=tensor.device.index or 0,
        ndim=len(tensor.shape),
        code=kind,
        bits=bits,
        lanes=1,
        shape=sizes(*tensor.shape),
        strides=sizes(*tensor.stride()),
    )


class MLAFuseError(RuntimeError):
    """What mlafuse_last_error said of a call that failed."""


class Launch:
    """A function bound to tensors: calling it puts one launch on a stream, which is
    given as the driver's handle (0: the device's default stream)."""

    def __init__(self, runtime, name, function, tensors, make_workspace):
        self.runtime, self.function, self.tensors = runtime, function, tensors
        structs = [as_dltensor(t, runtime.device_type) for t in tensors]
        self.count = len(structs)
        pointers = [ctypes.pointer(struct) for struct in structs]
        self.array = (ctypes.POINTER(DLTensor) * self.count)(*pointers)
        size = ctypes.c_int64()
        runtime.call(
            "mlafuse_workspace_size_dlpack",
            function,
            self.array,
            ctypes.c_size_t(self.count),
            ctypes.byref(size),
        )
        self.size = size.value
        if self.size and make_workspace is None:
            raise ValueError(
                f"function '{name}' needs a workspace of {self.size} bytes: give"
                " make_workspace"
            )
        self.workspace = make_workspace(self.size) if self.size else None

    def __call__(self, stream=0):
        self.runtime.call(
            "mlafuse_launch_dlpack",
            self.function,
            ctypes.c_void_p(stream),
            self.array,
            ctypes.c_size_t(self.count),
            ctypes.c_void_p(self.workspace.data_ptr() if self.size else 0),
            ctypes.c_int64(self.size),
        )


class Runtime:
    """The runtime with one device open."""

    def __init__(self, path, backend="cuda"):
        if backend not in DL_DEVICES:
            raise ValueError(
                f"there is no backend '{backend}'; wanted one of {', '.join(DL_DEVICES)}"
            )
        self.library = ctypes.CDLL(path)
        self.library.mlafuse_last_error.restype = ctypes.c_char_p
        self.library.mlafuse_module_chip.restype = ctypes.c_char_p
        self.device_type = DL_DEVICES[backend]
        self.context = ctypes.c_void_p()
        self.call(
            "mlafuse_context_create",
            backend.encode(),
            ctypes.c_int32(0),
            ctypes.byref(self.context),
        )

    def call(self, name, *arguments):
        if getattr(self.library, name)(*arguments) != 0:
            raise MLAFuseError(self.library.mlafuse_last_error().decode())

    def load(self, path):
        return Library(self, path)


class Library:
    """A library that mlafuse-compile made."""

    def __init__(self, runtime, path):
        self.runtime = runtime
        self.module = ctypes.c_void_p()
        runtime.call(
            "mlafuse_module_load",
            runtime.context,
            str(path).encode(),
            ctypes.byref(self.module),
        )

    @property
    def chip(self):
        """The chip whose code was loaded."""
        return self.runtime.library.mlafuse_module_chip(self.module).decode()

    def bind(self, name, tensors, make_workspace=None):
        """A launch of function `name`; `make_workspace(bytes)` gives a tensor of the
        device, aligned to 64 bytes, for a function that needs one."""
        function = ctypes.c_void_p()
        self.runtime.call(
            "mlafuse_module_find",
            self.module,
            name.encode(),
            ctypes.byref(function),
        )
        return Launch(self.runtime, name, function, tensors, make_workspace)
