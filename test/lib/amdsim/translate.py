"""Translates a code object to C, and compiles it to a shared library with the
interface of runtime/amdsim.h."""

import os
import re
import tempfile

import lds
import memory
import scalar
import tools
import vector
from c_code import Target
from c_string import quote
from code_object import USER_REGISTERS
from disassembly import disassemble
from errors import Unsupported

RUNTIME = os.path.join(os.path.dirname(os.path.abspath(__file__)), "runtime")
HEADERS = ("arithmetic", "division", "small_floats", "lanes", "matrix", "memory")
FLAGS = [
    "-std=gnu11", "-march=native", "-ffp-contract=off", "-fno-strict-aliasing",
    "-fwrapv", "-fPIC", "-w", f"-I{RUNTIME}",
]  # fmt: skip
SNAPSHOTS = 2
# Register numbers in the C of an instruction.
REGISTER_NUMBER = re.compile(
    r"(\b(?:V|VF|V64|S|S64)\(|\b(?:getMask|setMask|setV64|setS64|loadWords|"
    r"storeWords)\(w,|take\(&snapshot\[\d\],w,|w->v\[)(\d+)(?=[\)\],])"
)
# What only the code of a kernel can contain.
CONTROL = re.compile(r"\breturn\b|\bgoto\b|\bJUMP\(|\bBASE\b")
MEMORY = ("global_", "flat_", "scratch_", "buffer_", "ds_", "s_load", "s_buffer_load")
# A kernel with preloaded arguments starts behind the code that loads them, which
# older firmware runs.
PRELOAD_BYTES = 256


class Translation:
    """`shapes`: C of what instructions do, one function for all of a shape;
    `kernels`: C of the kernels, which call those. `unsupported`: {mnemonic: (text of
    the first such instruction, its pc, its kernel, what is not known)}."""

    def __init__(self, code_object):
        self.code_object = code_object
        self.target = Target(code_object)
        self.unsupported = {}
        self._calls = {}  # C by the instruction's text.
        self._shapes = {}  # Names of the functions that do an instruction's work.
        self.instructions = disassemble(code_object.path, code_object.chip)
        self._entries = set()
        for kernel in code_object.kernels:
            entry = kernel.descriptor.entry
            self._entries |= {entry, entry + PRELOAD_BYTES}
        self._translate()

    def _translate(self):
        kernels, ranges = [], []
        for code in _by_symbol(self.instructions):
            kernels.append(self._function(len(ranges), code))
            ranges.append((code[0].pc, code[-1].next_pc))
        prologue = self._prologue()
        signatures, shapes = [], []
        for (body, parameters), name in self._shapes.items():
            signatures.append(f"void {name}(Wave *w{parameters})")
            shapes.append(f"{signatures[-1]}{{{body}}}")
        self.shapes = "\n".join(
            [prologue, f"static Snapshot snapshot[{SNAPSHOTS}];", *shapes]
        )
        self.kernels = "\n".join(
            [prologue, '#include "launch.h"', "#define WAVE_JUMPED WAVE_FAILED+1"]
            + [f"{signature};" for signature in signatures]
            + [*kernels, _dispatcher(ranges), _tables(self.code_object)]
        )

    def _prologue(self):
        lines = [f"#define WAVE_SIZE {self.target.wave_size}"]
        if self.target.uses_fnuz:
            lines.append("#define FNUZ")
        lines += [f'#include "{header}.h"' for header in HEADERS]
        return "\n".join(lines)

    def _function(self, number, code):
        """A C function for the instructions of one symbol. It leaves with
        WAVE_JUMPED if the next instruction is another function's."""
        inside = {i.pc for i in code}
        labels = self._labels(code, inside)
        lines, counted = [], 0
        for i in code:
            if i.pc in labels:
                lines.append(_count(counted) + f"L_{i.pc:x}:;")
                counted = 0
            counted += 1
            text = self._call(i)
            if _may_leave(i):
                lines.append(_count(counted))
                counted = 0
            if i.name.startswith(MEMORY):
                lines.append(f"w->at={i.pc:#x};")
            lines.append(_resolve_jumps(text, inside))
        cases = "\n".join(f"case {pc:#x}: goto L_{pc:x};" for pc in sorted(labels))
        return (
            f"static int run{number}(Wave *w){{goto dispatch;\n"
            + "\n".join(lines)
            + f"\nw->pc=BASE+{code[-1].next_pc:#x};return WAVE_JUMPED;\n"
            + f"dispatch: switch(w->pc-BASE){{\n{cases}\n}}\nreturn WAVE_JUMPED;}}"
        )

    def _labels(self, code, inside):
        labels = {code[0].pc} | (self._entries & inside)
        for i in code:
            if i.is_branch:
                labels.add(i.branch_target())
            if _may_leave(i):
                labels.add(i.next_pc)
        return labels & inside

    def _call(self, i):
        """C for an instruction: a call of a function that all instructions of this
        kind share, with the registers' numbers. Most of a compiler's time goes into
        the rest of the C, and there are few kinds."""
        call = self._calls.get(i.text)
        if call is not None:
            return call
        code = self._instruction(i)
        if not code or CONTROL.search(code):
            return code
        numbers = []

        def parameter(found):
            numbers.append(found.group(2))
            return f"{found.group(1)}p{len(numbers) - 1}"

        body = REGISTER_NUMBER.sub(parameter, code)
        parameters = "".join(f",int p{k}" for k in range(len(numbers)))
        shape = (body, parameters)
        name = self._shapes.setdefault(shape, f"do{len(self._shapes)}")
        call = f"{name}({','.join(['w', *numbers])});"
        self._calls[i.text] = call
        return call

    def _instruction(self, i):
        try:
            return self._generate(i)
        except Unsupported as error:
            reason = str(error)
        except (LookupError, ValueError, AttributeError, TypeError):
            reason = "operands of a form that is not known"
        self.unsupported.setdefault(i.name, (i.text, i.pc, i.symbol, reason))
        text = i.text.replace("\\", "").replace('"', "'")
        return (
            f'w->error="instruction \'{text}\' is not known ({reason})";'
            f"w->errorAt={i.pc:#x};return WAVE_FAILED;"
        )

    def _generate(self, i):
        if i.name.startswith("s_"):
            return scalar.generate(i)
        if i.name.startswith("ds_") and i.name != "ds_nop":
            return lds.generate(i, self.target)
        if i.name in scalar.NO_EFFECT or i.name.startswith("v_"):
            return vector.generate(i, self.target)
        if i.name.startswith(("global_", "flat_", "scratch_")):
            return memory.flat(i)
        if i.name.startswith("buffer_"):
            return memory.buffer(i)
        raise Unsupported(i.name)

    def describe_unsupported(self):
        return [
            f"{text}; pc {pc:#x}, kernel '{symbol}' ({reason})"
            for text, pc, symbol, reason in self.unsupported.values()
        ]


