"""An op with a quantizable output, with operands but no destinations yet."""

import dataclasses

COUNT = "tensor<1xi32>"


def dims(*names):
    """Attributes of an argument whose dynamic sizes have these names."""
    quoted = ", ".join(f'"{name}"' for name in names)
    return f" {{mlafuse.dims = [{quoted}]}}"


@dataclasses.dataclass
class Producer:
    op: str
    ins: list  # (value, type)
    clauses: list  # (word, value, type)
    attributes: str
    width: int = 0  # of its rows
    element: str = ""  # the type that it computes in
    lse: str = ""  # type of that destination; empty if the op has none
    row_dims: int = 1  # leading dimensions of the first operand that are rows
    # (random, rows asked for) -> options of mlafuse-run, inputs, rows
    draw_run: object = None

    def emit(self, function, clauses, outs):
        """Adds the op; returns its results, (value, type) each."""
        values = function.operation(
            self.op, self.ins, self.clauses + clauses, outs, self.attributes
        )
        return [(value, type) for value, (_, type) in zip(values, outs)]

    def row_count(self, function):
        """An index: how many rows the op writes."""
        rows = function.size(self.ins[0], 0)
        for dim in range(1, self.row_dims):
            size, product = function.size(self.ins[0], dim), function.value()
            function.body.append(f"{product} = arith.muli {rows}, {size} : index")
            rows = product
        return rows

    def draw_output(self, random):
        """The type of the rows ahead of a quantization: f32 for contracted
        numerics, else what the op computes in."""
        return random.choice([self.element, self.element, "f32"])
