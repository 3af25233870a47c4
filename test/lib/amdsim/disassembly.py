"""The instructions of a code object, as llvm-objdump prints them."""

import functools
import re

import tools

ENCODINGS = ("_e64_dpp", "_e32", "_e64", "_dpp8", "_dpp", "_sdwa")
LABEL = re.compile(r"^([0-9a-f]{8,16}) <(.+)>:$")
INSTRUCTION = re.compile(
    r"^\s+(\S.*?)\s*//\s*([0-9A-F]{8,16}):((?: [0-9A-F]{8})+)(?:\s*<.*>)?\s*$"
)
WORD = re.compile(
    r"[a-z_0-9]+:swizzle\([^)]*\)|[a-z_0-9]+:\[[^\]]*\]|\S+\([^)]*\)|\S+"
)
FIRST_MODIFIERS = ("sc0", "sc1", "nt", "glc", "slc", "dlc")


class Instruction:
    """`name`: the mnemonic without its encoding's suffix. `operands`: their
    texts. `modifiers`: "offset:16" as {"offset": "16"}, "glc" as {"glc": True}."""

    def __init__(self, text, pc=0, size=0, symbol=None):
        self.text, self.pc, self.size, self.symbol = text, pc, size, symbol
        self.name, self.encoding, self.operands, self.modifiers = _parse(text)

    @property
    def is_dpp(self):
        return "_dpp" in self.encoding

    @property
    def is_sdwa(self):
        return self.encoding == "_sdwa"

    @property
    def next_pc(self):
        return self.pc + self.size

    def number(self, key, default=0):
        value = self.modifiers.get(key)
        return default if value is None else int(value, 0)

    def flag(self, key):
        """A modifier that is on if it is there, unless it says 0."""
        return key in self.modifiers and self.modifiers[key] != "0"

    def numbers(self, key, default):
        value = self.modifiers.get(key)
        if value is None:
            return list(default)
        return [int(number) for number in value.strip("[]").split(",")]

    def branch_target(self):
        """Where a branch of 16 signed bits goes."""
        offset = int(self.operands[-1], 0) & 0xFFFF
        return self.next_pc + 4 * (offset - (offset >= 0x8000) * 0x10000)

    @property
    def is_branch(self):
        return self.name.startswith(("s_cbranch", "s_branch", "s_call"))


@functools.lru_cache(maxsize=None)
def _parse(text):
    """(name, encoding, operands, modifiers); kept, as most texts occur often."""
    mnemonic, _, rest = text.partition(" ")
    name, encoding = mnemonic, ""
    for suffix in ENCODINGS:
        if mnemonic.endswith(suffix):
            name, encoding = mnemonic[: -len(suffix)], suffix
            break
    operands, modifiers = [], {}
    for position, part in enumerate(_split(rest)):
        words = WORD.findall(part)
        if position > 0 or not _is_modifier(words[0]):
            operands.append(words.pop(0))
        for word in words:
            key, _, value = word.partition(":")
            modifiers[key] = value or True
    return name, encoding, operands, modifiers


def _is_modifier(word):
    return word in FIRST_MODIFIERS or (
        ":" in word and not word.startswith(("v[", "s[", "a["))
    )


def _split(text):
    """Parts between the commas that stand outside of brackets."""
    parts, depth, part = [], 0, ""
    for character in text:
        depth += (character in "[(") - (character in "])")
        if character == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += character
    if part.strip():
        parts.append(part.strip())
    return parts


def disassemble(path, chip):
    """All instructions of the code object at `path`, in the order of their
    addresses."""
    output = tools.run(["llvm-objdump", "-d", f"--mcpu={chip}", path])
    instructions, symbol = [], None
    for line in output.splitlines():
        label = LABEL.match(line)
        if label:
            symbol = label.group(2)
            continue
        found = INSTRUCTION.match(line)
        if found:
            text, pc, words = found.groups()
            instructions.append(
                Instruction(text, int(pc, 16), 4 * len(words.split()), symbol)
            )
    return instructions
