"""Random programs for --mlafuse-fuse, each written in many ways.

A program is a graph of norms, quantizations and an attention op. It is written
several times: in another legal order of its statements, and with another part of
it already in fused form. All versions must fuse to one graph with one list of
remarks, and fusing again must change nothing.

    fuse_order.py MLAFUSE_OPT [PROGRAMS]

The seed is taken from MLAFUSE_FUZZ_SEED, else from the clock, and is printed.
"""

import os
import random
import re
import subprocess
import sys
import time

# Key, element type of the codes, scale columns of a row of `width` (none: static).
KEYS = {
    "fp8_dynamic_token_sym": lambda width: 1,
    "fp8_dynamic_128_sym": lambda width: width // 128,
    "fp8_dynamic_64_sym": lambda width: width // 64,
    "fp8_static_tensor_sym": None,
}


class Statement:
    """One op: `results` names what it defines, `reads` what it needs."""

    def __init__(self, results, text, reads, has_effects=False):
        self.results, self.text, self.reads = results, text, reads
        self.has_effects = has_effects


class Norm:
    """A norm of one column range, with what is done to its result."""

    def __init__(self, name, x, weight, width, epsilon, out):
        self.name, self.x, self.weight, self.width = name, x, weight, width
        self.epsilon, self.out = epsilon, out
        self.quants = []
        self.is_used = False  # by others than the quantizations


