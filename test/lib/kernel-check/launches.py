"""What a launch passes, against what the code object says that the kernel takes."""

import ctypes

from arguments import AREA, make_tensors


class Mismatch(Exception):
    pass


def check_launch(target, launch, tensors, chip):
    """Fails if the hip backend's launch would not be the kernel's: it hands
    `parameters` to hipModuleLaunchKernel, which copies each to the offset that the
    code object gives."""
    if launch.kernel >= len(target.kernels):
        raise Mismatch(f"kernel {launch.kernel} of {len(target.kernels)} is launched")
    kernel = target.kernels[launch.kernel]
    try:
        _check_parameters(kernel, launch, tensors)
        _check_sizes(kernel, launch, chip)
    except Mismatch as problem:
        raise Mismatch(f"kernel '{kernel.name}': {problem}")
    return kernel


def _check_parameters(kernel, launch, tensors):
    arguments = kernel.arguments()
    if launch.parameter_count != len(arguments):
        raise Mismatch(
            f"{launch.parameter_count} parameters are passed, it takes {len(arguments)}"
        )
    addresses = {tensor.address for tensor in tensors}
    end, first = 0, launch.parameters[0] if arguments else 0
    for position, argument in enumerate(arguments):
        kind, offset, size = (
            argument[key] for key in (".value_kind", ".offset", ".size")
        )
        if kind.startswith("hidden_"):
            raise Mismatch(f"argument {position} is hidden: {kind}")
        # The launch keeps its values in a struct of the parameters' types, which is
        # laid out as the kernel's arguments are.
        passed = launch.parameters[position] - first
        if passed != offset or offset < end:
            raise Mismatch(
                f"parameter {position} is passed at byte {passed}, taken at {offset}"
            )
        end = offset + size
        value = int.from_bytes(
            ctypes.string_at(launch.parameters[position], size), "little"
        )
        is_address = value in addresses or AREA <= value < 2 * AREA
        if is_address != (kind == "global_buffer"):
            raise Mismatch(f"parameter {position}, {value:#x}, is passed as a {kind}")
    if not end <= kernel.descriptor.kernarg < end + 8:
        raise Mismatch(
            f"{end} bytes of parameters, {kernel.descriptor.kernarg} of arguments"
        )


def _check_sizes(kernel, launch, chip):
    grid, block = list(launch.grid), list(launch.block)
    if 0 in grid + block or max(g * b for g, b in zip(grid, block)) >= 1 << 32:
        raise Mismatch(f"grid {grid} of blocks {block}")
    threads = block[0] * block[1] * block[2]
    most = kernel.metadata[".max_flat_workgroup_size"]
    wanted = kernel.metadata.get(".reqd_workgroup_size", block)
    if threads > most or wanted != block:
        raise Mismatch(f"blocks of {block}; compiled for {wanted}, at most {most}")
    lds = kernel.descriptor.lds + launch.dynamic_shared_bytes
    if lds > chip.workgroup_lds:
        raise Mismatch(f"{lds} bytes of LDS; a workgroup has {chip.workgroup_lds}")


def check_launches(target, functions, chip):
    """Calls every function's entry with all sorts of sizes and addresses. Returns
    for each function's name its kernels' names, with the threads of workgroups."""
    seen = {}

    def look(launch):
        kernel = check_launch(target, launch, tensors, chip)
        block = launch.block
        kernels[kernel.name] = block[0] * block[1] * block[2]

    for function in functions:
        kernels = seen.setdefault(function["name"], {})
        # Many rows are done in other ways than few.
        for tokens in 0, 1, 7, 33, 1 << 20:
            # Aligned as every access wants it, rows alone not, nothing.
            for offset, gap in (0, 0), (0, 64), (0, 5), (1, 5):
                tensors = make_tensors(function, tokens, offset, gap)
                descriptors = [tensor.descriptor for tensor in tensors]
                try:
                    target.call(function, descriptors, AREA, look)
                except Mismatch as problem:
                    raise Mismatch(f"function '{function['name']}': {problem}")
    return seen
