"""Runs a function of a test's compiled libraries on a case and compares.

usage: run_case.py FORM STEM CASES FUNCTION CASE [options of mlafuse-compare]

FORM is `fused` (the library STEM.so), `both` (also STEM.unfused.so; the results must
have equal bits, too) or `differs` (the fused one runs, and its results are not those
of the case). CASES is a directory of golden files, or the test whose comments
describe the case (see make_case.py).
"""

import os
import subprocess
import sys

import make_case


def succeeds(*command):
    """Runs a command; what it prints is shown with it."""
    print("$", " ".join(command), flush=True)
    return subprocess.run(command, stderr=subprocess.STDOUT).returncode == 0


def find_case(cases, case, stem):
    if os.path.isdir(cases):
        return os.path.join(cases, f"{case}.safetensors")
    path = f"{stem}.{case}.safetensors"
    make_case.main(cases, case, path)
    return path


def run_library(library, function, wanted, results):
    """Runs; without success all ends here."""
    if not succeeds(
        "mlafuse-run",
        library,
        f"--function={function}",
        f"--inputs={wanted}",
        f"--outputs={results}",
    ):
        sys.exit(1)


def main(form, stem, cases, function, case, *options):
    wanted = find_case(cases, case, stem)
    fused = f"{stem}.{function}.{case}.fused.safetensors"
    unfused = f"{stem}.{function}.{case}.unfused.safetensors"
    run_library(f"{stem}.so", function, wanted, fused)
    passed = succeeds("mlafuse-compare", fused, wanted, *options)
    if form == "differs":
        return not passed
    if form == "both":
        run_library(f"{stem}.unfused.so", function, wanted, unfused)
        passed &= succeeds("mlafuse-compare", unfused, wanted, *options)
        passed &= succeeds("mlafuse-compare", "--bits", fused, unfused)
    return passed


if __name__ == "__main__":
    sys.exit(0 if main(*sys.argv[1:]) else 1)
