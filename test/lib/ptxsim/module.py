"""Reads PTX: kernels, their parameters, variables and statements."""

import re

from errors import SimulatorError

TYPE_BYTES = {
    "b8": 1, "u8": 1, "s8": 1, "b16": 2, "u16": 2, "s16": 2, "f16": 2, "bf16": 2,
    "b32": 4, "u32": 4, "s32": 4, "f32": 4, "f16x2": 4, "bf16x2": 4, "u16x2": 4,
    "s16x2": 4, "b64": 8,
    "u64": 8, "s64": 8, "f64": 8, "f32x2": 8, "pred": 1,
}  # fmt: skip

_TYPES = "|".join(sorted(TYPE_BYTES, key=len, reverse=True))
_VARIABLE = re.compile(
    r"(?:\.(?:visible|extern|weak|common)\s+)*\.(shared|global|const|local|param)"
    r"(?:\s+\.align\s+(\d+))?\s+\.(" + _TYPES + r")"
    r"((?:\s+\.ptr)?(?:\s+\.(?:global|shared|const|local))?)"
    r"(?:\s+\.align\s+\d+)?\s+([\w$%]+)((?:\[\d*\])*)\s*(?:=\s*(.*))?$",
    re.S,
)
_LABEL = re.compile(r"\s*([\w$%]+)\s*:(?!:)")


class Variable:
    def __init__(self, text):
        match = _VARIABLE.match(text.strip())
        if not match:
            raise SimulatorError(f"not understood: '{text.strip()}'")
        self.space, align, self.type, pointer, self.name, sizes, value = match.groups()
        self.count = 1
        for size in re.findall(r"\[(\d*)\]", sizes):
            self.count *= int(size or 0)
        self.bytes = self.count * TYPE_BYTES[self.type]
        self.align = int(align or TYPE_BYTES[self.type])
        self.is_pointer = ".ptr" in pointer
        self.value = value


class Label:
    def __init__(self, name):
        self.name = name


class Instruction:
    """One instruction: `parts` are the pieces of its name, between the dots."""

    def __init__(self, text):
        self.text = " ".join(text.split())
        match = re.match(r"(?:@(!?)([\w$%]+)\s+)?([\w:.]+)\s*(.*)$", self.text)
        if not match:
            raise SimulatorError(f"not understood: '{self.text}'")
        self.is_negated = bool(match[1])
        self.guard = match[2]
        self.name = match[3]
        self.parts = match[3].split(".")
        self.operands = split_operands(match[4])

    def has(self, part):
        return part in self.parts


def split_operands(text):
    """At the commas outside of brackets."""
    operands, depth, current = [], 0, ""
    for character in text:
        depth += character in "{[("
        depth -= character in "}])"
        if character == "," and depth == 0:
            operands.append(current.strip())
            current = ""
        else:
            current += character
    if current.strip():
        operands.append(current.strip())
    return operands


class Scope:
    """What stands between two braces: registers, variables, and items that are
    labels, instructions and scopes."""

    def __init__(self):
        self.registers = {}  # Name to type.
        self.variables = []
        self.items = []

    def local_bytes(self):
        """Memory of one thread."""
        return sum(v.bytes for v in self.variables if v.space == "local") + sum(
            item.local_bytes() for item in self.items if isinstance(item, Scope)
        )

    def shared_variables(self):
        """Its own and those of the scopes in it."""
        found = [v for v in self.variables if v.space == "shared"]
        for item in self.items:
            if isinstance(item, Scope):
                found += item.shared_variables()
        return found

    def words(self):
        """All that its instructions name."""
        found = set()
        for item in self.items:
            if isinstance(item, Scope):
                found |= item.words()
            elif isinstance(item, Instruction):
                found |= set(re.findall(r"[\w$]+", item.text))
        return found

    def labels(self):
        return {item.name for item in self.items if isinstance(item, Label)}


