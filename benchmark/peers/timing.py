"""Times of GPU work: replayed CUDA graphs over rotating inputs."""

import statistics

import torch

MIB = 1 << 20
# A measurement is long beside the events around it.
MEASURED_US = 10_000


class Column:
    """One implementation, captured on `sets` of its own inputs."""

    def __init__(self, sets, launch, stream):
        self.sets = sets
        self.outputs = []
        self.times = []
        # Inputs are made on another stream, and kernels read lengths from them.
        torch.cuda.synchronize()
        with torch.cuda.stream(stream):
            for arguments in sets[:2]:
                launch(*arguments)
            torch.cuda.synchronize()
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph, stream=stream):
                for arguments in sets:
                    self.outputs.append(launch(*arguments))
            self.graph.replay()
        torch.cuda.synchronize()
        self.replays = max(1, round(MEASURED_US / self.elapsed(stream, 1)))

    def elapsed(self, stream, replays):
        """Microseconds of so many replays."""
        with torch.cuda.stream(stream):
            begin = torch.cuda.Event(enable_timing=True)
            end = torch.cuda.Event(enable_timing=True)
            begin.record(stream)
            for _ in range(replays):
                self.graph.replay()
            end.record(stream)
        end.synchronize()
        return begin.elapsed_time(end) * 1e3

    def measure(self, stream):
        calls = self.replays * len(self.sets)
        self.times.append(self.elapsed(stream, self.replays) / calls)


def set_count(bytes_per_call):
    """So many inputs that a replay does not find them in the L2 cache, if 64 are."""
    return max(2, min(64, 400 * MIB // max(1, bytes_per_call) + 1))


def compare(columns, bytes_per_call, repetitions=9):
    """Median microseconds of each column: name -> (make inputs, launch). The
    columns are measured in turn, so that all see the same clock."""
    stream = torch.cuda.Stream()
    count = set_count(bytes_per_call)
    captured = {
        name: Column([make() for _ in range(count)], launch, stream)
        for name, (make, launch) in columns.items()
    }
    for _ in range(repetitions):
        for column in captured.values():
            column.measure(stream)
    result = {name: statistics.median(c.times) for name, c in captured.items()}
    del captured, column
    torch.cuda.empty_cache()
    return result


def copy_bandwidth(copy_kernel, elements=1 << 29, repetitions=9):
    """Bytes a second, read plus written, of the faster of two copies of 1 GiB."""
    source = torch.empty(elements, dtype=torch.bfloat16, device="cuda")
    source.normal_()
    destination = torch.empty_like(source)
    best = {}
    copies = {
        "cudaMemcpyAsync": lambda: destination.copy_(source),
        "16-byte kernel": lambda: copy_kernel(source, destination),
    }
    for name, copy in copies.items():
        times = []
        copy()
        for _ in range(repetitions):
            begin = torch.cuda.Event(enable_timing=True)
            end = torch.cuda.Event(enable_timing=True)
            begin.record()
            for _ in range(4):
                copy()
            end.record()
            end.synchronize()
            times.append(begin.elapsed_time(end) * 1e-3 / 4)
        best[name] = 2 * source.numel() * 2 / statistics.median(times)
    assert torch.equal(source, destination)
    return best


def median_seconds(call, repetitions):
    """Of one call, each measured between two events."""
    times = []
    call()
    for _ in range(repetitions):
        begin = torch.cuda.Event(enable_timing=True)
        end = torch.cuda.Event(enable_timing=True)
        begin.record()
        call()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) * 1e-3)
    return statistics.median(times)


def read_bandwidth(read_kernel, elements=1 << 29, repetitions=15):
    """Bytes a second of a kernel that reads 2 GiB and writes next to nothing."""
    source = torch.randint(0, 1 << 30, (elements,), dtype=torch.int32, device="cuda")
    sums = torch.empty(elements // (16 * 4096), dtype=torch.int32, device="cuda")
    seconds = median_seconds(lambda: read_kernel(source, sums), repetitions)
    return source.numel() * 4 / seconds


def matrix_rate(size=8192, repetitions=25):
    """FLOP/s of a bf16 matrix product of random numbers, on a warm card."""
    a, b = (
        torch.randn(size, size, dtype=torch.bfloat16, device="cuda") for _ in range(2)
    )
    output = torch.empty_like(a)
    seconds = median_seconds(lambda: torch.mm(a, b, out=output), repetitions)
    return 2 * size**3 / seconds
