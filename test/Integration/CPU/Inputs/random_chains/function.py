"""The text of a function, as it is built up."""

import struct


def integers(values):
    """A tensor of i32, as safetensors_file takes it."""
    return "I32", [len(values)], struct.pack(f"<{len(values)}i", *values)


class Function:
    """Collects arguments, operations and results."""

    def __init__(self, random, name, rank):
        self.random = random
        self.name = name
        self.leading = "?x" if rank == 2 else "?x?x"
        self.names = '"T"' if rank == 2 else '"T", "S"'
        self.arguments, self.body, self.results = [], [], []
        self.values = 0
        self.has_count = False

    def rows(self, width, element):
        return f"tensor<{self.leading}{width}x{element}>"

    def draw_run(self, random, rows):
        """Options of mlafuse-run for this number of rows, and the inputs that are
        not to be made at random there: name -> tensor of safetensors_file."""
        options = [f"--dim=T={rows}"]
        if self.leading != "?x":
            options.append("--dim=S=2")
            rows *= 2
        return options, self.draw_count(random, rows)

    def draw_count(self, random, rows):
        if not self.has_count:
            return {}
        return {"count": integers([random.choice([0, random.randint(0, rows), rows])])}

    def value(self):
        self.values += 1
        return f"%v{self.values}"

    def argument(self, type, attributes=""):
        value = f"%a{len(self.arguments)}"
        self.arguments.append(f"{value}: {type}{attributes}")
        return value

    def input_rows(self, width, element, strided=False):
        dims = f'mlafuse.dims = [{self.names}, ""]'
        strided = ", mlafuse.strided" if strided else ""
        return self.argument(self.rows(width, element), f" {{{dims}{strided}}}")

    def size(self, source, dim):
        """A size of a pair of a value and its type."""
        index, size = self.value(), self.value()
        self.body.append(f"{index} = arith.constant {dim} : index")
        self.body.append(f"{size} = tensor.dim {source[0]}, {index} : {source[1]}")
        return size

    def destination(self, type, like, kept):
        """An argument, if the value is kept or by chance; else an empty tensor of
        the rows of `like`, a pair of a value and its type."""
        if kept:
            return self.argument(type)
        if self.random.random() < 0.5:
            # Fusion may leave nothing that its rows follow from.
            return self.argument(type, f' {{mlafuse.dims = [{self.names}, ""]}}')
        return self.empty(
            type, [self.size(like, dim) for dim in range(self.leading.count("?"))]
        )

    def empty(self, type, sizes):
        empty = self.value()
        self.body.append(f"{empty} = tensor.empty({', '.join(sizes)}) : {type}")
        return empty

    def operation(self, op, ins, clauses, outs, attributes):
        """`ins` and `outs`: (value, type); `clauses`: (word, value, type)."""
        values = [self.value() for _ in outs]
        types = ", ".join(type for _, type in outs)
        text = f"{', '.join(values)} = mlafuse.{op} ins("
        text += ", ".join(value for value, _ in ins) + " : "
        text += ", ".join(type for _, type in ins) + ")"
        for word, value, type in clauses:
            text += f" {word}({value} : {type})"
        text += f" outs({', '.join(value for value, _ in outs)} : {types})"
        self.body.append(f"{text} {{{attributes}}} -> {types}")
        return values

    def add_count(self):
        self.has_count = True
        return self.argument("tensor<1xi32>", ' {mlafuse.name = "count"}')

    def options_of(self, name, form):
        """Those of mlafuse-run that one of the equal functions needs in addition, in
        one form of the library."""
        return []

    def names_of_equals(self):
        """Functions of the text that give the same results."""
        return [self.name]

    def keep(self, value, type):
        self.results.append((value, type))

    def text(self):
        values = ", ".join(value for value, _ in self.results)
        types = ", ".join(type for _, type in self.results)
        lines = [f"func.func @{self.name}({', '.join(self.arguments)}) -> ({types}) {{"]
        lines += [f"  {line}" for line in self.body]
        return "\n".join(lines + [f"  return {values} : {types}", "}", ""])
