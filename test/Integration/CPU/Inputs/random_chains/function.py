"""The text of a function, as it is built up."""


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

    def sizes(self, rows):
        """Options of mlafuse-run for this number of rows, and how many rows there
        are then."""
        if self.leading == "?x":
            return [f"--dim=T={rows}"], rows
        return [f"--dim=T={rows}", "--dim=S=2"], 2 * rows

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

    def destination(self, type, like, kept):
        """An argument, if the value is kept or by chance; else an empty tensor of
        the rows of `like`, a pair of a value and its type."""
        if kept or self.random.random() < 0.5:
            return self.argument(type)
        value, like_type = like
        sizes = []
        for dim in range(self.leading.count("?")):
            index, size = self.value(), self.value()
            self.body.append(f"{index} = arith.constant {dim} : index")
            self.body.append(f"{size} = tensor.dim {value}, {index} : {like_type}")
            sizes.append(size)
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

    def keep(self, value, type):
        self.results.append((value, type))

    def text(self):
        values = ", ".join(value for value, _ in self.results)
        types = ", ".join(type for _, type in self.results)
        lines = [f"func.func @{self.name}({', '.join(self.arguments)}) -> ({types}) {{"]
        lines += [f"  {line}" for line in self.body]
        return "\n".join(lines + [f"  return {values} : {types}", "}", ""])
