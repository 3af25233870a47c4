"""Runs random chains unfused, fused, and fused and opened again, and compares their
results bit for bit.

Each run of a function makes its inputs anew, at random, too.
"""

import argparse
import os
import random
import subprocess
import sys

import chains
import outputs
import pairs
import safetensors_file

ROWS = [0, 1, 3, 7, 33]
FORMS = ["fused", "unfused", "reopened"]
KINDS = {
    "norms": [chains.draw_single, chains.draw_dual],
    "decode": [outputs.draw_decode],
    "prefill": [outputs.draw_prefill],
    "pairs": [pairs.draw_offsets, pairs.draw_mixed],
}


def run(*command, preload=None):
    """What a command prints; if it fails, all ends with that."""
    variables = dict(os.environ, LD_PRELOAD=preload) if preload else None
    result = subprocess.run(command, capture_output=True, text=True, env=variables)
    if result.returncode != 0:
        print(" ".join(command))
        sys.exit(result.stdout + result.stderr)
    return result.stdout


def compare(generator, arguments, function, rows):
    """Compares one function, in all forms, at one number of rows."""
    options, inputs = function.draw_run(generator, rows)
    if inputs:
        path = os.path.join(arguments.directory, "inputs.safetensors")
        safetensors_file.write(path, inputs)
        options.append(f"--inputs={path}")
    seed = generator.randrange(2**31)
    results = []
    for name in function.names_of_equals():
        for form in FORMS:
            stem = os.path.join(arguments.directory, form)
            results.append(f"{stem}.{name}.safetensors")
            run(
                "mlafuse-run",
                f"{stem}.so",
                f"--function={name}",
                f"--random={seed}",
                f"--outputs={results[-1]}",
                *options,
                *function.options_of(name, form),
                preload=arguments.preload,
            )
            if len(results) > 1:
                run("mlafuse-compare", "--bits", results[0], results[-1])


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
    compile = ["mlafuse-compile", "--target=cpu", "-o"]
    check_report(run(*compile, library("fused"), source, "--report=text"))
    run(*compile, library("unfused"), source, "--no-fuse")
    reopened = os.path.join(directory, "reopened.mlir")
    run("mlafuse-opt", source, "--mlafuse-fuse", "--mlafuse-decompose", "-o", reopened)
    run(*compile, library("reopened"), reopened, "--no-fuse")
    for function in functions:
        for rows in ROWS:
            print(f"{function.name}, {rows} rows")
            compare(generator, arguments, function, rows)
    print(f"{len(functions)} functions are equal in all forms")


if __name__ == "__main__":
    main(parse_arguments())
