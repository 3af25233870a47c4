"""Quantization keys with the types that go with them."""


def align(size, to):
    return size if size == "?" else -(-size // to) * to


class Key:
    """A key in one layout. `group` columns have one scale; None: the whole tensor."""

    def __init__(self, name, group=None, layout=None, scale="f32", codes="f8E4M3FN",
                 rule=None, operand=None):
        self.name, self.group, self.layout = name, group, layout
        self.scale, self.codes, self.rule = scale, codes, rule
        self.operand = operand  # a one-element operand that the key needs

    def fits(self, width):
        return self.group in (None, -1) or width % self.group == 0

    def attributes(self, prefix=""):
        text = f"{prefix}key = #mlafuse.quant_key<{self.name}>"
        if self.layout:
            text += f", {prefix}scale_layout = #mlafuse.scale_layout<{self.layout}>"
        if self.rule:
            text += f", {prefix}scale_rule = #mlafuse.scale_rule<{self.rule}>"
        return text

    def codes_type(self, rows, width):
        """`rows` is the type's text before the width, such as "4x?x"."""
        if self.codes == "i8":
            return f"tensor<{rows}{width // 2}xi8>"
        return f"tensor<{rows}{width}x{self.codes}>"

    def scale_type(self, rows, width):
        """None where the scale is an operand."""
        if self.operand == "scale":
            return None
        if self.group is None:
            return f"tensor<1x{self.scale}>"
        tokens = 1
        for size in rows.rstrip("x").split("x"):
            tokens = "?" if "?" in (size, tokens) else tokens * int(size)
        groups = 1 if self.group == -1 else width // self.group
        shape = {
            None: (tokens, groups),
            "column_major": (groups, tokens),
            "tma_aligned": (groups, align(tokens, 4)),
            "packed_ue8m0": (-(-groups // 4), align(tokens, 4)),
            "swizzled_128x4": (align(tokens, 128), align(groups, 4)),
        }[self.layout]
        element = "i32" if self.layout == "packed_ue8m0" else self.scale
        return f"tensor<{shape[0]}x{shape[1]}x{element}>"


KEYS = [
    Key("fp8_static_tensor_sym", operand="scale"),
    Key("fp8_dynamic_tensor_sym"),
    Key("fp8_dynamic_token_sym", -1),
    Key("fp8_dynamic_128_sym", 128),
    Key("fp8_dynamic_128_sym", 128, "tma_aligned"),
    # Groups that span two heads of 128 columns.
    Key("f8E4M3FN, scale = f32, dynamic, group = [1, 256], sym", 256),
    Key("f8E4M3FNUZ, scale = f32, dynamic, group = [1, -1], sym", -1,
        codes="f8E4M3FNUZ"),
    Key("f8E5M2, scale = f32, static, group = [-1, -1], sym", codes="f8E5M2",
        operand="scale"),
    Key("fp8_dynamic_64_sym", 64, "column_major"),
    Key("fp8_dynamic_64_sym", 64, "packed_ue8m0", rule="rounding = ue8m0"),
    Key("nvfp4_dynamic", 16, scale="f8E4M3FN", codes="i8", operand="global_scale"),
    Key("nvfp4_dynamic", 16, "swizzled_128x4", "f8E4M3FN", "i8", operand="global_scale"),
    Key("mxfp8_dynamic", 32, scale="f8E8M0FNU"),
    Key("mxfp4_dynamic", 32, "swizzled_128x4", "f8E8M0FNU", "i8"),
]
