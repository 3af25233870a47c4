"""The tables of attention.py."""

import attention_inputs as inputs
import flashmla
import kernels
import mlafuse_library
import peers
import timing
import torch

# What the kernels are held to, of a row's norm.
ROW_BOUND = 4e-3
PROJECTION_TOKENS = [1, 8, 32, 128, 256, 512, 2048, 8192]


def launch_here(bound):
    bound(torch.cuda.current_stream().cuda_stream)


def print_head(title, columns):
    print(f"\n{title}\n")
    print(f"| {' | '.join(columns)} |")
    print("|---" * len(columns) + "|", flush=True)


class Attention:
    def __init__(self, arguments):
        self.quick = arguments.quick
        runtime = arguments.directory / "libmlafuse_runtime.so"
        self.library = mlafuse_library.Runtime(str(runtime)).load(
            arguments.directory / "attention.so"
        )
        self.results = {}
        self.peer, self.measured = None, None
        if arguments.flashmla:
            try:
                self.peer = flashmla.FlashMLA(arguments.flashmla)
            except flashmla.Unavailable as error:
                print(f"FlashMLA was not loaded: {error}")
        if not self.peer and arguments.flashmla_times:
            self.measured = flashmla.Measured(arguments.flashmla_times)
            print(f"FlashMLA's times are those of {arguments.flashmla_times}")

    @property
    def peer_name(self):
        return "FlashMLA" if self.peer else "FlashMLA (file)"

    def shapes(self):
        return inputs.QUICK if self.quick else inputs.SHAPES

    def bind(self, function, tensors):
        return self.library.bind(function, tensors, kernels.make_workspace)

    def ceilings(self):
        found = {
            "read": timing.read_bandwidth(peers.read_triton),
            "matrix": timing.matrix_rate(),
        }
        print(f"reading 2 GiB: {found['read'] / 1e12:.3f} TB/s")
        print(f"bf16 matrix product of 8192: {found['matrix'] / 1e12:.0f} TFLOP/s")
        self.bandwidth, self.rate = found["read"], found["matrix"]
        self.results["ceilings"] = found

    def floors(self, byte_count, flops):
        return byte_count / self.bandwidth * 1e6, flops / self.rate * 1e6

    # Ours and FlashMLA's attention alone.

    def our_attention(self, shape, cache="bf16"):
        """(make inputs, launch) of a function of attention.mlir."""
        function = f"latent_{shape.function}_{cache}"
        tokens = shape.batch, shape.queries, shape.heads

        def make():
            paged = inputs.Paged.make(shape, cache)
            tensors = [inputs.normal(*tokens, inputs.LATENT + inputs.ROPE)]
            tensors += paged.tensors()
            if cache == "fp8":
                tensors.append(torch.full((1,), 0.5, device=inputs.DEVICE))
            tensors.append(inputs.empty(*tokens, inputs.LATENT))
            tensors.append(inputs.empty(*tokens, dtype=torch.float32))
            return (self.bind(function, tensors),)

        return make, launch_here

    def peer_attention(self, shape):
        def make():
            paged = inputs.Paged.make(shape)
            q = inputs.normal(
                shape.batch, shape.queries, shape.heads, inputs.LATENT + inputs.ROPE
            )
            arguments = q, paged.cache, paged.lengths, paged.table
            plan = self.peer.plan(*arguments, inputs.SOFTMAX_SCALE)
            return (*arguments, inputs.SOFTMAX_SCALE, plan)

        return make, lambda *arguments: self.peer.call(*arguments)[0]

    def check_attention(self, shape):
        """Ours against f32, of the first and the last request."""
        make, launch = self.our_attention(shape)
        (bound,) = make()
        launch(bound)
        torch.cuda.synchronize()
        q, cache, table, lengths, o, _ = bound.tensors
        paged = inputs.Paged(cache, table, lengths)
        for request in {0, shape.batch - 1}:
            wanted = inputs.expected_rows(q, paged, request)
            error = inputs.row_error(o[request], wanted)
            if not error <= ROW_BOUND:
                raise SystemExit(
                    f"latent attention, shape {shape.name}: request {request} is off by"
                    f" {error:.2g} of a row, at most {ROW_BOUND}"
                )

    def decode(self):
        columns = ["batch", "s_q", "heads", "s_k", self.peer_name, "mlafuse", "ratio"]
        columns += ["bytes", "FLOPs", "of floor", "TB/s", "TFLOP/s"]
        print_head("attention and combine, bf16 cache (us)", columns)
        table = self.results["decode"] = {}
        for shape in self.shapes():
            self.check_attention(shape)
            columns = {"mlafuse": self.our_attention(shape)}
            if self.peer:
                columns["FlashMLA"] = self.peer_attention(shape)
            times = timing.compare(columns, shape.cache_bytes())
            if self.measured:
                times["FlashMLA"] = self.measured.time(shape)
            floors = self.floors(shape.cache_bytes(), shape.attention_flops())
            self.print_shape(shape, times, floors)
            table[shape.name] = {**times, "floors": floors}

    def print_shape(self, shape, times, floors, peer="FlashMLA"):
        ours, theirs = times["mlafuse"], times.get(peer)
        print(
            f"| {shape.name} | {f'{theirs:.1f}' if theirs else '-'} | {ours:.1f}"
            f" | {f'{theirs / ours:.2f}' if theirs else '-'}"
            f" | {floors[0]:.1f} | {floors[1]:.1f} | {100 * max(floors) / ours:.1f} %"
            f" | {floors[0] * self.bandwidth / ours / 1e12:.2f}"
            f" | {floors[1] * self.rate / ours / 1e12:.0f} |",
            flush=True,
        )

    # The value projection.

    @staticmethod
    def projection_weight():
        return inputs.normal(128, inputs.LATENT, inputs.VALUE)

    def our_projection(self, tokens, key):
        def make():
            x = inputs.normal(tokens, 1, 128, inputs.LATENT)
            weight = self.projection_weight()
            if key:
                outs = [
                    inputs.empty(tokens, 16384, dtype=torch.float8_e4m3fn),
                    inputs.empty(tokens, 128, dtype=torch.float32),
                ]
            else:
                outs = [inputs.empty(tokens, 16384)]
            function = "v_up_g128" if key else "v_up_bf16"
            return (self.bind(function, [x, weight, *outs]),)

        return make, launch_here

    def check_projection(self):
        for tokens in 1, 33:
            make, launch = self.our_projection(tokens, False)
            (bound,) = make()
            launch(bound)
            torch.cuda.synchronize()
            x, weight, o = bound.tensors
            wanted = torch.bmm(x[:, 0].float().transpose(0, 1), weight.float())
            actual = o.view(tokens, 128, inputs.VALUE).transpose(0, 1)
            error = inputs.row_error(actual, wanted)
            if not error <= ROW_BOUND:
                raise SystemExit(f"v_up of {tokens} tokens is off by {error:.2g}")

    def projection(self):
        columns = ["T", "bmm", "bmm + Triton quantize", "mlafuse", "mlafuse g128"]
        columns += ["g128 / own bf16", "g128 / bmm", "bytes", "of floor"]
        print_head("v_up of 128 heads, 512 to 128 columns (us)", columns)
        self.check_projection()
        table = self.results["projection"] = {}
        for tokens in PROJECTION_TOKENS[::3] if self.quick else PROJECTION_TOKENS:

            def make(tokens=tokens):
                x = inputs.normal(tokens, 128, inputs.LATENT)
                return x, self.projection_weight()

            columns = {
                "bmm": (make, peers.project),
                "bmm + Triton": (
                    make,
                    lambda x, w: peers.group_triton(peers.project(x, w)),
                ),
                "mlafuse": self.our_projection(tokens, False),
                "g128": self.our_projection(tokens, True),
            }
            weights = 128 * inputs.LATENT * inputs.VALUE
            # Weights are the most of it where tokens are few: each set has its own.
            read = 2 * (tokens * 128 * inputs.LATENT + weights)
            byte_count = read + tokens * 128 * (inputs.VALUE + 4)
            times = timing.compare(columns, read)
            floor = max(self.floors(byte_count, 2 * tokens * weights))
            cells = " | ".join(f"{time:.2f}" for time in times.values())
            quantized = times["g128"]
            print(
                f"| {tokens} | {cells} | {quantized / times['mlafuse']:.3f}"
                f" | {quantized / times['bmm']:.3f} | {floor:.2f}"
                f" | {100 * floor / quantized:.1f} % |",
                flush=True,
            )
            table[tokens] = {**times, "floor": floor}

    # Absorb, attention, value projection, quantization.

    def weights(self, heads):
        return (
            inputs.normal(heads, inputs.NOPE, inputs.LATENT) / inputs.NOPE**0.5,
            inputs.normal(heads, inputs.LATENT, inputs.VALUE) / inputs.LATENT**0.5,
        )

    def our_decode(self, shape, key, weights):
        def make():
            tokens = shape.batch, shape.queries, shape.heads
            rows, width = shape.batch * shape.queries, shape.heads * inputs.VALUE
            q = [inputs.normal(*tokens, inputs.NOPE), inputs.normal(*tokens, inputs.ROPE)]
            outs = [inputs.empty(rows, width)]
            if key:
                outs = [
                    inputs.empty(rows, width, dtype=torch.float8_e4m3fn),
                    inputs.empty(rows, width // 128, dtype=torch.float32),
                ]
            paged = inputs.Paged.make(shape).tensors()
            function = f"decode_{shape.function}_{'g128' if key else 'bf16'}"
            return (self.bind(function, [*q, *weights, *paged, *outs]),)

        return make, launch_here

    def peer_decode(self, shape, weights):
        w_uk, w_uv = weights

        def make():
            tokens = shape.batch, shape.queries, shape.heads
            paged = inputs.Paged.make(shape)
            q_nope = inputs.normal(*tokens, inputs.NOPE)
            # The position part lies in its place already.
            q = inputs.normal(*tokens, inputs.LATENT + inputs.ROPE)
            arguments = q, paged.cache, paged.lengths, paged.table
            plan = self.peer.plan(*arguments, inputs.SOFTMAX_SCALE)
            return q_nope, *arguments, plan

        def launch(q_nope, q, cache, lengths, table, plan):
            rows = q.flatten(0, 1)
            latent = rows[..., : inputs.LATENT].transpose(0, 1)
            torch.bmm(q_nope.flatten(0, 1).transpose(0, 1), w_uk, out=latent)
            scale = inputs.SOFTMAX_SCALE
            o = self.peer.call(q, cache, lengths, table, scale, plan)[0]
            return peers.group_triton(peers.project(o.flatten(0, 1), w_uv))

        return make, launch

    def whole(self):
        if not self.peer:
            print("\nthe whole op: ours alone, since FlashMLA was not loaded")
        columns = ["batch", "s_q", "heads", "s_k", "peers", "mlafuse", "ratio"]
        columns += ["bytes", "FLOPs", "of floor", "TB/s", "TFLOP/s"]
        print_head("absorb, attention, v_up and quantization g128 (us)", columns)
        table = self.results["whole"] = {}
        for shape in self.shapes():
            weights = self.weights(shape.heads)
            columns = {
                "mlafuse": self.our_decode(shape, True, weights),
                "bf16 output": self.our_decode(shape, False, weights),
            }
            if self.peer:
                columns["peers"] = self.peer_decode(shape, weights)
            times = timing.compare(columns, shape.cache_bytes())
            floors = self.floors(
                shape.cache_bytes() + shape.weight_bytes(),
                shape.attention_flops() + shape.projection_flops(),
            )
            self.print_shape(shape, times, floors, "peers")
            table[shape.name] = {**times, "floors": floors}

    # Narrow caches.

    def caches(self):
        columns = ["batch", "s_q", "heads", "s_k", "bf16", "fp8", "bf16 / fp8"]
        columns += ["fp8_ds_mla", "bf16 / fp8_ds_mla", "of bandwidth: bf16, fp8, ds"]
        print_head("attention and combine over narrow caches (us)", columns)
        table = self.results["caches"] = {}
        for shape in (shape for shape in self.shapes() if shape.heads == 16):
            columns = {cache: self.our_attention(shape, cache) for cache in inputs.ROW_BYTES}
            times = timing.compare(columns, shape.cache_bytes("fp8"))
            shares = ", ".join(
                f"{100 * self.floors(shape.cache_bytes(cache), 0)[0] / time:.1f} %"
                for cache, time in times.items()
            )
            bf16, fp8, ds_mla = times.values()
            print(
                f"| {shape.name} | {bf16:.1f} | {fp8:.1f} | {bf16 / fp8:.2f}"
                f" | {ds_mla:.1f} | {bf16 / ds_mla:.2f} | {shares} |",
                flush=True,
            )
            table[shape.name] = times
