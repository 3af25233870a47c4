#!/usr/bin/env python3
"""Runs NVIDIA's kernels without a card: translates PTX to C, which the CPU runs.

ptxsim.py K.ptx [KERNEL] --grid=4 --block=256 --arg=...   runs a kernel
ptxsim.py --check K.ptx               lists the instructions that are not known
ptxsim.py --list K.ptx                lists the kernels
ptxsim.py --translate K.ptx -o K.so   makes a library (runtime/ptxsim.h)

clang of LLVM 22 is needed; LLVM_BIN names its directory."""

import argparse
import os
import sys
import tempfile

# Nothing is written beside the sources.
sys.dont_write_bytecode = True
sys.path.insert(1, os.path.join(os.path.dirname(__file__), "..", "amdsim"))

# The simulator's own modules come first, the errors and tools are amdsim's.
from errors import SimulatorError  # noqa: E402
from kernel_argument import ARGUMENT_HELP, KernelArgument, sizes  # noqa: E402
from library import Library  # noqa: E402
from module import Module  # noqa: E402
from translate import Translation, compile  # noqa: E402


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("ptx", metavar="K.ptx")
    parser.add_argument("kernel", nargs="?", metavar="KERNEL")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--check", action="store_true")
    mode.add_argument("--list", action="store_true")
    mode.add_argument("--translate", action="store_true")
    mode.add_argument("--emit-c", action="store_true", help="prints the C")
    parser.add_argument("-o", dest="output", help="of --translate", metavar="K.so")
    parser.add_argument("--grid", type=sizes, default="1", help="blocks: X,Y,Z")
    parser.add_argument("--block", type=sizes, default="32", help="threads: X,Y,Z")
    parser.add_argument("--arg", action="append", default=[], help=ARGUMENT_HELP)
    parser.add_argument("--shared", type=int, default=0,
                        help="bytes of dynamic shared memory")  # fmt: skip
    parser.add_argument("--seed", type=int, default=0,
                        help="order of the threads: 0 forward, 1 backward, others "
                        "shuffled and with copies that end late")  # fmt: skip
    parser.add_argument("--overlaps", action="store_true",
                        help="launches it a second time, as one that may begin "
                        "before the first ends")  # fmt: skip
    options = parser.parse_args()
    if options.translate != bool(options.output):
        parser.error("--translate and -o go together")
    return options


def run(translation, options):
    arguments = [KernelArgument(text) for text in options.arg]
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "kernel.so")
        compile(translation, path)
        library = Library(path)
    kernel = library.find(options.kernel)
    values = [argument.value for argument in arguments]
    for overlaps in [False, True] if options.overlaps else [False]:
        library.launch(
            kernel, options.grid, options.block, values, options.shared, options.seed,
            overlaps,
        )  # fmt: skip
    for argument in arguments:
        argument.write()


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
        translation = Translation(module)
        if options.check:
            return check(translation)
        if options.emit_c:
            print(translation.source, end="")
        elif options.translate:
            compile(translation, options.output)
        else:
            run(translation, options)
    except OSError as error:
        print(f"ptxsim: {error}", file=sys.stderr)
        return 1
    except SimulatorError as error:
        print(f"ptxsim: {options.ptx}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
