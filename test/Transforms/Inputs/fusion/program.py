"""Random programs for --mlafuse-fuse.

A program is a graph of norms, of attention ops and of quantizations of both. It is
written as text in many ways: see spelling.py.
"""

from keys import KEYS
from producers import PRODUCERS
from statement import Statement


class Quantized:
    """What quantizations read: the value of a norm or of an attention op."""

    def __init__(self, name, rows, width, element, out):
        self.name, self.rows, self.width = name, rows, width
        self.element, self.out = element, out
        self.type = f"tensor<{rows}{width}x{element}>"
        self.quants = []
        self.is_used = False  # by others than the quantizations
        self.is_plain = True  # nothing that the fused spellings leave out
        self.count = None


class Norm(Quantized):
    """A norm of one column range. `x`, `weight` and `residual` are (name, type)."""

    def __init__(self, x, weight, epsilon, *rest):
        super().__init__(*rest)
        self.x, self.weight, self.epsilon = x, weight, epsilon
        self.attributes, self.residual = "", None


class Attention(Quantized):
    def __init__(self, producer, ins, clauses, lse, *rest):
        super().__init__(*rest)
        self.producer, self.ins, self.clauses, self.lse = producer, ins, clauses, lse


class Quant:
    def __init__(self, key, x, clauses, inits, results):
        self.key, self.x, self.clauses = key, x, clauses
        self.inits, self.results = inits, results
        self.is_plain = True
        self.branch = None  # the condition that it stands under


