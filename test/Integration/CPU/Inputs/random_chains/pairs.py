"""Draws two ops that share one buffer: their rows lie one behind the other."""

import chains
import decode
import prefill
import quantization
from outputs import Outputs, draw_width
from producer import Producer, dims


class Pair(Outputs):
    """Results of T rows, those of all producers."""

    def __init__(self, random, name):
        super().__init__(random, name)
        self.twins = []
        self.total = 0
        self.derives_total = False  # T follows from the producers' sizes.

    def buffers(self, drawn):
        """Destinations of a quantization of all rows."""
        codes, *scale = drawn.types(self)
        outs = [(self.argument(codes, dims("T", "")), codes)]
        return outs + [(self.argument(type), type) for type in scale]

    def twin(self):
        """A function of the same arguments, to give the same results."""
        twin = Outputs(self.random, f"{self.name}_twin")
        twin.arguments = list(self.arguments)
        self.twins.append(twin)
        return twin

    def draw_run(self, random, rows):
        options, inputs, total = [], {}, 0
        for producer in self.producers:
            asked = random.choice([0, rows, rows, rows + 3])
            more, tensors, count = producer.draw_run(random, asked)
            options += more
            inputs.update(tensors)
            total += count
        self.total = total
        return options, {**inputs, **self.draw_count(random, total)}

    def options_of(self, name, form):
        # The parts of an attention op do not say that their rows are all.
        is_whole = name == self.name and form != "reopened"
        derives = self.derives_total and is_whole
        return [] if derives else [f"--dim=T={self.total}"]

    def names_of_equals(self):
        return [self.name] + [twin.name for twin in self.twins]

    def text(self):
        return "\n".join([super().text()] + [twin.text() for twin in self.twins])


def draw_offsets(random, name):
    """Two ops, each quantized into its rows of one buffer by row_offset; and, as
    another function, both and then the quantization of all rows."""
    function = Pair(random, name)
    width = draw_width(random)
    draws = [decode.draw, decode.draw_projection, prefill.draw, prefill.draw_merge]
    producers = [function.add(draw, *width) for draw in random.choices(draws, k=2)]
    element = random.choice(["f32", "bf16", "f16"])
    if element != "f32" and any(p.element != element for p in producers):
        element = "f32"
    output = function.rows(producers[0].width, element)
    drawn = quantization.draw(random, producers[0].width, fuses=True)
    scales, outs = chains.add_scales(function, drawn), function.buffers(drawn)
    emit_joined(function.twin(), producers, output, drawn, scales, outs)

    offset = function.value()
    function.body.append(f"{offset} = arith.constant 0 : index")
    for producer in producers:
        rows = producer.row_count(function)
        empty = function.empty(output, [rows])
        (o,) = producer.emit(function, [], [(empty, output)])
        clauses = scales + [("row_offset", offset, "index")]
        outs = chains.quantize(function, o, drawn, clauses, outs)
        offset = rows
    for result in outs:
        function.keep(*result)
    return function


def draw_mixed(random, name):
    """mla_attention and its quantization; and, as another function, its parts and
    then the quantization of all rows."""
    function = Pair(random, name)
    width = draw_width(random)
    function.derives_total = True
    first = function.add(decode.draw, *width)
    second = function.add(prefill.draw, *width, element="bf16")
    counts = function.draw_counts()
    drawn = quantization.draw(random, first.width, fuses=True)
    scales, outs = chains.add_scales(function, drawn), function.buffers(drawn)
    output = function.rows(first.width, first.draw_output(random))
    emit_joined(function.twin(), [first, second], output, drawn, scales + counts, outs)

    attention = Producer(
        op="mla_attention",
        ins=first.ins + second.ins,
        clauses=[("decode_rows", first.row_count(function), "index")]
        + first.clauses
        + second.clauses,
        attributes=join_attributes(first, second),
    )
    whole = function.empty(output, [function.size(outs[0], 0)])
    own = counts if random.random() < 0.7 else []
    (o,) = attention.emit(function, own, [(whole, output)])
    for result in chains.quantize(function, o, drawn, scales + counts, outs):
        function.keep(*result)
    return function


def join_attributes(*producers):
    """Those of all producers; what they have in common comes once."""
    attributes = ", ".join(producer.attributes for producer in producers)
    return ", ".join(dict.fromkeys(attributes.split(", ")))


def emit_joined(function, producers, output, drawn, clauses, outs):
    """The producers one by one into their rows of a tensor, and its quantization."""
    width = producers[0].width
    whole = function.empty(output, [function.size(outs[0], 0)])
    begin = "0"
    for producer in producers:
        rows = producer.row_count(function)
        place = f"[{begin}, 0] [{rows}, {width}] [1, 1] :"
        part, joined = function.value(), function.value()
        function.body.append(
            f"{part} = tensor.extract_slice {whole}{place} {output} to {output}"
        )
        (o,) = producer.emit(function, [], [(part, output)])
        function.body.append(
            f"{joined} = tensor.insert_slice {o[0]} into {whole}{place}"
            f" {output} into {output}"
        )
        whole, begin = joined, rows
    for result in chains.quantize(function, (whole, output), drawn, clauses, outs):
        function.keep(*result)
