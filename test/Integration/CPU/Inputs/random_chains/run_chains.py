"""Runs random chains unfused and fused, and compares their results bit for bit.

usage: run_chains.py SEED FUNCTIONS DIRECTORY
"""

import os
import random
import struct
import subprocess
import sys

import chains
import safetensors_file

ROWS = [0, 1, 3, 7, 33]


def run(*command):
    """Runs a command; if it fails, all ends with what it printed."""
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        print(" ".join(command))
        sys.exit(result.stdout + result.stderr)
    return result.stdout


def write_count(path, count):
    safetensors_file.write(path, {"count": ("I32", [1], struct.pack("<i", count))})


def compare(generator, directory, function, rows):
    """Compares one function at one number of rows."""
    sizes = [f"--dim=T={rows}"]
    if function.leading == "?x?x":
        sizes.append("--dim=S=2")
        rows *= 2
    if function.has_count:
        count = os.path.join(directory, "count.safetensors")
        write_count(count, generator.choice([0, rows // 2, rows]))
        sizes.append(f"--inputs={count}")
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
            *sizes,
        )
    run("mlafuse-compare", "--bits", *results)


def main(seed, number, directory):
    print(f"seed: {seed}")
    generator = random.Random(seed)
    os.makedirs(directory, exist_ok=True)
    functions = [
        generator.choice([chains.draw_single, chains.draw_dual])(generator, f"f{i}")
        for i in range(number)
    ]
    source = os.path.join(directory, "chains.mlir")
    with open(source, "w") as file:
        file.write("\n".join(function.text() for function in functions))
    for form, options in ("fused", []), ("unfused", ["--no-fuse"]):
        library = os.path.join(directory, f"{form}.so")
        run("mlafuse-compile", source, "--target=cpu", "-o", library, *options)
    for function in functions:
        for rows in ROWS:
            print(f"{function.name}, {rows} rows")
            compare(generator, directory, function, rows)
    print(f"{number} functions are equal, unfused and fused")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
