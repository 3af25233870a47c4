"""The tables of compare.py."""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import kernels
import mlafuse_library
import peers
import timing
import torch
import triton

HERE = pathlib.Path(__file__).resolve().parent
TOKENS = [1, 8, 32, 128, 512, 2048, 8192, 32768]
QUICK_TOKENS = [1, 128, 2048, 32768]


class Comparison:
    def __init__(self, arguments):
        self.directory = arguments.directory
        self.quick = arguments.quick
        self.compiler = arguments.compiler
        self.results = {}
        runtime = self.directory / "libmlafuse_runtime.so"
        self.runtime = mlafuse_library.Runtime(str(runtime))
        self.libraries = {}
        self.bandwidth = 0

    def library(self, kernel):
        if kernel.library not in self.libraries:
            path = self.directory / f"{kernel.library}.so"
            self.libraries[kernel.library] = self.runtime.load(path)
        return self.libraries[kernel.library]

    def column(self, kernel, rows):
        """(make inputs, launch) of a kernel of ours."""

        def make():
            tensors, _ = kernel.make(rows)
            bind = self.library(kernel).bind
            return (bind(kernel.function, tensors, kernels.make_workspace),)

        return make, lambda bound: bound(torch.cuda.current_stream().cuda_stream)

    def check(self, tested):
        for kernel in tested:
            for rows in (1, 7, 130):
                kernel.check(self.library(kernel), rows)

    def print_row(self, name, times, byte_count):
        floor = byte_count / self.bandwidth * 1e6
        columns = " | ".join(f"{value:.2f}" for value in times.values())
        share = 100 * floor / times["mlafuse"]
        print(f"| {name} | {columns} | {floor:.2f} | {share:.1f} % |", flush=True)
        return {**times, "floor": floor}

    def print_head(self, title, first, columns):
        print(f"\n{title} (us)\n")
        print(f"| {first} | {' | '.join(columns)} | bytes / bandwidth | of bandwidth |")
        print("|---" * (len(columns) + 3) + "|", flush=True)

    def copy(self):
        found = timing.copy_bandwidth(peers.copy_triton)
        self.bandwidth = max(found.values())
        for name, value in found.items():
            print(f"copy of 1 GiB, {name}: {value / 1e12:.3f} TB/s")
        self.results["bandwidth"] = found

    def dual(self):
        kernel = kernels.DUAL
        self.check([kernel])
        names = ["eager", "torch.compile", "Triton", "mlafuse"]
        if self.quick:
            names.remove("torch.compile")
        self.print_head("dual_rms_norm_quantize per token, [T, 2112]", "T", names)
        table = self.results["dual"] = {}
        for rows in QUICK_TOKENS if self.quick else TOKENS:

            def make():
                q_weight, kv_weight = kernels.weight(1536), kernels.weight(512)
                return kernels.random(rows, 2112), q_weight, kv_weight

            columns = {
                "eager": (make, peers.dual_eager),
                "torch.compile": (make, peers.dual_compiled),
                "Triton": (make, peers.dual_triton),
                "mlafuse": self.column(kernel, rows),
            }
            columns = {name: columns[name] for name in names}
            times = timing.compare(columns, kernel.bytes(rows))
            table[rows] = self.print_row(rows, times, kernel.bytes(rows))

    def group(self):
        self.check(kernels.GROUPS)
        rows = 2048 if self.quick else 8192
        table = self.results["group"] = {"rows": rows}
        for key in "g128", "g64":
            size = int(key[1:])
            tested = [kernel for kernel in kernels.GROUPS if kernel.key == key]
            columns = {
                "Triton": (
                    lambda: (kernels.random(rows, 16384),),
                    lambda x, size=size: peers.group_triton(x, size),
                )
            }
            for kernel in tested:
                columns[kernel.function] = self.column(kernel, rows)
            times = timing.compare(columns, tested[0].bytes(rows))
            self.print_head(f"quantize {key} of [{rows}, 16384]", "kernel", ["time"])
            print(f"| Triton, row | {times['Triton']:.2f} | | |")
            table[f"Triton {key}"] = times["Triton"]
            for kernel in tested:
                row = {"mlafuse": times[kernel.function]}
                table[kernel.function] = self.print_row(
                    kernel.function, row, kernel.bytes(rows)
                )

    def group_tokens(self):
        kernel = kernels.GROUPS[0]
        names = ["Triton", "mlafuse"]
        self.print_head("quantize g128, row-major, of [T, 16384]", "T", names)
        table = self.results["group_tokens"] = {}
        for rows in (1, 128, 2048) if self.quick else (1, 8, 32, 128, 512, 2048, 8192):
            columns = {
                "Triton": (
                    lambda rows=rows: (kernels.random(rows, 16384),),
                    peers.group_triton,
                ),
                "mlafuse": self.column(kernel, rows),
            }
            times = timing.compare(columns, kernel.bytes(rows))
            table[rows] = self.print_row(rows, times, kernel.bytes(rows))

    def single(self, title, tested):
        """One column of ours for each of some kernels."""
        self.check(tested)
        rows = 8192
        table = {}
        self.print_head(f"{title}, T = {rows}", "kernel", ["mlafuse"])
        columns = {kernel.function: self.column(kernel, rows) for kernel in tested}
        times = timing.compare(columns, tested[0].bytes(rows))
        for kernel in tested:
            row = {"mlafuse": times[kernel.function]}
            table[kernel.function] = self.print_row(
                kernel.function, row, kernel.bytes(rows)
            )
        return table

    def keys(self):
        self.results["keys"] = self.single("quantize of [T, 16384]", kernels.OTHERS)

    def norms(self):
        title = "rms_norm_quantize of [T, 7168], without and with residual"
        self.results["norms"] = self.single(title, kernels.NORMS)

    def launch(self):
        program = self.directory / "mlafuse-bench-launch"
        # The runtime lies beside the program.
        variables = {**os.environ, "LD_LIBRARY_PATH": str(self.directory.resolve())}
        line = run([program, self.directory / "dual.so"], variables)
        found = json.loads(line)
        ratio = found["mlafuse"] / found["cuLaunchKernel"]
        print("\nhost time of a launch (us)\n")
        print("| cuLaunchKernel | mlafuse_launch | ratio |\n|---|---|---|")
        print(
            f"| {found['cuLaunchKernel']:.2f} | {found['mlafuse']:.2f} | {ratio:.2f} |"
        )
        self.results["launch"] = found

    def compile(self):
        """Cold compiles of the dual norm, each in a process of its own."""
        print("\ncold compile of the dual norm (s)\n")
        seconds = []
        for _ in range(3):
            with tempfile.TemporaryDirectory() as cache:
                code = [sys.executable, HERE / "compare.py", "--cold-triton"]
                variables = {**os.environ, "TRITON_CACHE_DIR": cache}
                seconds.append(float(run(code, variables)))
        found = {"Triton": statistics.median(seconds)}
        if self.compiler:
            found["mlafuse-compile"] = self.time_compiler()
        for name, value in found.items():
            print(f"{name}: {value:.3f}")
        self.results["compile"] = found

    def time_compiler(self):
        # Triton brings the assembler that both use.
        ptxas = next(pathlib.Path(triton.__file__).parent.rglob("bin/ptxas"))
        seconds = []
        for _ in range(5):
            with tempfile.TemporaryDirectory() as directory:
                output = os.path.join(directory, "dual.cubin")
                begin = time.perf_counter()
                run(
                    [
                        self.compiler,
                        HERE / "dual.mlir",
                        "--target=nvvm:sm_90a",
                        "--emit=cubin",
                        f"--ptxas={ptxas}",
                        "-o",
                        output,
                    ]
                )
                seconds.append(time.perf_counter() - begin)
        return statistics.median(seconds)


def run(command, variables=None):
    """What a command prints; if it fails, all ends with that."""
    result = subprocess.run(command, capture_output=True, text=True, env=variables)
    if result.returncode != 0:
        command = " ".join(str(word) for word in command)
        sys.exit(f"{command}\n{result.stdout}{result.stderr}")
    return result.stdout


def time_cold_triton():
    """Seconds from the first call of the Triton kernel to its code on the device;
    PyTorch is imported and the device open by then."""
    x = kernels.random(1, 2112)
    weights = kernels.weight(1536), kernels.weight(512)
    torch.cuda.synchronize()
    begin = time.perf_counter()
    peers.dual_triton(x, *weights)
    torch.cuda.synchronize()
    print(time.perf_counter() - begin)


def print_machine():
    print(
        f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__},"
        f" Triton {triton.__version__}"
    )
