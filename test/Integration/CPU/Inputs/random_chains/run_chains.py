"""Runs random chains unfused and fused, and compares their results bit for bit.

Each run of a function makes its inputs anew, at random, too.
"""

import argparse
import os
import random
import struct
import subprocess
import sys

import chains
import decode
import safetensors_file

ROWS = [0, 1, 3, 7, 33]
KINDS = {"norms": [chains.draw_single, chains.draw_dual], "decode": [decode.draw]}


def run(*command, preload=None):
    """What a command prints; if it fails, all ends with that."""
    variables = dict(os.environ, LD_PRELOAD=preload) if preload else None
    result = subprocess.run(command, capture_output=True, text=True, env=variables)
    if result.returncode != 0:
        print(" ".join(command))
        sys.exit(result.stdout + result.stderr)
    return result.stdout


def write_count(path, count):
    safetensors_file.write(path, {"count": ("I32", [1], struct.pack("<i", count))})


def compare(generator, arguments, function, rows):
    """Compares one function at one number of rows."""
    directory = arguments.directory
    options, rows = function.sizes(rows)
    if function.has_count:
        count = os.path.join(directory, "count.safetensors")
        write_count(count, generator.choice([0, rows // 2, rows]))
        options.append(f"--inputs={count}")
    seed = generator.randrange(2**31)
    results = []
    for form in "fused", "unfused":
        results.append(os.path.join(directory, f"{form}.safetensors"))
        run(
            "mlafuse-run",
            os.path.join(directory, f"{form}.so"),
            f"--function={function.name}",
            f"--random={seed}",
            f"--outputs={results[-1]}",
            *options,
            preload=arguments.preload,
        )
    run("mlafuse-compare", "--bits", *results)


def check_report(report):
    """All chains fuse, but for those whose scale needs all rows of a tensor."""
    lines = report.splitlines()
    missed = [line for line in lines if " missed " in line]
    missed = [line for line in missed if "whole-tensor-scale" not in line]
    if missed or not any(" passed " in line for line in lines):
        sys.exit("not fused:\n" + "\n".join(missed))


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--functions", type=int, default=16)
    parser.add_argument("--preload", help="library to load into mlafuse-run")
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("directory")
    return parser.parse_args()


def main(arguments):
    print(f"seed: {arguments.seed}")
    generator = random.Random(arguments.seed)
    directory = arguments.directory
    os.makedirs(directory, exist_ok=True)
    functions = [
        generator.choice(KINDS[arguments.kind])(generator, f"f{i}")
        for i in range(arguments.functions)
    ]
    source = os.path.join(directory, "chains.mlir")
    with open(source, "w") as file:
        file.write("\n".join(function.text() for function in functions))
    library = os.path.join(directory, "{}.so").format
    compile = ["mlafuse-compile", source, "--target=cpu", "-o"]
    check_report(run(*compile, library("fused"), "--report=text"))
    run(*compile, library("unfused"), "--no-fuse")
    for function in functions:
        for rows in ROWS:
            print(f"{function.name}, {rows} rows")
            compare(generator, arguments, function, rows)
    print(f"{len(functions)} functions are equal, unfused and fused")


if __name__ == "__main__":
    main(parse_arguments())