def _by_symbol(instructions):
    parts = []
    for i in instructions:
        if not parts or parts[-1][-1].symbol != i.symbol:
            parts.append([])
        parts[-1].append(i)
    return parts


def _may_leave(i):
    return i.is_branch or i.name.startswith(
        ("s_endpgm", "s_setpc", "s_swap", "s_barrier")
    )


def _count(number):
    return f"w->instructions+={number};" if number else ""


def _resolve_jumps(text, inside):
    """JUMP(pc) within the function is a goto."""
    start = text.find("JUMP(")
    if start < 0:
        return text
    end = text.index(")", start)
    pc = int(text[start + 5 : end], 0)
    leave = f"{{w->pc=BASE+{pc:#x};goto dispatch;}}"
    jump = f"goto L_{pc:x}" if pc in inside else leave
    return text[:start] + jump + text[end + 1 :]


def _dispatcher(functions):
    """Runs the function that holds the program counter."""
    cases = "".join(
        f"else if(pc>={first:#x}&&pc<{end:#x})status=run{k}(w);\n"
        for k, (first, end) in enumerate(functions)
    )
    return (
        "static WaveStatus runWave(Wave *w){for(;;){u64 pc=w->pc-BASE,before=w->pc;"
        "int status=WAVE_JUMPED;if(0);\n" + cases + "if(status!=WAVE_JUMPED)return "
        "(WaveStatus)status;\nif(w->pc==before){w->error="
        '"jump to an address that holds no code";w->errorAt=pc;return WAVE_FAILED;}}}'
    )


