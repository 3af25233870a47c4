#!/usr/bin/env python3
"""Compares the rows of a tensor of two safetensors files, as check_golden.py does.

usage: compare_rows.py ACTUAL WANTED TENSOR
"""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[1] / "Inputs"))

import check_golden
import safetensors_file


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    actual, wanted = map(safetensors_file.File, sys.argv[1:3])
    name = sys.argv[3]
    columns = wanted.tensors[name][1][-1]
    values = [check_golden.numbers(file, name) for file in (actual, wanted)]
    try:
        check_golden.check_rows(*values, columns, check_golden.ROW)
    except check_golden.Failure as failure:
        sys.exit(f"compare_rows.py: {failure}")
    print(f"{len(values[1]) // columns} rows alike")


main()
