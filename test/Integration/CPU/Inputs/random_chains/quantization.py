"""Draws quantizations: key, layout, rule and the types that follow from them."""

import dataclasses

FNUZ = "f8E4M3FNUZ, scale = f32, {}, sym"
E5M2 = "f8E5M2, scale = f32, {}, sym"
# group: columns that share a scale; 0: all of a row; -1: all of the tensor.
KEYS = {
    "fp8_static_tensor_sym": ("f8E4M3FN", -1),
    FNUZ.format("static, group = [-1, -1]"): ("f8E4M3FNUZ", -1),
    "fp8_dynamic_tensor_sym": ("f8E4M3FN", -1),
    "fp8_dynamic_token_sym": ("f8E4M3FN", 0),
    FNUZ.format("dynamic, group = [1, -1]"): ("f8E4M3FNUZ", 0),
    E5M2.format("dynamic, group = [1, -1]"): ("f8E5M2", 0),
    "fp8_dynamic_128_sym": ("f8E4M3FN", 128),
    "fp8_dynamic_64_sym": ("f8E4M3FN", 64),
    FNUZ.format("dynamic, group = [1, 128]"): ("f8E4M3FNUZ", 128),
    "nvfp4_dynamic": ("i8", 16),
    "mxfp8_dynamic": ("f8E4M3FN", 32),
    "mxfp4_dynamic": ("i8", 32),
}
GROUP_LAYOUTS = ["row_major", "column_major", "tma_aligned", "packed_ue8m0"]
BLOCK_LAYOUTS = ["row_major", "swizzled_128x4"]
RULES = {
    "static": ["", "quotient = divide"],
    "row": ["", "quotient = reciprocal", "floor = 1.0e-2 on scale", "deepseek", "aiter"],
    "group": ["", "quotient = reciprocal", "rounding = ue8m0", "deepseek", "aiter"],
}


@dataclasses.dataclass
class Quantization:
    """One quantization of rows of `width`."""

    key: str
    codes: str  # element type
    codes_width: int
    scale: str  # type of the scale destination; empty if it is an input
    layout: str
    rule: str
    operands: list  # names of the clauses that take a scale, each 1 x f32

    def types(self, function):
        """Types of the destinations."""
        codes = function.rows(self.codes_width, self.codes)
        return [codes, self.scale] if self.scale else [codes]

    def attributes(self, side=""):
        text = f"{side}key = #mlafuse.quant_key<{self.key}>"
        if self.layout:
            text += f", {side}scale_layout = #mlafuse.scale_layout<{self.layout}>"
        if self.rule:
            text += f", {side}scale_rule = #mlafuse.scale_rule<{self.rule}>"
        return text


def scale_type(key, group, layout, width):
    if group == -1:
        return "tensor<1xf32>"
    groups = width // group if group else 1
    if layout == "column_major" or layout == "tma_aligned":
        return f"tensor<{groups}x?xf32>"
    if layout == "packed_ue8m0":
        return f"tensor<{-(-groups // 4)}x?xi32>"
    element = "f8E4M3FN" if key.startswith("nv") else "f32"
    if key.startswith("mx"):
        element = "f8E8M0FNU"
    if layout == "swizzled_128x4":
        groups = -(-groups // 4) * 4
    return f"tensor<?x{groups}x{element}>"


def draw(random, width, fuses=False):
    """A quantization that rows of this width can have."""
    fitting = [
        (key, codes, group)
        for key, (codes, group) in KEYS.items()
        if (group <= 0 or width % group == 0)
        # A scale of all rows keeps a norm from fusing, also with its sibling.
        and not (fuses and key == "fp8_dynamic_tensor_sym")
    ]
    key, codes, group = random.choice(fitting)
    static = "static" in key
    is_block = key.startswith(("nv", "mx"))
    layout, rule, operands = "", "", []
    if is_block:
        layout = random.choice(BLOCK_LAYOUTS)
    elif static:
        rule = random.choice(RULES["static"])
    elif group > 0:
        rule = random.choice(RULES["group"])
        layouts = GROUP_LAYOUTS if "ue8m0" in rule else GROUP_LAYOUTS[:-1]
        layout = random.choice(layouts)
    else:
        rule = random.choice(RULES["row"])
    if static:
        operands.append("scale")
    elif group <= 0 and random.random() < 0.3:
        operands.append("scale_ub")
    if key.startswith("nv"):
        operands.append("global_scale")
    return Quantization(
        key=key,
        codes=codes,
        codes_width=width // 2 if codes == "i8" else width,
        scale="" if static else scale_type(key, group, layout, width),
        layout=layout,
        rule=rule,
        operands=operands,
    )
