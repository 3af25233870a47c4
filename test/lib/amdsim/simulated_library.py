"""What the libraries of both simulators do alike: finding a kernel, and putting the
values of its arguments into memory."""

from errors import SimulatorError


def find(kernels, name):
    """The index of the kernel of that name; without a name, of the only one."""
    names = [kernel.name.decode() for kernel in kernels]
    if name is None and len(names) == 1:
        return 0
    if name not in names:
        problem = f"no kernel '{name}'" if name else "name one of its kernels"
        raise SimulatorError(f"{problem}; it has: {', '.join(names)}")
    return names.index(name)


def pack(kernel, arguments, values, size):
    """The memory of the arguments: `values` has the bytes of each."""
    name = kernel.name.decode()
    if len(arguments) != len(values):
        raise SimulatorError(
            f"kernel '{name}' takes {len(arguments)} arguments, {len(values)} are given"
        )
    memory = bytearray(size)
    for position, (argument, value) in enumerate(zip(arguments, values)):
        if len(value) != argument.size:
            raise SimulatorError(
                f"kernel '{name}': argument {position} '{argument.name.decode()}' has "
                f"{argument.size} bytes, {len(value)} are given"
            )
        memory[argument.offset : argument.offset + argument.size] = value
    return bytes(memory)
