#!/usr/bin/env python3
"""Runs AMD kernels without an AMD card: translates a code object (hsaco) for
gfx942, gfx950, gfx11xx or gfx12xx to C and runs that on the CPU.

amdsim.py K.hsaco [KERNEL] --grid=4 --block=256 --arg=...   runs a kernel
amdsim.py --check K.hsaco             lists the instructions that are not known
amdsim.py --list K.hsaco              lists the kernels
amdsim.py --translate K.hsaco -o K.so    makes a library (runtime/amdsim.h)

llvm-objdump and clang of LLVM 22 are needed; LLVM_BIN names their directory."""

import argparse
import os
import sys
import tempfile

# Nothing is written beside the sources.
sys.dont_write_bytecode = True

from code_object import CodeObject  # noqa: E402
from errors import SimulatorError  # noqa: E402
from kernel_argument import ARGUMENT_HELP, KernelArgument, sizes  # noqa: E402
from library import Library  # noqa: E402
from translate import Translation, compile  # noqa: E402


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("code_object", metavar="K.hsaco")
    parser.add_argument("kernel", nargs="?", metavar="KERNEL")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--check", action="store_true")
    mode.add_argument("--list", action="store_true")
    mode.add_argument("--translate", action="store_true")
    parser.add_argument("-o", dest="output", help="of --translate", metavar="K.so")
    parser.add_argument("-O0", dest="optimization", action="store_const",
                        const="-O0", default="-O1",
                        help="translate faster, run five times slower")  # fmt: skip
    parser.add_argument("--grid", type=sizes, default="1", help="workgroups: X,Y,Z")
    parser.add_argument("--block", type=sizes, default="64", help="lanes: X,Y,Z")
    parser.add_argument("--arg", action="append", default=[], help=ARGUMENT_HELP)
    parser.add_argument("--lds", type=int, default=0, help="bytes of dynamic LDS")
    parser.add_argument("--seed", type=int, default=0,
                        help="order of the waves: 0 forward, 1 backward, "
                        "others shuffled")  # fmt: skip
    options = parser.parse_args()
    if options.translate != bool(options.output):
        parser.error("--translate and -o go together")
    return options


def run(code_object, options):
    arguments = [KernelArgument(text) for text in options.arg]
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "kernel.so")
        compile(Translation(code_object), path, options.optimization)
        library = Library(path)
    instructions = library.launch(
        library.find(options.kernel), options.grid, options.block,
        [argument.value for argument in arguments], options.lds, options.seed,
    )  # fmt: skip
    for argument in arguments:
        argument.write()
    print(f"{instructions} instructions")


def check(code_object):
    translation = Translation(code_object)
    unknown = translation.describe_unsupported()
    for line in unknown:
        print(line)
    print(
        f"{code_object.chip}: {len(translation.instructions)} instructions, "
        f"{len(unknown)} kinds not known"
    )
    return 1 if unknown else 0


def list_kernels(code_object):
    for kernel in code_object.kernels:
        descriptor, metadata = kernel.descriptor, kernel.metadata
        print(
            f"{kernel.name}: {metadata.get('.vgpr_count', 0)} vector and "
            f"{metadata.get('.sgpr_count', 0)} scalar registers, {descriptor.lds} "
            f"bytes of LDS, {descriptor.scratch} bytes of scratch a lane, waves of "
            f"{code_object.wave_size()}, workgroups to "
            f"{metadata.get('.max_flat_workgroup_size', 1024)}"
        )
        for argument in kernel.arguments():
            print(
                f"  {argument['.offset']:4} {argument['.size']:3} "
                f"{argument['.value_kind']} {argument.get('.name', '')}".rstrip()
            )


def main():
    options = parse_arguments()
    try:
        code_object = CodeObject(options.code_object)
        if options.check:
            return check(code_object)
        if options.list:
            list_kernels(code_object)
        elif options.translate:
            translation = Translation(code_object)
            compile(translation, options.output, options.optimization)
        else:
            run(code_object, options)
    except SimulatorError as error:
        print(f"amdsim: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
