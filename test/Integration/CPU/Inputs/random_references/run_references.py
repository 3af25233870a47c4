"""Runs ops of attention on cases drawn at random, compares the results with a
reference in Python, and those of cases that mean the same bit for bit.
"""

import argparse
import json
import os
import random
import subprocess
import sys

import cache_update
import latent
import prefill
import safetensors_file

KINDS = {
    "latent": latent.draw,
    "prefill": prefill.draw,
    "cache_update": cache_update.draw,
}


def run(*command, preload=None):
    """Runs a command; if it fails, all ends with what it printed."""
    variables = dict(os.environ, LD_PRELOAD=preload) if preload else None
    result = subprocess.run(command, capture_output=True, text=True, env=variables)
    if result.returncode != 0:
        print(" ".join(command))
        sys.exit(f"{result.stdout}{result.stderr}exit status {result.returncode}")


def write(path, tensors, tolerances):
    tensors = {name: (t.dtype, t.shape, t.data) for name, t in tensors.items()}
    metadata = {"tolerance": json.dumps(tolerances), "encodings": "{}"}
    safetensors_file.write(path, tensors, metadata)


def check(case, library, directory, preload):
    results = []
    for number, step in enumerate(case.runs):
        stem = os.path.join(directory, f"{step.function}.{number}")
        wanted = {name: tensor for name, (tensor, _) in step.wanted.items()}
        tolerances = {name: tolerance for name, (_, tolerance) in step.wanted.items()}
        write(f"{stem}.inputs", step.inputs, {})
        write(f"{stem}.wanted", wanted, tolerances)
        results.append(f"{stem}.results")
        run(
            "mlafuse-run",
            library,
            f"--function={step.function}",
            f"--inputs={stem}.inputs",
            f"--outputs={results[-1]}",
            preload=preload,
        )
        run("mlafuse-compare", results[-1], f"{stem}.wanted")
        if step.same_as is not None:
            run("mlafuse-compare", "--bits", results[step.same_as], results[-1])


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
    draw = KINDS[arguments.kind]
    cases = [draw(generator, f"f{i}") for i in range(arguments.functions)]
    source = os.path.join(directory, "cases.mlir")
    library = os.path.join(directory, "cases.so")
    with open(source, "w") as file:
        file.write("\n".join(case.text for case in cases))
    run("mlafuse-compile", source, "--target=cpu", "-o", library)
    for i, case in enumerate(cases):
        print(f"case {i}")
        check(case, library, directory, arguments.preload)
    print(f"{len(cases)} cases are right")


if __name__ == "__main__":
    main(parse_arguments())
