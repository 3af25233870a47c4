"""Writes and reads safetensors files."""

import json
import struct


def write(path, tensors, metadata=None):
    """`tensors`: name -> (type, shape, bytes); `metadata`: name -> text."""
    header, data = {}, b""
    for name, (dtype, shape, content) in tensors.items():
        offsets = [len(data), len(data) + len(content)]
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": offsets}
        data += content
    if metadata:
        header["__metadata__"] = metadata
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


class File:
    """All of a file: `tensors`, as `write` takes them, and `metadata`."""

    def __init__(self, path):
        with open(path, "rb") as file:
            (size,) = struct.unpack("<Q", file.read(8))
            header = json.loads(file.read(size))
            data = file.read()
        self.metadata = header.pop("__metadata__", {})
        self.tensors = {}
        for name, about in header.items():
            begin, end = about["data_offsets"]
            self.tensors[name] = about["dtype"], about["shape"], data[begin:end]
