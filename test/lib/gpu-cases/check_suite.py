#!/usr/bin/env python3
"""Compiles a suite of make_cases.py for AMD's chips and for the CPU, runs every
kernel on the simulator with mlafuse-device-check, which compares it with the CPU,
and checks the code objects with kernel-check.

usage: check_suite.py --build=DIRECTORY --work=DIRECTORY [--suite=NAME]...
                      [--part=I/N | --parts=N] [--ops=REGEX] [--chips=CHIP,...]
                      [--tokens=N,...] [--second-tokens=N,...]
                      [--check-option=OPTION]... [--least-occupancy=PERCENT]
                      [--jobs=N] [--report=FILE] [--summary=FILE] [--keep]

Each kernel runs twice: with waves in one order, tensors at aligned addresses between
guard bytes, launches on a stream and replayed ones; and with waves in the other
order and tensors at odd addresses, whose memory ends at a page that nobody may touch.
The summary counts what was compared; the report has lit's form.
"""

import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
CHIPS = ["gfx942", "gfx950", "gfx1201"]
MODES = [("0", ["--streams"]), ("1", ["--tight", "--offset=1"])]
ROW = re.compile(
    r"(ok|FAILED) +(\S+) +T=(\S*) runs=(\d+) compared=(\d+) differing=(\d+) worst=(\S+)"
)


@dataclasses.dataclass
class Result:
    """One function of a part in one run of mlafuse-device-check."""

    suite: str
    chip: str
    name: str
    passed: bool
    runs: int
    compared: int
    differing: int
    reason: str = ""


class Part:
    def __init__(self, options, suite, index, count):
        self.options, self.suite = options, suite
        self.name = f"{suite}-{index}-of-{count}"
        self.share = f"{index}/{count}"
        self.directory = pathlib.Path(options.work).resolve() / self.name

    def run(self):
        """Returns the results, and problems that belong to no function."""
        shutil.rmtree(self.directory, ignore_errors=True)
        self.directory.mkdir(parents=True)
        start = time.monotonic()
        results = []
        problems = self.compile()
        compiled = time.monotonic()
        if not problems:
            problems = self.check_kernels()
            for chip in self.options.chips:
                for seed, arguments in MODES:
                    problems += self.check(chip, seed, arguments, results)
        if not self.options.keep:
            shutil.rmtree(self.directory)
        end = time.monotonic()
        failed = sum(not result.passed for result in results)
        print(
            f"{self.name}: {len(results) - failed} passed, {failed} failed; "
            f"{compiled - start:.0f} s to compile, {end - compiled:.0f} s to run",
            flush=True,
        )
        return results, problems

    def call(self, arguments, output, environment={}):
        with open(self.directory / output, "w") as file:
            done = subprocess.run(
                [str(argument) for argument in arguments], stdout=file,
                stderr=subprocess.STDOUT, env={**os.environ, **environment},
            )  # fmt: skip
        return done.returncode, (self.directory / output).read_text()

    def compile(self):
        cases, library = self.directory / "cases.mlir", self.directory / "cases.so"
        status, text = self.call(
            [sys.executable, HERE / "make_cases.py", f"--suite={self.suite}",
             f"--part={self.share}", f"--ops={self.options.ops}"], cases,
        )  # fmt: skip
        if status == 0:
            targets = ",".join(["cpu"] + [f"rocdl:{c}" for c in self.options.chips])
            status, text = self.call(
                [self.options.build / "bin" / "mlafuse-compile", cases,
                 f"--target={targets}", "-o", library], "compile.txt",
            )  # fmt: skip
        return [f"{self.name}: {text.strip()}"] if status else []

    def check_kernels(self):
        status, text = self.call(
            [sys.executable, HERE.parent / "kernel-check" / "check_kernels.py",
             self.directory / "cases.so",
             f"--least-occupancy={self.options.least_occupancy}"], "kernels.txt",
        )  # fmt: skip
        print(text, end="", flush=True)
        return [f"{self.name}: code objects: {text.strip()}"] if status else []

    def check(self, chip, seed, arguments, results):
        tokens = self.options.tokens
        if seed != "0" and self.options.second_tokens:
            tokens = self.options.second_tokens
        status, text = self.call(
            [self.options.build / "bin" / "mlafuse-device-check",
             self.directory / "cases.so", "--device=hip", f"--tokens={tokens}",
             "--threads=1", *arguments, *self.options.check_option], f"{chip}-{seed}.txt",
            {"AMDSIM_CHIP": chip, "AMDSIM_SEED": seed,
             "AMDSIM_CACHE": str(self.directory / "translations"),
             "LD_LIBRARY_PATH": str(self.options.build / "lib" / "hip-stub")},
        )  # fmt: skip
        where = f"{chip}, waves in order {seed}"
        lines = text.splitlines()
        for line, after in zip(lines, lines[1:] + [""]):
            found = ROW.match(line)
            if not found:
                continue
            passed = found[1] == "ok"
            results.append(
                Result(self.suite, chip, found[2], passed,
                       *(int(found[i]) for i in (4, 5, 6)),
                       "" if passed else f"{where}: {after.strip()}")
            )  # fmt: skip
            if not passed:
                print(f"FAILED {found[2]} on {results[-1].reason}", flush=True)
        # A run that was cut short names the kernel in its last words.
        if status not in (0, 1):
            last = " ".join(lines[-3:])
            return [f"{self.name}, {where}: ended with {status}: {last}"]
        return []


