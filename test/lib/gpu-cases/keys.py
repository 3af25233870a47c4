"""Keys of quantizations, their layouts and rules, and short names for all of them."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Key:
    name: str
    text: str  # inside #mlafuse.quant_key<...>
    codes: str  # element type of the codes
    group: int  # columns that share a scale; 0: all of a row; -1: all of the tensor
    scale: str = "f32"
    is_static: bool = False

    @property
    def is_block(self):
        """NVFP4 and MX: scales with an arithmetic of their own."""
        return self.scale != "f32"

    def fits(self, width):
        return self.group <= 0 or width % self.group == 0


def group_key(name, codes, size):
    """FP8 in groups of one row."""
    text = f"{codes}, scale = f32, dynamic, group = [1, {size}], sym"
    return Key(name, text, codes, size)


def plain_keys(prefix, codes):
    """Static, tensor, token and group keys of one data type, in full."""
    form = f"{codes}, scale = f32, {{}}, group = {{}}, sym"
    return [
        Key(
            f"{prefix}_static",
            form.format("static", "[-1, -1]"),
            codes,
            -1,
            is_static=True,
        ),
        Key(f"{prefix}_tensor", form.format("dynamic", "[-1, -1]"), codes, -1),
        Key(f"{prefix}_token", form.format("dynamic", "[1, -1]"), codes, 0),
        group_key(f"{prefix}_g128", codes, 128),
    ]


FP8 = "f8E4M3FN"
STATIC = Key("static", "fp8_static_tensor_sym", FP8, -1, is_static=True)
TENSOR = Key("tensor", "fp8_dynamic_tensor_sym", FP8, -1)
TOKEN = Key("token", "fp8_dynamic_token_sym", FP8, 0)
G128 = Key("g128", "fp8_dynamic_128_sym", FP8, 128)
G64 = Key("g64", "fp8_dynamic_64_sym", FP8, 64)
# A scale for each element, found as those of every group are.
G1 = group_key("g1", FP8, 1)
NVFP4 = Key("nvfp4", "nvfp4_dynamic", "i8", 16, scale=FP8)
MXFP8 = Key("mxfp8", "mxfp8_dynamic", FP8, 32, scale="f8E8M0FNU")
MXFP4 = Key("mxfp4", "mxfp4_dynamic", "i8", 32, scale="f8E8M0FNU")
MXFP8_E5M2 = Key(
    "mxfp8_e5m2",
    "f8E5M2, scale = f8E8M0FNU, dynamic, group = [1, 32], sym",
    "f8E5M2",
    32,
    scale="f8E8M0FNU",
)

COMMON = [STATIC, TENSOR, TOKEN, G128, G64, NVFP4, MXFP8, MXFP4]
OTHER_TYPES = [
    *plain_keys("fnuz", "f8E4M3FNUZ"),
    *plain_keys("e5m2", "f8E5M2"),
    MXFP8_E5M2,
]
ODD_GROUPS = [group_key(f"g{size}", FP8, size) for size in (7, 16, 48, 96, 256, 512)]
ALL = COMMON + OTHER_TYPES + ODD_GROUPS

# Rules by short name; "" is the key's default.
STATIC_RULES = {"": "", "divide": "quotient = divide", "max200": "max = 200.0"}
ROW_RULES = {
    "": "",
    "reciprocal": "quotient = reciprocal",
    "floor_scale": "floor = 1.0e-2 on scale",
    "floor_absmax": "floor = 1.0e-2 on absmax",
    "ue8m0": "rounding = ue8m0",
    "max200": "max = 200.0",
    "vllm": "vllm",
    "deepseek": "deepseek",
    "aiter": "aiter",
}
GROUP_RULES = {**ROW_RULES, "ue8m0_reciprocal": "rounding = ue8m0, quotient = reciprocal"}
# Of fnuz, whose largest magnitude is 240 and which systems limit to 224.
FNUZ_RULES = {
    "": "",
    "max224": "max_fnuz = 224.0",
    "max240": "max = 240.0",
    "vllm": "vllm",
}

GROUP_LAYOUTS = ["row_major", "column_major", "tma_aligned", "packed_ue8m0"]
BLOCK_LAYOUTS = ["row_major", "swizzled_128x4"]
SHORT = {
    "": "",
    "row_major": "row",
    "column_major": "col",
    "tma_aligned": "tma",
    "packed_ue8m0": "packed",
    "swizzled_128x4": "swizzled",
}


def layouts_of(key):
    if key.is_block:
        return BLOCK_LAYOUTS
    if key in ODD_GROUPS:
        # Where its scales lie does not depend on how many columns a group has.
        return [GROUP_LAYOUTS[ODD_GROUPS.index(key) % len(GROUP_LAYOUTS)]]
    return GROUP_LAYOUTS if key.group > 0 else [""]


def rules_of(key):
    """Short name -> rule, of all that change the key's arithmetic."""
    if key.is_block:
        return {"": ""}
    if key.codes == "f8E4M3FNUZ":
        return FNUZ_RULES
    if key.is_static:
        return STATIC_RULES
    return GROUP_RULES if key.group > 0 else ROW_RULES


def layout_rules(key, every_rule):
    """(layout, short name of the rule, rule), of which each layout has at least one;
    with `every_rule` all that the verifier takes."""
    for layout in layouts_of(key):
        if layout == "packed_ue8m0":
            yield layout, "", "rounding = ue8m0"
            continue
        for short, rule in rules_of(key).items():
            if every_rule or short == "" or short == "ue8m0" and layout:
                yield layout, short, rule


def scale_type(key, layout, width):
    """Storage of the scales of rows of `width`."""
    if key.group == -1:
        return "tensor<1xf32>"
    groups = width // key.group if key.group else 1
    if layout in ("column_major", "tma_aligned"):
        return f"tensor<{groups}x?xf32>"
    if layout == "packed_ue8m0":
        return f"tensor<{-(-groups // 4)}x?xi32>"
    if layout == "swizzled_128x4":
        groups = -(-groups // 4) * 4
    return f"tensor<?x{groups}x{key.scale}>"


def join(*parts):
    """A function's name of its parts; empty ones are left out."""
    return "_".join(str(part) for part in parts if str(part))
