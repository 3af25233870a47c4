"""A function with one op (or a few) of which the GPU tests run every variant.

Names of arguments say what mlafuse-device-check cannot see: `..._e2m1x2` and
`..._e8m0x4` are packed, `...scales...` are scales that follow from the input, and
`num_actual_tokens` is the count of rows; `h` is a norm's input plus its residual, with
equal bits on every device. The size T is the number of tokens.
"""

import quantization
from function import Function
from keys import scale_type

COUNT = "tensor<1xi32>"
SCALAR = "tensor<1xf32>"


class Case(Function):
    """Builds the text of one function without drawing anything at random."""

    def __init__(self, name, rank=2):
        super().__init__(None, name, rank)

    def named(self, name, type, dims=(), strided=False):
        """An argument with a name, and names for its dynamic sizes."""
        attributes = [f'mlafuse.name = "{name}"']
        if dims:
            quoted = ", ".join(f'"{dim}"' for dim in dims)
            attributes.append(f"mlafuse.dims = [{quoted}]")
        if strided:
            attributes.append("mlafuse.strided")
        return self.argument(type, f" {{{', '.join(attributes)}}}")

    def named_rows(self, name, width, element, strided=False):
        """Rows of all tokens: (value, type)."""
        type = self.rows(width, element)
        dims = ["T", ""] if self.leading == "?x" else ["T", "S", ""]
        return self.named(name, type, dims, strided), type

    def vector(self, name, width, element):
        type = f"tensor<{width}x{element}>"
        return self.named(name, type), type

    def count(self):
        """A clause with the count of tokens on the device."""
        return ("num_actual_tokens", self.named("num_actual_tokens", COUNT), COUNT)

    def emit(self, op, ins, clauses, outs, attributes):
        """Adds an op and returns all that it writes."""
        values = self.operation(op, ins, clauses, outs, attributes)
        for value, (_, type) in zip(values, outs):
            self.keep(value, type)


def scale_clauses(function, drawn, bound=False, side=""):
    """Arguments for the scales that a quantization takes, as clauses."""
    words = drawn.operands + (["scale_ub"] if bound else [])
    return [
        (side + word, function.named(side + word, SCALAR), SCALAR) for word in words
    ]


def quantized_outs(function, drawn, side="", strided=False):
    """Destinations of a quantization: codes, then scales."""
    packed = "_e2m1x2" if drawn.codes == "i8" else ""
    outs = [
        function.named_rows(
            f"{side}codes{packed}", drawn.codes_width, drawn.codes, strided
        )
    ]
    if drawn.scale:
        packed = "_e8m0x4" if drawn.layout == "packed_ue8m0" else ""
        value = function.named(f"{side}scales{packed}", drawn.scale)
        outs.append((value, drawn.scale))
    return outs


def make_quantization(key, width, layout="", rule=""):
    """The quantization of rows of `width` by a key of keys.py."""
    operands = ["scale"] if key.is_static else []
    if key.name.startswith("nvfp4"):
        operands.append("global_scale")
    return quantization.Quantization(
        key=key.text,
        codes=key.codes,
        codes_width=width // 2 if key.codes == "i8" else width,
        scale="" if key.is_static else scale_type(key, layout, width),
        layout=layout,
        rule=rule,
        operands=operands,
    )