def summarize(results, problems, options, seconds):
    yield (
        f"suites {', '.join(options.suite)}, T in {{{options.tokens}}}"
        + (f" and {{{options.second_tokens}}}" if options.second_tokens else "")
        + f", {time.strftime('%Y-%m-%d')}, {seconds / 60:.0f} minutes"
    )
    yield (
        f"{'suite':6} {'chip':8} {'functions':>9} {'failed':>6} {'runs':>8} "
        f"{'compared':>14} {'differing':>10}"
    )
    for suite in options.suite:
        for chip in options.chips:
            rows = [r for r in results if (r.suite, r.chip) == (suite, chip)]
            failed = {row.name for row in rows if not row.passed}
            names = {row.name for row in rows}
            yield (
                f"{suite:6} {chip:8} {len(names):9} {len(failed):6} "
                f"{sum(r.runs for r in rows):8} {sum(r.compared for r in rows):14} "
                f"{sum(r.differing for r in rows):10}"
            )
    for row in results:
        if not row.passed:
            yield f"FAILED {row.name} on {row.reason}"
    yield from problems


def write_report(path, results, problems):
    """A test per function and chip, as lit reports its tests."""
    tests = {}
    for row in results:
        name = f"amdsim :: {row.suite} :: {row.chip} :: {row.name}"
        test = tests.setdefault(name, {"name": name, "code": "PASS", "output": ""})
        if not row.passed:
            test["code"] = "FAIL"
            test["output"] += row.reason + "\n"
    for number, problem in enumerate(problems):
        name = f"amdsim :: problem {number}"
        tests[name] = {"name": name, "code": "FAIL", "output": problem}
    with open(path, "w") as file:
        json.dump({"tests": list(tests.values())}, file)


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--build", type=lambda p: pathlib.Path(p).resolve(), required=True)
    parser.add_argument("--work", required=True, help="a directory for files")
    parser.add_argument("--suite", action="append")
    parser.add_argument("--part", help="I/N: one share of N")
    parser.add_argument("--parts", type=int, default=8, help="all shares of N")
    parser.add_argument("--ops", default="", help="names to keep, as a regex")
    parser.add_argument("--chips", type=lambda text: text.split(","), default=CHIPS)
    parser.add_argument("--tokens", default="0,1,3,7,33")
    parser.add_argument("--second-tokens", help="of the second run")
    parser.add_argument("--check-option", action="append", default=[],
                        help="an option of mlafuse-device-check")  # fmt: skip
    parser.add_argument("--least-occupancy", type=float, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="parts at a time")
    parser.add_argument("--report", help="a file in the form of lit's reports")
    parser.add_argument("--summary", help="a file for the table at the end")
    parser.add_argument("--keep", action="store_true", help="keep all files")
    options = parser.parse_args()
    options.suite = options.suite or ["small"]
    return options


def main():
    options = parse_options()
    start = time.monotonic()
    if options.part:
        index, count = (int(number) for number in options.part.split("/"))
        shares = [(index, count)]
    else:
        shares = [(index, options.parts) for index in range(options.parts)]
    parts = [Part(options, suite, *share) for suite in options.suite for share in shares]
    results, problems = [], []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for part_results, part_problems in pool.map(Part.run, parts):
            results += part_results
            problems += part_problems
    if not results and not problems:
        problems = ["nothing was run"]
    text = "\n".join(summarize(results, problems, options, time.monotonic() - start))
    print(text)
    if options.summary:
        pathlib.Path(options.summary).write_text(text + "\n")
    if options.report:
        write_report(options.report, results, problems)
    return 1 if problems or any(not row.passed for row in results) else 0


if __name__ == "__main__":
    sys.exit(main())
