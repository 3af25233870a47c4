"""PTX to C, and to a library of the host."""

import os
import re
import tempfile

import tools
from c_string import quote
from conversions import convert
from errors import SimulatorError, Unsupported
from memory import MEMORY
from modifiers import check_modifiers
from module import Instruction, Label, Scope
from operands import Names, bits_of
from scalar import SCALAR
from warps import WARPS

DIRECTORY = os.path.dirname(os.path.abspath(__file__))
RUNTIME = os.path.join(DIRECTORY, "runtime", "runtime.c")
FLAGS = [
    "-std=gnu11", "-fPIC", "-w", "-ffp-contract=off", "-mavx2",
    "-mf16c", "-fno-strict-aliasing", "-fwrapv", "-fno-stack-protector",
    "-fstack-clash-protection", "-fvisibility=default",
    "-I" + os.path.join(DIRECTORY, "runtime"),
    "-I" + os.path.join(DIRECTORY, "..", "amdsim", "runtime"),
]  # fmt: skip
EMITTERS = {**SCALAR, **MEMORY, **WARPS, "cvt": convert}


def _mangle(name):
    return re.sub(r"\W", "_", name)


class Translation:
    """The C of a module; `unknown` lists what could not be translated."""

    def __init__(self, module):
        self.module, self.unknown = module, {}
        self._scopes = 0
        self._symbols, self._shared, self._shared_bytes = {}, 0, []
        self._inner_shared = {}  # Of variables in a kernel, by their id, to places.
        text = ['#include "arithmetic.h"', '#include "kernel.h"']
        text += self._variables()
        for number, kernel in enumerate(module.kernels):
            text.append(self._kernel(number, kernel))
        text.append(self._table())
        self.source = "\n".join(text) + "\n"

    def _variables(self):
        """Those of the module but shared memory, of which each kernel has its own."""
        lines = []
        for variable in self.module.variables:
            if variable.space == "shared":
                continue
            name = "v_" + _mangle(variable.name)
            values = variable.value or ""
            c = f"u{bits_of(variable.type)}"
            lines.append(
                f"static {c} {name}[{max(variable.count, 1)}]"
                f"__attribute__((aligned({variable.align})))={{{values}}};"
            )
            self._symbols[variable.name] = (f"(u64){name}",)
        return lines

    def _place_shared(self, variable):
        align = variable.align
        self._shared = (self._shared + align - 1) // align * align
        place = f"(SHARED_START+{self._shared})"
        self._shared += variable.bytes
        return place

    def _kernel(self, number, kernel):
        names = Names(0, symbols=dict(self._symbols))
        self._shared = 0
        words = kernel.body.words()
        variables = [
            v for v in self.module.variables if v.space == "shared" and v.name in words
        ]
        for variable in variables:
            if variable.count:
                names.symbols[variable.name] = (self._place_shared(variable),)
        self._inner_shared = {
            id(v): self._place_shared(v) for v in kernel.body.shared_variables()
        }
        # Dynamic shared memory, which has no size, is last, and all of it at one place.
        dynamic = [v for v in variables if not v.count]
        align = max((v.align for v in dynamic), default=1)
        self._shared = (self._shared + align - 1) // align * align
        for variable in dynamic:
            names.symbols[variable.name] = (self._place_shared(variable),)
        for variable, offset in zip(kernel.parameters, kernel.offsets):
            names.symbols[variable.name] = (f"((u64)block.parameters+{offset})",)
        body = self._scope(kernel.body, names)
        self._shared_bytes.append(self._shared)
        return f"static void run{number}(void){body}"

    def _scope(self, scope, outer):
        self._scopes += 1
        names = Names(self._scopes, outer)
        lines = ["{"]
        for name, type in scope.registers.items():
            c = f"s{names.number}_{_mangle(name)}"
            names.registers[name] = (c, type)
            width = "8" if type == "pred" else str(bits_of(type))
            # Who reads what nobody wrote gets NaN, no zero that happens to be right.
            lines.append(f"u{width} {c}={'1' if type == 'pred' else '-1'};")
        for variable in scope.variables:
            if variable.space == "shared":
                names.symbols[variable.name] = (self._inner_shared[id(variable)],)
                continue
            if variable.space != "local" or variable.value:
                raise SimulatorError(
                    f"kernels have no .{variable.space} '{variable.name}' of their own "
                    "here, nor values that such variables start with"
                )
            c = f"v{names.number}_{_mangle(variable.name)}"
            names.symbols[variable.name] = (f"(u64){c}",)
            lines.append(
                f"u8 {c}[{variable.bytes}]__attribute__((aligned({variable.align})));"
                f"memset({c},0xff,sizeof {c});"
            )
        for label in scope.labels():
            names.labels[label] = f"L{names.number}_{_mangle(label)}"
        for item in scope.items:
            if isinstance(item, Label):
                lines.append(names.labels[item.name] + ":;")
            elif isinstance(item, Scope):
                lines.append(self._scope(item, names))
            else:
                lines.append(self._instruction(item, names))
        return "\n".join([*lines, "}"])

    def _instruction(self, item: Instruction, names):
        emit = EMITTERS.get(item.parts[0])
        try:
            if not emit:
                raise Unsupported(item.name)
            check_modifiers(item)
            text = emit(item, names)
        except (Unsupported, ValueError, LookupError, TypeError, StopIteration) as error:
            # All but the first: operands that no known form has.
            problem = str(error) if isinstance(error, Unsupported) else item.name
            self.unknown.setdefault(problem, item.text)
            text = f"fail(\"unknown instruction %s\",{quote(item.text)});"
        if item.guard:
            guard = names.bits(item.guard)
            text = f"if({'!' if item.is_negated else ''}{guard}){{{text}}}"
        return text

    def _table(self):
        lines, rows = [], []
        for number, kernel in enumerate(self.module.kernels):
            parameters = "".join(
                f"{{{quote(p.name)},{offset},{p.bytes},{int(p.is_pointer)}}},"
                for p, offset in zip(kernel.parameters, kernel.offsets)
            )
            lines.append(
                f"static const ptxsim_parameter parameters{number}[]={{{parameters}{{0}}}};"
            )
            block = ",".join(map(str, kernel.block))
            rows.append(
                f"{{{{{quote(kernel.name)},{kernel.parameter_bytes},"
                f"{self._shared_bytes[number]},{kernel.body.local_bytes()},"
                f"{kernel.max_threads},{{{block}}},{len(kernel.parameters)},"
                f"parameters{number}}},run{number}}}"
            )
        lines.append("const KernelCode kernels[]={" + ",\n".join(rows) + "};")
        lines.append(f"const u32 kernelCount={len(rows)};")
        lines.append(
            f"const char *ptxsim_target(void){{return {quote(self.module.target)};}}"
        )
        return "\n".join(lines)


def compile(translation, output):
    """Writes the shared library `output`; whole or not at all."""
    if not translation.module.kernels:
        raise SimulatorError("the module has no kernel")
    directory = os.path.dirname(os.path.abspath(output))
    with tempfile.TemporaryDirectory(dir=directory) as scratch:
        source, kernels, runtime, library = (
            os.path.join(scratch, name) for name in ("k.c", "k.o", "r.o", "k.so")
        )
        with open(source, "w") as file:
            file.write(translation.source)
        # Kernels are long and run rarely, what they share is short and runs often.
        tools.run(["clang", *FLAGS, "-O0", "-c", source, "-o", kernels])
        tools.run(["clang", *FLAGS, "-O2", "-c", RUNTIME, "-o", runtime])
        tools.run(
            ["clang", "-shared", "-Wl,-Bsymbolic", kernels, runtime, "-o", library,
             "-lm"]
        )  # fmt: skip
        os.rename(library, output)
