"""Runs compiled kernels beside their peers on one CUDA device and prints tables.

usage: compare.py DIR [--quick] [--json=FILE] [--compiler=PATH] [--tables=NAME,...]

DIR is what build.sh made. All columns of a table, and the copy bandwidth that the
floors are computed from, come from this one run. Needs PyTorch and Triton.
"""

import argparse
import json
import pathlib

TABLES = ["dual", "group", "group_tokens", "keys", "norms", "launch", "compile"]


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("directory", type=pathlib.Path, nargs="?")
    parser.add_argument("--quick", action="store_true", help="fewer sizes and peers")
    parser.add_argument("--json", type=pathlib.Path, help="also write results there")
    parser.add_argument("--compiler", help="mlafuse-compile, to time it")
    parser.add_argument("--tables", default=",".join(TABLES), help="a selection")
    parser.add_argument("--cold-triton", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    arguments.tables = arguments.tables.split(",")
    for table in arguments.tables:
        if table not in TABLES:
            parser.error(f"--tables: no '{table}'; there are {', '.join(TABLES)}")
    if not arguments.directory and not arguments.cold_triton:
        parser.error("give the directory that build.sh made")
    return arguments


def main(arguments):
    # Only now: what --help prints needs neither PyTorch nor Triton.
    import tables
    import torch

    if arguments.cold_triton:
        return tables.time_cold_triton()
    torch.manual_seed(0)
    tables.print_machine()
    comparison = tables.Comparison(arguments)
    comparison.copy()
    for table in arguments.tables:
        getattr(comparison, table)()
        if arguments.json:
            text = json.dumps(comparison.results, indent=1)
            arguments.json.write_text(text)


if __name__ == "__main__":
    main(parse())
