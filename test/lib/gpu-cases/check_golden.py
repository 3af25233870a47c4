#!/usr/bin/env python3
"""Runs the golden cases of attention on a device and compares within the bounds of a
device, which are wider than those of the CPU in the golden files.

usage: check_golden.py LIBRARIES --run=MLAFUSE_RUN [--device=NAME] [--target=CHIP]
                       [--tests=NAME,...] [--functions=REGEX]
       check_golden.py --list

LIBRARIES holds golden-NAME.so for each of the tests that --list prints, compiled for the
device. Which function runs on which case, the tests' own lines say. An output must be
within ROW of the golden one in every row of a token and head, mla_decode's, which is
rounded to bf16 three times, within DECODE_ROW; a logarithm within LSE, a
scale within SCALE (e4m3: one code; a power of two: one step), a number within a step of
its format at the golden value and GROUP of its group's largest magnitude. Ends with
`N passed, N failed`.
"""

import argparse
import dataclasses
import itertools
import json
import math
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[1] / "Inputs"))

import float_formats
import safetensors_file

TESTS = [
    "golden-latent-attention",
    "golden-latent-attention-fp8",
    "golden-decode-layouts",
    "golden-decode-real",
    "golden-decode-v256",
]
ROW, DECODE_ROW, LSE, SCALE, GROUP = 4e-3, 6e-3, 1e-3, 1e-2, 1e-2
LINE = re.compile(r"RUN: %golden(?:_both)? (\w+) (\S+)(.*)")


class Failure(Exception):
    """What is wrong with a result."""


def numbers(file, name, packed=False):
    """All elements of a tensor, in order."""
    dtype, _, content = file.tensors[name]
    if packed:
        codes = [half for byte in content for half in (byte & 15, byte >> 4)]
        return [float_formats.decode("E2M1", code) for code in codes]
    if dtype == "F32":
        return list(struct.unpack(f"<{len(content) // 4}f", content))
    # A NaN is none of the format's numbers, and no golden output has one.
    size = 2 if dtype in ("BF16", "F16") else 1
    values = [decoded(dtype, code) for code in range(1 << 8 * size)]
    codes = struct.unpack(f"<{len(content) // size}{'xBH'[size]}", content)
    return [values[code] for code in codes]


def decoded(dtype, code):
    exponent_bits, mantissa_bits, *_ = float_formats.FORMATS[dtype]
    magnitude = code & ((1 << exponent_bits + mantissa_bits) - 1)
    if dtype == "F8_E4M3":
        is_number = magnitude != 0x7F
    else:
        is_number = magnitude >> mantissa_bits != (1 << exponent_bits) - 1
    return float_formats.decode(dtype, code) if is_number else math.nan


@dataclasses.dataclass
class Run:
    """A line of a test."""

    library: str
    function: str
    case: str
    contracted: bool

    @property
    def name(self):
        return f"{self.library}, {self.function}, {self.case}"


def read_runs(tests):
    for test in TESTS:
        for line in (tests / f"{test}.mlir").read_text().splitlines():
            if match := LINE.search(line):
                function, case, rest = match.groups()
                yield Run(test, function, case, "--against-contracted" in rest)


def golden_name(golden, name, contracted):
    """The golden tensor that a result is compared with."""
    if not contracted:
        return name
    stem = name.removesuffix("_scale")
    marked = f"{stem}_contracted{name[len(stem):]}"
    return marked if marked in golden.tensors else name