class Kernel:
    def __init__(self, name, parameters, directives, body):
        self.name = name
        self.body = body
        self.max_threads, self.block = 1024, [0, 0, 0]
        for kind, sizes in re.findall(r"\.(maxntid|reqntid)\s+([\d,\s]+)", directives):
            sizes = [int(size) for size in sizes.split(",")]
            self.max_threads = 1
            for size in sizes:
                self.max_threads *= size
            if kind == "reqntid":
                self.block = (sizes + [1, 1])[:3]
        self.parameters, self.offsets, self.parameter_bytes = parameters, [], 0
        for parameter in parameters:
            align = parameter.align
            offset = (self.parameter_bytes + align - 1) // align * align
            self.offsets.append(offset)
            self.parameter_bytes = offset + parameter.bytes


class Module:
    """A PTX file."""

    def __init__(self, text):
        text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
        match = re.search(r"^\s*\.target\s+(\w+)", text, re.M)
        if not match:
            raise SimulatorError("the text has no .target: it is no PTX")
        self.target = match[1]
        self.variables, self.kernels = [], []
        self._text, self._at = text, match.end()
        while self._read_declaration():
            pass

    def _read_declaration(self):
        match = re.compile(r"\s*([^;{]*)([;{]|$)").match(self._text, self._at)
        head, end = match[1].strip(), match[2]
        self._at = match.end()
        head = re.sub(r"^(\.(address_size|version)\s+\S+\s*|,\s*\w+\s*)+", "", head)
        entry = re.match(r"(?:\.visible\s+|\.weak\s+)*\.entry\s+([\w$]+)", head)
        if not head and not end:
            return False
        if entry and end == "{":
            self._read_kernel(entry, head)
        elif head.startswith(".section"):
            self._at = self._text.index("}", self._at) + 1
        elif not head or re.match(r"\.(file|pragma|target)", head):
            pass
        elif end == "{":
            close = self._text.index("}", self._at)
            value = self._text[self._at : close]
            self._at = self._text.index(";", close) + 1
            self.variables.append(Variable(head + value))
        elif end == ";":
            self.variables.append(Variable(head))
        else:
            raise SimulatorError(f"not understood: '{head}'")
        return True

    def _read_kernel(self, entry, head):
        open = head.find("(", entry.end())
        close = head.find(")", open)
        parameters, directives = [], head[entry.end() :]
        if open >= 0:
            parameters = [Variable(p) for p in split_operands(head[open + 1 : close])]
            directives = head[close + 1 :]
        body = self._read_scope()
        self.kernels.append(Kernel(entry[1], parameters, directives, body))

    def _read_scope(self):
        scope = Scope()
        token = re.compile(r"\s*(?:([{}])|([^;]*);)")
        while True:
            label = _LABEL.match(self._text, self._at)
            if label:
                scope.items.append(Label(label[1]))
                self._at = label.end()
                continue
            match = token.match(self._text, self._at)
            if not match:
                raise SimulatorError("a kernel has no end")
            self._at = match.end()
            if match[1] == "{":
                scope.items.append(self._read_scope())
            elif match[1] == "}":
                return scope
            else:
                self._read_statement(scope, match[2].strip())

    def _read_statement(self, scope, text):
        if re.match(r"(?:\.loc\s+\d+\s+\d+\s+\d+|\.pragma)", text):
            text = re.sub(r"^\.loc[^\n]*\n?|^\.pragma.*", "", text).strip()
        if not text:
            return
        if text.startswith(".reg"):
            self._read_registers(scope, text)
        elif not text.startswith("."):
            scope.items.append(Instruction(text))
        else:
            scope.variables.append(Variable(text))

    def _read_registers(self, scope, text):
        match = re.match(r"\.reg\s+\.(\w+)\s+(.*)$", text, re.S)
        for name in match[2].split(","):
            name = name.strip()
            many = re.match(r"([\w$%]+)<(\d+)>$", name)
            for full in (
                [f"{many[1]}{i}" for i in range(int(many[2]))] if many else [name]
            ):
                scope.registers[full] = match[1]