class Program:
    def __init__(self, rng):
        self.rng = rng
        self.arguments = []  # (name, type)
        self.returned = []  # (name, type)
        self.statements = []
        self.norms = []
        self.rank = rng.choice([2, 2, 3])
        self.rows = "?x" if self.rank == 2 else rng.choice(["4x?x", "2x8x"])
        self.build()

    def argument(self, name, type):
        self.arguments.append((name, type))
        return "%" + name

    def add(self, results, text, reads, has_effects=False):
        self.statements.append(Statement(results, text, reads, has_effects))

    def build(self):
        rng = self.rng
        widths = [128 * rng.randint(1, 12) for _ in range(rng.choice([2, 2, 2, 3]))]
        gap = rng.choice([0, 64])
        total = sum(widths) + gap
        self.projection = self.argument("p", f"tensor<{self.rows}{total}xbf16>")
        dims = self.sizes()
        begin = rng.choice([0, gap])
        same_size_values = rng.random() < 0.5
        for i, width in enumerate(widths):
            if i > 0 and not same_size_values:
                dims = self.sizes()
            self.column_range(i, begin, width, dims)
            begin += width
        self.uses()
        if rng.random() < 0.5:
            self.attention()
        self.unrelated()

    def sizes(self):
        """The leading sizes of the projection, as operands of a slice."""
        result = []
        for d, size in enumerate(self.rows.rstrip("x").split("x")):
            if size != "?":
                result.append(size)
                continue
            name = f"%size{len(self.statements)}"
            self.add(
                [name],
                f"tensor.dim {self.projection}, %c{d} : {self.arguments[0][1]}",
                [self.projection, f"%c{d}"],
            )
            result.append(name)
        return result

    def column_range(self, i, begin, width, dims):
        rng = self.rng
        type = f"tensor<{self.rows}{width}xbf16>"
        zeros, ones = ["0"] * len(dims), ["1"] * (len(dims) + 1)
        slice_name = f"%slice{i}"
        self.add(
            [slice_name],
            f"tensor.extract_slice {self.projection}"
            f"[{', '.join(zeros + [str(begin)])}]"
            f" [{', '.join(dims + [str(width)])}] [{', '.join(ones)}]"
            f" : {self.arguments[0][1]} to {type}",
            [self.projection] + [d for d in dims if d.startswith("%")],
        )
        weight = self.argument(f"w{i}", f"tensor<{width}x{rng.choice(['bf16', 'f32'])}>")
        norm = Norm(
            f"%y{i}",
            slice_name,
            weight,
            width,
            rng.choice(["1.0e-6", "1.0e-5", "0.0"]),
            self.argument(f"out{i}", type),
        )
        norm.type = type
        norm.weight_type = self.arguments[-2][1]
        self.norms.append(norm)

    def uses(self):
        rng = self.rng
        for i, norm in enumerate(self.norms):
            keys = rng.sample(list(KEYS), rng.choice([0, 1, 1, 1, 2]))
            norm.is_used = not keys or rng.random() < 0.3
            if rng.random() < 0.2:
                norm.is_used = True
                self.add([], f"func.call @use{i}({norm.name}) : ({norm.type}) -> ()",
                         [norm.name], True)
            if norm.is_used:
                self.returned.append((norm.name, norm.type))
            for key in keys:
                self.quantize(i, norm, key)

    def quantize(self, i, norm, key):
        rng = self.rng
        codes = f"tensor<{self.rows}{norm.width}xf8E4M3FN>"
        name = f"q{i}_{len(norm.quants)}"
        inits = [(self.destination(name + "_out", codes), codes)]
        results = [(f"%{name}", codes)]
        scale = None
        if KEYS[key]:
            rows = 16 if self.rows == "2x8x" else "?"
            scales = f"tensor<{rows}x{KEYS[key](norm.width)}xf32>"
            inits.append((self.destination(name + "_scale_out", scales), scales))
            results.append((f"%{name}_scale", scales))
        elif i > 0 and rng.random() < 0.4:
            # A scale that depends on an earlier norm's result.
            scale = self.scale_of(self.norms[rng.randrange(i)], name)
        elif rng.random() < 0.3:
            scale = f"%{name}_called"
            self.add([scale], "func.call @scale() : () -> tensor<1xf32>", [], True)
        else:
            scale = self.argument(name + "_static", "tensor<1xf32>")
        norm.quants.append((key, scale, inits, results))
        self.returned += results

    def destination(self, name, type):
        """An argument, or memory that is asked for just before it is written."""
        if self.rank == 3 or self.rng.random() < 0.6:
            return self.argument(name, type)
        (size,) = self.sizes()
        self.add([f"%{name}"], f"tensor.empty({size}) : {type}", [size])
        return f"%{name}"

    def declarations(self):
        """The functions that the program calls."""
        uses = [f"@use{i}({norm.type})" for i, norm in enumerate(self.norms)]
        return [f"func.func private {d}" for d in
                uses + ["@scale() -> tensor<1xf32>", "@effect0()", "@effect1()"]]

    def scale_of(self, norm, name):
        zeros = ", ".join(["%c0"] * self.rank)
        element, wide, scale = f"%{name}_e", f"%{name}_f", f"%{name}_s"
        self.add(
            [element],
            f"tensor.extract {norm.name}[{zeros}] : {norm.type}",
            [norm.name, "%c0"],
        )
        self.add([wide], f"arith.extf {element} : bf16 to f32", [element])
        self.add([scale], f"tensor.from_elements {wide} : tensor<1xf32>", [wide])
        norm.is_used = True
        return scale

    def attention(self):
        a = self.argument
        types = [
            "tensor<?x1x4x128xbf16>",
            "tensor<?x1x4x64xbf16>",
            "tensor<4x128x512xbf16>",
            "tensor<4x512x128xbf16>",
            "tensor<?x64x576xbf16>",
        ]
        ins = [a(f"a{i}", t) for i, t in enumerate(types)]
        table = a("table", "tensor<?x?xi32>")
        lens = a("lens", "tensor<?xi32>")
        out = a("attn_out", "tensor<?x512xbf16>")
        q_out = a("attn_q_out", "tensor<?x512xf8E4M3FN>")
        s_out = a("attn_s_out", "tensor<4x?xf32>")
        self.decode = dict(ins=ins, types=types, table=table, lens=lens, out=out,
                           q_out=q_out, s_out=s_out)
        self.returned += [("%attn_q", "tensor<?x512xf8E4M3FN>"),
                          ("%attn_s", "tensor<4x?xf32>")]

    def unrelated(self):
        """Ops between that have nothing to do with the fusions."""
        x = self.argument("u", "tensor<8xf32>")
        for i in range(self.rng.randint(0, 3)):
            self.add([f"%u{i}"], f"arith.addf {x}, {x} : tensor<8xf32>", [x])
            self.returned.append((f"%u{i}", "tensor<8xf32>"))
        for i in range(self.rng.randint(0, 2)):
            self.add([], f"func.call @effect{i}() : () -> ()", [], True)

    # One way of writing the program.

    def norm_statements(self, norm, fused):
        """The statements of a norm; `fused`: with its first quantization."""
        norm_attributes = f"epsilon = {norm.epsilon} : f32"
        result = []
        kept = norm.is_used or len(norm.quants) > (1 if fused else 0)
        for index, (key, scale, inits, outs) in enumerate(norm.quants):
            clause = f" scale({scale} : tensor<1xf32>)" if scale else ""
            attributes = f"key = #mlafuse.quant_key<{key}>"
            reads = [scale] if scale else []
            name, ins = "mlafuse.quantize", [(norm.name, norm.type)]
            inits, outs = list(inits), list(outs)
            if fused and index == 0:
                name = "mlafuse.rms_norm_quantize"
                ins = [(norm.x, norm.type), (norm.weight, norm.weight_type)]
                attributes += ", " + norm_attributes
                if kept:
                    inits.append((norm.out, norm.type))
                    outs.append((norm.name, norm.type))
            result.append(self.op(name, ins, clause, inits, outs, attributes, reads))
        if not fused:
            result.append(
                self.op("mlafuse.rms_norm",
                        [(norm.x, norm.type), (norm.weight, norm.weight_type)], "",
                        [(norm.out, norm.type)], [(norm.name, norm.type)],
                        norm_attributes, []))
        return result

    def op(self, name, ins, clause, inits, outs, attributes, reads):
        def list_of(values):
            return (", ".join(v for v, _ in values) + " : " +
                    ", ".join(t for _, t in values))

        return Statement(
            [v for v, _ in outs],
            f"{name} ins({list_of(ins)}){clause} outs({list_of(inits)})"
            f" {{{attributes}}} -> {', '.join(t for _, t in outs)}",
            [v for v, _ in ins + inits] + reads,
        )

    def dual_statement(self, q, kv):
        return self.op(
            "mlafuse.dual_rms_norm",
            [(q.x, q.type), (q.weight, q.weight_type), (kv.x, kv.type),
             (kv.weight, kv.weight_type)], "",
            [(q.out, q.type), (kv.out, kv.type)],
            [(q.name, q.type), (kv.name, kv.type)],
            f"q_epsilon = {q.epsilon} : f32, kv_epsilon = {kv.epsilon} : f32", [])

    def decode_statements(self, fused):
        d = self.decode
        attributes = ("softmax_scale = 0.125 : f32,"
                      " cache_format = #mlafuse.cache_format<bf16>")
        quant = ("key = #mlafuse.quant_key<fp8_dynamic_128_sym>,"
                 " scale_layout = #mlafuse.scale_layout<tma_aligned>")
        q_outs = [("%attn_q", "tensor<?x512xf8E4M3FN>"), ("%attn_s", "tensor<4x?xf32>")]
        q_inits = [(d["q_out"], q_outs[0][1]), (d["s_out"], q_outs[1][1])]
        clause = (f" block_table({d['table']} : tensor<?x?xi32>)"
                  f" seq_lens({d['lens']} : tensor<?xi32>)")
        reads = [d["table"], d["lens"]]
        ins = list(zip(d["ins"], d["types"]))
        if fused:
            return [self.op("mlafuse.mla_decode", ins, clause, q_inits, q_outs,
                            attributes + ", " + quant, reads)]
        out = [("%attn", "tensor<?x512xbf16>")]
        return [
            self.op("mlafuse.mla_decode", ins, clause, [(d["out"], out[0][1])], out,
                    attributes, reads),
            self.op("mlafuse.quantize", out, "", q_inits, q_outs, quant, []),
        ]

    def write(self, function, rng, plain):
        """The program as @function; `plain`: as it was built, nothing fused."""
        statements = list(self.statements)
        norms = list(self.norms)
        # A norm whose value nobody uses and that is not quantized is no candidate.
        if not plain and len(norms) > 1 and rng.random() < 0.3:
            q, kv = norms[:2]
            if all(self.is_free(n) for n in (q, kv)):
                statements.append(self.dual_statement(q, kv))
                for norm in (q, kv):
                    statements += self.norm_statements(norm, False)[:-1]
                norms = norms[2:]
        for norm in norms:
            # The fused spelling must be the one that fusing chooses.
            fused = (not plain and len(norm.quants) == 1 and rng.random() < 0.5 and
                     self.is_free(norm))
            statements += self.norm_statements(norm, fused)
        if hasattr(self, "decode"):
            statements += self.decode_statements(not plain and rng.random() < 0.5)
        if not plain:
            statements = shuffle(statements, rng)
        else:
            statements = shuffle(statements, random.Random(0))
        lines = [f"func.func @{function}(" +
                 ", ".join(f"%{n}: {t}" for n, t in self.arguments) + ") -> (" +
                 ", ".join(t for _, t in self.returned) + ") {"]
        for i in range(3):
            lines.append(f"  %c{i} = arith.constant {i} : index")
        for s in statements:
            left = ", ".join(s.results) + " = " if s.results else ""
            lines.append(f"  {left}{s.text}")
        lines.append("  return " + ", ".join(n for n, _ in self.returned) + " : " +
                     ", ".join(t for _, t in self.returned))
        lines.append("}")
        return "\n".join(lines)

    def is_free(self, norm):
        """True if its quantizations wait for nothing that could wait for it."""
        scales = [scale for _, scale, _, _ in norm.quants if scale]
        return not any(s.endswith(("_s", "_called")) for s in scales)


