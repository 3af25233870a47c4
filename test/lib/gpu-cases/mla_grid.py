"""Random points of the grid that attention is tested on, one value of each axis to a
point, every value of every axis at least once."""

import keys

CACHES = ["bf16", "fp8", "fp8_ds_mla"]

# What latent_attention and mla_decode have in common. Lengths of requests, the width of
# the block table and the order of pages are drawn by mlafuse-device-check.
PAGED = {
    "element": ["bf16", "f16"],
    "heads": [1, 3, 8, 12, 16, 20, 32, 64, 96, 128],
    "queries": [1, 2, 3, 4, 5, 6, 7, 8],
    "rope": [64, 64, 0],
    "page": [1, 16, 32, 64, 128],
    "cache": CACHES,
    "paging": ["dense", "dense", "sparse"],
    "lse": [True, False],
    "count": [True, False, False],
    # Whether queries are slices of wider rows.
    "strided": [False, False, True],
}


def outputs(every_rule):
    """(key, layout, short name of the rule, rule, type without a key) of quantizable
    outputs; that type is the input's if empty."""
    drawn = [(None, "", "", "", element) for element in ("", "f32", "")]
    for key in keys.STATIC, keys.G128, keys.G64, keys.NVFP4:
        for layout in keys.layout_rules(key, every_rule):
            drawn.append((key, *layout, ""))
    return drawn


def grids(every_rule):
    """The axes of each op's cases, by the prefix of their names."""
    quantizable = {
        "output": outputs(every_rule),
        "contracted": [False, True],
        "offset": [False, False, True],
    }
    return {
        "attention": {
            **PAGED,
            "latent": [512],
            "output": ["bf16", "f16", "f32"],
            "split_q": [False, True],
        },
        "decode": {
            **PAGED,
            **quantizable,
            "latent": [512],
            "nope": [128, 192],
            "value": [128, 256],
        },
        "projection": {
            **quantizable,
            "element": PAGED["element"],
            "heads": PAGED["heads"],
            "queries": PAGED["queries"],
            # Of q absorb, and of v_up.
            "widths": [(128, 512), (192, 512), (512, 128), (512, 256)],
            "count": PAGED["count"],
            "strided": PAGED["strided"],
        },
    }


def deck(random, values, count):
    """So many values in random order, each as often as another."""
    cards = [values[i % len(values)] for i in range(count)]
    random.shuffle(cards)
    return cards


def draw(random, axes, count):
    """Points of a grid. A count that leaves values out is an error."""
    for name, values in axes.items():
        if count < len(values):
            raise SystemExit(
                f"make_cases.py: error: {count} cases do not show all {len(values)}"
                f" values of '{name}'"
            )
    decks = {name: deck(random, values, count) for name, values in axes.items()}
    return [{name: deck[i] for name, deck in decks.items()} for i in range(count)]
