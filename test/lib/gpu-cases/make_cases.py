"""Prints a module with every variant of the ops that the GPU targets compile: op, key,
layout, rule, element and weight types, sizes.

usage: make_cases.py [--suite=NAME] [--ops=REGEX] [--list] [--part=I/N] [--seed=N]

  small  every variant once, at widths up to 2112, and common ones at 7168
  full   the same at the widths of models, and every common key at odd widths
  wide   rows of 16384, longer than registers hold
  codes  every conversion, for mlafuse-device-check --bits: at 128 tokens rows have
         all patterns of 16 bits
  attention, attention-few
         random cases of latent_attention, head_projection and mla_decode, every
         value of every axis of mla_grid.py at least once; a few leave rare rules out
"""

import argparse
import itertools
import os
import pathlib
import random
import re
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [
    str(HERE),
    str(HERE.parents[1] / "Integration" / "CPU" / "Inputs" / "random_chains"),
]

import attention
import mla_cases
import norms
import quantizing

ODD_WIDTHS = [1, 7, 33, 129, 1000, 2113, 4095]
SUITES = {
    "small": {
        "widths": [512, 1536, 2112, 768, 576, 129, 1000, 7, 33, 96, 48, 272, 1024],
        "duals": [(1536, 512), (768, 512), (512, 256), (128, 1024)],
        # The last has rows of several waves on every chip.
        "extra": [7, 320, 7168],
    },
    "full": {
        "widths": [7168, 1536, 512, 2112, 1000, 768, 3584, 2113, 16384, 33, 96, 272],
        "duals": [(1536, 512), (768, 512), (7168, 512), (512, 2048), (1536, 384)],
        "extra": ODD_WIDTHS + [512, 1536, 2112, 7168, 16384],
    },
    "wide": {
        "widths": [16384],
        "duals": [(16384, 512), (1536, 16384)],
        "extra": [16384, 16383],
    },
    "codes": {},
    "attention": {"attention": 110, "decode": 90, "projection": 90},
    "attention-few": {"attention": 24, "decode": 24, "projection": 24},
}


class Widths:
    """The suite's widths in turn, those that a key's groups fit."""

    def __init__(self, widths):
        self.widths = widths
        self.turn = itertools.count()

    def __call__(self, key=None):
        fitting = [width for width in self.widths if key is None or key.fits(width)]
        # A group that fits none gets a row of three.
        if not fitting:
            return 3 * key.group
        return fitting[next(self.turn) % len(fitting)]


def make_suite(name, seed):
    suite = SUITES[name]
    if name == "codes":
        yield from quantizing.code_cases()
        return
    if name.startswith("attention"):
        every_rule = name == "attention"
        yield from mla_cases.families(random.Random(seed), suite, every_rule)
        return
    width_of = Widths(suite["widths"])
    yield from quantizing.quantize_cases(width_of, name != "small")
    yield from quantizing.width_cases(suite["extra"])
    yield from quantizing.dequantize_cases(width_of)
    yield from norms.norm_cases(width_of)
    yield from norms.norm_quantize_cases(width_of, name != "small")
    yield from norms.width_cases(suite["extra"])
    yield from norms.dual_cases(suite["duals"])
    if name != "wide":
        yield from attention.rope_cases()
        yield from attention.cache_cases()
        yield from attention.merge_cases()


def unique(functions):
    """Each name once: two lists of variants may meet at a width."""
    seen = set()
    for function in functions:
        if function.name not in seen:
            seen.add(function.name)
            yield function


def part(text):
    index, count = (int(number) for number in text.split("/"))
    if not 0 <= index < count:
        raise ValueError
    return index, count


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--suite", choices=SUITES, default="small")
    parser.add_argument("--ops", default="", help="names to keep, as a regex")
    parser.add_argument("--list", action="store_true", help="print names alone")
    parser.add_argument("--part", type=part, default=(0, 1), help="I/N: a share")
    parser.add_argument(
        "--seed",
        type=int,
        default=os.environ.get("MLAFUSE_TEST_SEED") or time.time_ns() // 1000 % 10**9,
        help="of random suites (default: MLAFUSE_TEST_SEED, or of the clock)",
    )
    arguments = parser.parse_args()
    if arguments.suite.startswith("attention") and not arguments.list:
        print(f"// Seed {arguments.seed}.")
    functions = [
        function
        for function in unique(make_suite(arguments.suite, arguments.seed))
        if re.search(arguments.ops, function.name)
    ]
    index, count = arguments.part
    for function in functions[index::count]:
        print(function.name if arguments.list else function.text())


if __name__ == "__main__":
    main()