def _tables(code_object):
    """The image of the code object, its relocations and its kernels."""
    image = bytes(code_object.image)
    rows = [
        '"' + "".join(f"\\{byte:03o}" for byte in row) + '"'
        for row in (image[at : at + 64] for at in range(0, len(image), 64))
    ]
    lines = [
        f"const int isGfx12={int(Target(code_object).is_gfx12)};",
        f"u8 image[{len(image) + 1}] __attribute__((aligned(4096))) =",
        "\n".join(rows) + ";",
        "static void relocate(void){static int done;if(done++)return;",
    ]
    for address, addend in code_object.relocations:
        addend &= 2**64 - 1
        lines.append(
            f"{{u64 x=BASE+{addend:#x}ull;memcpy(image+{address:#x},&x,8);}}"
        )
    lines.append("}")
    arguments, kernels = [], []
    for number, kernel in enumerate(code_object.kernels):
        rows = "".join(
            f"{{{quote(a.get('.name', ''))},{quote(a['.value_kind'])},"
            f"{a['.offset']},{a['.size']}}},"
            for a in kernel.arguments()
        )
        arguments.append(
            f"static const amdsim_argument arguments{number}[]={{{rows}{{0}}}};"
        )
        kernels.append(_kernel(code_object, kernel, number))
    lines += arguments
    lines.append("const KernelCode kernels[]={" + ",\n".join(kernels) + "};")
    lines.append(f"const u32 kernelCount={len(kernels)};")
    lines.append(
        f'const char *amdsim_chip(void){{return "{code_object.chip}";}}'
    )
    return "\n".join(lines)


def _kernel(code_object, kernel, number):
    descriptor, metadata = kernel.descriptor, kernel.metadata
    required = metadata.get(".reqd_workgroup_size", [0, 0, 0])
    info = [
        quote(kernel.name), descriptor.kernarg, descriptor.lds,
        descriptor.scratch, metadata.get(".vgpr_count", 0),
        metadata.get(".sgpr_count", 0), metadata.get(".agpr_count", 0),
        metadata.get(".vgpr_spill_count", 0), metadata.get(".sgpr_spill_count", 0),
        metadata.get(".max_flat_workgroup_size", 1024),
        "{" + ",".join(str(size) for size in required) + "}",
        code_object.wave_size(), len(kernel.arguments()), f"arguments{number}",
    ]  # fmt: skip
    kinds = sum(
        1 << k
        for k, (bit, _, _) in enumerate(USER_REGISTERS)
        if descriptor.properties & bit
    )
    scratch = (descriptor.scratch + 15) // 16 * 16
    if metadata.get(".uses_dynamic_stack"):
        scratch += 1 << 16
    mode = descriptor.rsrc1 >> 12 & 0xFF
    if descriptor.rsrc1 >> 26 & 1 and code_object.chip.startswith("gfx9"):
        mode |= 1 << 23  # FP16_OVFL: conversions saturate.
    entry = descriptor.entry
    if descriptor.preload_count:
        entry += PRELOAD_BYTES
    code = [
        entry, descriptor.rsrc2 >> 1 & 31, kinds, descriptor.preload_count,
        descriptor.preload_offset, descriptor.rsrc2 >> 7 & 15, mode, scratch,
    ]  # fmt: skip
    return "{{" + ",".join(map(str, info)) + "}," + ",".join(map(str, code)) + "}"


def compile(translation, output, optimization="-O1"):
    """Writes the shared library `output`; whole or not at all. Only the shapes are
    optimized: they are few, and the time of a run is spent in them."""
    directory = os.path.dirname(os.path.abspath(output))
    with tempfile.TemporaryDirectory(dir=directory) as scratch:
        shapes, kernels, library = (
            os.path.join(scratch, name) for name in ("shapes", "kernels", "library")
        )
        for path, source, level in (
            (shapes, translation.shapes, optimization),
            (kernels, translation.kernels, "-O0"),
        ):
            with open(path + ".c", "w") as file:
                file.write(source)
            tools.run(["clang", *FLAGS, level, "-c", path + ".c", "-o", path + ".o"])
        tools.run(
            ["clang", "-shared", "-Wl,-Bsymbolic", shapes + ".o", kernels + ".o",
             "-o", library, "-lm"]
        )  # fmt: skip
        os.rename(library, output)
