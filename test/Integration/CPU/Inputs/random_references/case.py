"""What one drawn case consists of."""

import dataclasses


@dataclasses.dataclass
class Run:
    """A run of a function of the case. `wanted`: name -> (tensor, tolerance); with
    `same_as` the results also have the bits of the run of that index."""

    function: str
    inputs: dict
    wanted: dict
    same_as: int = None


@dataclasses.dataclass
class Case:
    text: str
    runs: list


def argument(name, type):
    return f'%{name}: {type} {{mlafuse.name = "{name}"}}'


def result(name, type):
    return f'{type} {{mlafuse.name = "out_{name}"}}'


def clauses(pairs):
    """`word(%word : type)` for each (word, type)."""
    return " ".join(f"{word}(%{word} : {type})" for word, type in pairs)


def function(name, arguments, op, ins, clause_types, outs, attributes):
    """The text of a function of one op. `arguments` and `outs`: (name, type) pairs;
    `ins`: names of arguments."""
    types = dict(arguments)
    operands = ", ".join(f"%{i}" for i in ins)
    operands += " : " + ", ".join(types[i] for i in ins)
    out_types = ", ".join(type for _, type in outs)
    values = ", ".join(f"%v{i}" for i in range(len(outs)))
    inits = ", ".join(f"%in_{out}" for out, _ in outs)
    signature = [argument(*pair) for pair in arguments]
    signature += [argument(f"in_{out}", type) for out, type in outs]
    results = ", ".join(result(*pair) for pair in outs)
    return f"""func.func @{name}({", ".join(signature)})
    -> ({results}) {{
  {values} = mlafuse.{op} ins({operands})
      {clauses(clause_types)} outs({inits} : {out_types})
      {{{attributes}}} -> {out_types}
  return {values} : {out_types}
}}
"""
