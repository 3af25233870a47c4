"""A library made by mlafuse-compile, opened in this process: its manifest, the
images of AMD's chips and the entries that launch their kernels. No device is
needed: entries read no device memory."""

import ctypes
import json
import pathlib
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "amdsim"))

from code_object import CodeObject  # noqa: E402
from instructions import disassemble  # noqa: E402

ABI_VERSION = 2
ELEMENT_BYTES = {
    "bf16": 2, "f16": 2, "f32": 4, "f8E4M3FN": 1, "f8E4M3FNUZ": 1, "f8E5M2": 1,
    "f8E8M0FNU": 1, "i8": 1, "i32": 4, "i64": 8,
}  # fmt: skip


class Launch(ctypes.Structure):
    """mlafuse_kernel_launch of runtime/abi.h."""

    _fields_ = [
        ("kernel", ctypes.c_uint32),
        ("grid", ctypes.c_uint32 * 3),
        ("block", ctypes.c_uint32 * 3),
        ("dynamic_shared_bytes", ctypes.c_uint32),
        ("parameter_count", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
        ("parameters", ctypes.POINTER(ctypes.c_void_p)),
    ]


LaunchKernel = ctypes.CFUNCTYPE(
    ctypes.c_int32, ctypes.c_void_p, ctypes.POINTER(Launch)
)


class _Context(ctypes.Structure):
    """mlafuse_launch_context."""

    _fields_ = [
        ("abi_version", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
        ("stream", ctypes.c_void_p),
        ("workspace", ctypes.c_void_p),
        ("workspace_size", ctypes.c_int64),
        ("parallel_for", ctypes.c_void_p),
        ("runtime", ctypes.c_void_p),
        ("launch_kernel", LaunchKernel),
    ]


class CompiledLibrary:
    def __init__(self, path):
        self._library = ctypes.CDLL(str(pathlib.Path(path).resolve()))
        text = ctypes.c_char.in_dll(self._library, "mlafuse_manifest")
        manifest = json.loads(ctypes.string_at(ctypes.addressof(text)))
        self.functions = manifest["functions"]
        self.targets = [
            Target(self._library, target)
            for target in manifest["targets"]
            if target["backend"] == "hip"
        ]


class Target:
    """A chip's part of a library. `kernels`: by the index that launches use;
    `instructions`: the names of each kernel's."""

    def __init__(self, library, manifest):
        self._library = library
        self._prefix = manifest["prefix"]
        self.chip = manifest["chip"]
        (image,) = manifest["images"]
        start = ctypes.c_char.in_dll(library, image["symbol"])
        with tempfile.NamedTemporaryFile(suffix=".hsaco") as file:
            file.write(ctypes.string_at(ctypes.addressof(start), image["bytes"]))
            file.flush()
            self.code_object = CodeObject(file.name)
            self.instructions = disassemble(file.name)
        kernels = {kernel.name: kernel for kernel in self.code_object.kernels}
        self.kernels = [kernels.pop(kernel["name"]) for kernel in manifest["kernels"]]
        self.unlisted = sorted(kernels)

    def call(self, function, descriptors, workspace, look):
        """Calls a function's entry with memref descriptors; `look` sees every launch
        while its parameters exist."""
        name = function["name"]
        pointers = (ctypes.c_void_p * len(descriptors))(
            *(ctypes.addressof(descriptor) for descriptor in descriptors)
        )
        size = self._library[f"{self._prefix}_workspace_{name}"]
        size.restype = ctypes.c_int64
        problems = []

        def launch_kernel(_, launch):
            # No exception may leave through the entry.
            try:
                look(launch.contents)
                return 0
            except Exception as error:
                problems.append(error)
                return 1

        context = _Context(
            abi_version=ABI_VERSION,
            workspace=workspace,
            workspace_size=size(pointers),
            launch_kernel=LaunchKernel(launch_kernel),
        )
        entry = self._library[f"{self._prefix}_entry_{name}"]
        status = entry(ctypes.byref(context), pointers)
        if problems:
            raise problems[0]
        if status != 0:
            raise RuntimeError(f"the entry of '{name}' returned {status}")
