#!/usr/bin/env python3
"""Runs NVIDIA's kernels without a card: translates PTX to C, which the CPU runs.

ptxsim.py --check K.ptx               lists the instructions that are not known
ptxsim.py --list K.ptx                lists the kernels
ptxsim.py --translate K.ptx -o K.so   makes a library (runtime/ptxsim.h)

clang of LLVM 22 is needed; LLVM_BIN names its directory."""

import argparse
import os
import sys

# Nothing is written beside the sources.
sys.dont_write_bytecode = True
sys.path.insert(1, os.path.join(os.path.dirname(__file__), "..", "amdsim"))

# The simulator's own modules come first, the errors and tools are amdsim's.
from errors import SimulatorError  # noqa: E402
from module import Module  # noqa: E402

import translate  # noqa: E402


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("ptx", metavar="K.ptx")
    mode = parser.add_mutually_exclusive_group(required=True)
    mode.add_argument("--check", action="store_true")
    mode.add_argument("--list", action="store_true")
    mode.add_argument("--translate", action="store_true")
    mode.add_argument("--emit-c", action="store_true", help="prints the C")
    parser.add_argument("-o", dest="output", help="of --translate", metavar="K.so")
    options = parser.parse_args()
    if options.translate != bool(options.output):
        parser.error("--translate and -o go together")
    return options


def check(translation):
    for problem, text in sorted(translation.unknown.items()):
        print(f"{problem}: {text}")
    kinds = len(translation.unknown)
    print(f"{translation.module.target}: {kinds} kinds not known")
    return 1 if kinds else 0


def list_kernels(module):
    for kernel in module.kernels:
        print(f"{kernel.name}: {kernel.max_threads} threads")
        for parameter, offset in zip(kernel.parameters, kernel.offsets):
            print(f"  {offset:4} {parameter.bytes:3} {parameter.name}")


def main():
    options = parse_arguments()
    try:
        with open(options.ptx) as file:
            module = Module(file.read())
        if options.list:
            list_kernels(module)
            return 0
        translation = translate.Translation(module)
        if options.check:
            return check(translation)
        if options.emit_c:
            print(translation.source, end="")
        else:
            translate.compile(translation, options.output)
    except OSError as error:
        print(f"ptxsim: {error}", file=sys.stderr)
        return 1
    except SimulatorError as error:
        print(f"ptxsim: {options.ptx}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
