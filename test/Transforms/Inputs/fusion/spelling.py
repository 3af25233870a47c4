"""One way of writing a program: an order, and a part that is fused already."""

import random

from statement import Statement, operation, shuffle


def clause_text(clauses):
    return "".join(f" {name}({value} : {type})" for name, value, type in clauses)


def quantize_statement(quant):
    op = operation("mlafuse.quantize", [quant.x], clause_text(quant.clauses),
                   quant.inits, quant.results, quant.key.attributes(),
                   [value for _, value, _ in quant.clauses])
    if not quant.branch:
        return op
    # Under a condition, else the destinations are given as they are.
    outer = [value for value, _ in quant.results]
    inner = [value + "_in_branch" for value in outer]
    types = ", ".join(type for _, type in quant.results)
    text = (f"scf.if {quant.branch} -> ({types}) {{\n"
            f"    {', '.join(inner)} = {op.text}\n"
            f"    scf.yield {', '.join(inner)} : {types}\n  }} else {{\n"
            f"    scf.yield {', '.join(init for init, _ in quant.inits)} : {types}\n  }}")
    return Statement(outer, text, op.reads + [quant.branch])


def norm_statement(norm):
    name, clauses, reads = "mlafuse.rms_norm", [], []
    inits, outs = [(norm.out, norm.type)], [(norm.name, norm.type)]
    if norm.residual:
        residual, type, out = norm.residual
        name = "mlafuse.add_rms_norm"
        clauses.append(("residual", residual, type))
        inits.append((out, type))
        outs.append((norm.name.replace("%y", "%sum"), type))
    if norm.count:
        clauses.append(("num_actual_tokens", norm.count, "tensor<1xi32>"))
    return operation(name, [norm.x] + ([norm.weight] if norm.weight else []),
                     clause_text(clauses), inits, outs,
                     f"epsilon = {norm.epsilon} : f32" + norm.attributes,
                     [value for _, value, _ in clauses])


def fused_norm_statement(norm):
    """The norm with its only quantization."""
    (quant,) = norm.quants
    inits, outs = list(quant.inits), list(quant.results)
    if norm.is_used:
        inits.append((norm.out, norm.type))
        outs.append((norm.name, norm.type))
    return operation("mlafuse.rms_norm_quantize", [norm.x, norm.weight],
                     clause_text(quant.clauses), inits, outs,
                     f"{quant.key.attributes()}, epsilon = {norm.epsilon} : f32",
                     [value for _, value, _ in quant.clauses])


def dual_statement(q, kv):
    return operation(
        "mlafuse.dual_rms_norm", [q.x, q.weight, kv.x, kv.weight], "",
        [(q.out, q.type), (kv.out, kv.type)], [(q.name, q.type), (kv.name, kv.type)],
        f"q_epsilon = {q.epsilon} : f32, kv_epsilon = {kv.epsilon} : f32", [])


def attention_statement(op, quant=None):
    """The op; with `quant`, quantizing its output itself."""
    inits, outs = [(op.out, op.type)], [(op.name, op.type)]
    clauses, attributes = list(op.clauses), op.producer.attributes
    if quant:
        inits, outs = list(quant.inits), list(quant.results)
        clauses += quant.clauses
        attributes += (", " if attributes else "") + quant.key.attributes()
    if op.lse:
        inits.append(op.lse)
        outs.append((op.name + "_lse", op.lse[1]))
    return operation(op.producer.name, op.ins, clause_text(clauses), inits, outs,
                     attributes, [value for _, value, _ in clauses])


def is_free(source):
    """True if its quantizations wait for nothing that could wait for it."""
    values = [value for quant in source.quants for _, value, _ in quant.clauses]
    return not any(value.endswith(("_s", "_called")) for value in values)


def can_be_fused(source):
    """True if the fused spelling is the one that fusing chooses."""
    return (source.is_plain and is_free(source) and len(source.quants) == 1 and
            source.quants[0].is_plain and not source.quants[0].branch and
            (source.quants[0].key.group or source.quants[0].key.operand))


def spell(program, function, rng, plain):
    """The program as @function; `plain`: as it was built, nothing fused."""
    statements, norms = list(program.statements), list(program.norms)
    if not plain and rng.random() < 0.3:
        q, kv = norms[:2]
        if all(is_free(n) and n.is_plain for n in (q, kv)):
            statements.append(dual_statement(q, kv))
            statements += [quantize_statement(x) for n in (q, kv) for x in n.quants]
            norms = norms[2:]
    for norm in norms:
        if not plain and rng.random() < 0.5 and can_be_fused(norm):
            statements.append(fused_norm_statement(norm))
            continue
        statements.append(norm_statement(norm))
        statements += [quantize_statement(quant) for quant in norm.quants]
    for op in program.attentions:
        if (not plain and rng.random() < 0.5 and can_be_fused(op) and
                not op.is_used):
            statements.append(attention_statement(op, op.quants[0]))
            continue
        statements.append(attention_statement(op))
        statements += [quantize_statement(quant) for quant in op.quants]
    statements = shuffle(statements, random.Random(0) if plain else rng)
    lines = [f"func.func @{function}(" +
             ", ".join(f"%{n}: {t}" for n, t in program.arguments) + ") -> (" +
             ", ".join(t for _, t in program.returned) + ") {"]
    lines += [f"  %c{i} = arith.constant {i} : index" for i in range(3)]
    lines += [s.write() for s in statements]
    lines.append("  return " + ", ".join(n for n, _ in program.returned) + " : " +
                 ", ".join(t for _, t in program.returned))
    return "\n".join(lines + ["}"])