def shuffle(statements, rng):
    """A random order that defines before it uses and keeps effects in order."""
    defined_here = {r for s in statements for r in s.results}
    defined, order, left = set(), [], list(statements)
    while left:
        first_effect = next((s for s in left if s.has_effects), None)
        ready = [
            s for s in left
            if all(r in defined or r not in defined_here for r in s.reads) and
            (not s.has_effects or s is first_effect)
        ]
        s = rng.choice(ready)
        left.remove(s)
        order.append(s)
        defined.update(s.results)
    return order


def graph_of(lines):
    """A function's text with every value replaced by what computes it, as a
    sorted list, so that the order of pure ops does not count."""
    value, ops, effects = {}, [], []

    def resolve(match):
        name = match.group(0)
        return value.get(name, name)

    for line in lines:
        match = re.match(r"\s*(%\w+)(?::(\d+))? = (.*)", line)
        text = match.group(3) if match else line.strip()
        text = re.sub(r"%\w+(?:#\d+)?", resolve, text)
        if not match:
            effects.append(text)
            continue
        identity = f"<{hash(text):x}>"
        ops.append(text)
        if match.group(2):
            for i in range(int(match.group(2))):
                value[f"{match.group(1)}#{i}"] = f"{identity}#{i}"
        else:
            value[match.group(1)] = identity
    return sorted(ops) + effects


