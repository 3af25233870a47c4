"""Statements of a function, and the orders that they can stand in."""


class Statement:
    """One op: `results` names what it defines, `reads` what it needs."""

    def __init__(self, results, text, reads, has_effects=False):
        self.results, self.text, self.reads = results, text, reads
        self.has_effects = has_effects

    def write(self):
        left = ", ".join(self.results) + " = " if self.results else ""
        return f"  {left}{self.text}"


def operation(name, ins, clause, inits, outs, attributes, reads):
    """A destination-passing op; `ins`, `inits` and `outs` are (value, type)."""

    def list_of(values):
        return (", ".join(v for v, _ in values) + " : " +
                ", ".join(t for _, t in values))

    attributes = f" {{{attributes}}}" if attributes else ""
    return Statement(
        [v for v, _ in outs],
        f"{name} ins({list_of(ins)}){clause} outs({list_of(inits)}){attributes}"
        f" -> {', '.join(t for _, t in outs)}",
        [v for v, _ in ins + inits] + reads,
    )


def shuffle(statements, rng):
    """A random order that defines before it uses and keeps effects in order."""
    defined_here = {r for s in statements for r in s.results}
    defined, order, left = set(), [], list(statements)
    while left:
        first_effect = next((s for s in left if s.has_effects), None)
        ready = [
            s for s in left
            if all(r in defined or r not in defined_here for r in s.reads) and
            (not s.has_effects or s is first_effect)
        ]
        s = rng.choice(ready)
        left.remove(s)
        order.append(s)
        defined.update(s.results)
    return order
