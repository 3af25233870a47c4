"""Reads an AMDGPU code object (hsaco): its segments as the loader would place
them, the kernels' descriptors and their metadata."""

import re
import struct

from errors import SimulatorError
from message_pack import unpack

EM_AMDGPU = 224
PT_LOAD, PT_NOTE = 1, 4
SHT_SYMTAB, SHT_RELA, SHT_DYNSYM = 2, 4, 11
R_AMDGPU_ABS64, R_AMDGPU_RELATIVE64 = 3, 13
NT_AMDGPU_METADATA = 32

# Bits of the descriptor's kernel code properties: what the first scalar
# registers hold, in this order, and how many of them each takes.
USER_REGISTERS = [
    (1 << 0, "private_segment_buffer", 4),
    (1 << 1, "dispatch", 2),
    (1 << 2, "queue", 2),
    (1 << 3, "kernarg", 2),
    (1 << 4, "dispatch_id", 2),
    (1 << 5, "flat_scratch", 2),
    (1 << 6, "private_segment_size", 1),
]
WAVE32_PROPERTY = 1 << 10


class Descriptor:
    """A kernel's descriptor: 64 bytes, laid out as LLVM's AMDGPU usage guide
    says."""

    def __init__(self, data, address):
        self.lds, self.scratch, self.kernarg = struct.unpack_from("<III", data, 0)
        (entry,) = struct.unpack_from("<q", data, 16)
        self.entry = address + entry
        _, self.rsrc1, self.rsrc2 = struct.unpack_from("<III", data, 44)
        self.properties, preload = struct.unpack_from("<HH", data, 56)
        self.preload_count = preload & 0x7F
        self.preload_offset = preload >> 7

    def user_registers(self):
        return [
            (name, count)
            for bit, name, count in USER_REGISTERS
            if self.properties & bit
        ]


class Kernel:
    """A kernel: its name, its descriptor and its metadata."""

    def __init__(self, metadata, descriptor):
        self.name = metadata[".name"]
        self.metadata = metadata
        self.descriptor = descriptor

    def arguments(self):
        return self.metadata.get(".args", [])


class CodeObject:
    """`image`: the bytes of the loaded segments, from address 0 on.
    `relocations`: pairs (address, addend); the loader stores base + addend."""

    def __init__(self, path):
        self.path = path
        try:
            with open(path, "rb") as file:
                self.data = file.read()
        except OSError as error:
            raise SimulatorError(f"cannot read '{path}': {error.strerror}")
        self._check_header()
        try:
            self._read()
        except (struct.error, IndexError, KeyError, ValueError) as error:
            raise SimulatorError(f"'{path}' is a damaged code object: {error}")
        if not self.kernels:
            raise SimulatorError(f"'{path}' holds no kernel")

    def _check_header(self):
        data = self.data
        if data[:4] != b"\x7fELF" or len(data) < 64:
            raise SimulatorError(
                f"'{self.path}' is not a code object: it is no ELF file"
            )
        (machine,) = struct.unpack_from("<H", data, 18)
        if data[4] != 2 or machine != EM_AMDGPU:
            raise SimulatorError(
                f"'{self.path}' is not a code object: its ELF machine is {machine}, "
                f"AMDGPU's is {EM_AMDGPU}"
            )

    def _read(self):
        data = self.data
        segment_at, section_at = struct.unpack_from("<QQ", data, 32)
        segment_size, segments, section_size, sections, _ = struct.unpack_from(
            "<HHHHH", data, 54
        )
        segments = [
            struct.unpack_from("<IIQQQQQQ", data, segment_at + i * segment_size)
            for i in range(segments)
        ]
        sections = [
            struct.unpack_from("<IIQQQQIIQQ", data, section_at + i * section_size)
            for i in range(sections)
        ]
        self._load(segments)
        self._read_symbols(sections)
        self._read_relocations(sections)
        metadata = self._read_metadata(segments)
        target = re.search(r"gfx\w+", metadata.get("amdhsa.target", ""))
        if not target:
            raise SimulatorError(f"'{self.path}' does not say its chip")
        self.chip = target.group(0)
        self.kernels = []
        for kernel in metadata.get("amdhsa.kernels", []):
            at = self.symbols[kernel[".name"] + ".kd"]
            descriptor = Descriptor(self.image[at : at + 64], at)
            self.kernels.append(Kernel(kernel, descriptor))

    def _load(self, segments):
        loaded = [s for s in segments if s[0] == PT_LOAD]
        if not loaded:
            raise SimulatorError(
                f"'{self.path}' is not linked: ld.lld -shared {self.path} -o x.hsaco"
            )
        self.image = bytearray(max(s[3] + s[6] for s in loaded))
        for _, _, offset, address, _, size, _, _ in loaded:
            self.image[address : address + size] = self.data[offset : offset + size]

    def _read_symbols(self, sections):
        data, self.symbols, self._dynamic = self.data, {}, []
        for section in sections:
            if section[1] not in (SHT_SYMTAB, SHT_DYNSYM):
                continue
            strings = sections[section[6]][4]
            for at in range(section[4], section[4] + section[5], 24):
                name, _, _, where, value, _ = struct.unpack_from("<IBBHQQ", data, at)
                start = strings + name
                text = data[start : data.index(b"\0", start)].decode()
                if section[1] == SHT_DYNSYM:
                    self._dynamic.append(value)
                if text and where:
                    self.symbols[text] = value

    def _read_relocations(self, sections):
        self.relocations = []
        for section in sections:
            if section[1] != SHT_RELA:
                continue
            for at in range(section[4], section[4] + section[5], 24):
                address, info, addend = struct.unpack_from("<QQq", self.data, at)
                kind = info & 0xFFFFFFFF
                if kind == R_AMDGPU_ABS64:
                    addend += self._dynamic[info >> 32]
                elif kind != R_AMDGPU_RELATIVE64:
                    raise ValueError(f"relocation of type {kind} is not known")
                self.relocations.append((address, addend))

    def _read_metadata(self, segments):
        for kind, _, offset, _, _, size, _, _ in segments:
            at, end = offset, offset + size
            while kind == PT_NOTE and at < end:
                name, length, note = struct.unpack_from("<III", self.data, at)
                owner = self.data[at + 12 : at + 12 + name]
                at += 12 + (name + 3 & ~3)
                if note == NT_AMDGPU_METADATA and owner.startswith(b"AMDGPU"):
                    return unpack(self.data, at)
                at += length + 3 & ~3
        raise ValueError("it has no AMDGPU metadata")

    def wave_size(self):
        """64 or 32; all kernels of a code object have the same."""
        if self.chip.startswith("gfx9"):
            return 64
        sizes = {
            32 if k.descriptor.properties & WAVE32_PROPERTY else 64
            for k in self.kernels
        }
        if len(sizes) > 1:
            raise SimulatorError(f"the kernels of '{self.path}' differ in wave size")
        return sizes.pop()

    def word(self, address):
        return struct.unpack_from("<I", self.image, address)[0]
