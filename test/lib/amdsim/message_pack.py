"""MessagePack, as far as code objects use it for their metadata."""


def unpack(data, at=0):
    """The value that starts at byte `at`."""
    return _value(data, at)[0]


def _integer(data, at, size, signed):
    number = int.from_bytes(data[at : at + size], "big", signed=signed)
    return number, at + size


def _text(data, at, length):
    return data[at : at + length].decode(), at + length


def _array(data, at, length):
    values = []
    for _ in range(length):
        value, at = _value(data, at)
        values.append(value)
    return values, at


def _map(data, at, length):
    values = {}
    for _ in range(length):
        key, at = _value(data, at)
        values[key], at = _value(data, at)
    return values, at


# Kinds whose length follows: first code, how many codes, bytes of the shortest
# length, reader.
SIZED = [(0xD9, 3, 1, _text), (0xDC, 2, 2, _array), (0xDE, 2, 2, _map)]


def _value(data, at):
    code, at = data[at], at + 1
    if code <= 0x7F:
        return code, at
    if code >= 0xE0:
        return code - 256, at
    if code <= 0x8F:
        return _map(data, at, code & 15)
    if code <= 0x9F:
        return _array(data, at, code & 15)
    if code <= 0xBF:
        return _text(data, at, code & 31)
    if code == 0xC0:
        return None, at
    if code in (0xC2, 0xC3):
        return code == 0xC3, at
    if 0xCC <= code <= 0xCF:
        return _integer(data, at, 1 << (code - 0xCC), False)
    if 0xD0 <= code <= 0xD3:
        return _integer(data, at, 1 << (code - 0xD0), True)
    for first, count, size, reader in SIZED:
        if first <= code < first + count:
            size <<= code - first
            length, at = _integer(data, at, size, False)
            return reader(data, at, length)
    raise ValueError(f"MessagePack code {code:#x} is not known")
