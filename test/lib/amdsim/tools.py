"""Finds and runs the programs of LLVM that the simulator needs."""

import os
import shutil
import subprocess

from errors import SimulatorError

VERSION = "22"
DEFAULT_DIRECTORY = f"/usr/lib/llvm-{VERSION}/bin"


def find(name):
    """The path of a program: in $LLVM_BIN if that is set, else where Debian
    puts it, else on the PATH."""
    directory = os.environ.get("LLVM_BIN")
    tried = [os.path.join(directory or DEFAULT_DIRECTORY, name)]
    found = shutil.which(tried[0])
    if not found and not directory:
        for other in (f"{name}-{VERSION}", name):
            tried.append(f"'{other}' on the PATH")
            found = found or shutil.which(other)
    if not found:
        raise SimulatorError(
            f"{name} was not found; looked for {', '.join(tried)}. Install LLVM "
            f"{VERSION}, or set LLVM_BIN to the directory that holds it."
        )
    return found


def run(arguments):
    """What the program prints; its failure is an error with its text."""
    arguments[0] = find(arguments[0])
    done = subprocess.run(arguments, capture_output=True, text=True)
    if done.returncode != 0:
        raise SimulatorError(
            f"{arguments[0]} failed with {done.returncode}: {done.stderr.strip()}"
        )
    return done.stdout