class Program:
    """`is_wild`: with what must not change the number of remarks, but stands in
    the way of fusions."""

    def __init__(self, rng, is_wild=False, tag=""):
        self.rng, self.is_wild, self.tag = rng, is_wild, tag
        self.arguments, self.returned = [], []  # (name, type)
        self.statements, self.norms, self.attentions = [], [], []
        self.rank = rng.choice([2, 2, 3])
        self.rows = "?x" if self.rank == 2 else rng.choice(["4x?x", "2x8x"])
        self.column_ranges()
        self.uses()
        for _ in range(rng.choice([0, 0, 1, 2]) if is_wild else rng.choice([0, 1])):
            self.attention()
        self.unrelated()

    def sometimes(self, share):
        return self.is_wild and self.rng.random() < share

    def argument(self, name, type):
        self.arguments.append((name, type))
        return "%" + name

    def add(self, results, text, reads, has_effects=False):
        self.statements.append(Statement(results, text, reads, has_effects))
        return results[0] if results else None

    def column_ranges(self):
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
            # Sometimes the columns of the range before, or some of them.
            start = begin - 64 if i > 0 and self.sometimes(0.15) else begin
            self.norm(i, start, width, dims)
            begin += width

    def sizes(self):
        """The leading sizes of the projection, as operands of a slice."""
        result = []
        for d, size in enumerate(self.rows.rstrip("x").split("x")):
            if size == "?":
                size = self.add(
                    [f"%size{len(self.statements)}"],
                    f"tensor.dim {self.projection}, %c{d} : {self.arguments[0][1]}",
                    [self.projection, f"%c{d}"])
            result.append(size)
        return result

    def norm(self, i, begin, width, dims):
        rng = self.rng
        type = f"tensor<{self.rows}{width}xbf16>"
        zeros, ones = ["0"] * len(dims), ["1"] * (len(dims) + 1)
        x = self.add(
            [f"%slice{i}"],
            f"tensor.extract_slice {self.projection}"
            f"[{', '.join(zeros + [str(begin)])}]"
            f" [{', '.join(dims + [str(width)])}] [{', '.join(ones)}]"
            f" : {self.arguments[0][1]} to {type}",
            [self.projection] + [d for d in dims if d.startswith("%")])
        weight_type = f"tensor<{width}x{rng.choice(['bf16', 'f32'])}>"
        weight = (self.argument(f"w{i}", weight_type), weight_type)
        # Contracted chains: an f32 value between, rounded once.
        is_wide = self.sometimes(0.2)
        element = "f32" if is_wide else "bf16"
        out = self.argument(f"out{i}", f"tensor<{self.rows}{width}x{element}>")
        norm = Norm((x, type), weight, rng.choice(["1.0e-6", "1.0e-5", "0.0"]),
                    f"%y{i}", self.rows, width, element, out)
        if (is_wide and rng.random() < 0.8) or self.sometimes(0.1):
            norm.attributes += ", rounding = #mlafuse.rounding<result>"
        if self.sometimes(0.1):
            norm.attributes += ", weight_offset"
        elif self.sometimes(0.1):
            norm.weight = None
        if self.sometimes(0.15):
            r = self.argument(f"r{i}", type)
            norm.residual = (r, type, self.argument(f"r_out{i}", type))
            self.returned.append((f"%sum{i}", type))
        if self.sometimes(0.15):
            norm.count = self.count(rng.choice("ab"))
        norm.is_plain = not (norm.attributes or norm.residual or norm.count or
                             is_wide or not norm.weight)
        self.norms.append(norm)

    def shared(self, name, type):
        """An argument that is there once."""
        return "%" + name if (name, type) in self.arguments else self.argument(name, type)

    def count(self, which):
        return self.shared("n_" + which, "tensor<1xi32>")

    def index(self):
        return self.shared("t", "index")

    def uses(self):
        rng = self.rng
        for i, norm in enumerate(self.norms):
            keys = rng.sample(self.keys(norm.width), rng.choice([0, 1, 1, 1, 2]))
            norm.is_used |= not keys or rng.random() < 0.3
            if rng.random() < 0.2:
                norm.is_used = True
                self.add([], f"func.call @{self.tag}use{i}({norm.name}) : "
                         f"({norm.type}) -> ()", [norm.name], True)
            if norm.is_used:
                self.returned.append((norm.name, norm.type))
            for key in keys:
                self.quantize(norm, key, i)
                if self.sometimes(0.1):
                    self.quantize_again(norm)

    def keys(self, width):
        keys = [key for key in KEYS if key.fits(width)]
        # A whole-tensor scale never fuses: few of them.
        return keys if self.is_wild else [key for key in keys if key.group or key.operand]

    def quantize(self, source, key, i=0):
        name = f"q{source.name[1:]}_{len(source.quants)}"
        x, rows, width, type = source.name, source.rows, source.width, source.type
        if self.sometimes(0.3):
            x, rows, width, type = self.between(source, name)
            if not key.fits(width):
                key = KEYS[2]
        clauses = []
        if key.operand:
            clauses.append((key.operand, self.operand(key, name, i), "tensor<1xf32>"))
        if self.sometimes(0.2):
            clauses.append(("num_actual_tokens",
                            source.count or self.count(self.rng.choice("ab")),
                            "tensor<1xi32>"))
        elif source.count and self.rng.random() < 0.8:
            clauses.append(("num_actual_tokens", source.count, "tensor<1xi32>"))
        if key.group is not None and rows == "?x" and self.sometimes(0.1):
            clauses.append(("row_offset", self.argument(name + "_row", "index"), "index"))
        types = [key.codes_type(rows, width)]
        if key.scale_type(rows, width):
            types.append(key.scale_type(rows, width))
        inits = [(self.destination(f"{name}_{n}", t), t)
                 for n, t in zip(("out", "scale_out"), types)]
        results = [(f"%{name}{n}", t) for n, t in zip(("", "_scale"), types)]
        quant = Quant(key, (x, type), clauses, inits, results)
        quant.is_plain = x == source.name and len(clauses) == len(
            [c for c in clauses if c[0] in ("scale", "global_scale")])
        if self.sometimes(0.1) and not hasattr(self, "branch"):
            self.branch = quant.branch = self.argument("if", "i1")
        source.quants.append(quant)
        self.returned += results

    def quantize_again(self, source):
        """An equal quantization, into memory of its own."""
        first = source.quants[-1]
        if first.branch or any("?" in t and t.count("?") > 1 for _, t in first.inits):
            return
        inits, results = [], []
        for n, (init, type) in enumerate(first.inits):
            size = [self.index()] if "?" in type else []
            empty = self.add([f"{first.results[0][0]}_again_out{n}"],
                             f"tensor.empty({', '.join(size)}) : {type}", size)
            inits.append((empty, type))
            results.append((f"{first.results[0][0]}_again{n}", type))
        again = Quant(first.key, first.x, first.clauses, inits, results)
        again.is_plain = first.is_plain
        source.quants.append(again)
        self.returned += results

    def between(self, source, name):
        """A reshape, slice or cast of the value: (name, rows, width, type)."""
        rows, width, element = source.rows, source.width, source.element
        kinds = ["slice", "split"] + ["collapse"] * (rows.count("x") == 2)
        kinds += ["cast", "expand"] * (rows == "?x") + ["trunc"] * (element == "f32")
        kind = self.rng.choice(kinds)
        result = "%" + name + "_in"
        dims = self.sizes() if source in self.norms else [self.index()]
        reads = [source.name] + [d for d in dims if d.startswith("%")]
        if kind == "slice":
            width //= 2
            type = f"tensor<{rows}{width}x{element}>"
            zeros, ones = ", ".join(["0"] * (len(dims) + 1)), ["1"] * (len(dims) + 1)
            text = (f"tensor.extract_slice {source.name}[{zeros}]"
                    f" [{', '.join(dims + [str(width)])}] [{', '.join(ones)}]"
                    f" : {source.type} to {type}")
        elif kind == "split":
            rows, width = rows + "2x", width // 2
            type = f"tensor<{rows}{width}x{element}>"
            last = len(dims)
            kept = "".join(f"[{d}], " for d in range(last))
            text = (f"tensor.expand_shape {source.name} [{kept}[{last}, {last + 1}]]"
                    f" output_shape [{', '.join(dims + ['2', str(width)])}]"
                    f" : {source.type} into {type}")
        elif kind == "collapse":
            rows = "?x" if "?" in rows else "16x"
            type = f"tensor<{rows}{width}x{element}>"
            text = (f"tensor.collapse_shape {source.name} [[0, 1], [2]]"
                    f" : {source.type} into {type}")
        elif kind == "expand":
            rows = "1x?x"
            type = f"tensor<{rows}{width}x{element}>"
            text = (f"tensor.expand_shape {source.name} [[0, 1], [2]]"
                    f" output_shape [1, {dims[0]}, {width}] : {source.type} into {type}")
        elif kind == "cast":
            rows = "32x"
            type = f"tensor<{rows}{width}x{element}>"
            text = f"tensor.cast {source.name} : {source.type} to {type}"
        else:
            type = f"tensor<{rows}{width}xbf16>"
            text = f"arith.truncf {source.name} : {source.type} to {type}"
        self.add([result], text, reads)
        return result, rows, width, type

    def operand(self, key, name, i):
        """The scale of a static key, or the global scale of NVFP4."""
        rng = self.rng
        if key.operand == "scale" and rng.random() < 0.4:
            # A scale that depends on another norm's result; it may be that each
            # of two depends on the other's.
            others = [norm for norm in self.norms if norm.name != f"%y{i}"]
            return self.scale_of(rng.choice(others), name)
        if rng.random() < 0.3:
            return self.add([f"%{name}_called"],
                            f"func.call @{self.tag}scale() : () -> tensor<1xf32>", [],
                            True)
        return self.argument(f"{name}_operand", "tensor<1xf32>")

    def scale_of(self, norm, name):
        zeros = ", ".join(["%c0"] * self.rank)
        value = self.add([f"%{name}_e"],
                         f"tensor.extract {norm.name}[{zeros}] : {norm.type}",
                         [norm.name, "%c0"])
        if norm.element != "f32":
            value = self.add([f"%{name}_f"], f"arith.extf {value} : bf16 to f32", [value])
        norm.is_used = True
        return self.add([f"%{name}_s"], f"tensor.from_elements {value} : tensor<1xf32>",
                        [value])

    def destination(self, name, type):
        """An argument, or memory that is asked for just before it is written."""
        if self.rank == 3 or type.count("?") != 1 or self.rng.random() < 0.6:
            return self.argument(name, type)
        (size,) = self.sizes()
        return self.add([f"%{name}"], f"tensor.empty({size}) : {type}", [size])

    def attention(self):
        producer = self.rng.choice(PRODUCERS)
        tag = f"a{len(self.attentions)}"
        ins = [(self.argument(f"{tag}_{i}", t), t) for i, t in enumerate(producer.types)]
        clauses = [(c, self.argument(f"{tag}_{c}", t), t) for c, t in producer.clauses]
        lse = None
        if producer.lse and self.sometimes(0.3):
            lse = (self.argument(f"{tag}_lse_out", producer.lse), producer.lse)
            self.returned.append((f"%{tag}_lse", producer.lse))
        element = "f32" if self.sometimes(0.2) else "bf16"
        out = self.argument(f"{tag}_out", f"tensor<?x512x{element}>")
        op = Attention(producer, ins, clauses, lse, f"%{tag}", "?x", 512, element, out)
        if self.sometimes(0.2):
            op.count = self.count("a")
            clauses.append(("num_actual_tokens", op.count, "tensor<1xi32>"))
        if self.sometimes(0.1):
            clauses.append(("row_offset", self.argument(f"{tag}_row", "index"), "index"))
        op.is_plain = not (lse or len(clauses) > len(producer.clauses) or element == "f32")
        self.attentions.append(op)
        for key in self.rng.sample(self.keys(512), 2 if self.sometimes(0.2) else 1):
            self.quantize(op, key)
            if self.sometimes(0.1):
                self.quantize_again(op)
        if self.sometimes(0.2):
            op.is_used = True
            self.returned.append((op.name, op.type))

    def unrelated(self):
        """Ops between that have nothing to do with the fusions."""
        x = self.argument("u", "tensor<8xf32>")
        for i in range(self.rng.randint(0, 3)):
            self.add([f"%u{i}"], f"arith.addf {x}, {x} : tensor<8xf32>", [x])
            self.returned.append((f"%u{i}", "tensor<8xf32>"))
        for i in range(self.rng.randint(0, 2)):
            self.add([], f"func.call @{self.tag}effect{i}() : () -> ()", [], True)

    def declarations(self):
        """The functions that the program calls."""
        uses = [f"@{self.tag}use{i}({norm.type})" for i, norm in enumerate(self.norms)]
        others = ["scale() -> tensor<1xf32>", "effect0()", "effect1()"]
        return [f"func.func private {d}" for d in
                uses + [f"@{self.tag}{other}" for other in others]]
