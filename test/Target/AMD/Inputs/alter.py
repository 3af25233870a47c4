"""Alters a file: alter.py [--in-image] INPUT OUTPUT (FROM TO)...

FROM and TO are text with escapes (\\x08), of one length. All that is found in the file
is replaced, and something must be found. With --in-image it is the first that is
found in the last ELF file within the file: a library's last code object."""

import sys


def main():
    arguments = sys.argv[1:]
    in_image = arguments[0] == "--in-image"
    source, destination, *pairs = arguments[in_image:]
    with open(source, "rb") as file:
        data = file.read()
    for old, new in zip(pairs[::2], pairs[1::2], strict=True):
        old, new = (
            text.encode().decode("unicode_escape").encode("latin-1")
            for text in (old, new)
        )
        if len(old) != len(new):
            sys.exit(f"alter: {old} and {new} differ in length")
        start = data.rfind(b"\x7fELF") if in_image else 0
        if old not in data[start:]:
            sys.exit(f"alter: {source} has no {old}")
        altered = data[start:].replace(old, new, 1 if in_image else -1)
        data = data[:start] + altered
    with open(destination, "wb") as file:
        file.write(data)


main()