def functions_of(text):
    result, name = {}, None
    for line in text.splitlines():
        match = re.match(r"\s*func\.func @(w\d+)\(", line)
        if match:
            name = match.group(1)
            result[name] = []
        elif name and line.strip() == "}":
            name = None
        elif name:
            result[name].append(line)
    return result


def remarks_of(text):
    result = {}
    for code, function, message in re.findall(
            r"remark: \[\w+\] (MLAFUSE-F\d+) \|.*Function=(\w+) \| Remark=\"(.*)\"",
            text):
        # Where the blocker stands depends on how the program is written.
        message = re.sub(r" at [^ ]*:\d+:\d+", "", message)
        result.setdefault(function, []).append(f"{code} {message}")
    return result


def fuse(opt, text):
    done = subprocess.run(
        [opt, "--mlafuse-fuse", "--remarks-filter=mlafuse-fuse", "-"],
        input=text, capture_output=True, text=True)
    if done.returncode:
        fail("mlafuse-opt failed", text, done.stderr)
    return done.stdout, done.stderr


def fail(reason, *texts):
    print("FAILED:", reason)
    for text in texts:
        print(text)
    sys.exit(1)


def candidates_of(program):
    norms = len(program.norms)
    quants = sum(len(n.quants) for n in program.norms)
    return norms * (norms - 1) // 2 + quants + hasattr(program, "decode")


def main():
    opt = sys.argv[1]
    programs = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    seed = int(os.environ.get("MLAFUSE_FUZZ_SEED") or time.time_ns() % 2**32)
    print("seed", seed, flush=True)
    for index in range(programs):
        rng = random.Random(seed + index)
        program = Program(rng)
        ways = 6
        text = "\n".join(
            program.declarations() +
            [program.write(f"w{i}", rng, plain=i == 0) for i in range(ways)])
        fused, remarks = fuse(opt, text)
        graphs = {k: graph_of(v) for k, v in functions_of(fused).items()}
        said = remarks_of(remarks)
        for i in range(ways):
            name = f"w{i}"
            if graphs[name] != graphs["w0"]:
                fail(f"program {index}: @{name} is not @w0", text, fused,
                     *sorted(set(graphs[name]) ^ set(graphs["w0"])))
            if sorted(said.get(name, [])) != sorted(said.get("w0", [])):
                fail(f"program {index}: the remarks of @{name} are not @w0's", text,
                     fused, *said.get("w0", []), "--", *said.get(name, []))
        if len(said.get("w0", [])) != candidates_of(program):
            fail(f"program {index}: {candidates_of(program)} candidates", text,
                 *said.get("w0", []))
        again, repeated = fuse(opt, fused)
        if again != fused:
            fail(f"program {index}: fusing again changes the text", fused, again)
        repeated = remarks_of(repeated)
        if repeated != said:
            fail(f"program {index}: fusing again says something else", fused, said,
                 repeated)
    print(programs, "programs,", ways, "ways each")


main()
