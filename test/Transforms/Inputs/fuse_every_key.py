"""Every norm and every op with a quantizable output fuses with every key and layout.

    fuse_every_key.py MLAFUSE_OPT

Each chain, and each pair of siblings with every choice of keys, must become one op
with that key, with a `passed` remark for every candidate; decomposed, it must be
the chain again.
"""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "fusion"))

from candidates import Function
from keys import KEYS
from producers import PRODUCERS
from program import Attention, Norm, Quant
from spelling import attention_statement, norm_statement, quantize_statement
from statement import Statement
from tool import fail, fuse

FUSABLE = [key for key in KEYS if key.group or key.operand]


class Chain:
    """A function of statements whose destinations are arguments."""

    def __init__(self, name):
        self.name, self.arguments, self.statements, self.returned = name, [], [], []

    def argument(self, name, type):
        self.arguments.append((name, type))
        return "%" + name

    def quantize(self, source, key):
        tag = source.name[1:] + "_q"
        clauses = []
        if key.operand:
            clauses.append((key.operand, self.argument(tag + "_operand", "tensor<1xf32>"),
                            "tensor<1xf32>"))
        types = [key.codes_type(source.rows, source.width)]
        if key.scale_type(source.rows, source.width):
            types.append(key.scale_type(source.rows, source.width))
        names = [tag, tag + "_scale"]
        inits = [(self.argument(n + "_out", t), t) for n, t in zip(names, types)]
        results = [("%" + n, t) for n, t in zip(names, types)]
        quant = Quant(key, (source.name, source.type), clauses, inits, results)
        self.statements.append(quantize_statement(quant))
        self.returned += results

    def norm(self, name, x, width, has_residual=False):
        type = f"tensor<?x{width}xbf16>"
        weight = (self.argument(f"w_{name}", f"tensor<{width}xbf16>"),
                  f"tensor<{width}xbf16>")
        norm = Norm((x, type), weight, "1.0e-6", "%y" + name, "?x", width, "bf16",
                    self.argument("out_" + name, type))
        if has_residual:
            norm.residual = (self.argument("r", type), type, self.argument("r_out", type))
            self.returned.append(("%sum" + name, type))
        self.statements.append(norm_statement(norm))
        return norm

    def attention(self, producer):
        ins = [(self.argument(f"in{i}", t), t) for i, t in enumerate(producer.types)]
        clauses = [(c, self.argument(c, t), t) for c, t in producer.clauses]
        op = Attention(producer, ins, clauses, None, "%a", "?x", 512, "bf16",
                       self.argument("out", "tensor<?x512xbf16>"))
        self.statements.append(attention_statement(op))
        return op

    def write(self):
        head = ", ".join(f"%{n}: {t}" for n, t in self.arguments)
        lines = [f"func.func @{self.name}({head}) -> ("
                 + ", ".join(t for _, t in self.returned) + ") {"]
        lines += [s.write() for s in self.statements]
        lines.append("  return " + ", ".join(n for n, _ in self.returned) + " : " +
                     ", ".join(t for _, t in self.returned))
        return "\n".join(lines + ["}"])


def siblings(name, q_key, kv_key):
    chain = Chain(name)
    p = chain.argument("p", "tensor<?x832xbf16>")
    t = chain.argument("t", "index")
    for side, begin, width, key in (("q", 0, 512, q_key), ("kv", 512, 256, kv_key)):
        chain.statements.append(Statement(
            [f"%{side}_c"],
            f"tensor.extract_slice {p}[0, {begin}] [{t}, {width}] [1, 1]"
            f" : tensor<?x832xbf16> to tensor<?x{width}xbf16>", []))
        norm = chain.norm(side, f"%{side}_c", width)
        if key:
            chain.quantize(norm, key)
        else:
            chain.returned.append((norm.name, norm.type))
    return chain


def chains():
    """(fused op, keys of its sides, chain)."""
    for k, key in enumerate(FUSABLE):
        for has_residual in (False, True):
            chain = Chain(f"norm_{k}_{has_residual}".lower())
            x = chain.argument("x", "tensor<?x512xbf16>")
            chain.quantize(chain.norm("n", x, 512, has_residual), key)
            yield "mlafuse.rms_norm_quantize", [key], chain
        for producer in PRODUCERS:
            chain = Chain(f"{producer.name[8:]}_{k}")
            chain.quantize(chain.attention(producer), key)
            yield producer.name, [key], chain
    for q, q_key in enumerate([None] + FUSABLE):
        for kv, kv_key in enumerate([None] + FUSABLE):
            name = "mlafuse.dual_rms_norm" + ("_quantize" if q_key or kv_key else "")
            yield name, [q_key, kv_key], siblings(f"dual_{q}_{kv}", q_key, kv_key)


def functions_of(text):
    """The ops of the dialect in each function."""
    result = {}
    for line in text.splitlines():
        match = re.search(r"func\.func @(\w+)\(", line)
        if match:
            name = match.group(1)
            result[name] = []
        elif "mlafuse." in line:
            result[name].append(line.strip())
    return result


def attributes_of(key, prefix):
    """How the tool prints them: in the order of their names."""
    return key.attributes(prefix).split(f", {prefix}scale")


def main():
    opt = sys.argv[1]
    all_chains = list(chains())
    text = "\n".join(chain.write() for _, _, chain in all_chains)
    fused, remarks = fuse(opt, text, "--remarks-filter=mlafuse-fuse")
    passed = re.findall(r"remark: \[Passed\] MLAFUSE-F\d+ .*?Function=(\w+)", remarks)
    ops = functions_of(fused)
    names = {}
    for op, keys, chain in all_chains:
        (line,) = ops[chain.name] if len(ops[chain.name]) == 1 else [""]
        if f"= {op} ins" not in line:
            fail(f"@{chain.name} is not one {op}", chain.write(), *ops[chain.name])
        for key, prefix in zip(keys, ["q_", "kv_"] if len(keys) == 2 else [""]):
            for part in attributes_of(key, prefix) if key else []:
                if part not in line:
                    fail(f"@{chain.name} has no {prefix}{part}", line)
        candidates = Function(chain.write().splitlines()).count()
        if passed.count(chain.name) != candidates:
            fail(f"@{chain.name} has {candidates} candidates", chain.write(), remarks)
        names[chain.name] = sorted(re.findall(r"(mlafuse\.\w+) ins", chain.write()))
    opened, _ = fuse(opt, text, "--mlafuse-decompose", "--canonicalize")
    for name, lines in functions_of(opened).items():
        found = sorted(re.findall(r"(mlafuse\.\w+) ins", "\n".join(lines)))
        # Decomposition goes further with ops that are made of others.
        if not name.startswith("mla_") and found != names[name]:
            fail(f"@{name} decomposes to {found}", *lines)
    print(len(all_chains), "chains")


main()
