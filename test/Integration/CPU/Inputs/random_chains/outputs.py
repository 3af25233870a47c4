"""Draws an op with a quantizable output and its quantization."""

import chains
import decode
import prefill
import quantization
from function import Function
from producer import COUNT

HEADS, VALUES = [1, 2, 3, 8], [16, 32, 48, 64, 96, 128]


class Outputs(Function):
    """A function of some producers."""

    def __init__(self, random, name):
        super().__init__(random, name, rank=2)
        self.producers = []

    def add(self, draw, heads, value, **options):
        producer = draw(self, f"_{len(self.producers)}", heads, value, **options)
        self.producers.append(producer)
        return producer

    def draw_run(self, random, rows):
        options, inputs, total = [], {}, 0
        for producer in self.producers:
            more, tensors, count = producer.draw_run(random, rows)
            options += more
            inputs.update(tensors)
            total += count
        return options, {**inputs, **self.draw_count(random, total)}

    def draw_counts(self):
        if self.random.random() < 0.7:
            return []
        return [("num_actual_tokens", self.add_count(), COUNT)]


def draw_width(random):
    """(heads, columns of a value) that at least one group fits."""
    if random.random() < 0.05:
        # Rows so wide that a kernel collects but a few of them at a time.
        return 128, 128
    return random.choice([(h, v) for h in HEADS for v in VALUES if h * v % 32 == 0])


def draw_of(random, name, producers):
    """One of the producers and its quantization; groups may span heads."""
    function = Outputs(random, name)
    producer = function.add(random.choice(producers), *draw_width(random))
    counts = function.draw_counts()
    output = function.rows(producer.width, producer.draw_output(random))
    outs = [(function.empty(output, [producer.row_count(function)]), output)]
    if producer.lse and random.random() < 0.5:
        outs.append((function.argument(producer.lse), producer.lse))
    # A count of the quantization alone, if the op has no other result.
    own = counts if len(outs) > 1 or random.random() < 0.7 else []
    o, *lse = producer.emit(function, own, outs)
    drawn = quantization.draw(random, producer.width, fuses=True)
    chains.add_quantize(function, o, drawn, counts)
    for result in lse:
        function.keep(*result)
    return function


def draw_decode(random, name):
    return draw_of(random, name, [decode.draw, decode.draw, decode.draw_projection])


def draw_prefill(random, name):
    return draw_of(random, name, [prefill.draw, prefill.draw, prefill.draw_merge])
