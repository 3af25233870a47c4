"""Attention by its definition, in double precision."""

import math
from operator import mul


def attend(query, keys, columns, scale):
    """(o, lse) of one query over `keys`; `columns` holds the values by column."""
    if not keys:
        return [0.0] * len(columns), -math.inf
    logits = [scale * sum(map(mul, query, key)) for key in keys]
    if any(math.isnan(logit) for logit in logits):
        return [math.nan] * len(columns), math.nan
    top = max(logits)
    weights = [math.exp(logit - top) for logit in logits]
    total = sum(weights)
    output = [sum(map(mul, weights, column)) / total for column in columns]
    return output, top + math.log(total)


def transposed(rows, width):
    return [[row[i] for row in rows] for i in range(width)]
