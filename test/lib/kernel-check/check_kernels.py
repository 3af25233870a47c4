"""Checks every kernel of a compiled library for AMD's chips without running it: what
its code object says of registers, LDS and arguments, and what its launches pass.

usage: check_kernels.py LIBRARY [--least-occupancy=PERCENT] [--verbose]
"""

import argparse
import collections
import sys

sys.dont_write_bytecode = True

from chips import CHIPS  # noqa: E402
from compiled_library import CompiledLibrary  # noqa: E402
from instructions import instruction_problems  # noqa: E402
from launches import Mismatch, check_launches  # noqa: E402


def resource_problems(kernel, code_object, chip):
    metadata = kernel.metadata
    for key in (
        ".private_segment_fixed_size", ".vgpr_spill_count", ".sgpr_spill_count",
    ):  # fmt: skip
        if metadata[key] != 0:
            yield f"{key} is {metadata[key]}"
    if metadata.get(".uses_dynamic_stack"):
        yield "it has a stack of any size"
    if kernel.descriptor.scratch != 0:
        yield f"its descriptor has {kernel.descriptor.scratch} bytes of scratch"
    if (metadata[".wavefront_size"], code_object.wave_size()) != (chip.wave_size,) * 2:
        yield f"waves of {metadata['.wavefront_size']} lanes, not {chip.wave_size}"
    lds = metadata[".group_segment_fixed_size"]
    if lds != kernel.descriptor.lds or lds > chip.workgroup_lds:
        yield f"{lds} bytes of LDS; a workgroup has {chip.workgroup_lds}"


def check_target(target, functions, options):
    """Returns problems, each a text."""
    chip = CHIPS[target.chip]
    problems = [f"kernel '{name}' is not in the manifest" for name in target.unlisted]
    if target.code_object.chip != target.chip:
        problems.append(f"the code object is for {target.code_object.chip}")
    try:
        launched = check_launches(target, functions, chip)
    except Mismatch as problem:
        return problems + [str(problem)]
    workgroups = {}
    for function in functions:
        kernels = launched[function["name"]]
        workgroups.update(kernels)
        instructions = {name: target.instructions[name] for name in kernels}
        problems += instruction_problems(target.chip, function, instructions)
    counts = collections.Counter()
    worst = None
    for kernel in target.kernels:
        name, metadata = kernel.name, kernel.metadata
        problems += [
            f"kernel '{name}': {problem}"
            for problem in resource_problems(kernel, target.code_object, chip)
        ]
        if name not in workgroups:
            problems.append(f"kernel '{name}': no launch was seen")
            continue
        vector, scalar = metadata[".vgpr_count"], metadata[".sgpr_count"]
        lds = metadata[".group_segment_fixed_size"]
        occupancy = chip.occupancy(vector, scalar, lds, workgroups[name])
        counts[f"{occupancy:.0%}"] += 1
        row = (
            f"{target.chip} {name}: {vector} vector and {scalar} scalar registers, "
            f"{lds} bytes of LDS, workgroups of {workgroups[name]}, {occupancy:.0%} "
            "of the waves"
        )
        if options.verbose:
            print(row)
        if worst is None or occupancy < worst[0]:
            worst = occupancy, row
        if occupancy * 100 < options.least_occupancy:
            problems.append(f"too few waves: {row}")
    spread = ", ".join(
        f"{count} at {part}"
        for part, count in sorted(counts.items(), key=lambda item: int(item[0][:-1]))
    )
    print(f"{target.chip}: {len(target.kernels)} kernels; occupancy: {spread}")
    if worst:
        print(f"  least: {worst[1]}")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("library")
    parser.add_argument("--least-occupancy", type=float, default=0, metavar="PERCENT",
                        help="of the chip's waves, for every kernel")  # fmt: skip
    parser.add_argument("--verbose", action="store_true", help="a line per kernel")
    options = parser.parse_args()
    library = CompiledLibrary(options.library)
    if not library.targets:
        sys.exit(f"{options.library} has no target of AMD's")
    failures = 0
    for target in library.targets:
        for problem in check_target(target, library.functions, options):
            print(f"{target.chip}: {problem}")
            failures += 1
    print(f"{failures} problems")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