def check_rows(actual, wanted, columns, bound):
    for row in range(len(wanted) // columns):
        part = slice(row * columns, (row + 1) * columns)
        pairs = list(zip(actual[part], wanted[part]))
        off = math.sqrt(sum((a - e) ** 2 for a, e in pairs))
        norm = math.sqrt(sum(e * e for _, e in pairs))
        if not off <= bound * norm:
            raise Failure(
                f"row {row} (token and head): off by {off / norm if norm else off:.3g}"
                f" of the row, at most {bound}"
            )


def check_lse(actual, wanted):
    for i, (a, e) in enumerate(zip(actual, wanted)):
        if a != e and not abs(a - e) <= LSE:
            raise Failure(f"lse {i}: {a}, wanted {e}")


def step(code, mantissa, smallest):
    """Spacing of a format's numbers where one of them lies."""
    exponent = math.frexp(abs(code))[1] - 1 if code else smallest
    return 2.0 ** (max(exponent, smallest) - mantissa)


def place(layout, row, group, rows, groups):
    """Where a scale lies in its storage."""
    if layout == "column_major":
        return group * rows + row
    if layout == "tma_aligned":
        return group * (-(-rows // 4) * 4) + row
    if layout == "swizzled_128x4":
        tile = row // 128 * -(-groups // 4) + group // 4
        return tile * 512 + row % 32 * 16 + row // 32 % 4 * 4 + group % 4
    return row * groups + group


class Quantized:
    """Codes and scales of one result."""

    def __init__(self, golden, name, codes, scales, shape):
        self.about = json.loads(golden.metadata["outputs"])[
            name.removeprefix("out_").removesuffix("_contracted")
        ]
        self.is_fp4 = self.about["quant_dtype"] == "f4E2M1FN"
        self.codes, self.scales = codes, scales
        self.rows = shape[0]
        self.columns = len(codes) // self.rows
        self.group = self.about.get("group", self.columns)
        self.static = numbers(golden, "in_output_scale")[0]
        self.global_scale = 1.0
        if self.is_fp4:
            self.global_scale = numbers(golden, "in_output_global_scale")[0]

    def scale(self, row, group):
        if self.scales is None:
            return self.static
        groups = self.columns // self.group
        layout = self.about["scale_layout"]
        stored = self.scales[place(layout, row, group, self.rows, groups)]
        return stored / self.global_scale

    def check(self, wanted):
        groups = range(self.columns // self.group)
        for row, group in itertools.product(range(self.rows), groups):
            a, e = self.scale(row, group), wanted.scale(row, group)
            if not self.is_scale_near(a, e):
                raise Failure(f"scale of row {row}, group {group}: {a}, wanted {e}")
            first = row * self.columns + group * self.group
            self.check_group(wanted, first, a, e)

    def is_scale_near(self, a, e):
        if self.is_fp4:
            code = float_formats.e4m3(e * self.global_scale)
            return abs(a - e) * self.global_scale <= step(code, 3, -6) * 1.00001
        if self.about.get("scale_format") == "ue8m0":
            return a in (e, 2 * e, e / 2)
        return abs(a - e) <= SCALE * e

    def check_group(self, wanted, first, a, e):
        part = range(first, first + self.group)
        largest = max(abs(wanted.codes[i]) for i in part) * e
        format = (1, 0) if self.is_fp4 else (3, -6)
        for i in part:
            number, golden = self.codes[i] * a, wanted.codes[i] * e
            allowed = step(wanted.codes[i], *format) * e + GROUP * largest
            if not abs(number - golden) <= allowed:
                raise Failure(
                    f"element {i}: {number}, wanted {golden} within {allowed:.3g}"
                )


def check_results(results, golden, contracted):
    for name, (_, shape, _) in results.tensors.items():
        wanted = golden_name(golden, name, contracted)
        if shape != golden.tensors[wanted][1]:
            raise Failure(f"{name}: shape {shape}, wanted {golden.tensors[wanted][1]}")
        try:
            if name == "out_lse":
                check_lse(numbers(results, name), numbers(golden, wanted))
            elif name in ("out_o", "out_o_f32"):
                is_decode = golden.metadata["op"] == "decode"
                columns = int(golden.metadata["v_head_dim"]) if is_decode else shape[-1]
                bound = DECODE_ROW if is_decode else ROW
                sides = numbers(results, name), numbers(golden, wanted)
                check_rows(*sides, columns, bound)
            elif not name.endswith("_scale"):
                check_quantized(results, golden, name, wanted, contracted)
        except Failure as failure:
            raise Failure(f"{name}: {failure}") from None


def check_quantized(results, golden, name, wanted, contracted):
    packed = name.startswith("out_nvfp4")
    sides = []
    for file, codes in (results, name), (golden, wanted):
        scale = f"{name}_scale"
        if file is golden:
            scale = golden_name(golden, scale, contracted)
        scales = numbers(file, scale) if scale in file.tensors else None
        shape = file.tensors[codes][1]
        codes = numbers(file, codes, packed)
        sides.append(Quantized(golden, name, codes, scales, shape))
    sides[0].check(sides[1])


def library_of(options, test):
    return options.libraries / f"{test}.so"


def check(run, options, golden_directory, work):
    """Returns what is wrong, or nothing."""
    path = golden_directory / f"{run.case}.safetensors"
    output = work / "results.safetensors"
    command = [
        options.run,
        str(library_of(options, run.library)),
        f"--function={run.function}",
        f"--device={options.device}",
        f"--inputs={path}",
        f"--outputs={output}",
    ]
    if options.target:
        command.append(f"--target={options.target}")
    ran = subprocess.run(command, capture_output=True, text=True)
    if ran.returncode != 0:
        return ran.stderr.strip()
    try:
        check_results(
            safetensors_file.File(output), safetensors_file.File(path), run.contracted
        )
    except Failure as failure:
        return str(failure)
    return ""


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("libraries", type=pathlib.Path, nargs="?")
    parser.add_argument("--run", help="mlafuse-run")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--target", help="the chip whose code is to run")
    parser.add_argument("--tests", default=",".join(TESTS), help="those to run")
    parser.add_argument("--functions", default="", help="lines to keep, as a regex")
    parser.add_argument("--list", action="store_true", help="print the tests' names")
    options = parser.parse_args()
    if not options.list and not (options.libraries and options.run):
        parser.error("give the directory of the libraries, and --run")
    options.tests = options.tests.split(",")
    for name in options.tests:
        if name not in TESTS:
            parser.error(f"no test '{name}'; there are {', '.join(TESTS)}")
    return options


def main(options):
    if options.list:
        print("\n".join(TESTS))
        return 0
    tests = HERE.parents[1]
    failed = passed = 0
    for name in options.tests:
        if not library_of(options, name).exists():
            print(f"FAILED {name}\n       there is no {library_of(options, name)}")
            failed += 1
    with tempfile.TemporaryDirectory() as work:
        for run in read_runs(tests / "Integration" / "CPU"):
            if not re.search(options.functions, run.name):
                continue
            if run.library not in options.tests:
                continue
            if not library_of(options, run.library).exists():
                continue
            wrong = check(
                run, options, tests / "data" / "golden", pathlib.Path(work)
            )
            print(f"{'FAILED' if wrong else 'ok    '} {run.name}", flush=True)
            if wrong:
                print(f"       {wrong}")
            failed, passed = failed + bool(wrong), passed + (not wrong)
    print(f"{passed} passed, {failed} failed")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main(parse()))
