"""Runs compiled decode attention beside FlashMLA, cuBLAS and Triton on one CUDA device.

usage: attention.py DIR [--flashmla=FILE] [--flashmla-times=FILE] [--quick]
                    [--tables=NAME,...] [--json=FILE]

DIR is what build.sh made. FlashMLA's extension is _flashmla_C.abi3.so of a vLLM wheel
for the same PyTorch; where it is not to be had, --flashmla-times gives a file of times
measured elsewhere, and its column says so. All other columns of a table, and the
bandwidth and the matrix rate that the floors are computed from, come from this one
run. Needs PyTorch and Triton.
"""

import argparse
import json
import pathlib
import sys
import time

TABLES = ["decode", "projection", "whole", "caches"]


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--flashmla", type=pathlib.Path, help="the extension")
    parser.add_argument("--flashmla-times", type=pathlib.Path, help="JSON of times")
    parser.add_argument("--quick", action="store_true", help="fewer shapes")
    parser.add_argument("--json", type=pathlib.Path, help="also write results there")
    parser.add_argument("--tables", default=",".join(TABLES), help="a selection")
    arguments = parser.parse_args()
    arguments.tables = arguments.tables.split(",")
    for table in arguments.tables:
        if table not in TABLES:
            parser.error(f"--tables: no '{table}'; there are {', '.join(TABLES)}")
    return arguments


class Clock:
    """Says on standard error what the time went to."""

    def __init__(self):
        self.last = time.monotonic()

    def __call__(self, what):
        now = time.monotonic()
        print(f"[{now - self.last:.1f} s: {what}]", file=sys.stderr, flush=True)
        self.last = now


def main(arguments):
    clock = Clock()
    # A run that is cut short shows what it has.
    sys.stdout.reconfigure(line_buffering=True)
    # Only now: what --help prints needs neither PyTorch nor Triton.
    import torch

    clock("PyTorch")
    import attention_tables
    import tables

    clock("Triton")
    torch.manual_seed(0)
    tables.print_machine()
    comparison = attention_tables.Attention(arguments)
    clock("libraries")
    comparison.ceilings()
    clock("ceilings")
    failed = False
    for table in arguments.tables:
        # The other tables are worth having.
        try:
            getattr(comparison, table)()
        except (RuntimeError, SystemExit) as error:
            print(f"\n{table}: {error}")
            failed = True
        clock(table)
        if arguments.json:
            text = json.dumps(comparison.results, indent=1)
            arguments.json.write_text(text)
    sys.exit(failed)


if __name__ == "__main__":
    main(parse())
